"""Fixtures of the Chromium tests: one browser, the app over played services, and the app over scripted answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.played_app import PlayedApp, played_app
from tests.browser.servers import environment, free_port, running
from tests.conftest import required_in_ci

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--single-threaded --min-semi-space-size=16",  # compiling and collecting beside the page cost a third more
]
PATIENCE_MS = 60_000
"""Upper bound for what a page is waited for: only a machine with far too much to do needs more than a few seconds."""

expect.set_options(timeout=PATIENCE_MS)


def find_chromium() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@contextmanager
def open_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS) as browser:
        yield browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the browser once, or say why not."""
    if find_chromium() is None:
        required_in_ci("no Chromium on this machine")
    with open_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedApp]:
    """Run the whole app over played services and a played model, once for all journeys."""
    with played_app(tmp_path_factory.mktemp("whole") / "data") as app:
        yield app


@pytest.fixture
def played(whole_app: PlayedApp) -> PlayedApp:
    """Return the whole app, whose services and model behave as at first."""
    whole_app.reset()
    return whole_app


@pytest.fixture(scope="session")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app over answers, research and checks that go one event further at each look of the page."""
    port = free_port()
    data = tmp_path_factory.mktemp("scripted")
    with running(["tests.browser.scripted_server", str(port)], port, "Uvicorn running", environment(data)) as address:
        yield address


@pytest.fixture
def visitor(chromium: Browser):
    """Return a function that opens a page in a profile of its own; errors, dialogs and requests to strangers fail the test."""
    problems: list[str] = []
    watching = {
        "pageerror": lambda error: problems.append(f"page error: {error}"),
        "console": lambda line: problems.extend(_complaint(line)),
        "request": lambda request: problems.extend(_stranger(request.url)),
        "dialog": lambda dialog: (problems.append(f"a script ran: {dialog.message}"), dialog.dismiss()),
    }
    opened: list[Page] = []

    def open_page(address: str, width: int = 1440, height: int = 1000, **options: object) -> Page:
        given = {"viewport": {"width": width, "height": height}, "locale": "ko-KR", "reduced_motion": "reduce", **options}
        context = chromium.new_context(**given)  # spinners that turn are drawn sixty times a second
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        opened.append(page)
        for event, note in watching.items():
            page.on(event, note)
        page.goto(address)
        return page

    yield open_page
    while_open = list(problems)  # what is cut off by the closing is no fault
    for page in opened:
        page.context.close()
    assert while_open == []


def _complaint(line: ConsoleMessage) -> list[str]:
    return [f"console: {line.text} ({line.location['url']})"] if line.type == "error" else []


def _stranger(url: str) -> list[str]:
    parts = urlsplit(url)
    return [f"request: {url}"] if parts.scheme.startswith("http") and parts.hostname != "127.0.0.1" else []
