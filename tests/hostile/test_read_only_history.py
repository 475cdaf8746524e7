"""Old conversations where nothing can be written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.domain import Message, MessageKind
from search_core.errors import StorageError
from search_core.storage import Database
from search_core.storage.conversations import ConversationStore
from tests.hostile.failing_disk import FailingDisk

ASKED = Message(id="q", kind=MessageKind.QUESTION, text="HBM4는 언제 나오나?", created_at=datetime(2026, 11, 20, tzinfo=UTC))


@pytest.mark.parametrize(
    ("refusal", "code"),
    [("attempt to write a readonly database", sqlite3.SQLITE_READONLY), ("disk I/O error", sqlite3.SQLITE_IOERR)],
)
def test_history_is_read_where_nothing_can_be_written(refusal: str, code: int, tmp_path: Path):
    """On a read-only or broken disk old conversations open; what writes is refused in words, until writing works again."""
    disk = FailingDisk(refusal, code)
    with disk.mounted(), closing(Database(tmp_path / "maekrak.sqlite")) as database:
        store = ConversationStore(database)
        entry = store.create("me", None, "HBM")
        store.put(entry.id, "me", ASKED)
        disk.full = True
        assert [entry.title for entry in store.entries("me")] == ["HBM"]
        assert store.load(entry.id, "me").messages == (ASKED,)
        with pytest.raises(StorageError):
            store.rename(entry.id, "me", "다른 이름")
        disk.full = False
        store.rename(entry.id, "me", "다른 이름")
        assert [entry.title for entry in store.entries("me")] == ["다른 이름"]
        assert database.fault is None
