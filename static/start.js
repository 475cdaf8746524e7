// Where the server is, said before Streamlit asks: on a page with an address of its own it would look below that address first.
window.prerenderReady = false; // what Streamlit's own script in this place says, to those who render pages ahead
window.__streamlit = { BACKEND_BASE_URL: new URL("../../", document.currentScript.src).href };
document.documentElement.lang = "ko"; // Streamlit says "en" of every page
// How wide the window is, which the server needs for the first paint already: on narrow ones the video folds.
document.cookie = `maekrak_narrow=${innerWidth <= 1100 ? 1 : 0}; path=/; SameSite=Lax`;
