// Who opens a claim from the timeline is taken to it: its card comes into sight and has the focus, so that it is read out.
(() => {
  const root = document.documentElement;
  if (root.dataset.maekrakClaims) return;
  root.dataset.maekrakClaims = "on";

  const PREFIX = "st-key-opened-";
  let opened;
  const follow = () => {
    const places = document.querySelectorAll(`.st-key-claims-page [class*="${PREFIX}"]`);
    const last = places[places.length - 1];
    const mark = last && [...last.classList].find((name) => name.startsWith(PREFIX));
    if (!mark || mark === opened) return;
    const first = opened === undefined;
    opened = mark;
    const number = mark.slice(PREFIX.length).split("-")[0];
    const card = document.querySelector(`.st-key-claim-${number}`);
    if (first || !card) return;
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    card.scrollIntoView({ behavior: still ? "instant" : "smooth", block: "start" });
  };
  new MutationObserver(follow).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
})();
