"""Text that a page holds and does not show.

Nobody reads it, so it has no place among what a page says; it is also how instructions are slipped to a language model.
"""

from __future__ import annotations

import re
from typing import Any

from search_core.korean import normalize

_MOST_OF_PAGE = 0.4
"""An element with this much of the text is shown by a program of the page, later."""
_MAX_SHEET_CHARS = 200_000
_HIDING = (
    r"display:none|visibility:(?:hidden|collapse)|font-size:[01](?:px|pt|em|rem|%)?(?:[;!]|$)|opacity:0?\.?0*(?:[;!]|$)"
    r"|text-indent:-\d{3,}|(?:left|top|right|bottom):-\d{4,}|clip:rect\(0"
)
_HIDDEN = re.compile(_HIDING)
_UNDER_CONDITIONS = re.compile(r"@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
"""Rules for some screens only."""
_SHEET_RULE = re.compile(r"([^{}]{1,300})\{([^{}]{1,2000})\}")
_SIMPLE = re.compile(r"[.#][\w-]+")
_SPACES = re.compile(r"\s+")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters without a picture: controls, fillers of Hangul syllables, joiners, directions, selectors and tags."""


def visible(text: str) -> str:
    """Return *text* without characters that show nothing, composed."""
    return normalize(_UNSEEN.sub("", text))


def drop_hidden(root: Any) -> None:
    """Remove from the tree of *root* what attributes, styles and simple rules of its style sheets hide.

    Rules that a program of the page changes later cannot be told from those that stay, so what holds most of the text stays.
    """
    body = root.find("body")
    if body is None:
        return
    most = _MOST_OF_PAGE * len(str(body.text_content()))
    selectors = _hiding_selectors(root)
    for element in [one for one in body.iterdescendants() if isinstance(one.tag, str) and _is_hidden(one, selectors)]:
        if element.getparent() is not None and len(str(element.text_content())) < most:
            element.drop_tree()


def _is_hidden(element: Any, selectors: frozenset[str]) -> bool:
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    if style and _HIDDEN.search(_SPACES.sub("", style.lower())):
        return True
    marks = [f".{name}" for name in (element.get("class") or "").split()] if selectors else []
    return any(mark in selectors for mark in (*marks, f"#{element.get('id')}"))


def _hiding_selectors(root: Any) -> frozenset[str]:
    """Return the classes and ids that the page's own style sheets hide outright."""
    sheets = "".join(str(sheet.text_content()) for sheet in root.iter("style"))[:_MAX_SHEET_CHARS]
    sheets = _UNDER_CONDITIONS.sub("", sheets)
    return frozenset(
        selector.strip()
        for names, rule in _SHEET_RULE.findall(sheets)
        if _HIDDEN.search(_SPACES.sub("", rule.lower()))
        for selector in names.split(",")
        if _SIMPLE.fullmatch(selector.strip())
    )
