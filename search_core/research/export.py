"""A run as a Korean file, Markdown or HTML, with citations; foreign text in it cannot run, load or break out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from search_core.domain.research import PlanOrigin, ResearchRun, ResearchSource, Subtask, SubtaskState
from search_core.language.dates import clock
from search_core.language.sentences import shorten
from search_core.models.llm.markdown import MAX_CHARS, safe_markdown
from search_core.search.presenting.dates import date_text, korean_date
from search_core.search.presenting.document import (
    SOURCES,
    DocumentFormat,
    document_file,
    escape,
    heading,
    items,
    link,
    table,
    video_facts,
)
from search_core.search.presenting.score_text import scored_by_words
from search_core.search.presenting.wording import READ, count_sources, mark_unsupported

MAX_SNIPPET_CHARS = 400
ResearchFormat = DocumentFormat

_STILL_RUNNING = "아직 조사하고 있어요. 여기까지의 내용이에요."
_ORIGINS = {PlanOrigin.MODEL: "언어 모델", PlanOrigin.RULES: "질문 그대로", PlanOrigin.USER: "사용자"}
_STATES = {
    SubtaskState.WAITING: "찾아보지 못함",
    SubtaskState.SEARCHING: "끝까지 찾아보지 못함",
    SubtaskState.DONE: "조사함",
    SubtaskState.FAILED: "물어보지 못함",
    SubtaskState.LEFT_OUT: "조사하지 못함",
}
_SECTION = re.compile(r"\n(?=##? )")


def export_run(run: ResearchRun, format_name: ResearchFormat) -> bytes:
    """Return *run*, finished or not, as a file; raises UnknownFormatError."""
    title = f"# {escape(run.request.question) or '심층 조사'}"
    return document_file((title, "", *_chapters(run, 2)), format_name)


def markdown_section(run: ResearchRun, level: int) -> str:
    """Return *run* as a section of a larger Markdown file: without its title, with headings from *level* on."""
    return "\n".join(_chapters(run, level))


def _chapters(run: ResearchRun, level: int) -> Iterator[str]:
    """Yield the lines of *run* below its title, with headings of *level*."""
    yield from items(_facts(run))
    if run.plan:
        yield from heading("조사 계획", level)
        yield from table((("번호", "나눠 조사한 것", "만든 곳", "상태", "출처"), *map(_subtask, run.plan)))
    yield from heading("보고서", level)
    yield _report(run, level + 1) or ("쓴 글이 없어요." if run.status.ended else "아직 쓴 글이 없어요.")
    yield from heading(SOURCES, level)
    yield from _sources(run, level + 1)
    if run.coverage:
        yield from heading("검색 내역", level)
        yield from items(map(escape, run.coverage))


def _facts(run: ResearchRun) -> Iterator[str]:
    yield f"조사한 날: {korean_date(run.created_at)}"
    yield f"상태: {run.status.ending or _STILL_RUNNING}"
    video = run.request.video
    if video is not None:
        yield from video_facts(video)
    if run.by_model and run.sources:
        yield "글: 언어 모델이 자료를 바탕으로 썼어요."
    if run.own_sent is not None:
        yield f"내 자료: {'언어 모델에도 보냈어요.' if run.own_sent else '언어 모델에 보내지 않았어요.'}"
    for note in (run.plan_note, run.report_note, *(failure.korean for failure in run.failures)):
        if note.strip():
            yield f"알림: {escape(note)}"


def _subtask(subtask: Subtask) -> tuple[str, ...]:
    state = _STATES[subtask.state]
    shown = f"{state}: {escape(subtask.failure)}" if subtask.failure else state
    sources = count_sources(subtask.found, subtask.own)
    return str(subtask.number), escape(subtask.text), _ORIGINS[subtask.origin], shown, sources


def _report(run: ResearchRun, level: int) -> str:
    """Return the report of *run* with headings from *level* on and unsupported sentences marked."""
    links = {str(source.number): source.url for source in run.sources}
    text = mark_unsupported(run.shown_report, run.unsupported)
    pieces = _SECTION.split(text) if len(text) > MAX_CHARS else [text]
    return "\n\n".join(safe_markdown(piece, links, top_heading=level) for piece in pieces)


def _sources(run: ResearchRun, level: int) -> Iterator[str]:
    if not run.sources:
        yield "보고서에 쓸 출처가 없어요." if run.status.ended else "아직 찾은 출처가 없어요."
        return
    if by_words := scored_by_words(run.plan):
        yield from (by_words, "")
    for source in sorted(run.sources, key=lambda source: source.number):
        yield from _source(source)
    counts = Counter(source.domain or "웹 주소 없음" for source in run.sources if not source.own).most_common()
    if counts:
        yield from heading("사이트별 출처", level)
        yield from table((("사이트", "출처"), *((escape(domain), f"{count}개") for domain, count in counts)))


def _source(source: ResearchSource) -> Iterator[str]:
    score = f"관련도 {source.relevance_score:.2f}" if source.relevance_score is not None else ""
    facts = " · ".join(filter(None, (source.domain, date_text(source.publish_date), READ[source.read], score)))
    sign = f"{source.number}. "
    below = f"{' ' * len(sign)}- "
    yield f"{sign}{link(source.title.strip() or source.url, '' if source.own else source.url)}"
    yield f"{below}{escape(facts)}"
    if source.snippet.strip():
        yield f"{below}{escape(shorten(source.snippet, MAX_SNIPPET_CHARS))}"
    if source.moment is not None:
        quote = shorten(source.moment.text, MAX_SNIPPET_CHARS)
        yield f"{below}영상 {clock(source.moment.start_s)}: “{escape(quote)}”"
