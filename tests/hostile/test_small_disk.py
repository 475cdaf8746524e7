"""A data folder on a real disk without room, where this machine lets one be mounted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from search_core.errors import StorageError
from search_core.storage import Database
from search_core.storage.conversations import ConversationStore


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_disk_without_room_is_told_as_one(disk: Path):
    """SQLite calls it a fault of the disk; what was kept is read, whoever writes is told to make room, and then can."""
    path, rest = disk / "maekrak.sqlite", disk / "rest"
    with closing(Database(path)) as database:
        kept = ConversationStore(database).create("", title="제목")
    with rest.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"0" * 4096)
    with closing(Database(path)) as database:
        conversations = ConversationStore(database)
        with pytest.raises(StorageError) as caught:
            conversations.create("")
        assert "공간" in caught.value.korean
        assert [each.title for each in conversations.entries("")] == [kept.title]
        rest.unlink()
        conversations.create("", title="새 제목")
        assert {each.title for each in conversations.entries("")} == {kept.title, "새 제목"}
