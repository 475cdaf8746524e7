"""What models may be made to write and strangers write in exported files, in Chromium: nothing runs, loads or links elsewhere.

A script shows each text with ``st.markdown`` and in a chat bubble, and sends no content policy: what is written must be
harmless by itself. Every host a text can name leads to one canary, which counts connections.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.parts.shared.escaping import link, md
from search_core.models.llm.markdown import safe_markdown
from tests.browser.conftest import FLAGS, find_chromium
from tests.browser.servers import running_app
from tests.loopback.http_server import LoopbackServer, QuietHandler
from tests.search_core.models.llm.hostile_markdown import LINKS, OURS, PAYLOADS

pytestmark = pytest.mark.browser

SCRIPT = """
import json
from pathlib import Path

import streamlit as st

shown = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
for name, text in shown[st.query_params["show"]].items():
    with st.container(key=f"text-{name}"):
        st.markdown(text)
    with st.container(key=f"bubble-{name}"), st.chat_message("assistant"):
        st.markdown(text)
st.markdown("The end.")
"""
DRAWN = "img, picture, video, audio, iframe, object, embed, script, style, link, meta, base, form, input, canvas, .katex"
COLOURED = "[class*=stMarkdownColored], [class*=stMarkdownBadge], [data-testid=stIconMaterial], span:not(code *)[style*=color]"
PICTURES_SEEN = {"inline-image", "image-reference", "image-collapsed", "image-shortcut", "image-in-table", "image-wide-dot"}


class Canary(QuietHandler):
    """Plays every stranger, and keeps what is asked for."""

    def answer(self) -> None:
        self.server.played.append(self.path)
        self.respond(204, (), b"")


@pytest.fixture(scope="module")
def canary() -> Iterator[LoopbackServer]:
    with LoopbackServer([], Canary) as server:
        yield server


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the payloads as they are, as they are written in answers, and as titles."""
    folder = tmp_path_factory.mktemp("markdown")
    shown = {
        "raw": dict(PAYLOADS),
        "written": {name: safe_markdown(f"{text}\n\n나와요 [1, 2].", LINKS) for name, text in PAYLOADS.items()},
        "titles": {
            name: f"{md(text)}\n\n**{md(text, 60)}** · {link(text, 'https://news.example/a')}\n\n| a |\n|---|\n| {md(text)} |"
            for name, text in PAYLOADS.items()
        },
    }
    script = folder / "show.py"
    script.write_text(SCRIPT, "utf-8")
    script.with_suffix(".json").write_text(json.dumps(shown), "utf-8")
    with running_app(folder / "data", script=str(script)) as address:
        yield address


@dataclass
class Reader:
    """A tab of a browser that takes the canary for all hosts under ``example`` and finds no other."""

    page: Page
    address: str
    dialogs: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def read(self, show: str) -> Page:
        """Open what is shown under that name, and return the page when nothing more is loaded."""
        self.dialogs.clear()
        self.asked.clear()
        self.page.goto(f"{self.address}/?show={show}")
        expect(self.page.get_by_text("The end.", exact=True).first).to_be_visible()
        self.page.wait_for_load_state("networkidle")
        return self.page


@pytest.fixture(scope="module")
def reader(chromium: Browser, texts: str, canary: LoopbackServer) -> Iterator[Reader]:
    rules = f"MAP *.example 127.0.0.1:{canary.server_port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    browser = chromium.browser_type.launch(executable_path=find_chromium(), args=[*FLAGS, f"--host-resolver-rules={rules}"])
    reader = Reader(browser.new_page(locale="ko-KR"), texts)
    reader.page.on("dialog", lambda dialog: (reader.dialogs.append(dialog.message), dialog.dismiss()))
    reader.page.on("request", lambda request: reader.asked.append(request.url))
    yield reader
    browser.close()


def test_only_raw_text_asks_strangers(reader: Reader, canary: LoopbackServer):
    """Payloads shown as sent load pictures; as answers and titles they load and draw nothing."""
    canary.connections = 0
    canary.played.clear()
    for show, ours in (("written", OURS), ("titles", {"https://news.example/a"})):
        page = reader.read(show)
        shown = page.locator("[data-testid=stMarkdownContainer]")
        assert shown.count() > 2 * len(PAYLOADS)
        links = shown.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert {link for link in links if not link.startswith("#")} == ours
        assert shown.locator(DRAWN).evaluate_all("all => all.map(one => one.outerHTML)") == []
        assert shown.locator(COLOURED).evaluate_all("all => all.map(one => one.outerHTML)") == []
        assert (canary.connections, canary.played, reader.dialogs) == (0, [], [])
        assert [url for url in reader.asked if not url.startswith(reader.address)] == []
    page = reader.read("raw")  # the traps are set
    assert page.locator(".st-key-text-directives").locator(COLOURED).count() >= 2
    assert {path.strip("/").partition("?")[0] for path in canary.played} >= PICTURES_SEEN
