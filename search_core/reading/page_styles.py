"""What the style sheets of a page and the styles of its elements declare, read by tinycss2 and matched by cssselect2.

Only declarations by which text can be hidden are collected. Sheets of other addresses are not fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote

import cssselect2  # type: ignore[import-untyped]
import tinycss2  # type: ignore[import-untyped]

SCREEN_WIDTH_PX = 1280
"""Of the screen for which conditions of a page are decided."""
MAX_SHEET_CHARS = 200_000
"""Takes half a second; what is after it is not read."""
_MAX_NESTING = 8
_PROPERTIES = frozenset(
    {"display", "visibility", "content-visibility", "opacity", "filter", "clip", "clip-path", "mask", "mask-image", "zoom"}
    | {"-webkit-mask", "-webkit-mask-image", "-webkit-clip-path", "transform", "scale", "translate", "rotate", "z-index"}
    | {"position", "left", "right", "top", "bottom", "inset", "inset-inline-start", "inset-block-start", "text-indent"}
    | {"margin", "margin-left", "margin-right", "margin-top", "margin-bottom", "margin-inline-start", "letter-spacing"}
    | {"overflow", "overflow-x", "overflow-y", "width", "height", "max-width", "max-height", "line-height", "block-size"}
    | {"inline-size", "max-block-size", "max-inline-size", "font", "font-size", "color", "-webkit-text-fill-color"}
    | {"background", "background-color", "background-image", "background-clip", "-webkit-background-clip"}
)
_PAINT = frozenset({"color", "-webkit-text-fill-color", "background", "background-color", "background-image"})
_REPLACES = {
    "font": ("font-size", "line-height"),
    "background": ("background-color", "background-image", "background-clip", "-webkit-background-clip"),
    "font-size": ("font",),
}
"""What a declaration takes the place of besides its own name."""
_OPENED = frozenset({"media", "supports", "layer", "container", "scope", "starting-style"})
"""Rules of rules; what ``supports`` and ``container`` ask is taken to be so."""
_OTHER_MEDIA = re.compile(r"\b(?:print|speech|aural|braille|tty)\b")
_WIDTH = re.compile(r"\((min|max)-(?:device-)?width\s*:\s*([\d.]+)\s*(px|em|rem)\s*\)")
_NEVER = re.compile(
    r"prefers-color-scheme\s*:\s*dark|prefers-reduced-motion\s*:\s*reduce|orientation\s*:\s*portrait|forced-colors"
)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")


class Declaration(NamedTuple):
    """One declaration, its value in lower case without comments."""

    name: str
    value: str
    important: bool


class PageStyles:
    """Tells which declarations are in force for an element; made for one page."""

    def __init__(self, root: Any) -> None:
        self._matcher = cssselect2.Matcher()
        sheets = list(_sheets(root))
        # Where a sheet is cut, the rule that sets the ground of a pale text may be missing.
        left_out = _PAINT if sum(map(len, sheets)) > MAX_SHEET_CHARS else frozenset()
        for selector, declarations in _rules(
            tinycss2.parse_stylesheet("\n".join(sheets)[:MAX_SHEET_CHARS], skip_comments=True), ""
        ):
            self._add(selector, tuple(one for one in declarations if one.name not in left_out))

    def _add(self, selector: str, declarations: tuple[Declaration, ...]) -> None:
        try:
            compiled = cssselect2.compile_selector_list(selector)
        except cssselect2.SelectorError:
            return
        for one in compiled:
            if one.pseudo_element is None and not one.never_matches:
                self._matcher.add_selector(one, declarations)

    def of(self, element: cssselect2.ElementWrapper) -> dict[str, str]:
        """Return what is declared for *element* itself, variables as they are written."""
        declared = [one for *_, found in self._matcher.match(element) for one in found]
        style = element.etree_element.get("style")
        if style:
            declared += inline_declarations(style)
        values: dict[str, str] = {}
        for one in (*(each for each in declared if not each.important), *(each for each in declared if each.important)):
            for name in _REPLACES.get(one.name, ()):
                values.pop(name, None)
            values[one.name] = one.value
        return values


@lru_cache(maxsize=4096)
def inline_declarations(style: str) -> tuple[Declaration, ...]:
    """Return the declarations of a ``style`` attribute that matter."""
    return _declarations(tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True))


def resolve_variables(values: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """Return *values* with ``var()`` replaced by what *variables* holds, or by what it names for want of it."""

    def replace(match: re.Match[str]) -> str:
        return variables.get(match[1], (match[2] or "").strip())

    return {name: _VARIABLE.sub(replace, _VARIABLE.sub(replace, value)) for name, value in values.items()}


def _sheets(root: Any) -> Iterator[str]:
    for element in root.iter("style", "link"):
        if is_for_screen((element.get("media") or "").lower()):
            yield str(element.text_content()) if element.tag == "style" else _embedded(element)


def _embedded(link: Any) -> str:
    """Return the style sheet that the address of *link* holds itself."""
    kind, _, data = (link.get("href") or "").strip().partition(",")
    if "stylesheet" in (link.get("rel") or "").lower() and re.fullmatch(r"data:text/css(?:;charset=[\w-]+)?", kind.lower()):
        return unquote(data)
    return ""


def _rules(nodes: Iterable[Any], around: str, depth: int = 0) -> Iterator[tuple[str, tuple[Declaration, ...]]]:
    """Yield selectors with their declarations; *around* is the selector of the rule around *nodes*."""
    if depth > _MAX_NESTING:
        return
    nodes = list(nodes)
    if around and (own := _declarations(nodes)):
        yield around, own
    for node in nodes:
        if node.type == "qualified-rule":
            selector = tinycss2.serialize(_without_comments(node.prelude)).strip()
            yield from _rules(_inside(node), _nest_selector(selector, around), depth + 1)
        elif node.type == "at-rule" and _is_in_force(node):
            yield from _rules(_inside(node), around, depth + 1)


def _is_in_force(rule: Any) -> bool:
    if rule.content is None or rule.lower_at_keyword not in _OPENED:
        return False
    return rule.lower_at_keyword != "media" or is_for_screen(tinycss2.serialize(rule.prelude).lower())


def _inside(rule: Any) -> list[Any]:
    found: list[Any] = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
    return found


def _nest_selector(selector: str, around: str) -> str:
    if not around:
        return selector
    return selector.replace("&", f":is({around})") if "&" in selector else f":is({around}) :is({selector})"


def _declarations(nodes: Iterable[Any]) -> tuple[Declaration, ...]:
    return tuple(
        Declaration(
            node.lower_name if node.lower_name in _PROPERTIES else node.name,
            tinycss2.serialize(_without_comments(node.value)).strip().lower(),
            node.important,
        )
        for node in nodes
        if node.type == "declaration" and (node.lower_name in _PROPERTIES or node.name.startswith("--"))
    )


def _without_comments(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type != "comment"]


def is_for_screen(query: str) -> bool:
    """Return whether a list of media queries can hold on an ordinary screen; a feature that is not known is taken to be there."""
    return any(_can_hold(one.strip()) for one in query.split(","))


def _can_hold(query: str) -> bool:
    if query.startswith("not"):
        return _OTHER_MEDIA.search(query) is not None
    if _OTHER_MEDIA.search(query) or _NEVER.search(query):
        return False
    for bound, number, unit in _WIDTH.findall(query):
        width = float(number) * (1 if unit == "px" else 16)
        if width > SCREEN_WIDTH_PX if bound == "min" else width < SCREEN_WIDTH_PX:
            return False
    return True
