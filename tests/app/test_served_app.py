"""The real server: which hosts it answers, and what visitors upload to it, past the boxes of its pages."""

from __future__ import annotations

import http.client
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import pytest

from pages.parts.shared.server import HEADERS
from tests.browser.servers import environment, free_port, process, streamlit
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.page_visitor import PageVisitor
from tests.loopback.speech_endpoint import listening
from tests.search_core.research.workers import wait_until

LISTED = "maekrak.example.com"
SETTINGS = {"ALLOWED_HOSTS": LISTED, "OPENAI_TRANSCRIPTION_MODEL": "hears"}
PATHS = (
    "/",
    "/nowhere",
    "/auth/login",
    "/api/nowhere",
    "/app/static/nothing.woff2",
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
SOUND = b"a" * (26 << 20)
"""A recording by its name alone."""


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


def secured(headers: http.client.HTTPMessage) -> bool:
    """Return whether an answer has every header of the app once, as it is meant."""
    return {name: headers.get_all(name) for name in HEADERS} == {name: [value] for name, value in HEADERS.items()}


def held_bytes(url: str) -> int:
    """Return how much of uploads Streamlit reports as held, which it counts anew after a moment."""
    lines = httpx.get(f"{url}/_stcore/metrics", trust_env=False).text.splitlines()
    held = [line for line in lines if 'cache_type="UploadedFileManager"' in line]
    return sum(int(float(line.rpartition(" ")[2])) for line in held)


def on_disk(folder: Path) -> list[int]:
    sizes = []
    for inside, _, names in os.walk(folder):
        if "received" in names:
            with suppress(FileNotFoundError):  # it may go meanwhile
                sizes.append(Path(inside, "received").stat().st_size)
    return sizes


def test_only_own_and_listed_names_are_answered_on_every_path(port):
    """Pages, uploads, media, metrics and API refuse a foreign name that points here; each answer has the security headers."""
    for path in (*PATHS, "/metrics", "/api/providers"):
        status, headers = answer(port, path, {"Host": f"evil.test:{port}"})
        assert (path, status, secured(headers)) == (path, 403, True)
    for host in ("localhost", "127.0.0.1", LISTED):
        for path in PATHS:
            status, headers = answer(port, path, {"Host": host})
            assert status in (200, 302, 308, 401, 404), (host, path)
            assert secured(headers), (host, path)
    for method, path, refused in (("PUT", "/", 405), ("GET", "/..%2f..%2fetc/passwd", 400), ("POST", "/api/chat", 400)):
        status, headers = answer(port, path, {}, method)
        assert (path, status, secured(headers)) == (path, refused, True)


def test_the_websocket_opens_for_pages_of_its_own_host(port):
    """The stream of a visit, over which conversations can be read, opens for the app's own pages alone."""
    own, listed = f"localhost:{port}", f"https://{LISTED}"
    foreign = (f"127.0.0.1:{port}", listed), (f"evil.test:{port}", f"http://evil.test:{port}")
    refused = (*foreign, *((own, origin) for origin in ("http://localhost:9999", "http://evil.test", "null", "")))
    for host, origin, status in ((own, f"http://{own}", 101), (LISTED, listed, 101), *((*each, 403) for each in refused)):
        headers = {**WEBSOCKET, "Host": host, **({"Origin": origin} if origin else {})}
        assert (host, origin, answer(port, "/_stcore/stream", headers)[0]) == (host, origin, status)


def test_an_upload_needs_a_page_of_this_host_and_a_visit(port, url):
    """Another site, a missing token and an unknown visit are refused."""
    headers = {"Host": f"localhost:{port}", "Origin": "http://localhost:9999", "Content-Length": "0"}
    assert answer(port, "/_stcore/upload_file/a/b", headers, "PUT")[0] == 403
    with PageVisitor(url) as visitor:
        visitor.run()
        path = f"{url}/_stcore/upload_file/{visitor.visit}/a"
        assert httpx.put(path, files={"file": ("talk.mp4", b"a" * 1000)}, trust_env=False, timeout=60).status_code == 403
        visitor.visit = "nobody"
        assert visitor.upload("a", b"a" * 1000) == 400


def test_files_that_a_page_has_read_are_held_no_longer(url, folder):
    """Subtitles are dropped once the page has them, a recording once it is on the disk, from where it goes with its job."""
    subtitles = b"1\n00:00:01,000 --> 00:00:02,000\nHBM\n"
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", subtitles) == 204
        visitor.run("", ("a", "talk.srt", len(subtitles)))
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("b", SOUND) == 204
        visitor.run("", ("b", "talk.mp4", len(SOUND)))
    wait_until(lambda: held_bytes(url) == 0)
    wait_until(lambda: on_disk(folder) == [])
