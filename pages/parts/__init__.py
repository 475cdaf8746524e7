"""Parts of pages, which only show and ask the core, and what the app is called."""

BRAND, TITLE = "맥락", "맥락 · 영상의 맥락으로 찾는 검색"
