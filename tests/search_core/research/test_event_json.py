from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from search_core.domain import (
    ContentChunk,
    Moment,
    PlanMade,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchEvent,
    ResearchFailed,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    Subtask,
    SubtaskPlanned,
)
from search_core.research import event_json
from search_core.research.event_json import decode, encode

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
SUBTASK = Subtask(number=1, text="가격은?", origin=PlanOrigin.MODEL)
SOURCE = ResearchSource(
    number=1,
    title="글",
    url="https://a.example/1",
    snippet="요약",
    domain="a.example",
    publish_date=AT,
    relevance_score=0.5,
    subtasks=(1, 2),
    moment=Moment(start_s=12.5, text="가격 이야기", similarity=0.4),
    read=True,
)
ENDED = ResearchEnded(status=ResearchStatus.COMPLETE, metrics=ResearchMetrics(total_ms=5.5), unanswered=(2,), at=AT)
EVENTS: tuple[tuple[ResearchEvent, str], ...] = (
    (StatusChanged(status=ResearchStatus.SEARCHING, message="찾고 있어요."), "status"),
    (SubtaskPlanned(subtask=SUBTASK), "thought"),
    (PlanMade(origin=PlanOrigin.MODEL, note="알림", size=1), "thought"),
    (SourcesUpdated(subtask=SUBTASK, count=3, domains={"b.example": 2, "a.example": 1}, ledger=("줄",)), "sources_update"),
    (SourcesComplete(sources=(SOURCE,)), "sources_complete"),
    (SourceRead(source=SOURCE), "source_read"),
    (ContentChunk(text="글", begins=True), "content_chunk"),
    (ReportWritten(text="글 [1]", by_model=True, cited=(1,), unsupported=((0, 3),), note="알림"), "report"),
    (ResearchFailed(kind="Search failed", description="Nobody.", korean="실패했어요."), "error"),
    (
        ResearchEnded(status=ResearchStatus.COMPLETE, metrics=ResearchMetrics(total_ms=5.5), unanswered=(2,), at=AT),
        "research_complete",
    ),
)


@pytest.mark.parametrize(("event", "name"), EVENTS, ids=[type(event).__name__ for event, _ in EVENTS])
def test_an_event_goes_through_json_unchanged(event: ResearchEvent, name: str):
    """It has its name, is plain JSON, and is read again as it was, the order of domains included."""
    assert json.loads(json.dumps(event_json(event)))["event"] == name
    again = decode(json.loads(json.dumps(encode(event))))
    assert again == event
    if isinstance(again, SourcesUpdated):
        assert list(again.domains) == ["b.example", "a.example"]


def test_times_and_moments_are_plain():
    """Times are ISO 8601, moments seconds."""
    source = event_json(SourceRead(source=SOURCE))["data"]["source"]
    assert source["publish_date"] == "2026-11-21T09:30:00Z"
    assert source["moment"]["start_s"] == 12.5


def test_letters_no_database_takes_do_not_stop_a_run():
    """NUL and halves of letters become the replacement character."""
    assert decode(encode(ContentChunk(text="가\0나\ud800"))).text == "가\N{REPLACEMENT CHARACTER}나\N{REPLACEMENT CHARACTER}"


def test_a_saved_run_is_replayed():
    """The replayed events make the run, whatever it holds."""
    run = ResearchRun(id="r", request=ResearchRequest(question="질문?"), created_at=AT)
    for event, _ in EVENTS:
        run = run.after(event)
    again = ResearchRun(id="r", request=run.request, created_at=AT)
    for event in run.replay():
        again = again.after(event)
    assert again == run
