"""What somebody, or a later version, has written over a kept run hides that run's own parts and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from search_core.domain import ResearchFailed, ResearchRequest, ResearchRun, ResearchStatus
from search_core.research.store import ResearchStore
from search_core.storage import Database

ASKED = ResearchRequest(question="HBM4는 언제 나오나요?", owner="minsu")
OTHER = ResearchRequest(question="다른 질문이에요", owner="minsu")
DEEP = "[" * 100_000 + "]" * 100_000
BOMBS = {
    "no JSON": "{",
    "nested beyond reason": DEEP,
    "nested in an object": f'{{"question": {DEEP}}}',
    "a number of many digits": f'{{"question": "?", "plan_first": {"9" * 6000}}}',
    "another kind": "[1, 2]",
    "nothing": "null",
    "other types": json.dumps({"question": 7, "video": {"title": ["a"], "transcript": 3}, "memory": "x", "owner": {}}),
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "maekrak.sqlite")
    yield database
    database.close()


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
@pytest.mark.parametrize("column", ["request", "record", "legs"])
def test_a_run_that_cannot_be_read_hides_nothing_else(database: Database, column: str, bomb: str):
    """The run itself is there with its question and owner, says that it could not be read, and the others go on."""
    store = ResearchStore(database)
    bad, good = store.create(ASKED), store.create(OTHER)
    record = ResearchRun(id=bad.id, request=ASKED, status=ResearchStatus.COMPLETE, report="끝", created_at=datetime.now(UTC))
    store.mark_begun(bad.id, bad.workflow_ids[0])
    store.save_record(record, bad.workflow_ids[0])
    with database.writing() as connection:
        connection.execute(text(f"UPDATE research_runs SET {column} = :bomb WHERE id = :id"), {"bomb": bomb, "id": bad.id})
    kept = store.load(bad.id, "minsu")
    assert kept.request.question == ASKED.question
    assert kept.request.owner == "minsu"
    assert [entry.question for entry in store.entries("minsu")] == [OTHER.question, ASKED.question]
    assert [run.id for run in store.queued_runs()] == [good.id]
    if column == "record" and bomb != "null":
        assert kept.record is not None
        assert kept.record.status is ResearchStatus.FAILED
        assert [type(failure) for failure in kept.record.failures] == [ResearchFailed]
        assert kept.record.request.question == ASKED.question
    elif column == "request":
        assert kept.record is not None
        assert kept.record.report == "끝"


def test_a_waiting_run_that_cannot_be_read_does_not_stop_the_queue(database: Database):
    """Runs that wait are found beside one whose kept workflows make no sense."""
    store = ResearchStore(database)
    bad, good = store.create(ASKED), store.create(OTHER)
    with database.writing() as connection:
        connection.execute(text("UPDATE research_runs SET legs = '{', request = '{' WHERE id = :id"), {"id": bad.id})
    assert [run.id for run in store.queued_runs()] == [good.id]
    store.delete(bad.id, "minsu")
    assert [entry.question for entry in store.entries("minsu")] == [OTHER.question]
