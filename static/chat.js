// What a page drawn by the server cannot do: know that the browser is offline, follow a moment in place, keep the newest line
// in sight. Nothing depends on it: every moment has a button of its own as well.
(() => {
  const root = document.documentElement;
  const note = () => { root.dataset.online = String(navigator.onLine); };
  note();
  if (root.dataset.maekrakChat) return;
  root.dataset.maekrakChat = "on";
  addEventListener("online", note);
  addEventListener("offline", note);

  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#t="]');
    if (!link) return;
    event.preventDefault();
    const ending = `-t${link.getAttribute("href").slice(3)}`;
    const box = link.closest('[class*="st-key-say-"]');
    const place = box && [...box.querySelectorAll('[class*="st-key-at-"]')].find((element) =>
      [...element.classList].some((name) => name.startsWith("st-key-at-") && name.endsWith(ending)));
    place?.querySelector("button")?.click();
  }, true);

  const NEAR = 120; // pixels from the end that count as being there
  let following = true, newest = "", height = 0, waiting = false;
  const page = () => document.querySelector('[data-testid="stMain"]');
  addEventListener("scroll", (event) => {
    const main = page();
    // Growing moves the end away without anybody scrolling: only a page of the same height tells what the reader did.
    if (event.target === main && main.scrollHeight === height) {
      following = main.scrollHeight - main.scrollTop - main.clientHeight < NEAR;
    }
  }, true);
  const keepUp = () => {
    waiting = false;
    const main = page();
    if (!main) return;
    const said = document.querySelectorAll('.st-key-chat [class*="st-key-say-"]');
    const last = said.length ? [...said[said.length - 1].classList].find((name) => name.startsWith("st-key-say-")) : "";
    if (last !== newest) {
      newest = last;
      following = true;
    }
    if (last && following && main.scrollHeight !== height) main.scrollTop = main.scrollHeight;
    height = main.scrollHeight;
  };
  new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(keepUp);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})();
