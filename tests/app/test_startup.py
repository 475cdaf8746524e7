"""The slow parts of the server load without delaying its first visitor."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from starlette.websockets import WebSocketDisconnected

from pages.parts.shared import frame, services
from pages.parts.shared.server import Visitors
from search_core.errors import SettingsError
from tests.app.core_double import CoreDouble


@pytest.fixture
def fresh(monkeypatch):
    for name in ("_visited", "_painted"):
        monkeypatch.setattr(services, name, threading.Event())
    yield
    services.provide(services.from_settings)


async def answer(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def ignore(message) -> None:
    return None


def test_a_visitor_is_painted_for_first(fresh):
    """With a visitor there, and no monitor alone, loading begins when their page is painted; without one, right away."""
    for path in ("/healthz", "/metrics", "/api", "/api/chat", "/api/research/1/events"):
        services.note_visit(path)
    asyncio.run(Visitors(answer)({"type": "lifespan"}, ignore, ignore))
    assert not services._visited.is_set()
    core, painted_before = CoreDouble(), SimpleQueue[bool]()
    core.warm_up = lambda: painted_before.put(services._painted.is_set())
    services.provide(lambda: core)
    services.get_ready()
    assert painted_before.get() is False
    asyncio.run(Visitors(answer)({"type": "http", "path": "/"}, ignore, ignore))
    assert services._visited.is_set()
    thread = threading.Thread(target=services.get_ready)
    thread.start()
    with pytest.raises(Empty):
        painted_before.get(timeout=0.2)
    services.note_painted()
    thread.join(20)
    assert painted_before.get() is True


def test_what_breaks_is_logged_and_not_shown(fresh, caplog):
    """A wrong setting ends the start and is named in the log; so is the cause of a broken page, without Streamlit's own box."""

    def broken():
        raise SettingsError("WEB_SEARCH_TIMEOUT: must be more than 0", korean="…")

    services.provide(broken)
    with caplog.at_level(logging.ERROR):
        services.get_ready()
        assert frame.show_unexpected(ZeroDivisionError("secret detail")) is True
    assert "WEB_SEARCH_TIMEOUT" in caplog.text
    assert "secret detail" in caplog.text


def test_the_server_is_up_before_the_language_tools_are_loaded():
    """What serves the first paint, uploads among it, is imported without what takes seconds."""
    code = "import sys, app; print([name for name in ('kiwipiepy', 'openai', 'search_core.core') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_visitor_who_leaves_between_two_messages_is_no_error():
    """The second close that Streamlit sends then ends with the visit; what else goes wrong is passed on."""

    async def leave(error: Exception, *_: object) -> None:
        raise error

    asyncio.run(Visitors(partial(leave, WebSocketDisconnected("closed")))({"type": "websocket"}, ignore, ignore))
    with pytest.raises(RuntimeError, match="broken"):
        asyncio.run(Visitors(partial(leave, RuntimeError("broken")))({"type": "websocket"}, ignore, ignore))


def test_a_flood_of_messages_leaves_the_loop_to_others():
    """Messages that have all come at once are handed on one after the other, and what else waits runs in between."""

    async def come() -> dict[str, object]:
        return {"type": "websocket.receive", "bytes": b""}

    async def take(_: object, receive, __: object) -> None:
        for _number in range(3):
            await receive()

    async def visit() -> int:
        visiting, turns = asyncio.create_task(Visitors(take)({"type": "websocket"}, come, ignore)), 0
        while not visiting.done():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(visit()) > 20  # messages that are handed on at once take two
