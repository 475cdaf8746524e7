"""What is read of a web page; the tree of an HTML text by lxml, the page's metadata, and its hidden text.

Shapes that make libxml2 slow are refused before it sees them: its reading of attributes is quadratic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from lxml import etree, html

from search_core.language import word_set

MAX_CHARS = 4_000_000
MAX_TAGS = 50_000
"""Most tags of a page: 200,000 paragraphs take seconds to parse, and no readable page has a quarter of that."""
MAX_ATTRIBUTES = 2_000
MAX_ALL_ATTRIBUTES = 150_000
"""Most attributes in all long tags of a page; each takes some 2 kB of memory."""
_LONG_TAG_CHARS = 200
_TAG = re.compile(r"<[A-Za-z][^<>]*")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
UNWRITABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]|[dD][89a-fA-F][0-9a-fA-F]{2}))(?![0-9a-fA-F]);?"
)
"""Characters that no XML tree accepts, also as references ("&#0;"): libraries that copy text would fail on them."""
_DATE_NAMES = (
    *("article:published_time", "datepublished", "pubdate", "date", "dc.date", "dcterms.date"),
    "og:article:published_time",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """The text of a web page, or of a document."""

    url: str
    """Its final address, after redirects."""
    title: str
    """Empty when it names none."""
    text: str
    """Plain text without anything the page does not show."""
    published: datetime | None = None
    """Has a time zone; midnight if only the day is known."""
    language: str = ""
    """ISO 639-1 code; empty when unknown."""
    method: str = ""
    """How the text of a page was found: ``trafilatura``, ``beautifulsoup`` or ``plain``; empty for a document."""


class ParsedText(NamedTuple):
    """The main text of a page or a document and its metadata; empty fields are unknown."""

    text: str
    title: str = ""
    url: str = ""
    """The address it states as its own, for a page the canonical one."""
    published: Any = ""
    """The date as the page or document states it, not yet parsed."""
    source: str = ""
    language: str = ""
    cut: str = ""
    """A Korean sentence about what was left out; empty when nothing was."""


def parse_html(markup: str) -> Any:
    """Return the root element of *markup*; raises ValueError if it is too large, too deep or no HTML."""
    _check_bounds(markup)
    try:
        return html.document_fromstring(
            _DECLARATION.sub("", markup),
            parser=html.HTMLParser(
                recover=True, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, collect_ids=False
            ),
        )
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise ValueError(f"no HTML document: {error}") from error


def page_metadata(root: Any) -> ParsedText:
    """Return the metadata of the page of *root*, without its text."""
    names = _meta_values(root)
    title = names.get("og:title") or root.xpath("string(//title)") or root.xpath("string(//h1)")
    language = (root.get("lang") or "").split("-")[0].lower()
    canonical = root.xpath("string(//link[@rel='canonical']/@href)") or names.get("og:url", "")
    published = next((names[name] for name in _DATE_NAMES if names.get(name)), "") or root.xpath("string(//time/@datetime)")
    source = one_line(names.get("og:site_name", ""))
    return ParsedText("", one_line(title), canonical.strip(), published.strip(), source, language)


def _check_bounds(markup: str) -> None:
    if len(markup) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS} characters")
    tags = attributes = 0
    for match in _TAG.finditer(markup):
        tags += 1
        if match.end() - match.start() > _LONG_TAG_CHARS:
            own = len(match.group().split())
            attributes += own
            if own > MAX_ATTRIBUTES:
                raise ValueError(f"a tag with more than {MAX_ATTRIBUTES} attributes")
    if attributes > MAX_ALL_ATTRIBUTES:
        raise ValueError(f"more than {MAX_ALL_ATTRIBUTES} attributes")
    if tags > MAX_TAGS:
        raise ValueError(f"more than {MAX_TAGS} tags")


def _meta_values(root: Any) -> dict[str, str]:
    """Return the page's meta values by lower-case name; the first of a name counts."""
    names: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        names.setdefault(name.lower(), meta.get("content") or "")
    return names


def one_line(text: str) -> str:
    """Return *text* without line breaks, each run of white space as one space."""
    return " ".join(text.split())


_MOST_OF_PAGE = 0.4
"""A hidden element with at least this share of the text is kept, as scripts of the page will show it."""
_NEVER_SHOWN = word_set("template noscript noframes datalist canvas object video audio iframe annotation rp")
_ZERO = re.compile(r"[-+]?(?:0+(?:\.0+)?|\.0+)(?:px|r?em|pt|%)?")
_SIZES = ("width", "height", "max-width", "max-height")


def drop_hidden(root: Any) -> None:
    """Remove the elements under *root* that are hidden by their kind or attributes.

    Later changes by scripts are unknown, so the element with most of the text stays. Foldable content (``details``) is not
    hidden, nor is content hidden from screen readers only (``aria-hidden``).
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
            element.text = " "
            for child in element:  # which may have a size of its own
                child.tail = " "


def _style_of(element: Any) -> dict[str, str]:
    declared = (part.partition(":") for part in (element.get("style") or "").lower().split(";"))
    return {name.strip(): value.strip().removesuffix("!important").rstrip() for name, _, value in declared}


def _is_hidden(element: Any) -> bool:
    if element.get("hidden") is not None or element.get("popover") is not None or element.tag == "svg":
        return True
    return element.tag == "dialog" and element.get("open") is None


def _hides_box(element: Any, style: dict[str, str]) -> bool:
    """Return whether *style* hides the element with all its content."""
    if style.get("display") == "none":
        return True
    if style.get("visibility") in ("hidden", "collapse"):
        return not any(_style_of(inner).get("visibility") == "visible" for inner in element.iterdescendants())
    clipped = style.get("overflow") in ("hidden", "clip")
    return clipped and any(_ZERO.fullmatch(style.get(name, "")) for name in _SIZES)


def _empty(element: Any) -> None:
    """Remove the content of *element* but not the element, because text extractors look at the structure of a page."""
    for child in list(element):
        element.remove(child)
    element.text = None


def _own_length(element: Any) -> int:
    return len((element.text or "").strip()) + sum(len((child.tail or "").strip()) for child in element)
