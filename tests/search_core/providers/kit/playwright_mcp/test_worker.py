"""The thread that owns the browser, beyond what a search shows; no Chromium starts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from search_core.errors import ProviderError
from search_core.providers.kit.playwright_mcp import Launch, PlaywrightBrowser, Tab
from search_core.providers.kit.playwright_mcp.configuration import FoundParts
from search_core.providers.kit.playwright_mcp.session import PROC, find_tagged, sweep

pytestmark = pytest.mark.skipif(not (PROC / "self").exists(), reason="there is no /proc here")

SLEEPER = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); sys.stdin.read()"


def start(folder: Path, *, own_group: bool) -> subprocess.Popen[bytes]:
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
    ours = [start(tmp_path / "run", own_group=True), start(tmp_path / "run", own_group=False)]
    other = start(tmp_path / "run2", own_group=False)
    try:
        assert sorted(find_tagged(tmp_path / "run")) == sorted(process.pid for process in ours)
        sweep(tmp_path / "run")
        assert [process.wait(10) for process in ours] == [-9, -9]
        assert find_tagged(tmp_path / "run") == []
        assert other.poll() is None
    finally:
        for process in (*ours, other):
            process.kill()
            process.communicate()


async def nothing(tab: Tab) -> str:
    return "done"


def test_what_cannot_be_started_is_typed_and_leaves_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Without a place for its files the browser is not started, and the search ends at once."""
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    threads = set(threading.enumerate())
    found = FoundParts(node=sys.executable, cli="cli.js", chromium="chromium")
    browser = PlaywrightBrowser(lambda: Launch(parts=found, address="http://127.0.0.1:9/", timeout_s=60))
    with pytest.raises(ProviderError, match="No folder"):
        asyncio.run(browser.run(nothing, 60))
    browser.close()
    assert set(threading.enumerate()) <= threads
