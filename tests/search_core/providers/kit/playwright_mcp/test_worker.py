"""The thread that owns the browser, beyond what a search shows; with the real server, whose Chromium never starts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.playwright_mcp import Launch, Part, PlaywrightBrowser, Tab, find_parts
from search_core.providers.kit.playwright_mcp.configuration import FoundParts
from search_core.providers.kit.playwright_mcp.session import PROC, find_tagged, sweep
from tests.conftest import required_in_ci

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


def launch() -> Launch:
    parts = find_parts()
    assert isinstance(parts, FoundParts)
    return Launch(parts=parts, address="http://127.0.0.1:9/", timeout_s=60)


async def nothing(tab: Tab) -> str:
    return "done"


@pytest.fixture
def installed() -> None:
    missing = find_parts()
    if isinstance(missing, Part):
        required_in_ci(missing.english)


@pytest.mark.usefixtures("installed")
def test_the_deadline_holds_though_the_caller_is_busy():
    """A caller whose event loop is busy at the deadline gets a timeout, not a cancellation, afterwards."""
    browser = PlaywrightBrowser(launch)
    ended = threading.Event()

    async def hang(tab: Tab) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def busy() -> ProviderError:
        task = asyncio.create_task(browser.run(hang, 5.0))
        await asyncio.sleep(0)
        assert ended.wait(60)
        with pytest.raises(ProviderError) as caught:
            await task
        return caught.value

    assert asyncio.run(busy()).status is SearchStatus.TIMEOUT
    browser.close()


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
