"""Records as Markdown, in which foreign text shows as it is, and as HTML that prints well, loads nothing and runs nothing."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, get_args

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.domain.video import VideoContext
from search_core.errors import UnknownFormatError
from search_core.language.web_address import markdown_link, web_address
from search_core.search.presenting.dates import korean_date
from search_core.search.presenting.wording import UNTITLED_VIDEO, transcript_source

DocumentFormat = Literal["markdown", "html"]
DEEPEST = 6
"""Markdown's deepest level of headings."""


def document_file(lines: Iterable[str], format_name: DocumentFormat) -> bytes:
    """Return *lines* of Markdown, the title first, as a file; raises UnknownFormatError."""
    if format_name not in get_args(DocumentFormat):
        raise UnknownFormatError(format_name, get_args(DocumentFormat))
    text = "\n".join((*lines, ""))
    return text.encode("utf-8", "replace") if format_name == "markdown" else html_page(text)


def heading(text: str, level: int = 2) -> tuple[str, str, str]:
    """Return the lines of a heading that begins a chapter."""
    return "", f"{'#' * min(DEEPEST, level)} {text}", ""


def items(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* as a list with bullets."""
    return (f"- {line}" for line in lines)


def table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table of Markdown cells; the first row is the header."""
    for place, row in enumerate(rows):
        yield f"| {' | '.join(row)} |"
        if place == 0:
            yield f"| {' | '.join('---' for _ in row)} |"


def video_facts(video: VideoContext) -> Iterator[str]:
    """Yield a video's title, channel, date and transcript origin."""
    yield f"영상: {link(video.title or UNTITLED_VIDEO, video.url)}"
    if video.channel:
        yield f"채널: {escape(video.channel)}"
    if video.published_at is not None:
        yield f"영상이 나온 날: {korean_date(video.published_at)}"
    if source := transcript_source(video):
        yield f"자막: {escape(source)}"


_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_SIGN = re.compile(r"[\\`*_\[\]<~$|#@^{}]|&(?=[#\w])|:(?!\d|$)")
"""Signs with a meaning anywhere in a text ("*", "["); no picture, link or colour works without one of them."""
_START = re.compile(r"[-+=](?=[-+=]*$)|[>./:]|(?P<number>\d{1,9})(?P<behind>[.)])$")
"""A first word that Markdown reads as a list, a quotation or a rule ("-", "1.", ">"), or that continues an address before it."""
_ADDRESS = re.compile(r"//|www|\w\.[a-z]{2}", re.IGNORECASE)
"""Text that Markdown viewers turn into links by themselves ("www", "example.com")."""


def link(title: str, url: str) -> str:
    """Return *title* as a link to *url* if that is a web address, else the title with the address as text."""
    name = escape(title) or escape(url)
    address = web_address(url)
    if address is not None:
        return markdown_link(name, address)
    return f"{name} · {escape(url)}" if url else name


def escape(text: str) -> str:
    """Return *text* on one line, with Markdown signs escaped where they would have a meaning."""
    visible = "".join(char if unicodedata.category(char) not in ("Cc", "Cf", "Cs") else " " for char in text)
    return " ".join(_escape_word(word, first=place == 0) for place, word in enumerate(visible.split()))


def _escape_word(word: str, *, first: bool) -> str:
    if _ADDRESS.search(word):
        return _PUNCTUATION.sub(_escape_sign, word)
    start = _START.match(word) if first else None
    if start is None:
        return _SIGN.sub(_escape_sign, word)
    begun = f"{start['number']}\\{start['behind']}" if start["number"] else _escape_sign(start)
    return begun + _SIGN.sub(_escape_sign, word[start.end() :])


def _escape_sign(match: re.Match[str]) -> str:
    return "&lt;" if match[0] == "<" else f"\\{match[0]}"


SOURCES = "출처"
"""Second-level heading above the list of sources that citation numbers link to."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff; line-height: 1.7;
  font-family: Pretendard, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif; word-break: keep-all;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.35; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #d0d7de; font-size: 1.25rem; }
h3 { font-size: 1.08rem; } blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid #d0d7de; color: #57606a; }
table { border-collapse: collapse; } th, td { border: 1px solid #d0d7de; padding: .3rem .6rem; text-align: left; }
pre { white-space: pre-wrap; background: #f6f8fa; padding: .8rem; } a { color: #0b5cad; }
.sources > li { margin-bottom: .8rem; } .sources ul { color: #57606a; }
@page { size: A4; margin: 18mm 16mm; }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 10.5pt; line-height: 1.55; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; break-inside: avoid; }
  p + ul, li > ul { break-before: avoid; }
  p { orphans: 3; widows: 3; }
  tr, pre, blockquote, .sources > li { break-inside: avoid; }
  thead { display: table-header-group; }
  a[href^="http"]::after { content: " <" attr(href) ">"; color: #57606a; font-size: .85em; word-break: break-all; }
  td a[href^="http"]::after { content: none; }
}
"""
_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_PARSER.parse("*a*")  # the first parse builds the rules, which two threads must not do at once


def html_page(markdown: str) -> bytes:
    """Return *markdown*, whose first line is the title and whose foreign text is escaped, as an HTML file."""
    tokens = _PARSER.parse(markdown)
    title = "".join(token.content for token in tokens[1].children or ())
    numbers = _mark_sources(tokens)
    for token in tokens:
        _set_links(token.children or (), numbers)
    page = f"""<!DOCTYPE html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
{_PARSER.renderer.render(tokens, _PARSER.options, {})}</body>
</html>
"""
    return page.encode("utf-8", "replace")


def _mark_sources(tokens: Sequence[Token]) -> frozenset[str]:
    """Turn each source into a link target, and return all numbers."""
    numbers: set[str] = set()
    inside = False
    for token, following in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            inside = following.content == SOURCES
        elif inside and token.type == "ordered_list_open" and token.level == 0:
            token.attrSet("class", "sources")
        elif inside and token.type == "list_item_open" and token.level == 1 and token.info:
            token.attrSet("id", f"source-{token.info}")
            token.attrSet("value", token.info)
            numbers.add(token.info)
    return frozenset(numbers)


def _set_links(tokens: Sequence[Token], numbers: frozenset[str]) -> None:
    """Point citations at the list of sources; other links open outside and send no referrer."""
    for token, label in pairwise(tokens):
        if token.type != "link_open":
            continue
        number = label.content.strip("[]")
        if number in numbers and label.content == f"[{number}]":
            token.attrSet("href", f"#source-{number}")
        else:
            token.attrSet("rel", "noopener noreferrer nofollow")
