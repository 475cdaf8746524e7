"""Copies of databases, and what is said of damaged ones."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.library.sqlite_library import LibraryIndex
from search_core.reading.documents import Document
from search_core.storage.conversations import ConversationStore
from search_core.storage.database import Database
from tests.hostile.damage import spoil_table
from tests.search_core.library.put_in import put_in


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder with a conversation and a document."""
    folder = tmp_path / "data"
    for name, value in (("MAEKRAK_DATA_DIR", str(folder)), ("SEARCH_PROVIDERS", "library"), ("EMBEDDING_MODEL", "kiwi")):
        monkeypatch.setenv(name, value)
    with closing(Database(folder / "maekrak.sqlite")) as database:
        ConversationStore(database).create("local", None, "대화")
    with closing(LibraryIndex(folder / "library.sqlite")) as library:
        put_in(library, [Document(title="글", text="메모리 대역폭", url="doc:1")])
    return folder


def test_every_database_is_copied_and_none_overwritten(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """``backup`` makes copies that open as databases; a second time it leaves those that are there."""
    copies = tmp_path / "copies"
    assert main(["backup", str(copies)]) == 0
    assert {path.name for path in copies.iterdir()} == {"maekrak.sqlite", "library.sqlite"}
    with closing(Database(copies / "maekrak.sqlite")) as database:
        assert [entry.title for entry in ConversationStore(database).entries("local")] == ["대화"]
    assert main(["backup", str(copies)]) == 1
    assert "데이터베이스 2개 중 0개를" in capsys.readouterr().out


def test_each_damaged_file_is_named_with_what_to_do(data: Path, capsys: pytest.CaptureFixture[str]):
    """``doctor`` reads every page of every database, and says that a damaged file is to be moved away or put back."""
    main(["doctor", "--offline"])
    assert "저장소:" not in capsys.readouterr().out
    spoil_table(data / "maekrak.sqlite", "messages")
    (data / "replies").mkdir(exist_ok=True)
    (data / "replies" / "old.db").write_bytes(b"garbage" * 1000)
    main(["doctor", "--offline"])
    printed = capsys.readouterr().out
    for name in ("maekrak.sqlite", "replies/old.db"):
        assert f"저장소: {name} 파일이 손상되었어요. 앱을 끄고 다른 곳으로 옮기거나, 백업한 사본을" in printed
