"""Every answer of the real server, whatever it is asked, tells browsers what they may do with it."""

from __future__ import annotations

import httpx
import pytest

from pages.parts.headers import HEADERS

pytestmark = pytest.mark.browser

ROOM_S = 60
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/chat?chat=nobody", 200),
        ("GET", "/nowhere", 200),  # Streamlit answers with its page, which then says so
        ("PUT", "/", 405),
        ("GET", "/_stcore/health", 200),
        ("GET", "/_stcore/host-config", 200),
        ("PUT", "/_stcore/upload_file/nobody/nothing", 403),
        ("GET", "/app/static/PretendardVariable.woff2", 200),
        ("GET", "/app/static/nothing.woff2", 404),
        ("GET", "/media/nothing.png", 404),
        ("GET", "/component/nothing/index.html", 404),
        ("GET", "/..%2f..%2fetc/passwd", 400),
        ("GET", "/%00", 400),
        ("GET", "/auth/login", 302),
        ("GET", "/healthz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/api/openapi.json", 200),
        ("GET", "/api/nowhere", 404),
        ("GET", "/api/chat", 405),
        ("POST", "/api/chat", 415),
        ("OPTIONS", "/api/web-search", 405),
        ("GET", "/api/sessions/nobody", 404),
        ("GET", "/api/research", 200),
        ("GET", "/api/research/nobody/events", 404),
        ("DELETE", "/api/research/nobody", 404),
    ],
)
def test_every_answer_has_the_headers(app: str, method: str, path: str, status: int):
    """Pages, static files, errors, refusals and the addresses for machines: each has every header, once, as it is meant."""
    with httpx.Client(base_url=app, timeout=ROOM_S, trust_env=False) as client:
        assert_secured(client.request(method, path), status)


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({**JSON, "Origin": "http://evil.example"}, "{}", 403),
        ({**JSON, "X-Forwarded-For": "203.0.113.9"}, "{}", 401),
        (JSON, "{", 400),
        (JSON, f'{{"query": "{"가" * 30_000}"}}', 413),
        (JSON, '{"query": "메모리 대역폭이 왜 중요해?", "video_id": "sample-hbm"}', 200),
    ],
)
def test_every_answer_of_the_api_has_them(app: str, headers: dict[str, str], body: str, status: int):
    """Refusals, errors and a stream of events have them, too."""
    with httpx.Client(base_url=app, timeout=ROOM_S, trust_env=False) as client:
        answer = client.post("/api/chat", headers=headers, content=body.encode())
    assert_secured(answer, status)
    assert answer.headers["cache-control"].startswith("no-store")
    assert status != 200 or answer.headers["content-type"].startswith("text/event-stream")


def assert_secured(answer: httpx.Response, status: int) -> None:
    """Hold that *answer* has that status and the headers of the app."""
    assert answer.status_code == status
    told = {name: answer.headers.get_list(name) for name in (name.decode() for name, _ in HEADERS)}
    assert told == {name.decode(): [value.decode()] for name, value in HEADERS}
    assert "access-control-allow-origin" not in answer.headers or answer.request.url.path.startswith(
        ("/_stcore", "/app", "/media")
    )
    assert "server" not in answer.headers or "/" not in answer.headers["server"]
