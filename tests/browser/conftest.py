"""The real app in real Chromium: ``streamlit run app.py`` with the real core, its library, and nobody else to ask."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.conftest import required_in_ci

ROOT = Path(__file__).parents[2]
START_S = 90
"""Upper bound for a cold start on a busy machine."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",  # a microphone that beeps
    "--use-fake-ui-for-media-stream",
]
HOSTILE_TITLE = "<img src=x onerror=alert(1)> ![그림](http://203.0.113.7/beacon.png) [눌러](javascript:alert(1)) 대역폭 함정"
HOSTILE_TEXT = (
    "메모리 대역폭 대역폭 대역폭 이야기입니다. <script>alert(document.title)</script> ![그림](http://203.0.113.7/b.png) "
    "# 제목처럼 :red[빨강] $x^2$ <iframe src='http://203.0.113.7/'></iframe> 메모리 대역폭은 왜 중요한가."
)

PATIENCE_MS = 60_000
"""Upper bound for what a page is waited for: only a machine with far too much to do needs more than a few seconds."""

expect.set_options(timeout=PATIENCE_MS)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return the environment of a Maekrak of its own, which asks nobody but its library unless *more* says otherwise."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CI",)}
    own = {"MAEKRAK_DATA_DIR": str(data), "SEARCH_PROVIDERS": "library", "EMBEDDING_MODEL": "kiwi", "SEARXNG_URL": ""}
    return {**kept, **own, **more}


@contextmanager
def running_app(data: Path, *, script: str = "app.py", **more: str) -> Iterator[str]:
    """Run the app, or another *script*, on a free port and give its address; its log is part of the failure to start.

    *more* is added to its environment.
    """
    port = free_port()
    command = ["streamlit", "run", script, "--server.port", str(port), "--server.address", "127.0.0.1"]
    with running(command, port, "URL:", environment(data, **more)) as address:
        yield address


@contextmanager
def running(module: Sequence[str], port: int, sign: str, variables: Mapping[str, str]) -> Iterator[str]:
    """Run a Python module with its arguments, which serves on *port*; it is up when it has printed *sign*."""
    command = [sys.executable, "-m", *module]
    server = subprocess.Popen(command, cwd=ROOT, env=dict(variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log: list[str] = []
    up = threading.Event()

    def read() -> None:
        assert server.stdout is not None
        for line in server.stdout:
            log.append(line)
            if sign in line:
                up.set()
        up.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert up.wait(START_S), "".join(log)
        assert server.poll() is None, "".join(log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            pytest.fail("the server did not end by itself:\n" + "".join(log[-30:]))
        reader.join(5)
        if server.stdout is not None:
            server.stdout.close()
        assert not any("Traceback" in line for line in log), "".join(log)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the browser once, or say why not."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        required_in_ci("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run one app for all visits; its library holds the samples and one document full of traps."""
    folder = tmp_path_factory.mktemp("app")
    trap = folder / "trap.html"
    title = HOSTILE_TITLE.replace("<", "&lt;").replace(">", "&gt;")
    text = HOSTILE_TEXT.replace("<", "&lt;").replace(">", "&gt;")
    trap.write_text(f"<html><head><title>{title}</title></head><body><article><p>{text}</p></article></body></html>", "utf-8")
    subprocess.run(
        [sys.executable, "-m", "search_core", "index", str(trap)], cwd=ROOT, env=environment(folder / "data"), check=True
    )
    with running_app(folder / "data") as address:
        yield address


@pytest.fixture
def visitor(chromium: Browser):
    """Return a function that opens a page at an address; page errors, console errors and requests to strangers fail the test."""
    problems: list[str] = []
    contexts = []

    def open_page(address: str, width: int = 1440, height: int = 1000, **options: object) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, locale="ko-KR", **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"page error: {error}"))
        page.on("console", lambda line: problems.extend(_complaint(line)))
        page.on("request", lambda request: problems.extend(_stranger(request.url)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app over answers and research that are told an event at each look of the page."""
    port = free_port()
    data = tmp_path_factory.mktemp("scripted")
    with running(["tests.browser.chat_server", str(port)], port, "Uvicorn running", environment(data)) as address:
        yield address


def open_sample(page: Page) -> Page:
    """Open the first sample video on *page*, and return that page when the video is there."""
    page.locator(".st-key-open-sample-0 button").click()
    expect(page.locator(".st-key-change-video button").first).to_be_visible()
    return page


def be_still(page: Page) -> None:
    """Wait until the page is drawn to its end: a panel that is clicked while it is drawn anew may close again."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def unfold(fold: Locator) -> None:
    """Click the head of a panel, and return when what is in it is there and the page is drawn to its end."""
    be_still(fold.page)
    fold.locator("summary").first.click()
    expect(fold.get_by_test_id("stExpanderDetails").get_by_test_id("stElementContainer").first).to_be_visible()
    be_still(fold.page)


def visible_buttons(page: Page, key: str) -> Locator:
    """Return the buttons in sight whose key begins like that; Streamlit keeps old ones beside new ones for a moment."""
    return page.locator(f"[class*='st-key-{key}'] button:visible")


def _complaint(line: ConsoleMessage) -> list[str]:
    return [f"console: {line.text} ({line.location['url']})"] if line.type == "error" else []


def _stranger(url: str) -> list[str]:
    parts = urlsplit(url)
    return [f"request: {url}"] if parts.scheme.startswith("http") and parts.hostname != "127.0.0.1" else []
