"""Websockets of strangers: more than there are descriptors for, and frames that no page sends."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.browser.servers import environment, free_port, process, streamlit
from tests.loopback.page_visitor import PageVisitor
from tests.search_core.research.workers import wait_until

FRAMES = {"text": "no page sends text", "garbage": b"\xff" * 30, "much": b"\0" * 300_000_000}


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are not bounded there")
def test_visitors_beyond_the_descriptors_are_told_so(tmp_path: Path):
    """All for whom there is room are served, whoever comes then reads why, the log has one line, and who leaves makes room."""
    from tests.hostile.few_descriptors import DESCRIPTORS

    port = free_port()
    address = f"http://127.0.0.1:{port}"
    room = (DESCRIPTORS - 256) // 4
    with process(["tests.hostile.few_descriptors", str(port)], "URL:", environment(tmp_path)) as (_, log), ExitStack() as stack:
        for _ in range(room - 1):
            stack.enter_context(PageVisitor(address)).run()
        with PageVisitor(address) as last:
            last.run()
            for _ in range(3):
                with pytest.raises(InvalidStatus), PageVisitor(address):
                    pass
            page = httpx.get(address, trust_env=False)
            assert (page.status_code, "자리가 나면" in page.text) == (503, True)
            assert httpx.get(f"{address}/healthz", trust_env=False).status_code == 200
            assert last.run() < 20
        wait_until(lambda: httpx.get(address, trust_env=False).status_code == 200)
        with PageVisitor(address) as another:
            another.run()
    assert len([line for line in log if "no room for more" in line]) == 2


def test_a_frame_that_no_page_sends_is_a_line_of_the_log_at_most(tmp_path: Path):
    """Text, garbage and 300 MB end the visit alone: no traceback stands in the log, and the next visitor is served."""
    port = free_port()
    with process(streamlit(port), "URL:", environment(tmp_path)) as (_, log):
        for frame in FRAMES.values():
            with PageVisitor(f"http://127.0.0.1:{port}") as stranger:
                stranger.run()
                before = len(log)
                stranger.send_broken(frame)
            with PageVisitor(f"http://127.0.0.1:{port}") as visitor:
                visitor.run()
            assert len(log) - before <= 2
