"""What a file of a run holds: question, plan, report, sources, coverage and times, in Korean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from search_core.domain import PlanOrigin, ResearchRun, ResearchSource, ResearchStatus, Subtask, SubtaskState
from search_core.presenting import korean_date, transcript_source
from search_core.presenting.document.blocks import (
    Block,
    Document,
    Heading,
    Items,
    Paragraph,
    Run,
    SourceEntry,
    Table,
    plain_runs,
)
from search_core.presenting.wording import count_sources
from search_core.research.export.report import report_blocks
from search_core.sentences import shorten
from search_core.video_time import clock
from search_core.visible import visible
from search_core.web_address import web_address

MAX_SNIPPET_CHARS = 400

_ENDS = {
    ResearchStatus.COMPLETE: "끝까지 조사했어요.",
    ResearchStatus.FINISHED_EARLY: "지금까지 찾은 자료로 마무리한 조사예요.",
    ResearchStatus.STOPPED: "사용자가 멈춘 조사예요. 멈출 때까지의 내용이에요.",
    ResearchStatus.FAILED: "조사가 끝까지 되지 못했어요.",
}
_NO_SITE = "웹 주소 없음"
_STILL_RUNNING = "아직 조사하고 있어요. 여기까지의 내용이에요."
_ORIGINS = {PlanOrigin.MODEL: "언어 모델", PlanOrigin.RULES: "규칙", PlanOrigin.USER: "사용자"}
_STATES = {
    SubtaskState.WAITING: "찾아보지 못함",
    SubtaskState.SEARCHING: "끝까지 찾아보지 못함",
    SubtaskState.DONE: "조사함",
    SubtaskState.FAILED: "물어보지 못함",
    SubtaskState.LEFT_OUT: "조사하지 못함",
}
_TIMES = (
    ("계획", "query_decomposition"),
    ("검색", "search_duration_ms"),
    ("읽기", "scrape_duration_ms"),
    ("작성", "analysis_duration_ms"),
    ("모두", "total_ms"),
)


def build_document(run: ResearchRun) -> Document:
    """Return *run* as a document."""
    title = " ".join(visible(run.request.question).split()) or "심층 조사"
    blocks: list[Block] = [Heading(1, (Run(title),)), Items(tuple((Paragraph(runs),) for runs in _facts(run)))]
    blocks += _plan(run)
    blocks.append(_heading("보고서"))
    blocks += report_blocks(run, 3) or (Paragraph(plain_runs("아직 쓴 글이 없어요.")),)
    blocks += _sources(run)
    if run.coverage:
        blocks += [_heading("어디까지 조사했나요"), _list(run.coverage)]
    blocks += _times(run)
    return Document(title=title, blocks=tuple(blocks))


def _heading(text: str) -> Heading:
    return Heading(2, (Run(text),))


def _list(lines: tuple[str, ...]) -> Items:
    return Items(tuple((Paragraph(plain_runs(line)),) for line in lines))


def _facts(run: ResearchRun) -> Iterator[tuple[Run, ...]]:
    yield plain_runs(f"조사한 날: {korean_date(run.created_at)}")
    yield plain_runs(f"상태: {_ENDS.get(run.status, _STILL_RUNNING)}")
    video = run.request.video
    if video is not None:
        yield Run("영상: "), _link(video.title or "제목 없는 영상", video.url)
        if video.published_at is not None:
            yield plain_runs(f"영상이 나온 날: {korean_date(video.published_at)}")
        if source := transcript_source(video):
            yield plain_runs(f"자막: {source}")
    if run.request.own_only:
        yield plain_runs("찾은 곳: 웹은 검색하지 않고 내 자료만 찾아봤어요.")
    if run.by_model is not None and run.sources:
        yield plain_runs(
            "글: 언어 모델이 자료를 바탕으로 썼어요." if run.by_model else "글: 언어 모델 없이 자료에서 뽑은 발췌예요."
        )
    if run.own_sent is not None:
        yield plain_runs(f"내 자료: {'언어 모델에도 보냈어요.' if run.own_sent else '언어 모델에 보내지 않았어요.'}")
    for note in (run.plan_note, run.report_note, *(failure.korean for failure in run.failures)):
        if note.strip():
            yield plain_runs(f"알림: {note}")


def _link(text: str, url: str) -> Run:
    return Run(plain_runs(text)[0].text, url=web_address(url) or "")


def _plan(run: ResearchRun) -> list[Block]:
    if not run.plan:
        return []
    rows = [_row(("번호", "나눠 조사한 것", "만든 곳", "상태", "출처"))]
    rows += [_row(_subtask(subtask)) for subtask in run.plan]
    return [_heading("조사 계획"), Table(tuple(rows))]


def _subtask(subtask: Subtask) -> tuple[str, ...]:
    state = _STATES[subtask.state]
    shown = f"{state}: {subtask.failure}" if subtask.failure else state
    return str(subtask.number), subtask.text, _ORIGINS[subtask.origin], shown, count_sources(subtask.found, subtask.own)


def _row(cells: tuple[str, ...]) -> tuple[tuple[Run, ...], ...]:
    return tuple(plain_runs(cell) for cell in cells)


def _sources(run: ResearchRun) -> list[Block]:
    if not run.sources:
        return [_heading("출처"), Paragraph(plain_runs("찾은 출처가 없어요."))]
    counts = Counter(source.domain or _NO_SITE for source in run.sources if not source.own).most_common()
    rows = [_row(("사이트", "출처")), *(_row((domain, f"{count}개")) for domain, count in counts)]
    entries = [_entry(source) for source in sorted(run.sources, key=lambda source: source.number)]
    by_site: list[Block] = [Heading(3, (Run("사이트별 출처"),)), Table(tuple(rows))] if counts else []
    return [_heading("출처"), *entries, *by_site]


def _entry(source: ResearchSource) -> SourceEntry:
    date = korean_date(source.publish_date) if source.publish_date is not None else "날짜 모름"
    read = {True: "본문을 읽음", False: "본문을 읽지 못해 요약만 봄", None: "요약만 봄"}[source.read]
    score = f"관련도 {source.relevance_score:.2f}" if source.relevance_score is not None else ""
    facts = " · ".join(filter(None, (source.domain, date, read, score)))
    lines = [shorten(_line(source.snippet), MAX_SNIPPET_CHARS)] if source.snippet.strip() else []
    if source.moment is not None:
        lines.append(f"영상 {clock(source.moment.start_s)}: “{shorten(_line(source.moment.text), MAX_SNIPPET_CHARS)}”")
    return SourceEntry(
        number=source.number,
        title=_link(source.title.strip() or source.url, source.url),
        address="" if source.own else _line(source.url),
        facts=_line(facts),
        lines=tuple(map(_line, lines)),
    )


def _line(text: str) -> str:
    return plain_runs(text)[0].text


def _times(run: ResearchRun) -> list[Block]:
    spent = [(label, getattr(run.metrics, name)) for label, name in _TIMES]
    shown = [(label, f"{milliseconds / 1000:.1f}초") for label, milliseconds in spent if milliseconds > 0]
    if not shown:
        return []
    head = _row(tuple(label for label, _ in shown))
    return [_heading("걸린 시간"), Table((head, _row(tuple(value for _, value in shown))))]
