"""What belongs to a session ends with it; no Chromium starts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from search_core.providers.kit.playwright import FoundParts, Launch
from search_core.providers.kit.playwright_session import PROC, Session, find_tagged, sweep
from tests.search_core.research.workers import wait_until

pytestmark = pytest.mark.skipif(not (PROC / "self").exists(), reason="there is no /proc here")
SLEEPER = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); sys.stdin.read()"


def start(folder: Path, *, own_group: bool = False) -> subprocess.Popen[bytes]:
    """Start a process that ignores SIGTERM, and return when it runs."""
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", SLEEPER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"TMPDIR": str(folder)},
        start_new_session=own_group,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    return process


def test_the_tagged_die_and_others_live(tmp_path: Path):
    """Whatever carries the folder as TMPDIR is killed, in any process group; a folder whose name only begins alike is another."""
    ours = [start(tmp_path / "run", own_group=True), start(tmp_path / "run")]
    other = start(tmp_path / "run2")
    try:
        sweep(tmp_path / "run")
        assert [process.wait(10) for process in ours] == [-9, -9]
        assert find_tagged(tmp_path / "run") == []
        assert other.poll() is None
    finally:
        for process in (*ours, other):
            process.kill()
            process.communicate()


def test_a_server_that_never_answered_is_killed_before_it_is_waited_for(tmp_path: Path):
    """It gets no time to end in its own way, which a frozen one would never do."""
    server, begun, ended = tmp_path / "cli.py", tmp_path / "begun", tmp_path / "ended"
    server.write_text(f"import sys; open({str(begun)!r}, 'w'); sys.stdin.buffer.read(); open({str(ended)!r}, 'w')")
    parts = FoundParts(node=sys.executable, cli=str(server), chromium="none")

    async def begin_and_end() -> None:
        session = Session(Launch(parts=parts, address="http://localhost/", timeout_s=5))
        await asyncio.to_thread(wait_until, begun.exists)
        await session.end()

    asyncio.run(begin_and_end())
    assert not ended.exists()
