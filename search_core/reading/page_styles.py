"""What the style sheets of a page and the styles of its elements declare, and which of it leaves nothing to be seen.

Sheets are read by tinycss2 and matched by cssselect2. Only declarations by which text can be hidden are collected. Sheets of
other addresses are not fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote

import cssselect2  # type: ignore[import-untyped]
import tinycss2  # type: ignore[import-untyped]
from tinycss2.color4 import parse_color  # type: ignore[import-untyped]

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
BODY_FONT_PX = 16.0
_TINY_FONT_PX = 2.0
_FAINT = 0.1
"""Opacity up to which text cannot be read."""
_LEAST_CONTRAST = 1.1
"""Of text and its ground (WCAG 2.2); black on white has 21, the palest grey that is meant to be read 1.5."""
_FAR_PX = 1000.0
_PX = {"px": 1.0, "": 1.0, "pt": 4 / 3, "pc": 16.0, "em": 16.0, "rem": 16.0, "ch": 8.0, "ex": 8.0, "in": 96.0, "cm": 37.8}
_PX |= {"mm": 3.78, "q": 0.945, "%": 12.8, "vw": 12.8, "vh": 8.0, "vmin": 8.0, "vmax": 12.8, "dvw": 12.8, "dvh": 8.0}
"""Units on a screen of 1280 by 800."""
_LENGTH = re.compile(
    r"(?<![\w.#-])([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
    r"(px|pt|pc|r?em|ch|ex|in|cm|mm|q|%|d?vw|d?vh|vmin|vmax|deg|turn|rad)?"
)
_FUNCTION = re.compile(r"(?<![\w-])([\w-]+)\(([^()]*+(?:\([^()]*+\)[^()]*+)*+)\)")
_FONT_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0, "xx-large": 32.0}
_COLOR_FUNCTION = re.compile(r"\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(")
_OFFSETS = ("left", "right", "top", "bottom", "inset", "inset-inline-start", "inset-block-start", "translate")
_MARGINS = ("margin", "margin-left", "margin-right", "margin-top", "margin-bottom", "margin-inline-start")
_SIZES = ("width", "height", "max-width", "max-height", "block-size", "inline-size", "max-block-size", "max-inline-size")
Color = tuple[float, float, float, float]
"""Red, green, blue and opacity, each from 0 to 1."""


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


class Length(NamedTuple):
    """A number with its unit, an empty one for a bare number."""

    number: float
    unit: str

    @property
    def px(self) -> float:
        """Return the length on an ordinary screen."""
        return self.number * _PX.get(self.unit, 0.0)


def lengths(value: str) -> list[Length]:
    """Return the lengths and numbers in *value*."""
    return [Length(float(number), unit) for number, unit in _LENGTH.findall(value)]


def opacity_of(style: Mapping[str, str]) -> float:
    """Return the opacity that ``opacity`` and ``filter`` make."""
    factors = [_share(style["opacity"])] if "opacity" in style else []
    factors += [_share(inside) for name, inside in _FUNCTION.findall(style.get("filter", "")) if name == "opacity"]
    product = 1.0
    for factor in factors:
        product *= factor
    return product


def is_faint(opacity: float) -> bool:
    """Return whether something of this *opacity* is as good as not there."""
    return opacity <= _FAINT


def hides_box(style: Mapping[str, str]) -> bool:
    """Return whether *style* takes the whole element, with all in it, out of sight."""
    return (
        style.get("display") == "none"
        or style.get("content-visibility") == "hidden"
        or _is_clipped(style)
        or _is_masked(style)
        or _is_transformed_away(style)
        or _is_off_screen(style)
        or _is_squeezed(style)
        or ("position" in style and style["position"] != "static" and style.get("z-index", "").startswith("-"))
    )


def font_px(style: Mapping[str, str], inherited: float) -> float:
    """Return the size of the type in an element whose parent has *inherited*."""
    value = style.get("font-size") or style.get("font", "").partition("/")[0]
    if not value or value in ("inherit", "unset"):
        return inherited
    for word in value.split():
        if word in _FONT_SIZES:
            return _FONT_SIZES[word]
    named = [one for one in lengths(value) if "font-size" in style or one.unit or one.number == 0]
    if not named:
        return inherited
    size = named[-1]
    if size.unit in ("em", "%"):
        return inherited * size.number / (1 if size.unit == "em" else 100)
    return size.px


def is_tiny(size_px: float) -> bool:
    """Return whether type of *size_px* is too small to be seen."""
    return size_px <= _TINY_FONT_PX


def color_of(value: str, inherited: Color) -> Color:
    """Return the colour that *value* names, or *inherited* where it names none that is known."""
    try:
        found = parse_color(value)
        if found is None or isinstance(found, str):
            return inherited
        red, green, blue = found.to("srgb").coordinates
        return red or 0.0, green or 0.0, blue or 0.0, found.alpha if found.alpha is not None else 1.0
    except (ValueError, RuntimeError, ArithmeticError):  # a colour space that the library does not convert
        return inherited


def ground_of(style: Mapping[str, str], inherited: Color | None) -> Color | None:
    """Return the colour behind the text of an element, None where a picture is behind it."""
    if "(" in _COLOR_FUNCTION.sub("", f"{style.get('background', '')} {style.get('background-image', '')}"):
        return None
    value = style.get("background-color") or style.get("background", "")
    for word in (value, *re.findall(r"[\w#-]+(?:\([^()]*\))?", value)):
        color = color_of(word, (0.0, 0.0, 0.0, -1.0))
        if color[3] >= 0:
            return color if color[3] > 0.5 else inherited
    return inherited


def is_unseen(color: Color, ground: Color | None) -> bool:
    """Return whether text of *color* cannot be told from its *ground*."""
    if color[3] <= _FAINT:
        return True
    if ground is None:
        return False
    light, dark = sorted((_luminance(color), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _LEAST_CONTRAST


def squeezes_text(style: Mapping[str, str]) -> bool:
    """Return whether *style* sets the letters of a text upon each other."""
    return any(one.px <= -8 for one in lengths(style.get("letter-spacing", "")))


def visibility_of(style: Mapping[str, str], inherited: str) -> str:
    """Return ``visible``, ``hidden`` or ``collapse``."""
    named = style.get("visibility", "")
    return named if named in ("visible", "hidden", "collapse") else "visible" if named == "initial" else inherited


def _share(value: str) -> float:
    found = lengths(value)
    return 1.0 if not found else found[0].number / (100 if found[0].unit == "%" else 1)


def _is_clipped(style: Mapping[str, str]) -> bool:
    corners = [one.px for one in lengths(style.get("clip", ""))]
    if len(corners) == 4 and (abs(corners[1] - corners[3]) <= 1 or abs(corners[2] - corners[0]) <= 1):
        return True
    for name, inside in _FUNCTION.findall(style.get("clip-path", "") or style.get("-webkit-clip-path", "")):
        found = lengths(inside.partition(" round ")[0])
        match name:
            case "inset":
                sides = [one.number for one in found if one.unit == "%"]
                if any(side >= 100 for side in sides) or (sides and min(sides) >= 50) or any(one.px >= _FAR_PX for one in found):
                    return True
            case "circle" | "ellipse":
                if found and found[0].px <= 1:
                    return True
            case "polygon" | "rect" | "xywh":
                points = inside.split(",") if name == "polygon" else inside.split()[-2:]
                if found and (len({point.strip() for point in points}) == 1 or all(one.number == 0 for one in found)):
                    return True
    return False


def _is_masked(style: Mapping[str, str]) -> bool:
    for name in ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image"):
        for function, inside in _FUNCTION.findall(style.get(name, "")):
            colors = [color_of(word.strip().split()[0], (0, 0, 0, -1)) for word in inside.split(",") if word.strip()]
            named = [color for color in colors if color[3] >= 0]
            if "gradient" in function and named and all(color[3] <= _FAINT for color in named):
                return True
    return False


def _is_transformed_away(style: Mapping[str, str]) -> bool:
    if any(abs(one.number) <= 0.05 for one in lengths(style.get("scale", ""))) or 0 <= _zoom(style) <= 0.1:
        return True
    for name, inside in _FUNCTION.findall(style.get("transform", "")):
        found = lengths(inside)
        match name:
            case "scale" | "scalex" | "scaley" | "scale3d":
                away = any(abs(one.number) <= 0.05 for one in found)
            case "matrix":
                away = len(found) == 6 and abs(found[0].number * found[3].number - found[1].number * found[2].number) <= 0.01
            case "translate" | "translatex" | "translatey" | "translate3d":
                away = any(abs(one.px) >= _FAR_PX for one in found)
            case "rotatex" | "rotatey":
                away = any(one.unit == "deg" and one.number % 180 == 90 for one in found)
            case _:
                away = False
        if away:
            return True
    return False


def _zoom(style: Mapping[str, str]) -> float:
    return _share(style["zoom"]) if lengths(style.get("zoom", "")) else 1.0


def _is_off_screen(style: Mapping[str, str]) -> bool:
    if any(one.px <= -_FAR_PX or one.px >= 5 * _FAR_PX for name in _OFFSETS for one in lengths(style.get(name, ""))):
        return True
    if any(one.px <= -_FAR_PX for name in _MARGINS for one in lengths(style.get(name, ""))):
        return True
    indent = [one.px for one in lengths(style.get("text-indent", ""))]
    return any(px <= -100 or (px >= _FAR_PX and _cuts(style)) for px in indent)


def _is_squeezed(style: Mapping[str, str]) -> bool:
    """Return whether the element has no room, and what overflows is cut."""
    if not _cuts(style):
        return False
    lines = lengths(style.get("line-height", ""))[:1]
    if any(one.number <= (0 if one.unit not in ("px", "pt") else 2) for one in lines):
        return True
    return any(one.px <= 2 for name in _SIZES for one in lengths(style.get(name, ""))[:1])


def _cuts(style: Mapping[str, str]) -> bool:
    return any(word in style.get(name, "") for name in ("overflow", "overflow-x", "overflow-y") for word in ("hidden", "clip"))


def _luminance(color: Color) -> float:
    red, green, blue = (_linear(one) for one in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    channel = min(max(channel, 0.0), 1.0)
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
