// The line over the histogram follows the threshold while it is dragged; the server draws the chart anew when it has heard of it.
(() => {
  const root = document.documentElement;
  if (root.dataset.maekrakThreshold) return;
  root.dataset.maekrakThreshold = "on";

  const QUIET_MS = 2000;
  let waiting = 0;
  const place = () => document.querySelector(".st-key-histogram-place");
  const rest = () => {
    clearTimeout(waiting);
    place()?.removeAttribute("data-moving");
  };
  const follow = (value) => {
    const box = place();
    if (!box) return;
    box.style.setProperty("--threshold", `${value}%`);
    box.dataset.moving = "true";
    clearTimeout(waiting);
    waiting = setTimeout(rest, QUIET_MS);
  };
  new MutationObserver((changes) => {
    for (const { target, type } of changes) {
      if (type === "attributes" && target.closest(".st-key-threshold")) follow(target.value);
      else if (type === "childList" && target.closest(".st-key-histogram-place")) rest();
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-valuetext"] });
})();
