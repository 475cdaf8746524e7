from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from search_core.claims.store import ClaimsStore
from search_core.domain import ClaimsRun, ClaimsStatus, VideoContext
from search_core.storage import Database
from tests.search_core.claims.acting import CLAIMS, COMPLETE_CHECKS, REQUEST, VIDEO

MINE = replace(REQUEST, owner="minsu")
OTHER = replace(MINE, video=VideoContext(video_id="v2", title="다른 영상"))


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    database = Database(folder / "maekrak.sqlite")
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> ClaimsStore:
    """Return an empty store."""
    store = ClaimsStore(database)
    for entry in store.entries("minsu"):
        store.delete(entry.id, "minsu")
    return store


@pytest.mark.parametrize(
    "damage", ["{", "null", '{"video": 7, "claims": "x", "owner": {}}'], ids=["no JSON", "nothing", "other types"]
)
@pytest.mark.parametrize("column", ["request", "record", "legs"])
def test_a_run_that_cannot_be_read_hides_nothing_else(store: ClaimsStore, database: Database, column: str, damage: str):
    """The run keeps its video's title and owner, is read as failed where its record is damaged, and the others are found."""
    bad, good = store.create(MINE), store.create(OTHER)
    record = replace(ClaimsRun.begin(bad.id, MINE, bad.created_at), status=ClaimsStatus.COMPLETE, checks=COMPLETE_CHECKS)
    store.begin_workflow(bad.id, bad.workflow_ids[0])
    store.save_record(record, bad.workflow_ids[0])
    with database.writing() as connection:
        connection.execute(text(f"UPDATE claims_runs SET {column} = :v WHERE id = :id"), {"v": damage, "id": bad.id})
    stored = store.load(bad.id, "minsu")
    assert (stored.request.owner, stored.request.video.title) == ("minsu", VIDEO.title)
    assert [entry.title for entry in store.entries("minsu")] == ["다른 영상", VIDEO.title]
    assert [run.id for run in store.queued_runs()] == [good.id]
    if column == "record" and damage != "null":
        assert stored.record is not None
        assert (stored.record.status, [each.kind for each in stored.record.failures]) == (ClaimsStatus.FAILED, ["StorageError"])
    elif column == "request":
        assert stored.record is not None
        assert stored.record.checks == COMPLETE_CHECKS


def test_runs_are_listed_by_owner_and_video(store: ClaimsStore):
    """Newest first, each with its title, its number of claims and the run it continues."""
    first = store.create(MINE)
    second = store.create(replace(MINE, claims=CLAIMS[:2], continues=first.id))
    other = store.create(OTHER)
    entries = store.entries("minsu")
    assert [(entry.id, entry.title, entry.claims, entry.continues) for entry in entries] == [
        (other.id, "다른 영상", 6, ""),
        (second.id, VIDEO.title, 2, first.id),
        (first.id, VIDEO.title, 6, ""),
    ]
    assert [entry.id for entry in store.entries("minsu", entries[0].video_key)] == [other.id]
    assert store.entries("jisu") == ()


def test_findings_belong_to_their_run(store: ClaimsStore):
    """A run that continues another copies its findings; deleting the first leaves them to the second, and it gets no more."""
    first = store.create(MINE)
    store.save_finding(first.id, "claim:가", {"a": 1})
    second = store.create(replace(MINE, continues=first.id))
    store.delete(first.id, "minsu")
    store.save_finding(first.id, "claim:나", {"b": 1})
    assert store.find(second.id, ["claim:가", "claim:나"]) == {"claim:가": {"a": 1}}
    assert store.find(first.id, ["claim:가", "claim:나"]) == {}
