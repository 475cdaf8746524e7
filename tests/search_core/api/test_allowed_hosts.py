"""Under which names, and from whose pages, the server is reached."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest

from search_core.api import AllowedHosts


async def serve(scope, receive, send) -> None:
    """Answer as the app behind the check."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"page"})


def ask(
    *hosts: str,
    origin: str | None = None,
    method: str = "GET",
    path: str = "/",
    kind: str = "http",
    listed: tuple[str, ...] = (),
) -> list[dict[str, Any]]:
    """Return what is sent back for a request with these Host headers."""
    headers = [(b"host", host.encode("latin-1")) for host in hosts]
    headers += [(b"origin", origin.encode())] if origin is not None else []
    sent: list[dict[str, Any]] = []

    async def keep(message) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.connect"}

    scope = {"type": kind, "method": method, "path": path, "headers": headers}
    asyncio.run(AllowedHosts(serve, lambda: listed)(scope, receive, keep))
    return sent


def status(*hosts: str, **more: Any) -> int:
    return ask(*hosts, **more)[0]["status"]


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8501", "LOCALHOST:8501", "localhost.:8501", "maekrak.localhost", "127.0.0.1:8501", "127.1.2.3"),
        *("[::1]:8501", "[::1]", "192.168.0.7:8501", "[2001:db8::7]:443", socket.gethostname(), f"{socket.gethostname()}.local"),
    ],
)
def test_this_machine_and_plain_addresses_are_served(host):
    """What no DNS can point elsewhere needs no setting."""
    assert status(host) == 200


@pytest.mark.parametrize(
    "host",
    [
        *(
            "evil.test",
            "evil.test:8501",
            "127.0.0.1.evil.test",
            "localhost.evil.test",
            "evillocalhost",
            "127.0.0.1:x",
            "localhost:0",
        ),
        *(
            "localhost@evil.test",
            "localhost/evil.test",
            "evil.test#localhost",
            "localhost\\evil.test",
            "",
            ":8501",
            "[::1",
            "a b",
        ),
        *("0x7f000001", "2130706433", "localhost:99999"),
    ],
)
def test_other_names_are_refused(host):
    """A name that somebody else may point at this machine is no name of the server."""
    assert status(host) in (400, 403)


@pytest.mark.parametrize("hosts", [(), ("localhost", "localhost"), ("localhost", "evil.test")])
def test_one_host_header_is_needed(hosts):
    """No name, or two of them, say nothing."""
    assert status(*hosts) == 400


def test_the_refusal_names_the_setting():
    """A reader of the page learns which setting lets the name in, in Korean and in English."""
    started, body = ask("maekrak.example.com")
    assert started["status"] == 403
    text = body["body"].decode()
    assert "'maekrak.example.com' 이름으로 열 수 없어요" in text
    assert text.count("ALLOWED_HOSTS") == 2


@pytest.mark.parametrize("path", ["/api/search", "/mcp"])
def test_the_api_refuses_in_its_own_form(path):
    """Programs get the problem as JSON."""
    _, body = ask("evil.test", path=path, method="POST")
    assert json.loads(body["body"])["error"]["type"] == "unknown_host"


@pytest.mark.parametrize(
    ("host", "passes"),
    [
        *(("maekrak.example.com", True), ("MAEKRAK.example.com:443", True), ("a.example.org", True), ("b.a.example.org", True)),
        *(("example.org", False), ("xexample.org", False), ("maekrak.example.com.evil.test", False)),
    ],
)
def test_listed_names_are_served(host, passes):
    """ALLOWED_HOSTS lets in its names, and with a star all names below."""
    assert (status(host, listed=("maekrak.example.com", "*.example.org")) == 200) is passes


def test_a_star_lets_in_every_name():
    """Who lists ``*`` has decided to look at names elsewhere."""
    assert status("anything.test", listed=("*",)) == 200


@pytest.mark.parametrize(
    ("origin", "accepted"),
    [
        *(("http://localhost:8501", True), ("https://localhost:8501", True), ("http://site.example", False)),
        *((None, False), ("null", False), ("http://localhost:9999", False), ("http://127.0.0.1:8501", False)),
        *(("http://evil.test:8501", False), ("http://localhost", False), ("file://localhost:8501", False), ("", False)),
    ],
)
def test_a_websocket_comes_from_a_page_of_the_same_host(origin, accepted):
    """The page's own socket opens; that of another program's page on this machine, or of nobody's, does not."""
    [message] = ask("localhost:8501", origin=origin, kind="websocket", path="/_stcore/stream")
    assert (message["type"] == "websocket.accept") is accepted
    assert accepted or message["code"] == 1008


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_what_changes_something_comes_from_a_page_of_the_same_host(method):
    """A form or an upload of another site is refused; a program that sends no origin is none of a site."""
    path = "/_stcore/upload_file/1/2"
    assert status("localhost:8501", origin="http://evil.test", method=method, path=path) == 403
    assert status("localhost:8501", origin="http://localhost:8501", method=method, path=path) == 200
    assert status("localhost:8501", method=method, path=path) == 200


def test_a_link_from_elsewhere_opens_the_page():
    """Reading needs no origin of ours: browsers keep the answer from the other page."""
    assert status("localhost:8501", origin="http://news.example") == 200


def test_listed_names_are_asked_for_once_and_only_when_needed():
    """Visitors on this machine do not wait for settings to be read."""
    asked = []

    def listed() -> tuple[str, ...]:
        asked.append(1)
        return ()

    check = AllowedHosts(serve, listed)

    async def drop(message) -> None:
        return None

    def visit(host: bytes) -> None:
        asyncio.run(check({"type": "http", "method": "GET", "path": "/", "headers": [(b"host", host)]}, None, drop))

    visit(b"localhost:8501")
    assert asked == []
    visit(b"evil.test")
    visit(b"evil.test")
    assert asked == [1]


def test_other_kinds_of_scope_pass():
    """Start and end of the server bear no host."""
    seen = []

    async def app(scope, receive, send) -> None:
        seen.append(scope["type"])

    asyncio.run(AllowedHosts(app, tuple)({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]
