"""What somebody, or a later version, has written over a kept run hides that run's own parts and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from search_core.claims.store import ClaimsStore
from search_core.domain import ClaimsRun, ClaimsStatus, VideoContext
from search_core.storage import Database
from tests.search_core.claims.acting import CLAIMS, REQUEST, VIDEO, checked

MINE = replace(REQUEST, owner="minsu")
BOMBS = {
    "no JSON": "{",
    "nested beyond reason": "[" * 100_000 + "]" * 100_000,
    "another kind": "[1, 2]",
    "nothing": "null",
    "other types": '{"video": 7, "claims": "x", "owner": {}}',
}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "maekrak.sqlite")
    yield database
    database.close()


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
@pytest.mark.parametrize("column", ["request", "record", "legs"])
def test_a_run_that_cannot_be_read_hides_nothing_else(database: Database, column: str, bomb: str):
    """The run itself is there with its video's title and owner, says that it could not be read, and the others go on."""
    store = ClaimsStore(database)
    bad, good = store.create(MINE), store.create(replace(MINE, video=VideoContext(video_id="v2", title="다른 영상")))
    checks = tuple(checked(claim, "q") for claim in CLAIMS)
    record = replace(ClaimsRun.begin(bad.id, MINE, bad.created_at), status=ClaimsStatus.COMPLETE, checks=checks)
    store.mark_begun(bad.id, bad.workflow_ids[0])
    store.save_record(record, bad.workflow_ids[0])
    with database.writing() as connection:
        connection.execute(text(f"UPDATE claims_runs SET {column} = :bomb WHERE id = :id"), {"bomb": bomb, "id": bad.id})
    kept = store.load(bad.id, "minsu")
    assert kept.request.owner == "minsu"
    assert kept.request.video.title == VIDEO.title
    assert [entry.title for entry in store.entries("minsu")] == ["다른 영상", VIDEO.title]
    assert [run.id for run in store.queued_runs()] == [good.id]
    if column == "record" and bomb != "null":
        assert kept.record is not None
        assert kept.record.status is ClaimsStatus.FAILED
        assert [failure.kind for failure in kept.record.failures] == ["StorageError"]
    elif column == "request":
        assert kept.record is not None
        assert kept.record.checks == checks


def test_runs_are_listed_by_owner_and_video(database: Database):
    """Newest first, each with its title, its number of claims and what it goes on from."""
    store = ClaimsStore(database)
    first = store.create(MINE)
    second = store.create(replace(MINE, claims=CLAIMS[:2], continues=first.id))
    other = store.create(replace(MINE, video=VideoContext(video_id="v2", title="다른 영상")))
    entries = {entry.id: entry for entry in store.entries("minsu")}
    assert list(entries) == [other.id, second.id, first.id]
    assert (entries[second.id].claims, entries[second.id].continues) == (2, first.id)
    assert (entries[other.id].title, entries[other.id].continues) == ("다른 영상", "")
    assert [entry.id for entry in store.entries("minsu", entries[other.id].video_key)] == [other.id]
    assert store.entries("jisu") == ()


def test_what_a_run_has_found_goes_with_it(database: Database):
    """A run that continues another takes over its findings; deleting the first leaves them to the second."""
    store = ClaimsStore(database)
    first = store.create(MINE)
    store.save_finding(first.id, "claim:가", {"a": 1})
    second = store.create(replace(MINE, continues=first.id))
    store.delete(first.id, "minsu")
    store.save_finding(first.id, "claim:나", {"b": 1})
    assert store.find(second.id, ["claim:가", "claim:나"]) == {"claim:가": {"a": 1}}
    assert store.find(first.id, ["claim:가", "claim:나"]) == {}
