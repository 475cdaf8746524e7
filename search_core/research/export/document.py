"""A run as a document: headings, paragraphs, lists, tables and sources, from which each kind of file is written.

What the model wrote passes ``safe_markdown`` first, which leaves no picture, no HTML and no link of its own;
its numbers in brackets become references to the list of sources, and only that list has addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.domain import ResearchRun
from search_core.llm import safe_markdown
from search_core.llm.markdown import MAX_CHARS, TOP_HEADING
from search_core.presenting.wording import mark_unsupported
from search_core.visible import visible

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_PARSER.parse("*a*")  # the first text puts its rules together, which two threads must not do at once
_CITED = re.compile(r"\[(\d{1,4})\]")
_SECTION = re.compile(r"\n(?=#{1,6} )")


class Run(NamedTuple):
    """A stretch of text in one style; ``cites`` is the number of the source it refers to, ``url`` where it leads."""

    text: str
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    cites: int = 0
    url: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title of the document."""

    level: int
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list; ``start`` is its first number, None for one with bullets."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Quotation:
    """What is set off from the text around it."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Text that keeps its lines."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first row holds the headings of the columns."""

    rows: tuple[tuple[tuple[Run, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source in the list of sources, to which the text refers by its number."""

    number: int
    title: Run
    """Its ``url`` is an address of the web, or empty."""
    address: str
    """The address as text, whatever it is."""
    facts: str
    """Domain, date and whether the page was read, on one line."""
    lines: tuple[str, ...]
    """Snippet and moment of the video."""


Block = Heading | Paragraph | Items | Quotation | Code | Table | SourceEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The whole of a document in the order of reading."""

    title: str
    blocks: tuple[Block, ...]


def text_of(runs: Sequence[Run]) -> str:
    """Return what *runs* say."""
    return "".join(run.text for run in runs)


def signed_items(items: Sequence[Sequence[Block]], start: int | None) -> Iterator[tuple[tuple[Run, ...], Sequence[Block]]]:
    """Yield the first line of each item of a list behind its bullet or number, and the blocks below it."""
    for place, item in enumerate(items):
        sign = Run("• " if start is None else f"{start + place}. ")
        if item and isinstance(item[0], Paragraph):
            yield (sign, *item[0].runs), item[1:]
        else:
            yield (sign,), item


def plain_runs(text: str) -> tuple[Run, ...]:
    """Return *text* on one line as it stands, without what readers cannot see."""
    return (Run(" ".join(visible(text).split())),)


def report_blocks(run: ResearchRun, top: int) -> tuple[Block, ...]:
    """Return the report of *run*, its highest possible headings at level *top*, unsupported sentences marked."""
    numbers = {str(source.number): "" for source in run.sources}
    text = mark_unsupported(run.shown_report, run.unsupported)
    pieces = _SECTION.split(text) if len(text) > MAX_CHARS else [text]
    safe = "\n\n".join(safe_markdown(piece, numbers) for piece in pieces)
    return tuple(_Reader(_PARSER.parse(safe), frozenset(map(int, numbers)), top).until(""))


class _Reader:
    """Reads tokens of Markdown as blocks."""

    def __init__(self, tokens: Sequence[Token], numbers: frozenset[int], top: int) -> None:
        self._tokens = iter(tokens)
        self._numbers = numbers
        self._top = top

    def until(self, closing: str) -> list[Block]:
        """Return all blocks up to the token *closing*."""
        blocks: list[Block] = []
        for token in self._tokens:
            if token.type == closing:
                break
            block = self._block(token)
            if block is not None:
                blocks.append(block)
        return blocks

    def _block(self, token: Token) -> Block | None:
        match token.type:
            case "paragraph_open":
                return Paragraph(self._inline())
            case "heading_open":
                level = min(6, self._top + max(0, int(token.tag[1]) - TOP_HEADING - 1))
                return Heading(level, self._inline())
            case "blockquote_open":
                return Quotation(tuple(self.until("blockquote_close")))
            case "bullet_list_open":
                return Items(self._items("bullet_list_close"))
            case "ordered_list_open":
                return Items(self._items("ordered_list_close"), int(token.attrs.get("start", 1)))
            case "fence" | "code_block":
                return Code(token.content.rstrip("\n"))
            case "table_open":
                return self._table()
        return None

    def _inline(self) -> tuple[Run, ...]:
        inline = next(self._tokens)
        next(self._tokens)
        return tuple(_runs(inline.children or [], self._numbers))

    def _items(self, closing: str) -> tuple[tuple[Block, ...], ...]:
        items = []
        for token in self._tokens:
            if token.type == closing:
                break
            items.append(tuple(self.until("list_item_close")))
        return tuple(items)

    def _table(self) -> Table:
        rows: list[list[tuple[Run, ...]]] = []
        for token in self._tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append(tuple(_runs(next(self._tokens).children or [], self._numbers)))
        return Table(tuple(map(tuple, rows)))


def _runs(tokens: Sequence[Token], numbers: frozenset[int]) -> Iterator[Run]:
    style = {"strong": False, "em": False, "s": False}
    for token in tokens:
        name, _, side = token.type.rpartition("_")
        if name in style:
            style[name] = side == "open"
        elif token.type == "code_inline":
            yield Run(token.content, code=True)
        elif token.type in ("softbreak", "hardbreak"):
            yield Run(" " if token.type == "softbreak" else "\n")
        elif token.type == "text":
            yield from _split_citations(Run(token.content, style["strong"], style["em"], style["s"]), numbers)


def _split_citations(run: Run, numbers: frozenset[int]) -> Iterator[Run]:
    """Yield *run* with its numbers in brackets as references where there is such a source."""
    done = 0
    for match in _CITED.finditer(run.text):
        if int(match[1]) in numbers:
            if match.start() > done:
                yield run._replace(text=run.text[done : match.start()])
            yield run._replace(text=match[0], cites=int(match[1]))
            done = match.end()
    if done < len(run.text):
        yield run._replace(text=run.text[done:])


def texts_of(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield all texts of *blocks* in the order of reading."""
    for block in blocks:
        match block:
            case Heading(_, runs) | Paragraph(runs):
                yield text_of(runs)
            case Items(items, _):
                for item in items:
                    yield from texts_of(item)
            case Quotation(inner):
                yield from texts_of(inner)
            case Code(text):
                yield text
            case Table(rows):
                yield from (text_of(cell) for row in rows for cell in row)
            case SourceEntry():
                yield from (block.title.text, block.address, block.facts, *block.lines)
