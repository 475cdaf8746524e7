"""Text that a page holds and does not show.

Nobody reads it, so it has no place among what a page says. Only what an element says of itself is looked at: whatever style
sheets and programs hide is read, and foreign text is fenced before a language model sees it.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from search_core.text.korean.wordlist import words

_MOST_OF_PAGE = 0.4
"""What holds this much of the text is shown later, by a program of the page."""
_NEVER_SHOWN = words("template noscript noframes datalist canvas object video audio iframe annotation rp")
"""Elements whose text browsers keep for other browsers, or for programs."""
_ZERO = re.compile(r"[-+]?(?:0+(?:\.0+)?|\.0+)(?:px|r?em|pt|%)?")
_SIZES = ("width", "height", "max-width", "max-height")


def drop_hidden(root: Any) -> None:
    """Remove from the tree of *root* what elements by their kind, and by their own attributes, do not show.

    What a program of the page changes later cannot be told from what stays, so what holds most of the text stays. What a reader
    can unfold (``details``) is not hidden, and neither is what screen readers alone leave out (``aria-hidden``).
    """
    body = root.find("body")
    if body is None:
        return
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    for element in list(body.iter(*_NEVER_SHOWN)):
        _empty(element)
    most = _MOST_OF_PAGE * len(str(body.text_content()))
    for element in list(body.iterdescendants()):
        style = _style_of(element)
        if (_is_hidden(element) or _hides_box(element, style)) and len(str(element.text_content())) < most:
            _empty(element)
        elif _ZERO.fullmatch(style.get("font-size", "")) and _own_length(element) < most:
            _drop_own_text(element)  # elements within may have a size of their own


def _style_of(element: Any) -> dict[str, str]:
    declared = (part.partition(":") for part in (element.get("style") or "").lower().split(";"))
    return {name.strip(): value.strip().removesuffix("!important").rstrip() for name, _, value in declared}


def _is_hidden(element: Any) -> bool:
    if element.get("hidden") is not None or element.get("popover") is not None or element.tag == "svg":
        return True
    return element.tag == "dialog" and element.get("open") is None


def _hides_box(element: Any, style: dict[str, str]) -> bool:
    """Return whether *style* takes the whole element, with all in it, out of sight."""
    if style.get("display") == "none":
        return True
    if style.get("visibility") in ("hidden", "collapse"):
        return not any(_style_of(inner).get("visibility") == "visible" for inner in element.iterdescendants())
    cut = style.get("overflow") in ("hidden", "clip")
    return cut and any(_ZERO.fullmatch(style.get(name, "")) for name in _SIZES)


def _empty(element: Any) -> None:
    """Take out what is in *element*; itself it stays, for readers judge a page by its frame."""
    for child in list(element):
        element.remove(child)
    element.text = None


def _own_length(element: Any) -> int:
    return len((element.text or "").strip()) + sum(len((child.tail or "").strip()) for child in element)


def _drop_own_text(element: Any) -> None:
    element.text = " "
    for child in element:
        child.tail = " "
