"""Saving what can be read of damaged files, by the functions and by the commands."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.claims.workflow import ClaimsStore
from search_core.commands import main
from search_core.domain import Message, MessageKind, VideoContext
from search_core.reading import Document
from search_core.storage import Database, LibraryIndex
from search_core.storage.conversations import ConversationStore
from search_core.storage.recover import find_damage, recover_conversations, recover_library
from tests.hostile.damage import DAMAGES, spoil_definition, spoil_pages, spoil_table
from tests.search_core.claims.acting import REQUEST

NOW = datetime(2026, 11, 20, 9, 30)  # noqa: DTZ001 - part of a file name
TALKS = 30
SAID = "메모리 대역폭이 모자라서 HBM을 쌓아 올린다고 했어요. " * 8


@pytest.fixture(scope="module")
def conversations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "maekrak.sqlite"
    with closing(Database(path)) as database:
        store = ConversationStore(database)
        for number in range(TALKS):
            entry = store.create("local", VideoContext(title=f"영상 {number}"), f"대화 {number}")
            asked = [
                Message(id=f"{number}-{place}", kind=MessageKind.QUESTION, text=f"{place} {SAID}", created_at=NOW.astimezone(UTC))
                for place in range(4)
            ]
            store.put(entry.id, "local", *asked)
    return path


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "library.sqlite"
    with closing(LibraryIndex(path)) as index:
        index.index(Document(title=f"자료 {n}", text=f"{n}번째 {SAID}", url=f"doc:{n}", source="내 자료") for n in range(20))
    return path


def test_what_can_be_read_of_conversations_is_saved(conversations: Path, tmp_path: Path):
    """With three pages of rows overwritten most conversations come back, and the damaged file stays as it was."""
    path = tmp_path / "maekrak.sqlite"
    shutil.copy(conversations, path)
    spoil_pages(path, 3, seed=0)
    damaged = path.read_bytes()
    recovery = recover_conversations(path, NOW)
    assert recovery is not None
    assert recovery.kept_as.name == "maekrak.sqlite.damaged-20261120-093000"
    assert recovery.kept_as.read_bytes() == damaged
    assert find_damage(path) == ""
    with closing(Database(path)) as database:
        entries = ConversationStore(database).entries("local")
        assert len(entries) == recovery.saved >= TALKS * 2 // 3
        assert sum(entry.messages for entry in entries) >= TALKS * 2
    assert recover_conversations(path, NOW) is None


@pytest.mark.parametrize("damage", DAMAGES)
def test_whatever_is_wrong_the_damaged_file_is_kept(damage: str, conversations: Path, tmp_path: Path):
    """After recovering, a file that works is in its place; twice in one second neither damaged file is overwritten."""
    path = tmp_path / "maekrak.sqlite"
    for expected in ("maekrak.sqlite.damaged-20261120-093000", "maekrak.sqlite.damaged-20261120-093000-2"):
        shutil.copy(conversations, path)
        DAMAGES[damage](path)
        recovery = recover_conversations(path, NOW)
        assert recovery is not None
        assert recovery.kept_as.name == expected
        with closing(Database(path)) as database:
            ConversationStore(database).create("local", None, "새 대화")
        path.unlink()
    assert len(list(tmp_path.glob("*.damaged-*"))) == 2
    assert not list(tmp_path.glob(".recover-*"))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE conversations SET title = CAST(x'ebff' AS TEXT) WHERE title = '대화 3'",
        "UPDATE conversations SET updated_at = '2026-1?-20' WHERE title = '대화 3'",
        "UPDATE videos SET body = '{' WHERE title = '영상 3'",
        "UPDATE claims_runs SET title = CAST(x'ff' AS TEXT)",
    ],
)
def test_letters_broken_inside_a_row_hide_nothing_else(damage: str, conversations: Path, tmp_path: Path):
    """What SQLite itself finds nothing wrong with is no damage of the file: everything else in it is read."""
    path = tmp_path / "maekrak.sqlite"
    shutil.copy(conversations, path)
    with closing(Database(path)) as database:
        run = ClaimsStore(database).create(REQUEST)
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(damage).rowcount == 1
    with closing(Database(path)) as database:
        store = ConversationStore(database)
        assert [len(store.load(entry.id, "local").messages) for entry in store.entries("local")] == [4] * TALKS
        assert ClaimsStore(database).load(run.id).request == REQUEST
    assert recover_conversations(path, NOW) is None


def test_a_file_of_a_version_without_checks_of_claims_is_not_damaged(conversations: Path, tmp_path: Path):
    """Tables that an older version had not are no damage."""
    path = tmp_path / "maekrak.sqlite"
    shutil.copy(conversations, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("DROP TABLE claims_commands; DROP TABLE claims_findings; DROP TABLE claims_runs")
    assert recover_conversations(path, NOW) is None


def test_documents_of_a_damaged_library_are_saved(library: Path, tmp_path: Path):
    """Documents are found again by their words though the index was lost, and a broken letter hides nothing."""
    path = tmp_path / "library.sqlite"
    shutil.copy(library, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE documents SET source = CAST(x'ff' AS TEXT) WHERE title = '자료 3'")
    assert recover_library(path, NOW) is None
    spoil_table(path, "words_data")
    recovery = recover_library(path, NOW)
    assert recovery is not None
    assert recovery.saved == 20
    with closing(LibraryIndex(path)) as index:
        assert index.count() == 20
        assert index.search("메모리 대역폭", 5)


def test_a_second_rebuild_keeps_the_first_damaged_library(tmp_path: Path):
    """Each time a library is begun anew the file before it stays, whatever was put aside earlier."""
    path = tmp_path / "library.sqlite"
    for damaged in (b"first" * 1000, b"second" * 1000):
        path.write_bytes(damaged)
        with closing(LibraryIndex(path)) as index:
            index.rebuild()
            assert index.count() == 0
    assert (tmp_path / "library.sqlite.broken").read_bytes() == b"second" * 1000
    (first,) = tmp_path.glob("library.sqlite.broken.damaged-*")
    assert first.read_bytes() == b"first" * 1000


def test_the_commands_say_what_became_of_each_file(
    conversations: Path, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """``backup`` copies every database and overwrites none, ``doctor`` names what is damaged, ``recover`` mends it."""
    data, copies = tmp_path / "data", tmp_path / "copies"
    data.mkdir()
    shutil.copy(conversations, data)
    shutil.copy(library, data)
    monkeypatch.setenv("MAEKRAK_DATA_DIR", str(data))
    monkeypatch.setenv("SEARCH_PROVIDERS", "library")
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    assert main(["backup", str(copies)]) == 0
    assert {path.name for path in copies.iterdir()} == {"maekrak.sqlite", "library.sqlite"}
    with closing(Database(copies / "maekrak.sqlite")) as database:
        assert len(ConversationStore(database).entries("local")) == TALKS
    assert main(["backup", str(copies)]) == 1
    assert "데이터베이스 2개 중 0개를" in capsys.readouterr().out
    spoil_pages(data / "maekrak.sqlite", 3, seed=1)
    spoil_definition(data / "library.sqlite", "files")
    main(["doctor", "--offline"])
    printed = capsys.readouterr().out
    assert "자료 저장소가 손상되었어요" in printed
    assert "python -m search_core recover" in printed
    assert main(["recover"]) == 0
    printed = capsys.readouterr().out
    assert "대화와 조사: " in printed
    assert "내 자료: 20건을 살렸어요." in printed
    assert main(["recover"]) == 0
    assert capsys.readouterr().out.count("손상되지 않았어요.") == 2
