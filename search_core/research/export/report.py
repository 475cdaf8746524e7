"""The report of a run as blocks of a document.

What the model wrote passes ``safe_markdown`` first, which leaves no picture, no HTML and no link of its own;
its numbers in brackets become references to the list of sources, and only that list has addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search_core.domain import ResearchRun
from search_core.llm import safe_markdown
from search_core.llm.markdown import MAX_CHARS, TOP_HEADING
from search_core.presenting.document.blocks import Block, Code, Heading, Items, Paragraph, Quotation, Run, Table
from search_core.presenting.wording import mark_unsupported

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_PARSER.parse("*a*")  # the first text puts its rules together, which two threads must not do at once
_CITED = re.compile(r"\[(\d{1,4})\]")
_SECTION = re.compile(r"\n(?=#{1,6} )")


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
