"""The sign that the server stops."""

from __future__ import annotations

import signal
import threading

import pytest
from uvicorn import Config, Server

from search_core.api import Stopping
from search_core.api.stopping import GRACE_S

SOON_S = 60


def test_signals_give_the_sign_and_do_what_they_did():
    """SIGTERM gives the sign, and the handler that was there before is called; after the block everything is as it was."""
    sign = Stopping()
    received: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    ours = signal.getsignal(signal.SIGTERM)
    try:
        with sign.on_signals():
            signal.raise_signal(signal.SIGTERM)
            assert sign.begun
        assert received == [signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is ours
    finally:
        signal.signal(signal.SIGTERM, before)


def test_signals_that_are_not_ours_to_change_stay_as_they_are():
    """A signal nobody handles goes on ending the process; beside the main thread, which alone may, none is touched."""
    seen: list[object] = []

    def serve() -> None:
        sign = Stopping()
        with sign.on_signals():
            seen.append((signal.getsignal(signal.SIGTERM), sign.server))

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join(SOON_S)
    serve()
    assert seen == [(signal.SIG_DFL, None)] * 2


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
