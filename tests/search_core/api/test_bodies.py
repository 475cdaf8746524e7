"""Bodies that do not arrive."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import ClientDisconnect, Request

from search_core.api.bodies import ChatBody, read_body
from search_core.api.problems import ApiError


def request(*messages: dict) -> Request:
    """Return a request that receives *messages* and then nothing more."""
    return receiving(list(messages))


def receiving(waiting: list[dict]) -> Request:
    """Return a request that takes what it receives out of *waiting*."""

    async def receive() -> dict:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    headers = [(b"content-type", b"application/json")]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}, receive)


def part(body: bytes, more: bool = True) -> dict:
    return {"type": "http.request", "body": body, "more_body": more}


def test_a_body_that_comes_too_slowly_is_not_waited_for():
    """The rest of a body that does not arrive in time is a typed 408."""
    with pytest.raises(ApiError) as caught:
        asyncio.run(read_body(request(part(b'{"query"')), ChatBody, within_s=0.01))
    assert (caught.value.status, caught.value.kind) == (408, "too_slow")


def test_a_client_that_leaves_is_no_bad_body():
    """Nobody is answered."""
    with pytest.raises(ClientDisconnect):
        asyncio.run(read_body(request(part(b'{"query"'), {"type": "http.disconnect"}), ChatBody))


def test_a_body_in_pieces_is_one():
    """Where it is cut does not matter, not even within a letter."""
    whole = '{"query": "왜?"}'.encode()
    pieces = [part(whole[:13]), part(whole[13:], more=False)]
    assert asyncio.run(read_body(request(*pieces), ChatBody)).query == "왜?"


def test_a_body_without_end_is_left():
    """A sender that never stops is not read for ever, and little of what it sends is kept."""
    endless = [part(b"x" * 1_000_000) for _ in range(20)]
    with pytest.raises(ApiError) as caught:
        asyncio.run(read_body(receiving(endless), ChatBody))
    assert caught.value.status == 413
    assert len(endless) > 10
