"""The real server: which hosts it answers, and what visitors upload to it, past the boxes of its pages."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.app.served_app import STREAMLIT, app, free_port
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
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[tuple[int, list[str]]]:
    """Run the app with a recogniser and one listed name, and lend its port and its log."""
    port = free_port()
    with LanguageModelServer(hear=listening) as endpoint, app(STREAMLIT, folder, port, endpoint.url, **SETTINGS) as (_, log):
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
    return [path.stat().st_size for path in folder.rglob("received")]


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


def test_tools_for_agents_are_off_unless_they_are_turned_on(url):
    """Their address is no page; it names the setting that turns them on."""
    response = httpx.post(f"{url}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, trust_env=False, timeout=60)
    assert response.status_code == 404
    assert "MCP_HTTP=true" in response.text


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost:{port}", "http://localhost:{port}", 101),
        (LISTED, f"https://{LISTED}", 101),
        ("127.0.0.1:{port}", f"https://{LISTED}", 403),
        ("evil.test:{port}", "http://evil.test:{port}", 403),
        ("localhost:{port}", "http://localhost:9999", 403),
        ("localhost:{port}", "http://evil.test", 403),
        ("localhost:{port}", "null", 403),
        ("localhost:{port}", None, 403),
    ],
)
def test_the_websocket_opens_for_pages_of_its_own_host(port, host, origin, status):
    """The stream of a visit, over which conversations can be read, opens for the app's own pages alone."""
    headers = {**WEBSOCKET, "Host": host.format(port=port)}
    if origin is not None:
        headers["Origin"] = origin.format(port=port)
    assert answer(port, "/_stcore/stream", headers)[0] == status


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


def test_a_visitor_has_so_many_files_held_and_none_after_leaving(url):
    """Two of three are held, another visitor's beside them; a dropped one makes room, and with a visitor their files go."""
    with PageVisitor(url) as other:
        other.run()
        with PageVisitor(url) as visitor:
            visitor.run()
            assert [visitor.upload(name, FILE) for name in "abc"] == [204, 204, 413]
            wait_until(lambda: held_bytes(url) == 2 * len(FILE))
            assert other.upload("own", FILE) == 204
            visitor.drop("a")
            assert visitor.upload("c", FILE) == 204
        wait_until(lambda: held_bytes(url) == len(FILE))
    wait_until(lambda: held_bytes(url) == 0)


def test_what_a_page_has_read_is_not_held(url, folder):
    """A file in the box of a page is read and its bytes are dropped; a recording of the microphone stays with its widget."""
    subtitles = b"1\n00:00:01,000 --> 00:00:02,000\nHBM\n"
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", subtitles) == 204
        wait_until(lambda: held_bytes(url) == len(subtitles))
        visitor.run("", ("a", "talk.srt", len(subtitles)))
        wait_until(lambda: held_bytes(url) == 0)
        assert visitor.upload("b", b"RIFF" + b"a" * 1000, "audio-2026-11-22T15-17-16-000Z.wav") == 204
        wait_until(lambda: held_bytes(url) == 1004)
        assert on_disk(folder) == []
    wait_until(lambda: held_bytes(url) == 0)


def test_a_recording_is_streamed_to_disk_and_goes_with_its_visitor(url, folder):
    """It may be larger than what Streamlit takes and one waits per visitor; nothing is left after they leave."""
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", SOUND, "talk.mp4") == 204
        wait_until(lambda: on_disk(folder) == [len(SOUND)])
        wait_until(lambda: 0 < held_bytes(url) < 100)
        assert visitor.upload("b", SOUND, "talk.mp4") == 413
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
