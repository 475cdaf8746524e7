"""Files of stores on a disk without room or without the right to write, used in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from search_core.reading import Document
from search_core.storage import LibraryIndex, SqliteEventLog
from tests.search_core.storage.events import event

ROOT = Path(__file__).parents[3]


def outcomes(condition: str, folder: Path) -> list[list[object]]:
    """Return what the event log, the reply cache or the library, and the database did."""
    command = [sys.executable, "-m", "tests.search_core.storage.restricted_stores", condition, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path):
    """Without room events are refused, answers a miss and vectors unfinished; with room again all works without a restart."""
    assert outcomes("full", tmp_path) == [
        [True, True, True, "after", "before"],
        ["miss", "miss", "miss"],
        [True, True, "library:zebras", "", 301],
    ]


def test_a_read_only_disk_is_a_typed_error(tmp_path: Path):
    """Where nothing can be written the library is searched and all else asks to look at the rights; no file changes."""
    log = SqliteEventLog(tmp_path / "events.sqlite", patience_s=30.0)
    log.append([event()])
    log.close()
    library = LibraryIndex(tmp_path / "library.sqlite")
    library.index([Document(title="훈민정음", text="훈민정음은 1443년에 만들어졌다.", url="library:1")])
    library.close()
    names = ("events.sqlite", "library.sqlite")
    with tempfile.TemporaryDirectory() as name:  # pytest's own folder is closed to others
        folder = Path(name)
        for file in names:
            (folder / file).write_bytes((tmp_path / file).read_bytes())
            (folder / file).chmod(0o444)
        folder.chmod(0o555)
        events, found, database = outcomes("read-only", folder)
        folder.chmod(0o755)
        after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after == {file: (tmp_path / file).read_bytes() for file in names}
    assert events == database * 2 == ["rights", "rights"]
    assert found[0] == "library:1"
    assert found[1] in ("refused", "rights")
