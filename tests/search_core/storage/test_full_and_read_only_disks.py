"""Files of stores on a disk without room or without the right to write, used in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from search_core.reading import Document
from search_core.storage import LibraryIndex, SqliteEventLog
from tests.search_core.storage.events import event

ROOT = Path(__file__).parents[3]
FILES = ("events.sqlite", "library.sqlite")


def test_disks_that_cannot_be_written_lose_nothing_that_was_stored(tmp_path: Path):
    """Without room events are refused, a batch as a whole, until there is room again; without rights what is there is read.

    All else asks to look at the rights, and no file changes.
    """
    with closing(SqliteEventLog(tmp_path / FILES[0], patience_s=30.0)) as log:
        log.append([event()])
    with closing(LibraryIndex(tmp_path / FILES[1])) as library:
        library.index([Document(title="훈민정음", text="훈민정음은 1443년에 만들어졌다.", url="library:1")])
    before = {file: (tmp_path / file).read_bytes() for file in FILES}
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as full:  # pytest's own folder is closed to others
        folder = Path(name)
        for file, data in before.items():
            (folder / file).write_bytes(data)
            (folder / file).chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-m", "tests.search_core.storage.restricted_stores", full, name]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, cwd=ROOT)
        folder.chmod(0o755)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "done" not in told["full"][:3]
    assert told["full"][3:] == ["after", "before"]
    assert told["read only"][:4] == ["library:1", "rights", "rights", "rights"]
    assert told["read only"][4] in ("refused", "rights")
