"""Text that a page holds and does not show.

Nobody reads it, so it has no place among what a page says; it is also how instructions are slipped to a language model. Sheets
are read by tinycss2 and matched by cssselect2; those of other addresses are not fetched. Conditions and lengths are those of a
screen of 1280 by 800.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote

import cssselect2  # type: ignore[import-untyped]
import tinycss2  # type: ignore[import-untyped]
from lxml import etree
from tinycss2.color4 import parse_color  # type: ignore[import-untyped]

from search_core.text.korean import normalize
from search_core.text.korean.wordlist import words

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
_MAX_SHEET_CHARS = 200_000
"""Takes half a second; what is after it is not read."""
_MAX_NESTING = 8
_HIDING = re.compile(
    r"--.*|display|(content-)?visibility|opacity|filter|zoom|transform|scale|translate|z-index|position|left|right|top|bottom"
    r"|inset(-(inline|block)-start)?|text-indent|margin(-.*)?|letter-spacing|line-height|overflow(-[xy])?|font(-size)?|color"
    r"|(max-)?(width|height|block-size|inline-size)|clip|(-webkit-)?(clip-path|mask(-image)?)|-webkit-text-fill-color"
    r"|background(-color|-image)?|(-webkit-)?background-clip"
)
"""Properties by which text can be hidden; only these are collected."""
_PAINT = re.compile(r"color|-webkit-text-fill-color|background(-color|-image)?")
_REPLACES = {
    "font": ("font-size", "line-height"),
    "background": ("background-color", "background-image", "background-clip", "-webkit-background-clip"),
    "font-size": ("font",),
}
"""What a declaration takes the place of besides its own name."""
_OPENED = frozenset({"media", "supports", "layer", "container", "scope", "starting-style"})
"""Rules of rules; what ``supports`` and ``container`` ask is taken to be so."""
_OTHER_MEDIA = re.compile(r"\b(?:print|speech|aural|braille|tty)\b")
_WIDTH = re.compile(r"\((min|max)-(?:device-)?width\s*:\s*([\d.]+\s*(?:px|em|rem))\s*\)")
_NEVER = re.compile(
    r"prefers-color-scheme\s*:\s*dark|prefers-reduced-motion\s*:\s*reduce|orientation\s*:\s*portrait|forced-colors"
)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_TINY_FONT_PX = 2.0
_FAINT = 0.1
"""Opacity up to which text cannot be read."""
_LEAST_CONTRAST = 1.1
"""Of text and its ground (WCAG 2.2); black on white has 21, the palest grey that is meant to be read 1.5."""
_FAR_PX = 1000.0
_WIDTH_PX = 1280.0
_PX = {"px": 1.0, "": 1.0, "pt": 4 / 3, "pc": 16.0, "em": 16.0, "rem": 16.0, "ch": 8.0, "ex": 8.0, "in": 96.0, "cm": 37.8}
_PX |= {"mm": 3.78, "q": 0.945, "%": 12.8, "vw": 12.8, "vh": 8.0, "vmin": 8.0, "vmax": 12.8, "dvw": 12.8, "dvh": 8.0}
_LENGTH = re.compile(
    r"(?<![\w.#-])([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
    r"\s?(px|pt|pc|r?em|ch|ex|in|cm|mm|q|%|d?vw|d?vh|vmin|vmax|deg|turn|rad)?"
)
_FUNCTION = re.compile(r"(?<![\w-])([\w-]+)\(([^()]*+(?:\([^()]*+\)[^()]*+)*+)\)")
_FONT_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0}
_COLOR_FUNCTION = re.compile(r"\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(")
_SIZES = tuple(f"{most}{name}" for most in ("", "max-") for name in ("width", "height", "block-size", "inline-size"))
_Color = tuple[float, float, float, float]
"""Red, green, blue and opacity, each from 0 to 1."""
_NO_COLOR = (0.0, 0.0, 0.0, -1.0)
_Style = Mapping[str, str]


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
    styles = _PageStyles(root)
    for element in list(body.iter(*_NEVER_SHOWN)):
        _empty(element)
    most = _MOST_OF_PAGE * len(str(body.text_content()))
    boxes, texts = _find_hidden(root, styles)
    for element in boxes:
        if len(str(element.text_content())) < most:
            _empty(element)
    for elements in texts:
        if sum(map(_own_length, elements)) < most:
            for element in elements:
                _drop_own_text(element)


def _find_hidden(root: Any, styles: _PageStyles) -> tuple[list[Any], Iterable[list[Any]]]:
    """Return the elements that are hidden with all in them, and by each way of hiding those of which the own text is."""
    boxes: list[Any] = []
    texts: dict[str, list[Any]] = {}
    waiting = [(cssselect2.ElementWrapper.from_html_root(root), _Look())]
    while waiting:
        wrapper, around = waiting.pop()
        element, style = wrapper.etree_element, styles.of(wrapper)
        look = around.within(style)
        if wrapper.local_name in ("html", "body"):
            # Hidden as a whole, a page is shown by its own program.
            look = replace(look, visibility="visible", opacity=1.0)
        elif _is_hidden(element) or look.opacity <= _FAINT or _hides_box(look.resolve(style)):
            boxes.append(element)
            continue
        if (reason := look.hides_text_by()) and _own_length(element):
            texts.setdefault(reason, []).append(element)
        waiting += [(child, look) for child in wrapper.iter_children() if child.local_name != "head"]
    return boxes, texts.values()


class _PageStyles:
    """Tells which declarations are in force for an element; made for one page."""

    def __init__(self, root: Any) -> None:
        self._matcher = cssselect2.Matcher()
        sheets = "\n".join(_sheets(root))
        # Where a sheet is cut, the rule that sets the ground of a pale text may be missing.
        cut = len(sheets) > _MAX_SHEET_CHARS
        for selector, declarations in _rules(tinycss2.parse_stylesheet(sheets[:_MAX_SHEET_CHARS], skip_comments=True), ""):
            try:
                compiled = cssselect2.compile_selector_list(selector)
            except cssselect2.SelectorError:
                continue
            kept = [one for one in declarations if not (cut and _PAINT.fullmatch(one.name))]
            for one in compiled:
                if one.pseudo_element is None and not one.never_matches:
                    self._matcher.add_selector(one, kept)

    def of(self, wrapper: cssselect2.ElementWrapper) -> dict[str, str]:
        """Return what is declared for an element itself, variables as they are written; attributes count least."""
        element = wrapper.etree_element
        declared = [one for *_, found in self._matcher.match(wrapper) for one in found]
        declared += _inline_declarations(element.get("style") or "")
        values = _attributes(element)
        for one in sorted(declared, key=lambda one: one.important):
            for name in _REPLACES.get(one.name, ()):
                values.pop(name, None)
            values[one.name] = one.value
        return values


class _Declaration(NamedTuple):
    """One declaration, its value in lower case without comments."""

    name: str
    value: str
    important: bool


@lru_cache(maxsize=4096)
def _inline_declarations(style: str) -> list[_Declaration]:
    return _declarations(tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True))


def _attributes(element: Any) -> dict[str, str]:
    color = element.get("color") if element.tag == "font" else element.get("text") if element.tag == "body" else None
    picture = "url()" if element.get("background") else None
    named = {"background-color": element.get("bgcolor"), "background-image": picture, "color": color}
    return {name: value.lower() for name, value in named.items() if value}


def _sheets(root: Any) -> Iterator[str]:
    """Yield the style sheets that the page holds itself, in elements or in ``data:`` addresses."""
    for element in root.iter("style", "link"):
        if not _is_for_screen((element.get("media") or "").lower()):
            continue
        kind, _, data = (element.get("href") or "").strip().partition(",")
        if element.tag == "style":
            yield str(element.text_content())
        elif "stylesheet" in (element.get("rel") or "").lower() and re.fullmatch(
            "data:text/css(;charset=[\\w-]+)?", kind.lower()
        ):
            yield unquote(data)


def _rules(nodes: Iterable[Any], around: str, depth: int = 0) -> Iterator[tuple[str, list[_Declaration]]]:
    """Yield selectors with their declarations; *around* is the selector of the rule around *nodes*."""
    if depth > _MAX_NESTING:
        return
    nodes = list(nodes)
    if around and (own := _declarations(nodes)):
        yield around, own
    for node in nodes:
        selector = around
        if node.type == "qualified-rule":
            selector = _serialize(node.prelude)
            if around:
                selector = selector.replace("&", f":is({around})") if "&" in selector else f":is({around}) :is({selector})"
        elif node.type != "at-rule" or not _is_in_force(node):
            continue
        inside = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
        yield from _rules(inside, selector, depth + 1)


def _is_in_force(rule: Any) -> bool:
    if rule.content is None or rule.lower_at_keyword not in _OPENED:
        return False
    return rule.lower_at_keyword != "media" or _is_for_screen(_serialize(rule.prelude).lower())


def _declarations(nodes: Iterable[Any]) -> list[_Declaration]:
    declared = [node for node in nodes if node.type == "declaration"]
    named = [(node.name if node.name.startswith("--") else node.lower_name, node) for node in declared]
    return [_Declaration(name, _serialize(node.value).lower(), node.important) for name, node in named if _HIDING.fullmatch(name)]


def _serialize(tokens: Iterable[Any]) -> str:
    return str(tinycss2.serialize([token for token in tokens if token.type != "comment"])).strip()


def _is_for_screen(queries: str) -> bool:
    """Return whether a list of media queries can hold on an ordinary screen; a feature that is not known is taken to be there."""
    return any(_can_hold(query.strip()) for query in queries.split(","))


def _can_hold(query: str) -> bool:
    if query.startswith("not"):
        return _OTHER_MEDIA.search(query) is not None
    if _OTHER_MEDIA.search(query) or _NEVER.search(query):
        return False
    bounds = ((bound == "min", _lengths(width)[0].px) for bound, width in _WIDTH.findall(query))
    return all(width <= _WIDTH_PX if least else width >= _WIDTH_PX for least, width in bounds)


@dataclass(frozen=True, slots=True)
class _Look:
    """How a text looks, as an element hands it down to those within it."""

    font_px: float = 16.0
    color: _Color = (0.0, 0.0, 0.0, 1.0)
    fill: _Color | None = None
    """The colour that ``-webkit-text-fill-color`` names."""
    ground: _Color | None = (1.0, 1.0, 1.0, 1.0)
    """None where a picture is behind the text."""
    visibility: str = "visible"
    opacity: float = 1.0
    squeezed: bool = False
    """The letters are set upon each other."""
    through_text: bool = False
    """The ground is seen through the letters (``background-clip: text``)."""
    variables: _Style = field(default_factory=lambda: MappingProxyType({}))

    def within(self, style: _Style) -> _Look:
        """Return the look within an element of that *style*, this being the look around it."""
        if not style:
            return self
        own = {name: value for name, value in style.items() if name.startswith("--")}
        here = replace(self, variables={**self.variables, **own}) if own else self
        style = here.resolve(style)
        color = _color_of(style.get("color", ""), self.color)
        fill = style.get("-webkit-text-fill-color")
        clipped = style.get("background-clip") or style.get("-webkit-background-clip") or style.get("background", "")
        named = style.get("visibility", "").replace("initial", "visible")
        shares = [style.get("opacity", ""), *(inside for name, inside in _functions(style, "filter") if name == "opacity()")]
        return replace(
            here,
            font_px=_font_px(style, self.font_px),
            color=color,
            fill=_color_of(fill, color) if fill else self.fill,
            ground=_ground_of(style, self.ground),
            visibility=named if named in ("visible", "hidden", "collapse") else self.visibility,
            opacity=self.opacity * math.prod(map(_share, shares)),
            squeezed=any(one.px <= -8 for one in _lengths(style["letter-spacing"]))
            if "letter-spacing" in style
            else self.squeezed,
            through_text="text" in clipped or self.through_text,
        )

    def resolve(self, style: _Style) -> _Style:
        """Return *style* with ``var()`` replaced by the variable, or by what it names for want of one."""
        if not any("var(" in value for value in style.values()):
            return style

        def known(match: re.Match[str]) -> str:
            return self.variables.get(match[1], (match[2] or "").strip())

        return {name: _VARIABLE.sub(known, _VARIABLE.sub(known, value)) for name, value in style.items()}

    def hides_text_by(self) -> str:
        """Return by what a text of this look is hidden, empty when it can be seen."""
        if self.visibility != "visible":
            return "visibility"
        if self.font_px <= _TINY_FONT_PX or self.squeezed:
            return "font"
        return "color" if not self.through_text and _is_unseen(self.fill or self.color, self.ground) else ""


class _Length(NamedTuple):
    """A number with its unit, an empty one for a bare number."""

    number: float
    unit: str

    @property
    def px(self) -> float:
        return self.number * _PX.get(self.unit, 0.0)


def _lengths(value: str) -> list[_Length]:
    return [_Length(float(number), unit) for number, unit in _LENGTH.findall(value)]


def _share(value: str) -> float:
    found = _lengths(value)
    return 1.0 if not found else found[0].number / (100 if found[0].unit == "%" else 1)


def _functions(style: _Style, *names: str) -> Iterator[tuple[str, str]]:
    """Yield the functions in the values of *names*, as ``scale()``, with what stands in them."""
    for name in names:
        for function, inside in _FUNCTION.findall(style.get(name, "")):
            yield f"{function}()", inside


def _font_px(style: _Style, inherited: float) -> float:
    value = style.get("font-size") or style.get("font", "").partition("/")[0]
    if named := [_FONT_SIZES[word] for word in value.split() if word in _FONT_SIZES]:
        return named[0]
    sizes = [one for one in _lengths(value) if "font-size" in style or one.unit or one.number == 0]
    if not sizes:
        return inherited
    relative = {"em": inherited, "%": inherited / 100}
    return sizes[-1].number * relative[sizes[-1].unit] if sizes[-1].unit in relative else sizes[-1].px


def _color_of(value: str, inherited: _Color) -> _Color:
    """Return the colour that *value* names, or *inherited* where it names none that is known."""
    try:
        found = parse_color(value)
        if found is None or isinstance(found, str):
            return inherited
        red, green, blue = found.to("srgb").coordinates
        return red or 0.0, green or 0.0, blue or 0.0, found.alpha if found.alpha is not None else 1.0
    except (ValueError, RuntimeError, ArithmeticError):  # a colour space that the library does not convert
        return inherited


def _ground_of(style: _Style, inherited: _Color | None) -> _Color | None:
    if "(" in _COLOR_FUNCTION.sub("", f"{style.get('background', '')} {style.get('background-image', '')}"):
        return None
    value = style.get("background-color") or style.get("background", "")
    colors = (_color_of(word, _NO_COLOR) for word in (value, *re.findall(r"[\w#-]+(?:\([^()]*\))?", value)))
    named = next((color for color in colors if color[3] >= 0), _NO_COLOR)
    return named if named[3] > 0.5 else inherited


def _is_unseen(color: _Color, ground: _Color | None) -> bool:
    """Return whether text of *color* cannot be told from its *ground*."""
    if color[3] <= _FAINT or ground is None:
        return color[3] <= _FAINT
    dark, light = sorted(map(_luminance, (color, ground)))
    return (light + 0.05) / (dark + 0.05) < _LEAST_CONTRAST


def _luminance(color: _Color) -> float:
    red, green, blue = (math.pow(min(max(channel, 0.0), 1.0), 2.2) for channel in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_Gone = Callable[[list[_Length]], bool]
_AWAY: dict[str, _Gone] = {
    **dict.fromkeys(
        ("left", "right", "top", "bottom", "inset", "inset-inline-start", "inset-block-start", "translate"),
        lambda found: any(one.px <= -_FAR_PX or one.px >= 5 * _FAR_PX for one in found),
    ),
    **dict.fromkeys(
        ("margin", "margin-left", "margin-right", "margin-top", "margin-bottom", "margin-inline-start"),
        lambda found: any(one.px <= -_FAR_PX for one in found),
    ),
    "text-indent": lambda found: any(one.px <= -100 for one in found),
    "zoom": lambda found: any(0 <= one.number / (100 if one.unit == "%" else 1) <= _FAINT for one in found[:1]),
    **dict.fromkeys(
        ("scale", "scale()", "scalex()", "scaley()", "scale3d()"),
        lambda found: any(abs(one.number) <= 0.05 for one in found),
    ),
    "matrix()": lambda found: (
        len(found) == 6 and abs(found[0].number * found[3].number - found[1].number * found[2].number) <= 0.01
    ),
    **dict.fromkeys(
        ("translate()", "translatex()", "translatey()", "translate3d()"),
        lambda found: any(abs(one.px) >= _FAR_PX for one in found),
    ),
    **dict.fromkeys(("rotatex()", "rotatey()"), lambda found: any(one.unit == "deg" and one.number % 180 == 90 for one in found)),
    "rect()": lambda found: len(found) == 4 and (abs(found[1].px - found[3].px) <= 1 or abs(found[2].px - found[0].px) <= 1),
    "inset()": lambda found: (
        any(one.px >= _FAR_PX for one in found) or min((one.number for one in found if one.unit == "%"), default=0) >= 50
    ),
    **dict.fromkeys(("circle()", "ellipse()"), lambda found: bool(found) and found[0].px <= 1),
    "polygon()": lambda found: len(set(found[::2])) == 1 == len(set(found[1::2])),
    "xywh()": lambda found: any(one.number == 0 for one in found[2:]),
}
"""By property, and by function in one (``scale()``), the numbers with which an element is out of sight."""


def _hides_box(style: _Style) -> bool:
    """Return whether *style* takes the whole element, with all in it, out of sight."""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden" or _is_masked(style):
        return True
    if style.get("position", "static") != "static" and style.get("z-index", "").startswith("-"):
        return True
    numbers = [(name, value) for name, value in style.items() if name in _AWAY]
    numbers += _functions(style, "transform", "clip", "clip-path", "-webkit-clip-path")
    if any(name in _AWAY and _AWAY[name](_lengths(value.partition(" round ")[0])) for name, value in numbers):
        return True
    overflow = " ".join(style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    return ("hidden" in overflow or "clip" in overflow) and _has_no_room(style)


def _has_no_room(style: _Style) -> bool:
    """Return whether nothing of a text is left where what overflows is cut."""
    lines = _lengths(style.get("line-height", ""))[:1]
    if any(one.number <= (2 if one.unit in ("px", "pt") else 0) for one in lines):
        return True
    if any(one.px >= _FAR_PX for one in _lengths(style.get("text-indent", ""))):
        return True
    return any(one.px <= 2 for name in _SIZES for one in _lengths(style.get(name, ""))[:1])


def _is_masked(style: _Style) -> bool:
    for function, inside in _functions(style, "mask", "mask-image", "-webkit-mask", "-webkit-mask-image"):
        colors = [_color_of(word.strip().split()[0], _NO_COLOR)[3] for word in inside.split(",") if word.strip()]
        opacities = [opacity for opacity in colors if opacity >= 0]
        if "gradient" in function and opacities and max(opacities) <= _FAINT:
            return True
    return False


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
