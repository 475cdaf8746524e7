"""A model's text rewritten as harmless Markdown.

A check by one parser says nothing about the parser that renders. So the text is parsed (markdown-it-py, CommonMark with tables)
and written anew from the tokens, with every sign of the text escaped. There are no pictures, no HTML and no links except
citations, whose addresses come from the caller, never from the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.language.sentences import visible
from search_core.language.web_address import markdown_link, split_at_addresses, web_address

_LABEL = re.compile(r"\[([^\[\]\n]{1,40})\]")
_NUMBERS = re.compile(r"\d{1,4}(?:\s*,\s*\d{1,4})*")
_UNKNOWN_BEFORE_END = re.compile(r"(?<!\s)\s*\x00(?=[\s.,!?…)。]|$)|\x00")
_RUN = re.compile(r"[^\s\[\]]+")
_ADDRESS = re.compile(r"://|www\.|[\w.+-]@[\w-]", re.IGNORECASE)
"""Text that renderers turn into links by themselves: addresses, hosts and mail addresses (GFM, autolinks)."""
_AROUND = "()<>{}\"'“”‘’「」『』.,;:!?…·。、"
_SIGN = re.compile(r"(?P<icon>:(?:streamlit|material/\w+):)|(?P<tag><(?=[/!?a-zA-Z]))|[\\`*_\[\]<~$|!]|&(?=[#\w])|:(?=[^\W\d]|:)")
"""Characters that have a meaning in Markdown, and icons that Streamlit draws even when their colons are escaped."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINE_START = re.compile(r"^([-+=#>])", re.MULTILINE)
_LINE_NUMBER = re.compile(r"^(\d{1,9})([.)])", re.MULTILINE)
_MOMENT = re.compile(r"#t=\d{1,6}")
"""A moment of the video on the page itself."""
MAX_CHARS = 20_000
TOP_HEADING = 4
"""Highest level of a heading in a model's text, below the headings of the page."""

_NO_LINKS: Mapping[str, str] = MappingProxyType({})
_ALIGNMENTS = MappingProxyType({"text-align:left": ":---", "text-align:right": "---:", "text-align:center": ":---:"})
_MARKS = MappingProxyType({"strong": "**", "em": "*", "s": "~~"})


def drop_unknown_numbers(text: str, links: Mapping[str, str]) -> str:
    """Return *text* without bracketed numbers that *links* lacks, and the spaces before them."""
    return "".join(split_at_unknown_numbers(text, links))


def split_at_unknown_numbers(text: str, links: Mapping[str, str]) -> list[str]:
    """Return the pieces of *text* between the brackets that ``drop_unknown_numbers`` removes entirely."""

    def keep_known(match: re.Match[str]) -> str:
        label = match[1].strip()
        if label in links or not _NUMBERS.fullmatch(label):
            return match[0]
        numbers = [number for number in _numbers(label) if number in links]
        return f"[{', '.join(numbers)}]" if numbers else "\x00"

    return _UNKNOWN_BEFORE_END.split(_LABEL.sub(keep_known, text.replace("\x00", "")))


def code(text: str, *, in_table: bool = False) -> str:
    """Return *text* as a code span."""
    text = text.replace("\n", " ")
    if in_table:
        text = text.replace("|", "\\|")
    marks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{padding}{text}{padding}{marks}"


def code_block(text: str) -> list[str]:
    """Return *text* as a code block without a language, as some languages are rendered instead of shown."""
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text) or [""]))
    return [marks, *text.rstrip("\n").split("\n"), marks]


def _numbers(label: str) -> list[str]:
    return [str(int(number)) for number in label.split(",")]


def _link_citations(text: str, links: Mapping[str, str]) -> Iterator[str]:
    done = 0
    for match in _LABEL.finditer(text):
        label = match[1].strip()
        cited = [label] if label in links else _numbers(label) if _NUMBERS.fullmatch(label) else []
        if cited and all(number in links for number in cited):
            yield from _plain(text[done : match.start()])
            for number in cited:
                url = links[number]
                target = url if _MOMENT.fullmatch(url) else web_address(url)
                sign = rf"\[{_escape(number)}\]"
                yield markdown_link(sign, target) if target else sign
            done = match.end()
    yield from _plain(text[done:])


def _plain(text: str) -> Iterator[str]:
    """Yield *text* escaped; anything like an address becomes code."""
    for piece, is_address in split_at_addresses(text, _RUN, _ADDRESS, _AROUND):
        yield code(piece) if is_address else _escape(piece)


def _escape(text: str) -> str:
    return _SIGN.sub(_escape_sign, text)


def _escape_sign(match: re.Match[str]) -> str:
    if match["icon"]:
        return code(match[0])
    # Not "\\<": who takes the text for HTML before it is read as Markdown would see an element behind the backslash.
    return "&lt;" if match["tag"] else f"\\{match[0]}"


class _Parser(MarkdownIt):
    """A Markdown parser that accepts links with any address, so that they can be removed."""

    def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002  # the name is the library's
        return True


_PARSER = _Parser("commonmark", {"html": False}).enable(["table", "strikethrough"])


_PARSER.parse("*a*")  # the first parse builds the rules, which two threads must not do at once


def safe_markdown(text: str, links: Mapping[str, str] = _NO_LINKS, *, top_heading: int = TOP_HEADING) -> str:
    """Return *text* as Markdown without pictures, HTML and foreign links; the words stay.

    *links* has the address of each citation by the text in its brackets ("1", "12:41"), empty if it has none; other numbers are
    left out. Any beginning of a text is as safe as the whole, so unfinished answers can be shown. The first heading has the
    level *top_heading*, none is higher, and none skips a level.
    """
    if len(text) > MAX_CHARS:
        text = f"{text[:MAX_CHARS]}…"
    return "\n".join(_Blocks(_PARSER.parse(visible(text)), links, _Headings(top_heading)).until(""))


class _Headings:
    """Assigns levels to the headings of one text."""

    def __init__(self, top: int) -> None:
        self._top, self._first, self._last = top, 0, top - 1

    def level(self, markdown_level: int) -> int:
        """Return the level of the next heading, which the model wrote at level *markdown_level*."""
        self._first = self._first or markdown_level
        self._last = min(6, max(self._top, self._top + markdown_level - self._first), self._last + 1)
        return self._last


class _Blocks:
    """Writes the blocks of one text, token by token."""

    def __init__(self, tokens: Sequence[Token], links: Mapping[str, str], headings: _Headings) -> None:
        self._tokens = iter(tokens)
        self._links = links
        self._headings = headings

    def until(self, closing: str) -> list[str]:
        """Return the lines of all blocks up to the token *closing*, with empty lines between them except in tight lists."""
        lines: list[str] = []
        tight = True
        for token in self._tokens:
            if token.type == closing:
                break
            block = self._block(token)
            if block:
                lines += block if tight else ["", *block]
                tight = token.hidden
        return lines

    def _block(self, token: Token) -> list[str]:
        match token.type:
            case "paragraph_open":
                return self._paragraph()
            case "heading_open":
                words = " ".join(self._paragraph(in_line=True))
                return [f"{'#' * self._headings.level(int(token.tag[1]))} {words}"] if words else []
            case "blockquote_open":
                return [f"> {line}".rstrip() for line in self.until("blockquote_close")]
            case "bullet_list_open" | "ordered_list_open":
                return self._list(token)
            case "fence" | "code_block":
                return code_block(token.content)
            case "hr":
                return ["---"]
            case "table_open":
                return self._table()
        return []

    def _paragraph(self, *, in_line: bool = False) -> list[str]:
        """Return the lines of the paragraph or heading that was just opened."""
        inline = next(self._tokens)
        next(self._tokens)
        text = _inline(inline.children or [], self._links)
        if in_line:
            return [line for part in text.replace("\\\n", "\n").split("\n") if (line := part.strip())]
        lines = "\n".join(line.strip() for line in text.split("\n"))
        # Signs that would begin a list, heading or quotation are escaped.
        return _LINE_NUMBER.sub(r"\1\\\2", _LINE_START.sub(r"\\\1", lines)).split("\n") if text.strip() else []

    def _list(self, token: Token) -> list[str]:
        number = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
        lines: list[str] = []
        for item in self._tokens:
            if item.type != "list_item_open":
                break
            marker = "- " if number is None else f"{number}. "
            number = None if number is None else number + 1
            block = self.until("list_item_close") or [""]
            lines.append(f"{marker}{block[0]}".rstrip())
            lines += [f"{' ' * len(marker)}{line}".rstrip() for line in block[1:]]
        return lines

    def _table(self) -> list[str]:
        rows: list[list[str]] = []
        alignments: list[str] = []
        for token in self._tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                if token.type == "th_open":
                    alignments.append(_ALIGNMENTS.get(str(token.attrs.get("style", "")), "---"))
                cell = _inline(next(self._tokens).children or [], self._links, in_table=True)
                rows[-1].append(" ".join(cell.split("\n")).strip())
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return [lines[0], f"| {' | '.join(alignments)} |", *lines[1:]]


class _Part(NamedTuple):
    """A piece of a line: the model's text, our Markdown, or an opening or closing mark."""

    kind: Literal["text", "ours", "open", "close"]
    text: str


def _inline(tokens: Sequence[Token], links: Mapping[str, str], *, in_table: bool = False) -> str:
    """Return a line of a block; adjacent texts are joined before the check, as a dropped link can join halves of an address."""
    parts = _merge_parts(_parts(tokens, links, in_table=in_table))
    line = ""
    for part in parts:
        piece = "".join(_link_citations(_BREAK.sub(" ", part.text), links)) if part.kind == "text" else part.text
        # Adjacent code spans would be read as one, and their contents as Markdown.
        line += f" {piece}" if line.endswith("`") and piece.startswith("`") else piece
    return line


def _parts(tokens: Sequence[Token], links: Mapping[str, str], *, in_table: bool) -> Iterator[_Part]:
    for index, token in enumerate(tokens):
        name, _, side = token.type.rpartition("_")
        if name in _MARKS:
            yield _Part("open" if side == "open" else "close", _MARKS[name])
        elif token.type == "code_inline":
            yield _Part("ours", code(token.content, in_table=in_table))
        elif token.type in ("softbreak", "hardbreak"):
            yield _Part("ours", "\n" if token.type == "softbreak" else "\\\n")
        elif token.type in ("text", "text_special", "image"):
            around = [tokens[near].type for near in (index - 1, index + 1) if 0 <= near < len(tokens)]
            # A model that writes ``[1](address)`` means the citation.
            number = around == ["link_open", "link_close"] and token.content.strip() in links
            yield _Part("text", f"[{token.content.strip()}]" if number else drop_unknown_numbers(token.content, links))


def _merge_parts(parts: Iterator[_Part]) -> list[_Part]:
    """Return *parts* with adjacent texts joined and empty emphasis removed."""
    merged: list[_Part] = []
    for part in parts:
        if part.kind == "close" and merged and merged[-1].kind == "open":
            merged.pop()
        elif part.kind == "text" and merged and merged[-1].kind == "text":
            merged[-1] = _Part("text", merged[-1].text + part.text)
        elif part.text:
            merged.append(part)
    return merged
