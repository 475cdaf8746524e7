"""The real server: which hosts it answers, and what visitors upload to it, past the boxes of its pages."""

from __future__ import annotations

import http.client
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest

from tests.browser.servers import environment, free_port, process, streamlit
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.page_visitor import PageVisitor
from tests.loopback.speech_endpoint import listening
from tests.search_core.research.workers import wait_until

LISTED = "maekrak.example.com"
SETTINGS = {"ALLOWED_HOSTS": LISTED, "OPENAI_TRANSCRIPTION_MODEL": "hears", "TRANSCRIPTION_MAX_MB": "30"}
PATHS = (
    "/",
    "/chat",
    "/_stcore/health",
    "/_stcore/host-config",
    "/media/x.wav",
    "/app/static/PretendardVariable.woff2",
    "/healthz",
)
WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
FILE = b"a" * (24 << 20)
"""Two of these are held of a visitor, whose uploads may take 50 MB."""
SOUND = b"a" * (26 << 20)
"""More than Streamlit takes here."""


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[tuple[int, list[str]]]:
    """Run the app with a recogniser and one listed name, and lend its port and its log."""
    port = free_port()
    with LanguageModelServer(hear=listening) as endpoint:
        own = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any", "PYTHONUNBUFFERED": "1", **SETTINGS}
        with process(streamlit(port), "URL:", environment(folder, API_RATE_LIMIT="100000/second", **own)) as (_, log):
            yield port, log


@pytest.fixture
def port(served: tuple[int, list[str]]) -> int:
    return served[0]


@pytest.fixture
def url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def answer(port: int, path: str, headers: dict[str, str], method: str = "GET") -> tuple[int, http.client.HTTPMessage]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.headers


def held_bytes(url: str) -> int:
    """Return how much of uploads Streamlit reports as held, which it counts anew after a moment."""
    lines = httpx.get(f"{url}/_stcore/metrics", trust_env=False).text.splitlines()
    held = [line for line in lines if 'cache_type="UploadedFileManager"' in line]
    return sum(int(float(line.rpartition(" ")[2])) for line in held)


def on_disk(folder: Path) -> list[int]:
    """Return the sizes of the recordings that have arrived."""
    sizes = []
    for inside, _, names in os.walk(folder):
        if "received" in names:
            with suppress(FileNotFoundError):  # it may go meanwhile
                sizes.append(Path(inside, "received").stat().st_size)
    return sizes


def test_only_own_and_listed_names_are_answered_on_every_path(port):
    """Pages, uploads, media, metrics and API refuse a foreign name that points here; each answer has the security headers."""
    for path in (*PATHS, "/metrics", "/api/providers", "/mcp"):
        status, headers = answer(port, path, {"Host": f"evil.test:{port}"})
        assert (path, status, headers["X-Content-Type-Options"]) == (path, 403, "nosniff")
    for host in ("localhost", "127.0.0.1", LISTED):
        for path in PATHS:
            status, headers = answer(port, path, {"Host": host})
            assert status in (200, 404), (host, path)
            assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_websocket_opens_for_pages_of_its_own_host(port):
    """The stream of a visit, over which conversations can be read, opens for the app's own pages alone."""
    own, listed = f"localhost:{port}", f"https://{LISTED}"
    foreign = (f"127.0.0.1:{port}", listed), (f"evil.test:{port}", f"http://evil.test:{port}")
    refused = (*foreign, *((own, origin) for origin in ("http://localhost:9999", "http://evil.test", "null", "")))
    for host, origin, status in ((own, f"http://{own}", 101), (LISTED, listed, 101), *((*each, 403) for each in refused)):
        headers = {**WEBSOCKET, "Host": host, **({"Origin": origin} if origin else {})}
        assert (host, origin, answer(port, "/_stcore/stream", headers)[0]) == (host, origin, status)


def test_an_upload_needs_a_page_of_this_host_and_a_visit(port, url, folder):
    """Another site, a missing token, an unknown visit and a length over the limit are refused before a byte is written."""
    headers = {"Host": f"localhost:{port}", "Origin": "http://localhost:9999", "Content-Length": "0"}
    assert answer(port, "/_stcore/upload_file/a/b", headers, "PUT")[0] == 403
    with PageVisitor(url) as visitor:
        visitor.run()
        path = f"{url}/_stcore/upload_file/{visitor.visit}/a"
        assert httpx.put(path, files={"file": ("talk.mp4", b"a" * 1000)}, trust_env=False, timeout=60).status_code == 403
        assert visitor.upload("a", b"a" * (31 << 20), "talk.mp4") == 413
        visitor.visit = "nobody"
        assert visitor.upload("a", b"a" * 1000, "talk.mp4") == 400
    assert on_disk(folder) == []


def test_a_visitor_has_so_many_files_held_and_none_after_leaving(url, folder):
    """Two of three are held, and none of who has left; a file that a page has read is dropped, a spoken question stays.

    Of a recording, which may be larger than what Streamlit takes, only a ticket is held: it is streamed to disk, one a visitor.
    """
    subtitles = b"1\n00:00:01,000 --> 00:00:02,000\nHBM\n"
    spoken = b"RIFF" + b"a" * 1000
    with PageVisitor(url) as other:
        other.run()
        with PageVisitor(url) as visitor:
            visitor.run()
            assert [visitor.upload(name, FILE) for name in "abc"] == [204, 204, 413]
            assert other.upload("own", FILE) == 204
            visitor.drop("a")
            assert visitor.upload("c", FILE) == 204
        with PageVisitor(url) as visitor:
            visitor.run()
            assert visitor.upload("a", subtitles) == 204
            visitor.run("", ("a", "talk.srt", len(subtitles)))
            assert visitor.upload("b", spoken, "audio-2026-11-22T15-17-16-000Z.wav") == 204
            assert on_disk(folder) == []
            assert visitor.upload("c", SOUND, "talk.mp4") == 204
            wait_until(lambda: on_disk(folder) == [len(SOUND)])
            assert visitor.upload("d", SOUND, "talk.mp4") == 413
            wait_until(lambda: 0 < held_bytes(url) - len(FILE) - len(spoken) < 100)
        wait_until(lambda: on_disk(folder) == [])
    wait_until(lambda: held_bytes(url) == 0)


def test_a_made_up_ticket_opens_nothing(url, folder):
    """A file that only looks like a ticket is taken for the recording that it claims to be."""
    with PageVisitor(url) as other, PageVisitor(url) as visitor:
        other.run()
        visitor.run()
        assert other.upload("a", b"x" * 1000, "talk.wav") == 204
        assert visitor.upload("a", b"maekrak-sound:" + b"x" * 32, "talk.wav") == 204
        wait_until(lambda: sorted(on_disk(folder)) == [46, 1000])
        visitor.run("", ("a", "talk.wav", 46))
        wait_until(lambda: on_disk(folder) == [1000])


def test_an_upload_that_breaks_off_leaves_nothing(served, url, folder):
    """What has arrived lies on the disk while the rest is awaited, and goes with the connection; the log stays quiet."""
    wait_until(lambda: on_disk(folder) == [])
    with PageVisitor(url) as visitor:
        visitor.run()
        with visitor.uploading("a", b"x" * (1 << 20), "talk.mp4"):
            wait_until(lambda: bool(on_disk(folder)) and on_disk(folder)[0] > 0)
        wait_until(lambda: on_disk(folder) == [])
        assert visitor.upload("b", b"x" * 1000, "talk.mp4") == 204
    assert not any("Traceback" in line for line in served[1])
