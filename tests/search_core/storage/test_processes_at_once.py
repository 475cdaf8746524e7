from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from search_core.storage import SqliteEventLog
from tests.search_core.storage.processes_at_once import PATIENT_S, ROUNDS
from tests.search_core.storage.test_kill_nine import ROOT, assert_sound

PROCESSES, THREADS = 8, 4


def test_processes_that_share_a_folder_lose_and_mix_nothing(tmp_path: Path):
    """Eight processes of four threads each read what they have just written, no error escapes, and every event is there once."""
    command = [sys.executable, "-m", "tests.search_core.storage.processes_at_once", str(tmp_path), str(PROCESSES), str(THREADS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    for name in ("cache.db", "events.sqlite", "vectors.sqlite"):
        assert_sound(tmp_path / name)
    log = SqliteEventLog(tmp_path / "events.sqlite", patience_s=PATIENT_S)
    counts = Counter(event.query for event in log.recent(datetime.now(UTC) - timedelta(days=1), 1_000_000))
    log.close()
    assert len(counts) == PROCESSES * THREADS * ROUNDS
    assert set(counts.values()) == {1}
