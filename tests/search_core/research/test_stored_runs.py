"""What is written over a stored run, by hand or by a later version, hides that run's own parts and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from search_core.domain.research import ResearchRequest, ResearchRun, ResearchStatus
from search_core.domain.run import RunFailed
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.research.store import ResearchStore
from search_core.storage.database import Database

ASKED = ResearchRequest(question="HBM4는 언제 나오나요?", owner="minsu")
OTHER = ResearchRequest(question="다른 질문이에요", owner="minsu")
DAMAGE = {
    "no JSON": "{",
    "nested in an object": f'{{"question": {"[" * 100_000 + "]" * 100_000}}}',
    "nothing": "null",
    "other types": '{"question": 7, "video": {"title": ["a"], "transcript": 3}, "memory": "x", "owner": {}}',
}


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    database = Database(folder / "maekrak.sqlite")
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> ResearchStore:
    """Return an empty store."""
    store = ResearchStore(database)
    for entry in store.entries("minsu"):
        store.delete(entry.id, "minsu")
    return store


def overwrite(database: Database, run_id: str, **columns: str) -> None:
    with database.writing() as connection:
        for column, value in columns.items():
            connection.execute(text(f"UPDATE research_runs SET {column} = :v WHERE id = :id"), {"v": value, "id": run_id})


@pytest.mark.parametrize(
    ("column", "damage"),
    [
        *(("record", each) for each in DAMAGE),
        ("request", "other types"),
        ("legs", "no JSON"),
        ("status", "nothing"),
    ],
)
def test_a_run_that_cannot_be_read_hides_nothing_else(store: ResearchStore, database: Database, column: str, damage: str):
    """The run keeps question and owner, has failed where its record is damaged, the others are found, and it can be deleted."""
    bad, good = store.create(ASKED), store.create(OTHER)
    record = ResearchRun(id=bad.id, request=ASKED, status=ResearchStatus.COMPLETE, report="끝", created_at=datetime.now(UTC))
    store.begin_workflow(bad.id, bad.workflow_ids[0])
    store.save_record(record, bad.workflow_ids[0])
    overwrite(database, bad.id, **{column: DAMAGE[damage]})
    stored = store.load(bad.id, "minsu")
    assert (stored.request.question, stored.request.owner) == (ASKED.question, "minsu")
    assert [entry.question for entry in store.entries("minsu")] == [OTHER.question, ASKED.question]
    assert list(store.unended_runs()) == [good.id]
    if column == "record" and damage != "nothing":
        assert stored.record is not None
        assert (stored.record.status, stored.record.request.question) == (ResearchStatus.FAILED, ASKED.question)
        assert [type(failure) for failure in stored.record.failures] == [RunFailed]
    elif column == "request":
        assert stored.record is not None
        assert stored.record.report == "끝"
    store.delete(bad.id, "minsu")
    assert [entry.id for entry in store.entries("minsu")] == [good.id]


def test_a_transcript_is_stored_and_read_once(store: ResearchStore, database: Database):
    """The process that begins a run has its request as given; the record of an ended run holds no second transcript."""
    video = VideoContext(title="강연", transcript=(TranscriptSegment(0.0, 1.0, "메모리 이야기"),))
    asked = ResearchRequest(question="메모리는?", video=video, owner="minsu")
    created = store.create(asked)
    assert created.request is store.load(created.id).request is asked
    store.begin_workflow(created.id, created.workflow_ids[-1])
    ended = replace(created.empty, status=ResearchStatus.COMPLETE, report="끝")
    store.save_record(ended, created.workflow_ids[-1])
    stored = store.load(created.id, "minsu")
    assert stored.record == ended
    assert stored.record is not None
    assert stored.record.request is stored.request
    with database.reading() as connection:
        written = connection.execute(text("SELECT record FROM research_runs WHERE id = :id"), {"id": created.id}).scalar_one()
    assert "메모리 이야기" not in written


def test_findings_belong_to_their_run(store: ResearchStore):
    """Another run does not see them, and a deleted one has none and gets no more."""
    first, second = store.create(ASKED), store.create(ASKED)
    store.save_findings(first.id, {"page:가": {"a": 1}})
    assert store.find(first.id, ["page:가"]) == {"page:가": {"a": 1}}
    assert store.find(second.id, ["page:가"]) == {}
    store.delete(first.id, "minsu")
    store.save_findings(first.id, {"page:나": {"b": 1}})
    assert store.find(first.id, ["page:가", "page:나"]) == {}
