// Where the server is, said before Streamlit asks: on a page with an address of its own it would look below that address first.
window.prerenderReady = false; // what Streamlit's own script in this place says, to those who render pages ahead
window.__streamlit = { BACKEND_BASE_URL: new URL("../../", document.currentScript.src).href };
document.documentElement.lang = "ko"; // Streamlit says "en" of every page
// How wide the window is, which the server needs for the first paint already: on narrow ones the video folds.
document.cookie = `maekrak_narrow=${innerWidth <= 1100 ? 1 : 0}; path=/; SameSite=Lax`;
// A page on which nothing stands says so: whatever has gone wrong in the browser, loading it again is the way on.
(() => {
  const LOOK_MS = 2000, BLANK_MS = 12000;
  let blank = 0, said;
  const isBlank = () => !document.getElementById("root")?.innerText.trim();
  setInterval(() => {
    blank = document.visibilityState === "visible" && isBlank() ? blank + LOOK_MS : 0;
    if (!blank) {
      said?.remove();
      said = undefined;
    }
    if (blank < BLANK_MS || said) return;
    said = document.createElement("div");
    said.setAttribute("role", "alert");
    said.style.cssText = "position:fixed;inset:30% 1rem auto;text-align:center;font-family:Pretendard,sans-serif;line-height:2";
    const again = document.createElement("button");
    again.textContent = "다시 불러오기";
    again.style.cssText = "font:inherit;padding:0.3rem 1rem";
    again.onclick = () => location.reload();
    said.append("화면을 그리지 못했어요.", document.createElement("br"), again);
    document.body.append(said);
  }, LOOK_MS);
})();
