"""Recordings that are uploaded to the real server: on the disk as they come, never in its memory, gone with who left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.test_ending import STREAMLIT, app, free_port
from tests.app.test_uploads import held_bytes
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.page_visitor import PageVisitor
from tests.loopback.speech_endpoint import listening
from tests.search_core.research.workers import wait_until

LARGE = b"a" * (40 << 20)
"""More than Streamlit takes here."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sound")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Run the app with a recogniser, and give its address and its log."""
    port = free_port()
    settings = {"OPENAI_TRANSCRIPTION_MODEL": "hears", "TRANSCRIPTION_MAX_MB": "60"}
    with LanguageModelServer(hear=listening) as endpoint, app(STREAMLIT, folder, port, endpoint.url, **settings) as (_, log):
        yield f"http://127.0.0.1:{port}", log


@pytest.fixture
def url(served: tuple[str, list[str]]) -> str:
    return served[0]


def on_disk(folder: Path) -> list[int]:
    """Return the sizes of the files that have arrived."""
    return [path.stat().st_size for path in folder.rglob("received")]


def test_a_recording_lies_on_the_disk_and_goes_with_its_visitor(url: str, folder: Path):
    """It may be larger than what Streamlit takes; of a visitor one waits; nothing of it is left when they have left."""
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", LARGE, "talk.mp4") == 204
        wait_until(lambda: on_disk(folder) == [len(LARGE)])
        assert 0 < held_bytes(url) < 100
        assert visitor.upload("b", LARGE, "talk.mp4") == 413
    wait_until(lambda: on_disk(folder) == [])
    wait_until(lambda: held_bytes(url) == 0)


def test_a_spoken_question_stays_with_its_widget(url: str, folder: Path):
    """What the microphone has recorded is held as it was sent: no page asks for a ticket of it."""
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", b"RIFF" + b"a" * 1000, "audio-2026-11-22T15-17-16-000Z.wav") == 204
        wait_until(lambda: held_bytes(url) == 1004)
        assert on_disk(folder) == []


def test_a_recording_that_is_too_large_is_refused_unread(url: str, folder: Path):
    """A file over the limit of recordings is answered by its stated length, and nothing of it is written."""
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", b"a" * (62 << 20), "talk.mp4") == 413
        assert on_disk(folder) == []


def test_who_may_not_upload_writes_nothing(url: str, folder: Path):
    """Without the page's token, and for a visit that is none, the file is refused before a byte of it is written."""
    with PageVisitor(url) as visitor:
        visitor.run()
        path = f"{url}/_stcore/upload_file/{visitor.visit}/a"
        refused = httpx.put(path, files={"file": ("talk.mp4", LARGE)}, trust_env=False, timeout=60)
        assert refused.status_code == 403
        visitor.visit = "nobody"
        assert visitor.upload("a", LARGE, "talk.mp4") == 400
    assert on_disk(folder) == []


def test_a_ticket_that_is_made_up_opens_nothing(url: str, folder: Path):
    """A file that only looks like a ticket is taken for the recording that it says it is."""
    with PageVisitor(url) as other, PageVisitor(url) as visitor:
        other.run()
        visitor.run()
        assert other.upload("a", b"x" * 1000, "talk.wav") == 204
        assert visitor.upload("a", b"maekrak-sound:" + b"x" * 32, "talk.wav") == 204
        wait_until(lambda: sorted(on_disk(folder)) == [46, 1000])
        visitor.run("", ("a", "talk.wav", 46))
        wait_until(lambda: on_disk(folder) == [1000])


def test_a_browser_that_breaks_off_leaves_nothing_and_no_noise(served: tuple[str, list[str]], folder: Path):
    """What has arrived lies on the disk while the rest is awaited, and goes with the connection; the log stays quiet."""
    url, log = served
    with PageVisitor(url) as visitor:
        visitor.run()
        with visitor.uploading("a", b"x" * (1 << 20), "talk.mp4"):
            wait_until(lambda: bool(on_disk(folder)) and on_disk(folder)[0] > 0)
        wait_until(lambda: on_disk(folder) == [])
        assert visitor.upload("b", b"x" * 1000, "talk.mp4") == 204
    assert not any("Traceback" in line for line in log)
