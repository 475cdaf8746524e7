"""Events of a research run fold into the run that is shown and kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from search_core.domain.query import ConversationMemory, Turn
from search_core.domain.report import Question
from search_core.domain.research import (
    STOPPED_MARKER,
    ContentChunk,
    PlanMade,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.domain.video import VideoContext
from tests.search_core.research.report_material import source, subtask

NOW = datetime(2026, 11, 20, tzinfo=UTC)
REWRITTEN = (("앞", True), ("부분", False), ("새로", True), (" 쓴 글", False))


def folded(*events: object) -> ResearchRun:
    run = ResearchRun(id="r", request=ResearchRequest(question="왜?"), created_at=NOW)
    for event in events:
        run = run.after(event)  # type: ignore[arg-type]
    return run


def test_parts_of_a_question_are_asked_at_its_moment():
    """What is searched for is about the same video, at the same place in it, after the same turns."""
    video, memory = VideoContext(title="강연"), ConversationMemory().remember(Turn(question="앞선 것"))
    part = ResearchRequest(question="왜?", video=video, memory=memory, moment_s=61.5).about("언제?")
    assert part == Question(text="언제?", video=video, memory=memory, moment_s=61.5)


def test_the_plan_grows_and_changes_by_number():
    """Subtasks stand in order of their numbers, a later one replaces an earlier, and a plan of a given size has no others."""
    searched = subtask(2, state=SubtaskState.DONE, found=4)
    run = folded(
        SubtaskPlanned(subtask=subtask(2)),
        SubtaskPlanned(subtask=subtask(1)),
        PlanMade(origin=PlanOrigin.RULES, note="모델 없이 나눴어요."),
        SourcesUpdated(subtask=searched, count=4, domains={"a.example": 4}),
    )
    assert run.plan == (subtask(1), searched)
    assert (run.plan_origin, run.plan_note) == (PlanOrigin.RULES, "모델 없이 나눴어요.")
    assert (run.count, run.domains) == (4, {"a.example": 4})
    parts = [SubtaskPlanned(subtask=subtask(number)) for number in (1, 2, 3)]
    assert [each.number for each in folded(*parts, PlanMade(origin=PlanOrigin.USER, size=2)).plan] == [1, 2]
    assert [each.number for each in folded(*parts, PlanMade(origin=PlanOrigin.MODEL)).plan] == [1, 2, 3]


def test_pages_are_noted_at_their_source():
    """Reading changes the one source it speaks of; what is opened before the list stands is known by its address."""
    run = folded(SourcesComplete(sources=(source(1), source(2))), SourceRead(source=source(2, read=False, failure="blocked")))
    assert (run.sources, run.count) == ((source(1), source(2, read=False, failure="blocked")), 2)
    begun, ended = source(0, reading=True), source(0, read=True)
    assert folded(SourceRead(source=begun), SourceRead(source=ended)).opened == (ended,)
    listed = replace(ended, number=2)
    run = folded(SourceRead(source=begun), SourcesComplete(sources=(listed,)), SourceRead(source=ended))
    assert (run.sources, run.opened) == ((listed,), ())


def test_a_document_of_the_library_is_not_the_page_at_its_address():
    """What is read of one says nothing of the other."""
    copy = source(2, collection="user", url=source(1).url)
    run = folded(SourcesComplete(sources=(source(1), copy)), SourceRead(source=replace(copy, read=True)))
    assert run.sources == (source(1), replace(copy, read=True))


def test_the_mark_of_a_stop_is_kept_in_english_and_shown_in_korean():
    """Only a mark at the very end is one; a report that begins anew takes the place of the one before."""
    stopped = folded(ReportWritten(text=f"앞부분이에요.\n\n{STOPPED_MARKER}", by_model=True))
    assert stopped.report.endswith("[Research stopped by user]")
    assert stopped.shown_report == "앞부분이에요.\n\n[사용자가 조사를 멈췄어요]"
    quoted = folded(ReportWritten(text=f"{STOPPED_MARKER} 이라는 표시", by_model=True))
    assert quoted.shown_report == quoted.report
    anew = folded(*(ContentChunk(text=text, begins=begins) for text, begins in REWRITTEN))
    assert anew.report == "새로 쓴 글"


def test_the_checked_report_takes_the_place_of_its_chunks():
    """Chunks add up until the whole report is there; the end brings status, what was not answered and times."""
    run = folded(ContentChunk(text="가"), ContentChunk(text="나[9]"))
    assert (run.report, run.by_model) == ("가나[9]", None)
    run = run.after(ReportWritten(text="가나", by_model=True, cited=(1,), unsupported=((0, 1),), note=""))
    assert (run.report, run.by_model, run.cited, run.unsupported) == ("가나", True, (1,), ((0, 1),))
    metrics = ResearchMetrics(search_duration_ms=3.0, total_ms=9.0)
    ended = ResearchEnded(status=ResearchStatus.FINISHED_EARLY, metrics=metrics, coverage=("두 곳",), unanswered=(2,), at=NOW)
    run = run.after(ended)
    assert (run.metrics, run.coverage, run.unanswered, run.ended_at) == (metrics, ("두 곳",), (2,), NOW)
    assert run.status.ended
