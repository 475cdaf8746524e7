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

  // Places on the page itself: a part of the report from its table of contents, a source from its number.
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#report-"], a[href^="#source-"]');
    if (!link) return;
    event.preventDefault();
    const [, kind, number] = link.getAttribute("href").match(/^#(report|source)-(\d+)$/) ?? [];
    const place = kind === "report"
      ? document.querySelectorAll('.st-key-report-text :is(h2, h3, h4, h5, h6)')[number - 1]
      : document.querySelector(`.st-key-source-${number}`);
    if (!place) return;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    place.scrollIntoView({ behavior: still ? "instant" : "smooth", block: kind === "report" ? "start" : "center" });
  }, true);

  // The clipboard: the text stands behind the button, and whether it could be taken is said on it and aloud.
  const COPIED = "복사했어요", NOT_COPIED = "복사하지 못했어요. 글을 끌어서 골라 주세요.";
  const take = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea"); // over plain HTTP there is no clipboard to write to
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (!copied) throw new Error("the browser refuses");
  };
  addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest('[class*="st-key-copy-"] button');
    const box = button && button.closest('[class*="st-key-take-"]');
    if (!box) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // nothing of it concerns the server
    take(box.querySelector('[class*="st-key-text-of-"]').textContent).then(() => COPIED, () => NOT_COPIED).then((words) => {
      dispatchEvent(new CustomEvent("maekrak-news", { detail: words }));
      box.dataset.copied = words;
      setTimeout(() => { delete box.dataset.copied; }, 4000);
    });
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
