"""Markdown and office files as text, with their metadata."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

from search_core.errors import DocumentReadError
from search_core.language.captions import without_comments
from search_core.reading.html import ParsedText

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_OVER_TEXT = re.compile(rf"{_HEADING.pattern}(?=\n\S)", re.MULTILINE)
"""A heading right over its text, which is another paragraph."""
# Neither part goes past the next opening bracket, so that each is looked at once.
_IMAGE = re.compile(r"!\[([^\[\]\n]*)\]\([^)\[\n]*\)")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\([^)\[\n]*\)")
_EMPHASIS_SIGN = re.compile(r"\*{1,3}|_{2,3}|~~|`+")
_FENCE = re.compile(r"^[ \t]*(```|~~~).*$", re.MULTILINE)
_LINE_SIGN = re.compile(r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+|#{1,6}[ \t]+)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$", re.MULTILINE)
MAX_UNFOLDED = 100 << 20
"""Bytes of the text of an office file."""


def read_markdown(text: str) -> ParsedText:
    """Return Markdown *text* as plain text with its front matter; the first heading can be the title."""
    fields, body = _split_front_matter(text)
    return ParsedText(
        text=plain(body),
        title=fields.get("title") or first_heading(body),
        url=fields.get("url", ""),
        published=fields.get("date") or fields.get("published"),
        source=fields.get("source", ""),
        language=(fields.get("language") or fields.get("lang") or "").lower()[:2],
    )


def _split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the fields of the front matter in lower case, and the text after it; only plain lines of YAML are read."""
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    fields = {}
    for line in match.group(1).split("\n"):
        field = _FIELD.fullmatch(line.strip())
        if field:
            fields[field.group(1).lower()] = _unquote(field.group(2).strip())
    return fields, text[match.end() :]


def first_heading(text: str) -> str:
    """Return the first heading of Markdown *text* as plain text, or an empty string."""
    match = _HEADING.search(text)
    return plain(match[1].rstrip("#").rstrip()) if match else ""


def plain(text: str) -> str:
    """Return Markdown *text* without its signs; the words of links, headings, lists, quotes and code stay."""
    text = without_comments(text)
    for pattern, replacement in (
        (_FENCE, ""),
        (_OVER_TEXT, r"\g<0>\n"),
        (_RULE, ""),
        (_IMAGE, r"\1"),
        (_LINK, r"\1"),
        (_LINE_SIGN, ""),
    ):
        text = pattern.sub(replacement, text)
    return "\n".join(map(_drop_emphasis, text.split("\n"))).strip()


def _drop_emphasis(line: str) -> str:
    """Return *line* without the signs of emphasis and code, in one pass."""
    signs = list(_EMPHASIS_SIGN.finditer(line))
    parts: list[str] = []
    place = 0
    for sign, closing in zip(signs, _closing_signs(line, signs), strict=True):
        opens = sign.end() < len(line) and not line[sign.end()].isspace()
        if sign.start() >= place and opens and closing is not None and closing.start() > sign.end():
            parts += (line[place : sign.start()], line[sign.end() : closing.start()])
            place = closing.end()
    return "".join((*parts, line[place:]))


def _closing_signs(line: str, signs: list[re.Match[str]]) -> list[re.Match[str] | None]:
    """Return for each sign the next identical sign that closes it."""
    following: dict[str, re.Match[str]] = {}
    closings: list[re.Match[str] | None] = []
    for sign in reversed(signs):
        closings.append(following.get(sign[0]))
        if sign.start() and not line[sign.start() - 1].isspace():
            following[sign[0]] = sign
    return closings[::-1]


def _unquote(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def read_office(data: bytes, parts: str, facts: str, name: str) -> ParsedText:
    """Return the paragraphs of an office file, a ZIP archive of XML, and its title.

    Its text is in the files below the path *parts*, its title in the file *facts*. Raises ValueError if it is damaged, has no
    text, or unpacks to more than is read of any document, and DocumentReadError if it needs a password.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = sorted((entry for entry in archive.infolist() if entry.filename.startswith(parts)), key=_part_number)
            if sum(entry.file_size for entry in entries) > MAX_UNFOLDED:
                raise ValueError("the office file unfolds to too much")
            paragraphs = [paragraph for entry in entries for paragraph in _paragraphs(archive.read(entry))]
            title = next(_paragraphs(archive.read(facts), "title"), "") if facts in archive.namelist() else ""
    except (zipfile.BadZipFile, ElementTree.ParseError, EOFError, zlib.error, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "password" in str(error):  # what zipfile raises for an entry that is encrypted
            korean = "암호가 걸린 문서예요. 암호를 풀고 다시 넣어 주세요."
            raise DocumentReadError("the office file needs a password", korean=korean) from error
        raise ValueError(f"the {name} file is damaged: {error}") from error
    if not paragraphs:
        raise ValueError("the office file holds no text")
    return ParsedText("\n\n".join(paragraphs), title)


def _part_number(entry: zipfile.ZipInfo) -> tuple[int, str]:
    return len(entry.filename), entry.filename


def _paragraphs(data: bytes, name: str = "p") -> Iterator[str]:
    """Yield the text of each paragraph of a document part, also in tables."""
    open_ones: list[list[str]] = []
    for event, element in ElementTree.iterparse(io.BytesIO(data), events=("start", "end")):  # noqa: S314 - in a bounded process
        tag = element.tag.rpartition("}")[2]
        if event == "start":
            open_ones += [[]] if tag == name else []
        elif tag == name:
            text = "".join(open_ones.pop()) if name == "p" else "".join(element.itertext())
            if text.strip():
                yield text.strip()
        elif open_ones and tag in ("t", "tab", "br", "lineBreak"):
            open_ones[-1].append("".join(element.itertext()) if tag == "t" else " ")
