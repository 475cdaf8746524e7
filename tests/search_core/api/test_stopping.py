"""How the end of the server is told."""

from __future__ import annotations

import asyncio
import signal
import threading

import pytest
from uvicorn import Config, Server

from search_core.api import Stopping
from search_core.api.stopping import GRACE_S

SOON_S = 60


def test_everybody_who_waits_is_told():
    """Whoever waits, on whichever event loop, goes on when the sign is given; nobody stays noted."""
    sign = Stopping()
    waiting = threading.Barrier(4)
    told: list[int] = []

    def wait(place: int) -> None:
        async def work() -> None:
            task = asyncio.create_task(sign.wait())
            await asyncio.sleep(0)
            waiting.wait(SOON_S)
            await task
            told.append(place)

        asyncio.run(work())

    threads = [threading.Thread(target=wait, args=(place,)) for place in range(3)]
    for thread in threads:
        thread.start()
    waiting.wait(SOON_S)
    assert sign.waiting == 3
    sign.begin()
    for thread in threads:
        thread.join(SOON_S)
    assert sorted(told) == [0, 1, 2]
    assert sign.waiting == 0


def test_after_the_sign_nobody_waits():
    """Who comes late goes on at once, and a second sign changes nothing."""
    sign = Stopping()
    sign.begin()
    sign.begin()
    asyncio.run(asyncio.wait_for(sign.wait(), SOON_S))


def test_signals_give_the_sign_and_do_what_they_did():
    """SIGTERM gives the sign, and the handler that was there before is called; after the block everything is as it was."""
    sign = Stopping()
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    ours = signal.getsignal(signal.SIGTERM)
    try:
        with sign.on_signals():
            signal.raise_signal(signal.SIGTERM)
            assert sign.begun
        assert heard == [signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is ours
    finally:
        signal.signal(signal.SIGTERM, before)


def test_what_nobody_handled_stays_unhandled():
    """A signal that ends the process goes on ending it."""
    with Stopping().on_signals():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_beside_the_main_thread_signals_stay_as_they_are():
    """Only the main thread may touch signals, and a server on another thread does not try."""
    before = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    def serve() -> None:
        with Stopping().on_signals():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join(SOON_S)
    assert seen == [before]


@pytest.mark.parametrize(("own", "then"), [(None, GRACE_S), (60, 60)])
def test_a_server_without_a_limit_gets_one(own: int | None, then: int):
    """uvicorn, as Streamlit starts it, would wait for ever for a reader that takes nothing; a limit it was given stays."""
    server = Server(Config(lambda: None, timeout_graceful_shutdown=own))
    sign = Stopping()
    before = signal.signal(signal.SIGTERM, server.handle_exit)
    try:
        with sign.on_signals():
            assert sign.server is server
            assert server.config.timeout_graceful_shutdown == then
    finally:
        signal.signal(signal.SIGTERM, before)


def test_another_server_is_left_alone():
    """Where the handler is not uvicorn's there is no server to cut connections of."""
    sign = Stopping()
    with sign.on_signals():
        assert sign.server is None
