"""Markdown and office files as text, with their metadata."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.errors import DocumentReadError
from search_core.language.captions import without_comments
from search_core.reading.html import ParsedText

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:[ \t]*([\"']?)(.*)\2")
_BLANK_LINES = re.compile(r"\n{3,}")
_PARSER = MarkdownIt("commonmark")
_BLOCKS = MarkdownIt("commonmark").disable("inline")
_LONGEST_PARAGRAPH = 100_000
"""In a paragraph of more characters Markdown signs are left as they are: parsing five million would fill the memory."""
_WORDS = {"text", "text_special", "code_inline", "image"}
_BREAKS = {"softbreak", "hardbreak"}
MAX_UNFOLDED = 100 << 20
"""Most bytes of an office file's text after unpacking."""


def read_markdown(text: str) -> ParsedText:
    """Return Markdown *text* as plain text with its front matter; if that has no title, the first heading is the title."""
    fields, body = _split_front_matter(text)
    heading, words = markdown_text(body)
    return ParsedText(
        text=words,
        title=fields.get("title") or heading,
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
    for line in match[1].split("\n"):
        if field := _FIELD.fullmatch(line.strip()):
            fields[field[1].lower()] = field[3]
    return fields, text[match.end() :]


def markdown_text(markdown: str) -> tuple[str, str]:
    """Return the first heading and the plain text of *markdown*; blank lines separate blocks, but not the items of a list."""
    heading, text, gap, number, in_heading = "", "", "", "", False
    links: dict[str, object] = {}
    for token in _BLOCKS.parse(without_comments(markdown), links):
        if token.type in ("paragraph_open", "heading_open"):
            in_heading, gap = token.type == "heading_open", "\n" if token.hidden else "\n\n"
        elif token.type in ("bullet_list_open", "ordered_list_open") and not token.level:
            text += "\n"
        elif token.type == "list_item_open" and token.info:  # a year at the beginning of a line is taken for one, too
            number = f"{token.info}{token.markup} "
        elif token.type in ("inline", "fence", "code_block", "html_block"):
            words = _words_of(token, links)
            text, number = text + gap + number + words, ""
            heading = heading or (words if in_heading else "")
    return heading, _BLANK_LINES.sub("\n\n", text).strip()


def _words_of(token: Token, links: dict[str, object]) -> str:
    if token.type != "inline" or len(token.content) > _LONGEST_PARAGRAPH:
        return token.content.strip("\n")
    children = _PARSER.parseInline(token.content, links)[0].children or ()
    words = ("\n" if child.type in _BREAKS else child.content for child in children if child.type in _WORDS | _BREAKS)
    return "".join(words).strip()


def read_office(data: bytes, parts: str, facts: str, name: str) -> ParsedText:
    """Return the paragraphs of an office file, a ZIP archive of XML, and its title.

    Its text is in the files below the path *parts*, its title in the file *facts*. Raises ValueError if it is damaged, has no
    text, or unpacks to more than is read of any document, and DocumentReadError if it needs a password.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.startswith(parts)]
            entries.sort(key=lambda entry: (len(entry.filename), entry.filename))
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
