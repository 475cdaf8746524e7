"""Markdown and plain text, with or without front matter."""

from __future__ import annotations

import re
from typing import NamedTuple

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_EMPHASIS = re.compile(r"(\*{1,3}|_{2,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1")
_FENCE = re.compile(r"^[ \t]*(```|~~~).*$", re.MULTILINE)
_LINE_SIGN = re.compile(r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+|#{1,6}[ \t]+)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


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
    return plain(match.group(1)) if match else ""


def plain(text: str) -> str:
    """Return Markdown *text* without its signs: words of links, headings, lists, quotes and code stay."""
    for pattern, kept in ((_COMMENT, ""), (_FENCE, ""), (_RULE, ""), (_IMAGE, r"\1"), (_LINK, r"\1"), (_LINE_SIGN, "")):
        text = pattern.sub(kept, text)
    return _EMPHASIS.sub(r"\2", text).strip()


def _unquote(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
