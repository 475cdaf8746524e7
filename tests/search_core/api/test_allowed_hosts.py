"""Host names and origins under which the server answers."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

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


OWN = "localhost localhost:8501 LOCALHOST:8501 localhost.:8501 maekrak.localhost 127.0.0.1:8501 127.1.2.3"
PLAIN = "[::1]:8501 [::1] 192.168.0.7:8501 [2001:db8::7]:443"
FOREIGN = "evil.test evil.test:8501 127.0.0.1.evil.test localhost.evil.test evillocalhost 127.0.0.1:x localhost:0"
CRAFTED = "localhost@evil.test localhost/evil.test evil.test#localhost localhost\\evil.test :8501 [::1 0x7f000001 2130706433"


def test_this_machine_and_plain_addresses_are_served():
    """Hosts that no DNS can point elsewhere need no setting."""
    hosts = [*OWN.split(), *PLAIN.split(), socket.gethostname(), f"{socket.gethostname()}.local"]
    assert [host for host in hosts if status(host) != 200] == []


def test_other_names_are_refused():
    """A name that can be pointed at this machine from outside is no name of the server, nor are none and two."""
    hosts = [*FOREIGN.split(), *CRAFTED.split(), "localhost:99999", "", "a b"]
    assert [host for host in hosts if status(host) not in (400, 403)] == []
    assert [status(*hosts) for hosts in ((), ("localhost", "localhost"), ("localhost", "evil.test"))] == [400] * 3


def test_the_refusal_names_the_setting():
    """Readers of the page learn which setting allows the name, in both languages; programs get the problem as JSON."""
    started, body = ask("maekrak.example.com")
    assert started["status"] == 403
    text = body["body"].decode()
    assert "'maekrak.example.com' 이름으로 열 수 없어요" in text
    assert text.count("ALLOWED_HOSTS") == 2
    _, body = ask("evil.test", path="/api/search", method="POST")
    assert json.loads(body["body"])["error"]["type"] == "unknown_host"


def test_listed_names_are_served():
    """ALLOWED_HOSTS allows its names, with a star all names below, and with a star alone any name."""
    listed = ("maekrak.example.com", "*.example.org")
    served = ("maekrak.example.com", "MAEKRAK.example.com:443", "a.example.org", "b.a.example.org")
    others = ("example.org", "xexample.org", "maekrak.example.com.evil.test")
    assert [host for host in (*served, *others) if status(host, listed=listed) == 200] == list(served)
    assert [host for host in (*served, *others) if status(host, listed=("*",)) != 200] == []


def test_a_websocket_comes_from_a_page_of_the_same_host():
    """The page's own socket opens; one of another origin, another port or no origin does not."""
    others = ("http://site.example", None, "null", "http://localhost:9999", "http://127.0.0.1:8501", "http://localhost", "")
    others += ("http://evil.test:8501", "file://localhost:8501")
    for origin in ("http://localhost:8501", "https://localhost:8501", *others):
        [message] = ask("localhost:8501", origin=origin, kind="websocket", path="/_stcore/stream")
        assert (origin, message.get("code")) == (origin, 1008 if origin in others else None)


def test_changes_come_from_a_page_of_the_same_host():
    """A form or an upload of another site is refused; a program sends no origin, and reading needs none of ours."""
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        upload: dict[str, Any] = {"method": method, "path": "/_stcore/upload_file/1/2"}
        assert status("localhost:8501", origin="http://evil.test", **upload) == 403
        assert status("localhost:8501", origin="http://localhost:8501", **upload) == 200
        assert status("localhost:8501", **upload) == 200
    assert status("localhost:8501", origin="http://news.example") == 200
