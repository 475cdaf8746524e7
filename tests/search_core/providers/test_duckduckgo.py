"""DuckDuckGo through the real ddgs engine and the real transport, against a TLS loopback proxy."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from datetime import UTC, datetime
from urllib.parse import parse_qs

from search_core.domain import SearchStatus
from search_core.providers import build
from search_core.providers.kit import SearchRequest
from search_core.settings import Settings
from tests.loopback.world import HTML_TYPE, Page, World
from tests.search_core.providers.provider_calls import EmptyLibrary, ask, refusal_of

BOUND_S = 20.0
"""Far less than what is cancelled would take."""


def html_answer(body: str | bytes, status: int = 200) -> dict[str, object]:
    return {"answer": (status, {"content-type": HTML_TYPE}, body.encode() if isinstance(body, str) else body)}


def test_results_come_with_dates_and_without_wrapping_or_advertisements(world: World):
    """Links lead where they say, Korean paths stay as sent, dates are read; words of a block page in a text are no block."""
    url = "https://example.kr/%EA%B8%80?a=1&b=%26"
    dated = Page(title="첫 <글> & 제목", url=url, snippet="g-recaptcha", published="2026-08-14T00:00:00")
    world.play(
        "duckduckgo", pages=(dated, Page(title="What is anomaly-modal?", url="http://example.org/", snippet="no date here"))
    )
    first, second = ask(world, "duckduckgo")
    assert (first.title, first.url, first.snippet) == ("첫 <글> & 제목", url, "g-recaptcha")
    assert first.publish_date == datetime(2026, 8, 14, tzinfo=UTC)
    assert (second.title, second.url, second.publish_date) == ("What is anomaly-modal?", "http://example.org/", None)
    assert (second.language, second.ranks) == ("en", (("duckduckgo", 2),))


def test_one_host_is_asked_with_the_query_region_and_freshness(world: World):
    """Only html.duckduckgo.com gets the query, as the form of the ddgs engine, at most 499 characters of it."""
    ask(world, "duckduckgo", "가나다 " * 200, freshness="week")
    assert world.proxy is not None
    assert [(seen.method, seen.host, seen.target) for seen in world.proxy.requests] == [("POST", "html.duckduckgo.com", "/html/")]
    form = parse_qs(world.proxy.requests[0].body.decode())
    assert (form["l"], form["df"]) == (["kr-kr"], ["w"])
    assert len(form["q"][0]) == 499
    assert "Mozilla" in world.proxy.requests[0].headers["user-agent"]


def test_the_address_is_the_titles_where_there_is_no_snippet(world: World):
    """A result without a text stays a result, and one of the site with scripts is read by the same marks."""
    bare = '<h2 class="result__title"><a class="result__a" href="https://example.kr/bare">본문 없는 결과</a></h2>'
    scripted = (
        '<h2><a class="result__a" href="https://example.kr/2">둘째</a>'
        '<a class="result__check" href="https://example.kr/2">본 곳</a></h2>'
        '<div class="result__snippet">둘째 <b>본문</b></div>'
    )
    blocks = "".join(f'<div class="result__body links_main">{block}</div>' for block in (bare, scripted))
    world.play("duckduckgo", **html_answer(f'<div id="links">{blocks}</div>'))
    assert [(found.title, found.url, found.snippet) for found in ask(world, "duckduckgo")] == [
        ("본문 없는 결과", "https://example.kr/bare", ""),
        ("둘째", "https://example.kr/2", "둘째 본문"),
    ]


def test_an_unknown_authority_is_a_network_error(world: World):
    """Without the authority's file the proxy's certificate is refused: verification is on."""
    error = refusal_of(world, "duckduckgo", settings={"proxy_ca_file": ""})
    assert error.status is SearchStatus.NETWORK_ERROR
    assert "SSL_CERT_FILE" in error.korean
    assert world.asked == []


def test_cancelling_closes_the_socket(world: World):
    """The transport runs on threads of its own, and still lets go of the connection at once."""
    world.play("duckduckgo", failure="hang")

    async def cancel(proxy: str, gone: threading.Event) -> float:
        settings = Settings(search_providers="duckduckgo", **world.settings(web_search_timeout=60, ddgs_proxy=proxy))
        provider = build(settings, EmptyLibrary())["duckduckgo"]
        task = asyncio.create_task(provider.search(SearchRequest(query="x")))
        assert await asyncio.to_thread(world.arrived.wait, BOUND_S)
        assert not gone.is_set()
        started = asyncio.get_running_loop().time()
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        assert await asyncio.to_thread(gone.wait, BOUND_S)
        return asyncio.get_running_loop().time() - started

    with socket.create_server(("127.0.0.1", 0)) as listener:
        gone = threading.Event()
        threading.Thread(target=relay, args=(listener, world.settings()["ddgs_proxy"], gone), daemon=True).start()
        took_s = asyncio.run(cancel(f"http://127.0.0.1:{listener.getsockname()[1]}", gone))
    assert took_s < BOUND_S


def relay(listener: socket.socket, proxy: str, gone: threading.Event) -> None:
    """Hand the bytes of one client on to *proxy* and back; set *gone* when the client has closed its connection."""
    client, _ = listener.accept()
    onward = socket.create_connection(("127.0.0.1", int(proxy.rpartition(":")[2])))

    def back() -> None:
        with contextlib.suppress(OSError):
            while data := onward.recv(65_536):
                client.sendall(data)

    threading.Thread(target=back, daemon=True).start()
    with client, onward, contextlib.suppress(ConnectionResetError):
        while data := client.recv(65_536):
            onward.sendall(data)
    gone.set()
