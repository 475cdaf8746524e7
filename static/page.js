// What every page needs of the browser: one entry of its history for each step, and an answer to a question at once.
(() => {
  const root = document.documentElement;
  if (root.dataset.maekrakPage) return;
  root.dataset.maekrakPage = "on";

  // Streamlit makes an entry for each change of the address. One for each act that leads to another state is wanted: what the
  // server fills in by itself, and settings, belong to the entry that is there.
  const STATE = ["video", "q", "job", "chat", "run", "claims", "tab"];
  const state = (url) => [url.pathname, ...STATE.map((name) => url.searchParams.get(name) || "")].join("\n");
  const push = history.pushState.bind(history);
  let acted = false;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { acted = true; }, true);
  history.pushState = (data, unused, address) => {
    const next = new URL(address, location.href);
    if (acted && state(next) !== state(new URL(location.href))) {
      acted = false;
      push(data, unused, address);
    } else {
      history.replaceState(data, unused, address);
    }
  };

  // What has ended is told to who does not see the page: in a region of ours, which is there before its words change.
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  region.style.cssText = "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
  document.body.append(region);
  const told = new Set(), kinds = new Set(); // what another page has told stays told, and what a load brings back is no news
  const tell = () => {
    for (const place of document.querySelectorAll('[class*="st-key-announced-"] [data-testid="stMarkdownContainer"]')) {
      const news = place.textContent.trim();
      const name = news.split(" ", 1)[0];
      if (!name || told.has(name)) continue;
      const kind = name.split("-", 1)[0], words = news.slice(name.length).trim();
      if (kinds.has(kind) && words) region.textContent = words;
      told.add(name);
      kinds.add(kind);
    }
  };
  new MutationObserver(tell).observe(document.body, { childList: true, subtree: true, characterData: true });

  // What opens the sidebar is called by what is in it, aloud as on the screen.
  const name = () => {
    const button = document.querySelector('[data-testid="stExpandSidebarButton"]');
    if (!button) return; // before styles are asked for, which are worked out for that
    const words = getComputedStyle(root).getPropertyValue("--menu").trim().replace(/^"|"$/g, "");
    if (words && button.getAttribute("aria-label") !== words) button.setAttribute("aria-label", words);
  };
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-label"] });

  // On a phone the menu lies over the page: it closes when what is in it leads to one.
  addEventListener("click", (event) => {
    const leads = event.target.closest?.('[data-testid="stSidebarNavLink"], .st-key-new-chat button');
    if (leads && matchMedia("(max-width: 768px)").matches) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  });

  // "/" leads to the question, as on other pages that are searched.
  const BOX = '[data-testid="stChatInputTextArea"]';
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input, textarea, select, [contenteditable="true"]')) return;
    const box = document.querySelector(BOX);
    if (!box) return;
    event.preventDefault();
    box.focus();
  });

  // What Streamlit says in English by itself, in Korean.
  const KOREAN = new Map([
    ["Upload", "파일 고르기"], ["Upload files", "파일 넣기"], ["file upload", "파일 넣기"], ["Send message", "보내기"], ["Click to retry upload", "다시 올리기"], ["Error:", "오류: "], ["Browse files", "파일 고르기"], ["Drag and drop files here", "여기로 파일을 끌어 놓으세요"],
    ["Drag and drop file here", "여기로 파일을 끌어 놓으세요"], ["Skip to main content", "본문으로 건너뛰기"], ["Select all", "모두 고르기"],
    ["No results", "찾는 것이 없어요"], ["No options to select.", "고를 것이 없어요"], ["Choose options", "고르기"], ["Choose an option", "고르기"],
    ["Sidebar", "사이드바"], ["Collapse sidebar", "메뉴 접기"], ["App pages", "페이지"], ["Help", "도움말"], ["Open", "펼치기"],
    ["Choose date", "날짜 고르기"], ["Selected values", "고른 것"], ["yyyy", "연"], ["mm", "월"], ["dd", "일"], ["Close", "닫기"], ["Clear all", "모두 지우기"], ["Clear value", "지우기"], ["Fullscreen", "크게 보기"], ["Close fullscreen", "작게 보기"],
  ]);
  const PATTERNS = [
    [/^(?:Error: )?File must be ([\d.]+?)(?:\.0)?([KMG]B) or smaller\.$/, "파일 하나는 $1$2까지 올릴 수 있어요."], [/^Help for (.+)$/, "$1 도움말"], [/^([\d.]+)([KMG]B) per file(?: • (.*))?$/, "파일 하나에 $1$2까지 · $3"],
    [/^Remove (.+)$/, "$1 빼기"], [/^year, (.+)$/, "$1의 연도"], [/^month, (.+)$/, "$1의 월"], [/^day, (.+)$/, "$1의 일"],
    [/^Fullscreen: (.+)$/, "크게 보기: $1"], [/^Download as PNG: (.+)$/, "그림(PNG)으로 받기: $1"], [/^Press Enter to (?:apply|submit form)$/, "Enter로 보내기"],
  ];
  const inKorean = (text) => {
    const plain = text.trim();
    if (KOREAN.has(plain)) return KOREAN.get(plain);
    const [pattern, words] = PATTERNS.find(([each]) => each.test(plain)) ?? [];
    return pattern ? plain.replace(pattern, words).replace(/ · $/, "") : null;
  };
  const OWN_WORDS = '[data-testid="stMarkdownContainer"], [data-testid="stText"], input, textarea, script, style';
  const translate = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const ours = node.parentElement?.closest(OWN_WORDS) && !node.parentElement.closest('[data-testid="stFileUploaderDropzone"]');
      const words = ours ? null : inKorean(node.data);
      if (words) node.data = words;
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    // A section of the list of pages is a div among its items, with items of its own in no list.
    const above = node.parentElement;
    if (node.tagName === "DIV" && above?.dataset.testid === "stSidebarNavItems") node.setAttribute("role", "listitem");
    if (node.tagName === "LI" && above?.parentElement?.dataset.testid === "stSidebarNavItems") node.setAttribute("role", "none");
    if (node.dataset.testid === "stPopoverBody") node.tabIndex = 0; // what scrolls is reached by the keyboard
    for (const name of ["aria-label", "placeholder", "title"]) {
      const words = node.hasAttribute(name) ? inKorean(node.getAttribute(name)) : null;
      if (words) node.setAttribute(name, words);
    }
    node.childNodes.forEach(translate);
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "childList") change.addedNodes.forEach(translate);
      else translate(change.target);
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["aria-label", "placeholder"] });
  translate(document.body);

  // A file may be dropped anywhere on a page that has a box for files; on another it is not opened in place of the page.
  const FILES = '.st-key-ask-row input[type="file"]';
  const own = (event) => !event.dataTransfer?.types.includes("Files") || event.target.closest?.('[data-testid="stChatInput"]');
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      if (own(event)) return;
      event.preventDefault();
      const box = document.querySelector(FILES);
      root.toggleAttribute("data-dropping", kind === "dragover" && !!box);
      if (!box) event.dataTransfer.dropEffect = "none";
      if (kind !== "drop" || !box) return;
      box.files = event.dataTransfer.files;
      box.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }

  // Who takes a part out of the query by the keyboard stays among the parts, though the button goes with the part.
  const PARTS = '[class*="st-key-chips"] button:not(:disabled), [class*="st-key-referent-"] button:not(:disabled)';
  let gone = -1;
  const stay = () => {
    if (gone < 0 || document.activeElement !== document.body) return;
    const left = [...document.querySelectorAll(PARTS)];
    if (left.length) left[Math.min(gone, left.length - 1)].focus();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { gone = -1; }, true);
  addEventListener("click", (event) => {
    const part = event.detail === 0 && event.target.closest?.(PARTS); // no clicks of a pointer, only those of a key
    if (part) gone = [...document.querySelectorAll(PARTS)].indexOf(part);
  }, true);
  new MutationObserver(stay).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });

  // The mark on the page changes with each question that has reached the server.
  const ASKS = '[data-testid="stChatInputSubmitButton"], [class*="st-key-example-"] button, [class*="st-key-part-"] button,'
    + ' [class*="st-key-restore-"] button, [class*="st-key-broader-"] button, .st-key-refresh button, .st-key-retry button';
  const LONGEST_MS = 20000;
  const mark = () => document.querySelector('[class*="st-key-sent-"]')?.className ?? "";

  // What is written and not sent stays in this tab, through another page and a reload.
  const DRAFT = "draft";
  const drop = (box) => { if (box) sessionStorage.removeItem(DRAFT); };
  addEventListener("input", (event) => {
    const box = event.target.closest?.(BOX);
    if (box?.value) sessionStorage.setItem(DRAFT, box.value);
    else drop(box);
  }, true);
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) drop(event.target.closest?.(BOX));
  }, true);
  addEventListener("click", (event) => {
    if (event.target.closest?.(ASKS)) drop(document.querySelector(BOX));
  }, true);
  const met = new WeakSet();
  let focused = false; // once: who has gone elsewhere since is left there
  const restore = () => {
    for (const box of document.querySelectorAll(BOX)) {
      if (met.has(box)) continue;
      met.add(box);
      if (!focused && document.activeElement === document.body && matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
      focused = true;
      const draft = sessionStorage.getItem(DRAFT);
      if (!draft || draft === box.value) continue;
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, draft); // as if typed, for React to notice
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
  let before = "";
  const begin = () => {
    before = mark();
    root.dataset.asking = "true";
    setTimeout(end, LONGEST_MS);
  };
  const end = () => { delete root.dataset.asking; };
  addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing && !event.shiftKey && event.target.closest?.(BOX)) begin();
  }, true);
  addEventListener("click", (event) => { if (event.target.closest?.(ASKS)) begin(); }, true);
  new MutationObserver(() => { if (root.dataset.asking && mark() !== before) end(); })
    .observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
})();
