"""The slow start of the server stands in nobody's way."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pages.parts import failing, services, starting
from search_core.errors import SettingsError
from tests.app.core_double import CoreDouble


class SlowCore(CoreDouble):
    """Notes when it is told to load, and who was there then."""

    def __init__(self) -> None:
        super().__init__()
        self.painted_before_loading: bool | None = None
        self.loaded = threading.Event()

    def warm_up(self) -> None:
        self.painted_before_loading = starting._painted.is_set()
        self.loaded.set()


@pytest.fixture
def fresh(monkeypatch):
    """Give the module the events of a server that has just started."""
    for name in ("_visited", "_painted"):
        monkeypatch.setattr(starting, name, threading.Event())
    yield
    services.provide(services.from_settings)


async def answer(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


async def ignore(message) -> None:
    return None


def test_a_visitor_is_painted_for_first(fresh):
    """With a visitor there, loading begins only when their page is painted."""
    core = SlowCore()
    services.provide(lambda: core)
    asyncio.run(starting.NoticeVisits(answer)({"type": "http", "path": "/"}, None, ignore))
    thread = threading.Thread(target=starting.get_ready)
    thread.start()
    assert not core.loaded.wait(0.2)
    starting.note_painted()
    thread.join(20)
    assert core.painted_before_loading is True


def test_a_monitor_is_no_visitor(fresh):
    """Who asks for the health of the server, or calls its API, does not keep it from getting ready."""
    for path in ("/healthz", "/metrics", "/api", "/api/chat", "/api/research/1/events"):
        asyncio.run(starting.NoticeVisits(answer)({"type": "http", "path": path}, None, ignore))
    assert not starting._visited.is_set()
    asyncio.run(starting.NoticeVisits(answer)({"type": "http", "path": "/apiary"}, None, ignore))
    assert starting._visited.is_set()


def test_the_server_notices_visits():
    """The app is built with the middleware that tells a visitor is there."""
    source = (Path(__file__).parents[2] / "app.py").read_text(encoding="utf-8")
    assert "Middleware(starting.NoticeVisits)" in source


def test_without_visitors_loading_begins_by_itself(fresh):
    """Nobody there: the slow parts load right away."""
    core = SlowCore()
    services.provide(lambda: core)
    starting.get_ready()
    assert core.painted_before_loading is False


def test_a_wrong_setting_ends_the_start_and_is_logged(fresh, caplog):
    """The server stays up; the setting is named in the log."""

    def broken():
        raise SettingsError("WEB_SEARCH_TIMEOUT: must be more than 0", korean="…")

    services.provide(broken)
    with caplog.at_level(logging.ERROR):
        starting.get_ready()
    assert "WEB_SEARCH_TIMEOUT" in caplog.text


def test_a_broken_page_logs_the_cause_and_shows_none_of_it(caplog):
    """Streamlit's own box stays away; the traceback is in the log."""
    with caplog.at_level(logging.ERROR):
        assert failing.show_unexpected(ZeroDivisionError("secret detail")) is True
    assert "secret detail" in caplog.text


def test_the_server_is_up_before_the_language_tools_are_loaded():
    """What serves the first paint, uploads among it, is imported without what takes seconds."""
    code = "import sys, app; print([name for name in ('kiwipiepy', 'openai', 'search_core.core') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
