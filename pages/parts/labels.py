"""Korean texts that several modules draw."""

from __future__ import annotations

BRAND, TITLE = "맥락", "맥락 · 영상의 맥락으로 찾는 검색"
TYPED_NAME = "직접 입력"
