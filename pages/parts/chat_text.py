"""Answers as Markdown: moments and sources as links, unsupported sentences marked, quotations of sources."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pages.parts.escaping import link, md, tooltip
from pages.parts.evidence import Quotation
from search_core.domain.conversation import AnsweredWithoutWeb, AnswerRecord, PageOutcome, WebSource
from search_core.domain.research import ResearchSource
from search_core.domain.stance import Comparison
from search_core.llm import safe_markdown
from search_core.presenting.claim_text import RESTATES, TIMES
from search_core.presenting.dates import date_text
from search_core.stance.weighing import WeighedStatement
from search_core.text.video_time import CLOCK, clock, clock_seconds

TEXT_CHARS = 300
"""Characters of a source's text in the list of sources."""
TOOLTIP_CHARS = 400
TOP_HEADING = 3
"""Heading level of a model's text; the pages' own titles are of the second."""
_MOMENT = re.compile(rf"\[({CLOCK})\]")
_CITATION = re.compile(r"(?P<head>\[\\\[(?P<number>\d{1,4})\\\]\]\([^()\s]+)\)|(?<!\[)\\\[(?P<bare>\d{1,4})\\\](?!\])")
"""A number in brackets, which ``safe_markdown`` made a link of where it knows an address."""
_FLAG = "\u2042"
"""Stands in a text where a sentence without support ends, until the text has become Markdown."""
SOURCES = "출처 {count}곳"
UNSUPPORTED = "출처에서 확인 안 됨"
UNSUPPORTED_NOTE = "‘출처에서 확인 안 됨’이 붙은 문장은 근거를 출처의 글에서 찾지 못했어요."
COPY = "같은 글을 옮겼거나 같은 곳에서 낸 글이라 따로 세지 않았어요"


def moments(text: str) -> tuple[int, ...]:
    """Return the moments that *text* cites, in seconds, in order, without duplicates."""
    return tuple(dict.fromkeys(int(clock_seconds(mark) or 0) for mark in _MOMENT.findall(text)))


def uncertain_moments(record: AnswerRecord) -> tuple[int, ...]:
    """Return the moments, in seconds, that the answer cites from passages with uncertain speech recognition."""
    doubtful = [segment for passage in record.passages for segment in passage.segments if segment.uncertain]
    cited = moments(record.text)
    return tuple(at for at in cited if any(int(each.start_s) <= at < max(each.end_s, each.start_s + 1) for each in doubtful))


def moment_link(seconds: float) -> str:
    """Return a Markdown link that leads to a moment of the video on this page."""
    return f"[{clock(seconds)}](#t={int(seconds)})"


def video_markdown(record: AnswerRecord, *, can_seek: bool) -> str:
    """Return the answer from the video as Markdown, as far as it is written, with moments as links if there is a video."""
    links = {mark: f"#t={int(clock_seconds(mark) or 0)}" if can_seek else "" for mark in _MOMENT.findall(record.text)}
    return safe_markdown(record.text, links, top_heading=TOP_HEADING)


def with_sources(
    text: str, unsupported: Sequence[tuple[int, int]], sources: Sequence[WebSource | ResearchSource]
) -> tuple[str, str]:
    """Return a model's *text* as Markdown with numbers linked to *sources*, and the note on *unsupported* sentences, if any.

    Each number has a tooltip with its source's title and text. The number of a document without a web address links to its entry
    in the list of sources.
    """
    written = mark_unsupported(text, unsupported, {str(source.number): source.url for source in sources})
    note = f"\n\n:small[:gray[{UNSUPPORTED_NOTE}]]" if unsupported and _FLAG not in text else ""
    tooltips = {source.number: f"{source.title} — {source.snippet}" for source in sources}

    def add_tooltip(cited: re.Match[str]) -> str:
        number = int(cited["number"] or cited["bare"])
        if number not in tooltips:
            return cited[0]
        head = cited["head"] or f"[{cited[0]}](#source-{number}"
        return f'{head} "{tooltip(tooltips[number], TOOLTIP_CHARS)}")'

    return _CITATION.sub(add_tooltip, written), note


def mark_unsupported(text: str, unsupported: Sequence[tuple[int, int]], links: Mapping[str, str]) -> str:
    """Return a model's *text* as Markdown, with citation marks linked to *links* and *unsupported* sentences marked."""
    plain = text.replace(_FLAG, "")
    if len(plain) == len(text):  # otherwise the positions below would not match
        for end in sorted({end for _, end in unsupported}, reverse=True):
            plain = f"{plain[:end].rstrip()} {_FLAG}{plain[end:]}"
    return safe_markdown(plain, links, top_heading=TOP_HEADING).replace(_FLAG, f":orange-badge[{UNSUPPORTED}]")


def markdown_without_web(answer: AnsweredWithoutWeb, *, can_seek: bool) -> str:
    """Return as Markdown what a model adds without the web, with moments as links and unsupported sentences marked."""
    links = {mark: f"#t={int(clock_seconds(mark) or 0)}" if can_seek else "" for mark in _MOMENT.findall(answer.text)}
    return mark_unsupported(answer.text, answer.unsupported, links | {str(number): "" for number in answer.cited})


def source_list(record: AnswerRecord) -> str:
    """Return the sources as a Markdown list: number, title, site, date, whether the page was read, and its text."""
    outcomes = {page.number: page for page in record.pages}
    return "\n".join(_source(source, outcomes.get(source.number)) for source in record.sources)


def _source(source: WebSource, page: PageOutcome | None) -> str:
    facts = [md(source.source, 60)] if source.source else []
    facts.append(date_text(source.publish_date))
    if page is not None and not page.failure:
        facts.append(":green[:material/check_circle: 본문을 읽었어요]")
    else:
        facts.append("요약만 봤어요" if page is None else "본문은 못 읽었어요")
    text = f"  \n   :small[{md(source.snippet, TEXT_CHARS)}]" if source.snippet.strip() else ""
    return f"{source.number}. {link(source.title or source.url, source.url, 140)}  \n   :small[:gray[{' · '.join(facts)}]]{text}"


def ledger_line(record: AnswerRecord) -> str:
    """Return in one line which services were asked and how many pages were read; empty while neither is known."""
    facts = [md(record.headline.rstrip(" ."), 200)] if record.headline else []
    if record.pages:
        read = sum(not page.failure for page in record.pages)
        facts.append(f"{len(record.pages)}쪽 중 {read}쪽을 읽었어요")
    return " · ".join(facts)


def quotations(statement: WeighedStatement, sources: Sequence[WebSource]) -> list[Quotation]:
    """Return each source's quotation about *statement*, the surest first; copies and pages that repeat the video are left out."""
    seen: set[int] = set()
    found = []
    for row in statement.rows:
        source = sources[row.source] if row.source < len(sources) else None
        uncounted = RESTATES if row.restates_video else COPY if row.independent_of in seen else ""
        seen |= set() if row.restates_video else {row.independent_of}
        facts = [date_text(row.date)]
        facts += [] if row.after_video is None else [TIMES[row.after_video]]
        name = (source.source or str(source.number)) if source else ""
        url = source.url if source else ""
        found.append(Quotation(row=row, name=name, url=url, facts=" · ".join(facts), uncounted=uncounted))
    return found


def unread(comparison: Comparison) -> str:
    """Return a note about what was left uncompared because there was too much; usually empty."""
    counts = {"영상의 말 {count}개": comparison.unread_statements, SOURCES: comparison.unread_sources}
    parts = ", ".join(words.format(count=count) for words, count in counts.items() if count)
    return f"너무 많아서 비교하지 않은 것: {parts}" if parts else ""
