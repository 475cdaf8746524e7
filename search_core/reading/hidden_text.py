"""Text that a page holds and does not show.

Nobody reads it, so it has no place among what a page says; it is also how instructions are slipped to a language model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

import cssselect2  # type: ignore[import-untyped]
from lxml import etree

from search_core.korean import normalize
from search_core.korean.wordlist import words
from search_core.reading.page_styles import (
    BODY_FONT_PX,
    Color,
    PageStyles,
    color_of,
    font_px,
    ground_of,
    hides_box,
    is_faint,
    is_tiny,
    is_unseen,
    opacity_of,
    resolve_variables,
    squeezes_text,
    visibility_of,
)

_MOST_OF_PAGE = 0.4
"""What holds this much of the text is shown by a program of the page, later, or is on a ground that is not known."""
_NEVER_SHOWN = words("template noscript noframes datalist canvas object video audio iframe annotation rp")
"""Elements whose text browsers keep for other browsers, or for programs."""
_DRAWING = frozenset({"svg", "metadata", "desc", "defs"})
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters without a picture: controls, fillers of Hangul syllables, joiners, directions, selectors and tags."""

_Reason = Literal["", "visibility", "font", "color"]


def visible(text: str) -> str:
    """Return *text* without characters that show nothing, composed."""
    return normalize(_UNSEEN.sub("", text))


def drop_hidden(root: Any) -> None:
    """Remove from the tree of *root* what elements, attributes and the page's own style sheets keep out of sight.

    Rules that a program of the page changes later cannot be told from those that stay, so what holds most of the text stays.
    What a reader can unfold (``details``) is not hidden.
    """
    body = root.find("body")
    if body is None:
        return
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    styles = PageStyles(root)
    for element in list(body.iter(*_NEVER_SHOWN)):
        _empty(element)
    most = _MOST_OF_PAGE * len(str(body.text_content()))
    findings = _Findings(styles)
    findings.look_at(cssselect2.ElementWrapper.from_html_root(root))
    for element in findings.boxes:
        if len(str(element.text_content())) < most:
            _empty(element)
    for elements in findings.texts.values():
        if sum(map(_own_length, elements)) < most:
            for element in elements:
                _drop_own_text(element)


@dataclass(frozen=True, slots=True)
class _Inherited:
    """What an element hands down to those within it."""

    font_px: float = BODY_FONT_PX
    color: Color = (0.0, 0.0, 0.0, 1.0)
    fill: Color | None = None
    """The colour that ``-webkit-text-fill-color`` names."""
    ground: Color | None = (1.0, 1.0, 1.0, 1.0)
    visibility: str = "visible"
    opacity: float = 1.0
    squeezed: bool = False
    through_text: bool = False
    """The ground is seen through the letters (``background-clip: text``)."""
    variables: MappingProxyType[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def reason(self) -> _Reason:
        """Return by what a text is hidden that is here, empty when it is not."""
        if self.visibility != "visible":
            return "visibility"
        if is_tiny(self.font_px) or self.squeezed:
            return "font"
        return "color" if not self.through_text and is_unseen(self.fill or self.color, self.ground) else ""


class _Findings:
    """Elements that are hidden with all in them, and elements of which the text alone is."""

    def __init__(self, styles: PageStyles) -> None:
        self._styles = styles
        self.boxes: list[Any] = []
        self.texts: dict[_Reason, list[Any]] = {"visibility": [], "font": [], "color": []}

    def look_at(self, root: cssselect2.ElementWrapper) -> None:
        """Go through the page from its *root*."""
        waiting = [(root, _Inherited())]
        while waiting:
            wrapper, inherited = waiting.pop()
            element = wrapper.etree_element
            values, variables = self._declarations(wrapper, inherited)
            now = _handed_down(element, values, inherited, variables)
            if wrapper.local_name in ("html", "body"):
                # Hidden as a whole, a page is shown by its own program.
                now = replace(now, visibility="visible", opacity=1.0)
            elif _is_hidden(element) or hides_box(values) or is_faint(now.opacity):
                self.boxes.append(element)
                continue
            if now.reason and _own_length(element):
                self.texts[now.reason].append(element)
            waiting += [(child, now) for child in wrapper.iter_children() if child.local_name != "head"]

    def _declarations(
        self, wrapper: cssselect2.ElementWrapper, inherited: _Inherited
    ) -> tuple[dict[str, str], MappingProxyType[str, str]]:
        values = self._styles.of(wrapper)
        own = {name: value for name, value in values.items() if name.startswith("--")}
        variables = MappingProxyType({**inherited.variables, **own}) if own else inherited.variables
        if any("var(" in value for value in values.values()):
            values = resolve_variables(values, variables)
        return values, variables


def _handed_down(
    element: Any, values: dict[str, str], inherited: _Inherited, variables: MappingProxyType[str, str]
) -> _Inherited:
    """Return what *element* hands down; colours of old attributes count where no style names one."""
    values = {**_attributes(element), **values}
    if not values:
        return inherited
    fill = values.get("-webkit-text-fill-color")
    clipped = values.get("background-clip") or values.get("-webkit-background-clip") or values.get("background", "")
    color = color_of(values["color"], inherited.color) if "color" in values else inherited.color
    return _Inherited(
        font_px=font_px(values, inherited.font_px),
        color=color,
        fill=color_of(fill, color) if fill else inherited.fill,
        ground=ground_of(values, inherited.ground),
        visibility=visibility_of(values, inherited.visibility),
        opacity=inherited.opacity * opacity_of(values),
        squeezed=squeezes_text(values) if "letter-spacing" in values else inherited.squeezed,
        through_text="text" in clipped or inherited.through_text,
        variables=variables,
    )


def _attributes(element: Any) -> dict[str, str]:
    named: dict[str, str] = {}
    if element.get("bgcolor"):
        named["background-color"] = element.get("bgcolor").lower()
    if element.get("background"):
        named["background-image"] = "url()"
    color = element.get("color") if element.tag == "font" else element.get("text") if element.tag == "body" else None
    if color:
        named["color"] = color.lower()
    return named


def _is_hidden(element: Any) -> bool:
    if element.get("hidden") is not None or element.get("popover") is not None:
        return True
    return element.tag in _DRAWING or (element.tag == "dialog" and element.get("open") is None)


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
