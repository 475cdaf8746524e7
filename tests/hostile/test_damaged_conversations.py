"""Conversations and runs in a damaged file: what the API and the lists still answer."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain.conversation import Message, MessageKind
from search_core.domain.research import ResearchRequest
from search_core.domain.video import VideoContext
from search_core.errors import StorageError
from search_core.research.service import ResearchService
from search_core.research.store import ResearchStore
from search_core.runs.run_service import DurableRuns
from search_core.runtime import LoopThread
from search_core.settings import Settings
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database
from tests.hostile.damage import spoil_definition, spoil_table
from tests.search_core.api.served import Served, served
from tests.search_core.research.acting import QUESTION, Actors, followed

FILE = "maekrak.sqlite"
OWNER = ""
TALKS = 8
SAID = "메모리 대역폭이 모자라서 HBM을 쌓아 올린다고 했어요. " * 20
MOMENT = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with eight conversations of four questions each, a run that was worked on and ten more, closed properly."""
    path = tmp_path_factory.mktemp("whole") / FILE
    loop = LoopThread()
    with closing(Database(path)) as database, closing(ResearchService(Actors().parts(), DurableRuns(database, loop))) as service:
        followed(service, service.start(ResearchRequest(question=QUESTION, owner=OWNER)).id, OWNER)
    loop.close()
    with closing(Database(path)) as database:
        conversations, runs = ConversationStore(database), ResearchStore(database)
        for number in range(TALKS):
            entry = conversations.create(OWNER, VideoContext(title=f"영상 {number}"), f"대화 {number}")
            asked = [
                Message(id=f"{number}-{place}", kind=MessageKind.QUESTION, text=f"{place} {SAID}", created_at=MOMENT)
                for place in range(4)
            ]
            conversations.put(entry.id, OWNER, *asked)
        for number in range(10):
            runs.create(ResearchRequest(question=f"질문 {number}", owner=OWNER))
            with database.writing() as connection:
                connection.exec_driver_sql("UPDATE research_runs SET status = 'stopped', begun = 1")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    settings = Settings(_env_file=None, maekrak_data_dir=folder, search_providers="library", embedding_model="kiwi")
    with closing(SearchCore.from_settings(settings)) as core, served(folder / "scripted", core=core) as server:
        yield server


def ask_everything(server: Served) -> dict[str, int]:
    """Ask for all that rests on the file, and return the statuses of the answers."""
    with server.client() as client:
        sessions = client.get("/api/sessions")
        statuses = {"sessions": sessions.status_code, "runs": client.get("/api/research").status_code}
        for entry in sessions.json().get("sessions", [])[:TALKS]:
            statuses[entry["id"]] = client.get(f"/api/sessions/{entry['id']}").status_code
        started = client.post("/api/research", json={"query": "HBM4는 언제 나오나?"}, headers={"Accept": "application/json"})
        statuses["start"] = started.status_code
        if started.status_code == 202:
            run_id = started.json()["id"]
            statuses["run"] = client.get(f"/api/research/{run_id}").status_code
            statuses["cancel"] = client.post(f"/api/research/{run_id}/cancel").status_code
        statuses["healthz"] = client.get("/healthz").status_code
    return statuses


DAMAGED: dict[str, Callable[[Path], None]] = {
    "runs of DBOS gone": lambda path: spoil_table(path, "workflow_status"),
    "messages gone": lambda path: spoil_table(path, "messages"),
    "a definition that is no text": lambda path: spoil_definition(path, "videos"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damage_is_never_an_internal_error(damage: str, whole: Path, tmp_path: Path):
    """What can be read is there, the rest is a typed 503 and never a 500, /healthz answers, and the file stays."""
    shutil.copy(whole, tmp_path / FILE)
    DAMAGED[damage](tmp_path / FILE)
    with serving(tmp_path) as server:
        statuses = ask_everything(server)
        with server.client() as client:
            health = client.get("/healthz").json()
    assert set(statuses.values()) <= {200, 202, 503}, statuses
    assert statuses["healthz"] == 200
    assert (tmp_path / FILE).exists()
    if damage.endswith("gone"):
        assert 503 in statuses.values()
        assert "backup" in health["storage"]["conversations"]
    else:
        assert (statuses["sessions"], statuses["start"]) == (503, 503)


@pytest.mark.parametrize("change", ["updated_at = '2026-1?-20'", "title = CAST(x'ff' AS TEXT)"])
def test_a_damaged_row_names_the_file(change: str, whole: Path, tmp_path: Path):
    """A list with a value that cannot be read is a typed error that says which file it is, and what to do."""
    path = tmp_path / FILE
    shutil.copy(whole, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE conversations SET {change} WHERE rowid = 3")
    with closing(Database(path)) as database:
        with pytest.raises(StorageError, match=f"{FILE}.* move the file away") as caught:
            ConversationStore(database).entries(OWNER)
        assert FILE in caught.value.korean
        assert len(ResearchStore(database).entries(OWNER)) == 11
