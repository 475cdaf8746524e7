"""The title and the main text of an HTML file, by lxml.

The block with the most sentence-like text outside links wins (the idea of Readability, Arc90 2009); no page program is run and
nothing is fetched. Shapes that make libxml2 slow are refused before it sees them: its reading of attributes is quadratic.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from lxml import etree, html

MAX_CHARS = 4_000_000
MAX_TAGS = 50_000
"""A page of 200,000 paragraphs takes seconds; no readable one has a quarter of them."""
MAX_ATTRIBUTES = 2_000
MAX_ALL_ATTRIBUTES = 150_000
"""Words in long tags of one page: each costs some 2 kB once it is an attribute."""
_LONG_TAG_CHARS = 200
_TAG = re.compile(r"<[A-Za-z][^<>]*")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_UNREAD = frozenset(
    {"script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed", "canvas", "form", "button", "select"}
    | {"textarea", "input", "nav", "aside", "footer", "dialog"}
)
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "td", "th", "blockquote", "pre"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "figure", "figcaption", "header", "address", "br", "hr", "body"}
)
_BOILERPLATE = re.compile(
    r"comment|footer|sidebar|breadcrumb|related|recommend|share|social|cookie|advert|banner|promo|subscribe|newsletter|menu|navbar|popup|modal|copyright",
    re.IGNORECASE,
)
_MIN_MAIN_CHARS = 200
_MOST_OF_PAGE = 0.4
"""A block with this much of the page's text is no side matter, whatever it is called."""
_SPACES = re.compile(r"[ \t\xa0\u200b]+")
_BLANK_LINES = re.compile(r"\n\s*\n+")
_DATE_NAMES = (
    *("article:published_time", "datepublished", "pubdate", "date", "dc.date", "dcterms.date"),
    "og:article:published_time",
)


class ParsedText(NamedTuple):
    """The main text of a page or a document, and what it says of itself; empty where it is silent."""

    text: str
    title: str = ""
    url: str = ""
    """Its own address, the canonical one of a page."""
    published: Any = ""
    """As written."""
    source: str = ""
    language: str = ""
    cut: str = ""
    """A Korean sentence about what was left out; empty when nothing was."""
    mark: str | None = None
    """Tells it from its neighbours in one file: its id, or its 1-based place; None where it is alone."""


def read_page(markup: str) -> ParsedText:
    """Return the page in *markup*; raises ValueError for one that is too large or tangled to read, or holds no text."""
    root = parse(markup)
    facts = facts_of(root)
    return facts._replace(text=_main_text(root), language=facts.language if len(facts.language) == 2 else "")


def parse(markup: str) -> Any:
    """Return the root element of *markup*; raises ValueError for one that is too large or tangled, or no HTML."""
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


def facts_of(root: Any) -> ParsedText:
    """Return what the page of *root* says of itself, its text left empty."""
    names = _meta_values(root)
    title = names.get("og:title") or _first(root, "//title") or _first(root, "//h1")
    language = (root.get("lang") or "").split("-")[0].lower()
    canonical = root.xpath("string(//link[@rel='canonical']/@href)") or names.get("og:url", "")
    published = next((names[name] for name in _DATE_NAMES if names.get(name)), "") or root.xpath("string(//time/@datetime)")
    source = _line(names.get("og:site_name", ""))
    return ParsedText("", _line(title), canonical.strip(), published.strip(), source, language)


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
    """Return the page's meta values by lower-case name, first said first."""
    names: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        names.setdefault(name.lower(), meta.get("content") or "")
    return names


def _first(root: Any, path: str) -> str:
    found = root.xpath(path)
    return str(found[0].text_content()) if found else ""


def _main_text(root: Any) -> str:
    body = root.find("body")
    if body is None:
        raise ValueError("no body")
    etree.strip_elements(body, *_UNREAD, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    whole = len(str(body.text_content()))
    for element in [one for one in body.iter("div", "section", "ul", "header") if _is_boilerplate(one)]:
        if element.getparent() is not None and len(str(element.text_content())) < _MOST_OF_PAGE * whole:
            element.drop_tree()
    best = _best_block(body)
    text = _text_of(best)
    if len(text) < _MIN_MAIN_CHARS:
        text = _text_of(body)
    if not text:
        raise ValueError("no text")
    return text


def _is_boilerplate(element: Any) -> bool:
    marks = f"{element.get('id') or ''} {element.get('class') or ''} {element.get('role') or ''}"
    return (
        element.tag != "body"
        and _BOILERPLATE.search(marks) is not None
        and element.find(".//article") is None
        and element.find(".//h1") is None
    )


def _best_block(body: Any) -> Any:
    """Return the element whose own paragraphs hold the most running text; part of it counts for the block around it."""
    scores: dict[Any, float] = {}
    for paragraph in body.iter("p", "pre", "li", "td", "blockquote", "div"):
        own = _own_length(paragraph)
        if own < 25:
            continue
        share = 1.0
        holder = paragraph.getparent() if paragraph.tag != "div" else paragraph
        for _ in range(3):
            if holder is None or holder.tag == "html":
                break
            scores[holder] = scores.get(holder, 0.0) + own * share
            share *= 0.7 if holder.tag in ("article", "main") else 0.85
            holder = holder.getparent()
    return max(scores, key=lambda element: scores[element]) if scores else body


def _own_length(element: Any) -> int:
    """Return how many characters of *element* stand outside links and outside blocks within it."""
    length = len((element.text or "").strip())
    for child in element:
        if child.tag != "a" and child.tag not in _BLOCKS:
            length += len(str(child.text_content()).strip())
        length += len((child.tail or "").strip())
    return length


def _text_of(element: Any) -> str:
    pieces: list[str] = []
    for event, one in etree.iterwalk(element, events=("start", "end")):
        block = one.tag in _BLOCKS
        if event == "start":
            pieces.append(("\n\n" if block and one.tag != "br" else "") + _inner(one.text))
        else:
            pieces.append(
                ("\n" if one.tag == "br" else "\n\n" if block else "") + (_inner(one.tail) if one is not element else "")
            )
    lines = (_SPACES.sub(" ", line).strip() for line in _BLANK_LINES.sub("\n\n", "".join(pieces)).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _inner(text: str | None) -> str:
    return re.sub(r"\s+", " ", text) if text else ""


def _line(text: str) -> str:
    return " ".join(text.split())
