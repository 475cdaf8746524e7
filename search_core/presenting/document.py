"""Records as documents to take away: what their Markdown has in common, and the files made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from search_core.domain.video import VideoContext
from search_core.errors import UnknownFormatError
from search_core.presenting.dates import korean_date
from search_core.presenting.html_page import html_page
from search_core.presenting.inert_markdown import escape, link
from search_core.presenting.wording import UNTITLED_VIDEO, transcript_source

DocumentFormat = Literal["markdown", "html"]
DEEPEST = 6
"""Of the levels of headings that Markdown has."""


def document_file(lines: Iterable[str], format_name: DocumentFormat) -> bytes:
    """Return *lines* of Markdown, of which the first is the title, as a file; raises UnknownFormatError."""
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
    """Yield the lines of a table; its cells are Markdown, those of the first row the headings of its columns."""
    for place, row in enumerate(rows):
        yield f"| {' | '.join(row)} |"
        if place == 0:
            yield f"| {' | '.join('---' for _ in row)} |"


RESEARCH_TIMES = (
    ("계획", "query_decomposition"),
    ("검색", "search_duration_ms"),
    ("읽기", "scrape_duration_ms"),
    ("작성", "analysis_duration_ms"),
    ("모두", "total_ms"),
)
"""What the steps of research are called, each with its time among the metrics of a run."""


def spent_times(metrics: object, named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return by label what took time, each label going with a field of *metrics* in milliseconds; what took none is left out."""
    spent = ((label, getattr(metrics, name)) for label, name in named)
    return {label: f"{milliseconds / 1000:.1f}초" for label, milliseconds in spent if milliseconds > 0}


def times_chapter(times: dict[str, str], level: int = 2) -> Iterator[str]:
    """Yield the chapter on what took time; nothing where nothing did."""
    if times:
        yield from heading("걸린 시간", level)
        yield from table((tuple(times), tuple(times.values())))


def video_facts(video: VideoContext) -> Iterator[str]:
    """Yield which video something is about, whose it is, when it appeared, and where its transcript is from."""
    yield f"영상: {link(video.title or UNTITLED_VIDEO, video.url)}"
    if video.channel:
        yield f"채널: {escape(video.channel)}"
    if video.published_at is not None:
        yield f"영상이 나온 날: {korean_date(video.published_at)}"
    if source := transcript_source(video):
        yield f"자막: {escape(source)}"
