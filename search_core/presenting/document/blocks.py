"""A document: headings, paragraphs, lists, tables and sources, from which each kind of file is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from search_core.domain import VideoContext
from search_core.presenting.dates import korean_date
from search_core.presenting.wording import UNTITLED_VIDEO, transcript_source
from search_core.text.visible import visible
from search_core.text.web_address import web_address


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
    return (Run(line_of(text)),)


def link_of(text: str, url: str) -> Run:
    """Return *text* on one line, leading to *url* where that is an address of the web."""
    return Run(line_of(text), url=web_address(url) or "")


def line_of(text: str) -> str:
    """Return *text* on one line, without what readers cannot see."""
    return " ".join(visible(text).split())


def heading_of(text: str) -> Heading:
    """Return the heading of a chapter."""
    return Heading(2, (Run(text),))


def items_of(lines: Iterable[tuple[Run, ...]]) -> Items:
    """Return *lines* as a list with bullets."""
    return Items(tuple((Paragraph(runs),) for runs in lines))


def row_of(cells: Iterable[str]) -> tuple[tuple[Run, ...], ...]:
    """Return *cells* as a row of a table."""
    return tuple(map(plain_runs, cells))


def times_of(metrics: object, named: Iterable[tuple[str, str]]) -> list[Block]:
    """Return a chapter of what took time: of each label and field of *metrics* the milliseconds, those of nothing left out."""
    spent = [(label, getattr(metrics, name)) for label, name in named]
    shown = {label: f"{milliseconds / 1000:.1f}초" for label, milliseconds in spent if milliseconds > 0}
    return [heading_of("걸린 시간"), Table((row_of(shown), row_of(shown.values())))] if shown else []


def video_of(video: VideoContext) -> Iterator[tuple[Run, ...]]:
    """Yield lines on which video something is about, when it appeared, and where its transcript is from."""
    yield Run("영상: "), link_of(video.title or UNTITLED_VIDEO, video.url)
    if video.published_at is not None:
        yield plain_runs(f"영상이 나온 날: {korean_date(video.published_at)}")
    if source := transcript_source(video):
        yield plain_runs(f"자막: {source}")


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
