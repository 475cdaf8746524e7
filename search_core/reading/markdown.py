"""Markdown and plain text, with or without front matter."""

from __future__ import annotations

import re
from typing import NamedTuple

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
# Neither part goes past the next opening bracket, so that each is looked at once.
_IMAGE = re.compile(r"!\[([^\[\]\n]*)\]\([^)\[\n]*\)")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\([^)\[\n]*\)")
_EMPHASIS_SIGN = re.compile(r"\*{1,3}|_{2,3}|~~|`+")
_FENCE = re.compile(r"^[ \t]*(```|~~~).*$", re.MULTILINE)
_LINE_SIGN = re.compile(r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+|#{1,6}[ \t]+)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$", re.MULTILINE)
_COMMENT_BEGIN, _COMMENT_END = "<!--", "-->"


class FrontMatter(NamedTuple):
    """The head of a Markdown file and the rest of it."""

    fields: dict[str, str]
    """Lower-case name to value; of YAML only plain ``name: value`` lines are read."""
    body: str


def split_front_matter(text: str) -> FrontMatter:
    """Return the front matter of *text* and what follows it; no fields when there is none."""
    match = _FRONT_MATTER.match(text)
    if match is None:
        return FrontMatter({}, text)
    fields = {}
    for line in match.group(1).split("\n"):
        field = _FIELD.fullmatch(line.strip())
        if field:
            fields[field.group(1).lower()] = _unquote(field.group(2).strip())
    return FrontMatter(fields, text[match.end() :])


def first_heading(text: str) -> str:
    """Return the first heading of Markdown *text* as plain text, or an empty string."""
    match = _HEADING.search(text)
    return plain(match[1].rstrip("#").rstrip()) if match else ""


def plain(text: str) -> str:
    """Return Markdown *text* without its signs: words of links, headings, lists, quotes and code stay."""
    text = _drop_comments(text)
    for pattern, kept in ((_FENCE, ""), (_RULE, ""), (_IMAGE, r"\1"), (_LINK, r"\1"), (_LINE_SIGN, "")):
        text = pattern.sub(kept, text)
    return "\n".join(map(_drop_emphasis, text.split("\n"))).strip()


def _drop_comments(text: str) -> str:
    """Return *text* without comments; one that never closes stays."""
    kept: list[str] = []
    place = 0
    while (begin := text.find(_COMMENT_BEGIN, place)) >= 0 and (end := text.find(_COMMENT_END, begin)) >= 0:
        kept.append(text[place:begin])
        place = end + len(_COMMENT_END)
    return "".join((*kept, text[place:]))


def _drop_emphasis(line: str) -> str:
    """Return *line* without the signs around emphasised words and code, each sign looked at once."""
    signs = list(_EMPHASIS_SIGN.finditer(line))
    kept: list[str] = []
    place = 0
    for sign, closing in zip(signs, _closing_signs(line, signs), strict=True):
        opens = sign.end() < len(line) and not line[sign.end()].isspace()
        if sign.start() >= place and opens and closing is not None and closing.start() > sign.end():
            kept += (line[place : sign.start()], line[sign.end() : closing.start()])
            place = closing.end()
    return "".join((*kept, line[place:]))


def _closing_signs(line: str, signs: list[re.Match[str]]) -> list[re.Match[str] | None]:
    """Return for each sign the next one like it that is behind a word."""
    following: dict[str, re.Match[str]] = {}
    found: list[re.Match[str] | None] = []
    for sign in reversed(signs):
        found.append(following.get(sign[0]))
        if sign.start() and not line[sign.start() - 1].isspace():
            following[sign[0]] = sign
    return found[::-1]


def _unquote(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
