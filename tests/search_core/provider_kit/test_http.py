"""The one HTTP client: bounds, retries, redirects, and what its errors say."""

from __future__ import annotations

import asyncio
import gzip
import logging
import zlib
from collections.abc import Iterator, Mapping

import httpx
import pytest

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.provider_kit.http import HttpAnswer, HttpClient, user_agent
from tests.loopback.world import World

MIB = 1024 * 1024
JSON = {"content-type": "application/json"}


@pytest.fixture
def world() -> Iterator[World]:
    with World() as played:
        yield played


def get(world: World, *, timeout_s: float = 5.0, max_bytes: int = 2 * MIB, params: Mapping[str, str] | None = None) -> HttpAnswer:
    """Return what one request to the played service gives."""

    async def one() -> HttpAnswer:
        client = HttpClient(timeout_s=timeout_s, agent="Maekrak/0.2 (test)", max_bytes=max_bytes)
        try:
            return await client.get(f"{world.settings()['searxng_url']}/search", params=params or {"q": "비밀 질문"})
        finally:
            await client.aclose()

    return asyncio.run(one())


def refused(world: World, **options: object) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        get(world, **options)
    return caught.value


def test_an_answer_is_read_whole(world: World):
    """Status, headers in lower case and body come back; the query arrives as it was."""
    world.play("searxng", answer=(200, {**JSON, "X-Thing": "값".encode().decode("latin-1")}, '{"가": 1}'.encode()))
    answer = get(world)
    assert (answer.status, answer.host, answer.json()) == (200, "127.0.0.1", {"가": 1})
    assert "x-thing" in answer.headers
    assert world.asked == [("searxng", "비밀 질문")]


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress], ids=["gzip", "deflate"])
def test_packed_answers_are_unpacked(world: World, pack):
    """Gzip and deflate, which we ask for, are read."""
    encoding = "gzip" if pack is gzip.compress else "deflate"
    world.play("searxng", answer=(200, {**JSON, "content-encoding": encoding}, pack(b"[1, 2]" * 1000)))
    assert get(world).body == b"[1, 2]" * 1000


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"x" * (3 * MIB)),
        ({"content-encoding": "gzip"}, gzip.compress(b"\0" * (64 * MIB))),
        ({"content-encoding": "gzip, gzip"}, gzip.compress(gzip.compress(b"\0" * MIB))),
        ({"content-encoding": "br"}, b"\x0b\x02\x80"),
        ({"content-encoding": "gzip"}, b"no gzip at all"),
    ],
    ids=["large", "bomb", "nested", "not asked for", "broken"],
)
def test_too_large_and_oddly_packed_answers_cannot_be_read(world: World, headers: dict[str, str], body: bytes):
    """Neither wire nor unpacked bytes pass the bound, and only what was asked for is unpacked."""
    world.play("searxng", answer=(200, headers, body))
    assert refused(world).status is SearchStatus.INVALID_RESPONSE


@pytest.mark.parametrize(("failure", "asked"), [("503", 2), ("500", 1), ("429", 1), ("403", 1), ("html", 1)])
def test_only_passing_trouble_is_tried_again_and_once(world: World, failure: str, asked: int):
    """503 is asked twice; refusals, limits and wrong answers once."""
    world.play("searxng", failure=failure)
    if failure == "html":
        get(world)
    else:
        refused(world)
    assert world.times_asked("searxng") == asked


@pytest.mark.parametrize(("failure", "out_of_order"), [("500", True), ("503", True), ("reset", False)])
def test_an_answer_of_500_and_above_is_no_connection_that_fails(world: World, failure: str, out_of_order: bool):
    """Both are network errors by name, but only where nothing came is the user sent to look at the connection."""
    world.play("searxng", failure=failure)
    error = refused(world)
    assert (error.status, error.out_of_order) == (SearchStatus.NETWORK_ERROR, out_of_order)
    assert ("인터넷" in error.korean) is not out_of_order


def test_a_long_retry_after_is_not_waited_for(world: World):
    """A 503 that asks for a minute is handed on with its pause, and not asked again."""
    world.play("searxng", answer=(503, {"retry-after": "60"}, b""))
    error = refused(world)
    assert (error.status, error.retry_after_s, world.times_asked("searxng")) == (SearchStatus.NETWORK_ERROR, 60, 1)


def test_a_second_try_that_succeeds_is_a_success(world: World):
    """Trouble that has passed at the second try leaves no trace."""
    world.play("searxng", first=[(502, {}, b"")], answer=(200, JSON, b"[]"))
    assert get(world).json() == []
    assert world.times_asked("searxng") == 2


def test_time_bounds_the_whole_request(world: World):
    """A body that drips in forever ends as a timeout, though every single read is quick."""
    world.play("searxng", failure="drip")
    assert refused(world, timeout_s=0.3).status is SearchStatus.TIMEOUT


def test_redirects_stay_on_their_host(world: World):
    """A permanent redirect is followed on the same host only, and not in circles."""
    world.play("searxng", answer=(301, {"location": "/wikipedia/ko/page?q=x"}, b""))
    assert get(world).json()["pages"]
    world.play("searxng", answer=(308, {"location": "http://localhost.invalid/elsewhere?key=geheim"}, b""))
    error = refused(world)
    assert error.status is SearchStatus.INVALID_RESPONSE
    assert "geheim" not in str(error)
    world.play("searxng", answer=(301, {"location": "/searxng/search"}, b""))
    assert refused(world).status is SearchStatus.INVALID_RESPONSE


@pytest.mark.parametrize("body", [b'<div class="g-recaptcha"></div>', b"<p>Our systems have detected unusual traffic</p>"])
def test_a_challenge_page_instead_of_json_is_a_block(world: World, body: bytes):
    """A page that asks for a human says blocked; any other page says unreadable."""
    world.play("searxng", answer=(200, {"content-type": "text/html"}, body))
    with pytest.raises(ProviderError) as caught:
        get(world).json()
    assert caught.value.status is SearchStatus.BLOCKED


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/x?key=geheim", "http://[::1/x?key=geheim", "ftp://127.0.0.1/?key=geheim"])
def test_unreachable_and_impossible_addresses_are_network_errors(url: str):
    """No address makes the client raise anything else, and no error text holds the query."""

    async def one() -> None:
        client = HttpClient(timeout_s=2, agent="Maekrak/0.2 (test)")
        try:
            await client.get(url, params={"q": "geheim"})
        finally:
            await client.aclose()

    with pytest.raises(ProviderError) as caught:
        asyncio.run(one())
    assert caught.value.status is SearchStatus.NETWORK_ERROR
    assert "geheim" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_nothing_of_a_query_is_logged(world: World, caplog: pytest.LogCaptureFixture):
    """At the most talkative log level, neither success nor failure writes the query down."""
    caplog.set_level(logging.DEBUG)
    get(world, params={"q": "geheim", "key": "schluessel"})
    world.play("searxng", failure="503")
    refused(world, params={"q": "geheim", "key": "schluessel"})
    world.play("searxng", failure="reset")
    refused(world, params={"q": "geheim", "key": "schluessel"})
    assert "geheim" not in caplog.text
    assert "schluessel" not in caplog.text


def test_cancelling_closes_the_connection(world: World):
    """A cancelled request is gone at once, and the server sees the client leave."""
    world.play("searxng", failure="hang")

    async def cancel() -> float:
        client = HttpClient(timeout_s=30, agent="Maekrak/0.2 (test)")
        task = asyncio.create_task(client.get(f"{world.settings()['searxng_url']}/search"))
        await asyncio.to_thread(world.arrived.wait, 5)
        started = asyncio.get_running_loop().time()
        task.cancel()
        await asyncio.wait({task})
        took_s = asyncio.get_running_loop().time() - started
        assert task.cancelled()
        await client.aclose()
        return took_s

    assert asyncio.run(cancel()) < 0.5
    world.over.set()
    world.left.wait(5)
    assert world.cut == ["searxng"]


def test_the_user_agent_names_us_and_a_contact():
    """Wikimedia's rule: who we are, how to reach us, which library; a missing contact is admitted."""
    assert user_agent("https://example.org/us") == f"Maekrak/0.2 (https://example.org/us) httpx/{httpx.__version__}"
    assert user_agent("") == f"Maekrak/0.2 (contact not configured) httpx/{httpx.__version__}"
