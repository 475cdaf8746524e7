// What a page drawn by the server cannot do: know that the browser is offline, follow a moment in place, keep the newest
// question in sight. Nothing depends on it: every moment has a button of its own as well.
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

  // The newest question stands at the top, when it was just asked while its answer and its results come, until the reader moves on.
  const QUESTIONS = '[class*="st-key-say-question-"]';
  const PINNED_MS = 15000, LOADED_MS = 3000;
  let newest, pinned = 0;
  let asked = false;
  const pin = () => {
    const last = [...document.querySelectorAll(QUESTIONS)].at(-1);
    const name = last?.className.match(/st-key-say-question-(\S+)/)?.[1];
    if (name && name !== newest) {
      pinned = Date.now() + (asked ? PINNED_MS : LOADED_MS);
      newest = name;
      asked = false;
    }
    if (last && Date.now() < pinned) last.scrollIntoView({ block: "start", behavior: "instant" });
  };
  addEventListener("keydown", (event) => { asked = event.key === "Enter"; if (event.target.tagName !== "TEXTAREA") pinned = 0; }, true);
  addEventListener("pointerdown", () => { asked = true; pinned = 0; }, true);
  for (const kind of ["wheel", "touchmove"]) addEventListener(kind, () => { pinned = 0; }, { capture: true, passive: true });
  new MutationObserver(pin).observe(document.body, { childList: true, subtree: true });

  // A source of a report, from its number.
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#source-"]');
    if (!link) return;
    event.preventDefault();
    const number = link.getAttribute("href").slice("#source-".length), card = link.closest('[class*="st-key-say-"]');
    const place = card?.querySelector(`[class*="st-key-source-"][class$="-${number}"], [class*="st-key-source-"][class*="-${number} "]`);
    if (!place) return;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    place.scrollIntoView({ behavior: still ? "instant" : "smooth", block: "center" });
  }, true);
})();
