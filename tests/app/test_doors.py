"""Every door of the real server is held to the names it is served under."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.app.test_ending import STREAMLIT, app, free_port

DOORS = (
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


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run the app as it is, with one name listed."""
    port = free_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALLOWED_HOSTS", "maekrak.example.com")
        with app(STREAMLIT, tmp_path_factory.mktemp("doors"), port, "http://127.0.0.1:9/v1"):
            yield port


def answer(port: int, path: str, headers: dict[str, str], method: str = "GET") -> tuple[int, http.client.HTTPMessage]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response.status, response.headers


@pytest.mark.parametrize("path", [*DOORS, "/metrics", "/api/providers", "/mcp"])
def test_a_foreign_name_is_refused_at_every_door(port, path):
    """Pages, uploads, media, numbers and API refuse a name that is pointed at this machine, with the security headers on it."""
    status, headers = answer(port, path, {"Host": f"evil.test:{port}"})
    assert status == 403
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_door_of_agents_is_shut_unless_it_is_opened(port):
    """The address of the tools for agents is no page; it says which setting opens it."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/mcp", b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}', {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert response.status == 404
        assert b"MCP_HTTP=true" in response.read()


@pytest.mark.parametrize("path", DOORS)
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "maekrak.example.com"])
def test_own_and_listed_names_pass(port, path, host):
    """The check itself stands in no visitor's way."""
    status, headers = answer(port, path, {"Host": host})
    assert status in (200, 404)
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost:{port}", "http://localhost:{port}", 101),
        ("maekrak.example.com", "https://maekrak.example.com", 101),
        ("127.0.0.1:{port}", "https://maekrak.example.com", 403),
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


def test_an_upload_from_another_site_is_refused(port):
    """What changes something needs a page of the same host."""
    headers = {"Host": f"localhost:{port}", "Origin": "http://localhost:9999", "Content-Length": "0"}
    assert answer(port, "/_stcore/upload_file/a/b", headers, "PUT")[0] == 403
