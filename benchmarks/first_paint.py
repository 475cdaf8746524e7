"""Time from starting the server to the first thing a visitor sees, beside an empty Streamlit app."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.reference import note
from tests.browser.conftest import free_port, open_chromium

ROOT = Path(__file__).parents[1]
ROUNDS = 5


def once(browser, script: Path, folder: Path, visible: str) -> float:
    """Return seconds from starting ``streamlit run`` to *visible* being on the screen."""
    port = free_port()
    env = {**os.environ, "MAEKRAK_DATA_DIR": str(folder / "data"), "SEARCH_PROVIDERS": "library"}
    started = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port), "--server.headless", "true"],
        cwd=script.parent, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    context = browser.new_context()
    try:
        page = context.new_page()
        while True:
            try:
                page.goto(f"http://127.0.0.1:{port}/", wait_until="commit")
                break
            except Exception:
                if server.poll() is not None:
                    raise
        page.locator(visible).first.wait_for(timeout=60_000)
        return time.perf_counter() - started
    finally:
        context.close()
        server.terminate()
        server.wait(20)


def first_paint() -> None:
    """Print the first paint of this app and of an empty one, in turn, and the difference."""
    with tempfile.TemporaryDirectory() as name, open_chromium() as browser:
        folder = Path(name)
        empty = folder / "empty.py"
        empty.write_text('import streamlit as st\nst.title("empty")\n', encoding="utf-8")
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(once(browser, empty, folder, "h1"))
            ours.append(once(browser, ROOT / "app.py", folder, "h1, [data-testid='stHeading']"))
    ours_s, theirs_s = statistics.median(ours), statistics.median(theirs)
    note("first paint / empty app", ours_s / theirs_s)
    print(
        f"first paint: ours {ours_s:.2f} s, empty app {theirs_s:.2f} s, ratio {ours_s / theirs_s:.2f}, later by {ours_s - theirs_s:+.2f} s (bar +0.5 s)"
    )
