"""Markdown of our own making as one HTML file that prints well and loads and runs nothing: its policy says so, too."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

SOURCES = "출처"
"""Heading of the second level above the list that citations lead to."""
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
_PARSER.parse("*a*")  # the first text puts its rules together, which two threads must not do at once


def html_page(markdown: str) -> bytes:
    """Return *markdown*, which begins with its title and whose foreign text is escaped, as an HTML file, UTF-8."""
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
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
{_PARSER.renderer.render(tokens, _PARSER.options, {})}</body>
</html>
"""
    return page.encode("utf-8", "replace")


def _mark_sources(tokens: Sequence[Token]) -> frozenset[str]:
    """Make each source a place that links can lead to, and return the numbers of all."""
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
    """Let citations lead to the list of sources, and all other links out of the page without saying where from."""
    for token, label in pairwise(tokens):
        if token.type != "link_open":
            continue
        number = label.content.strip("[]")
        if number in numbers and label.content == f"[{number}]":
            token.attrSet("href", f"#source-{number}")
        else:
            token.attrSet("rel", "noopener noreferrer nofollow")
