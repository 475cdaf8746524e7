"""What models may be made to write, in a real reader's browser: no stranger is asked, nothing runs, no link is foreign.

The script shows each text with ``st.markdown`` and in a chat bubble, and sends no content policy: what is written must be
harmless by itself. Every name a text can ask for leads to one canary, which counts connections.
"""

from __future__ import annotations

import json
import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.parts.escaping import link, md
from search_core.llm import safe_markdown
from tests.browser.conftest import BROWSERS, FLAGS, running_app
from tests.search_core.llm.hostile_markdown import LINKS, OURS, PAYLOADS

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
ONE_PICTURE = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00"
    b",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)
DRAWN = "img, picture, video, audio, iframe, object, embed, script, style, link, meta, base, form, input, canvas, .katex"
COLOURED = "[class*=stMarkdownColored], [class*=stMarkdownBadge], [data-testid=stIconMaterial], span:not(code *)[style*=color]"
PICTURES_SEEN = {"inline-image", "image-reference", "image-collapsed", "image-shortcut", "image-in-table", "image-wide-dot"}
BEGINNINGS = 60

ANSWER = """
# 요약

메모리 **대역폭**은 3 < 5 처럼 $5 와 $3, 12:30 에 *중요*해요 [1].

- 하나: 50%
  1. 둘 a_b_c

| 이름 | 값 |
|:--|--:|
| 가 | 3:2 |

```python
print("<b>안녕</b>")
```

> 인용 #1
"""
READ = [
    "요약",
    "메모리 대역폭은 3 < 5 처럼 $5 와 $3, 12:30 에 중요해요 [1].",
    "하나: 50%",
    "둘 a_b_c",
    "이름\t값",
    "가\t3:2",
    'print("<b>안녕</b>")',
    "인용 #1",
]


class Canary(ThreadingHTTPServer):
    """Plays every stranger: counts who connects, and hands out a picture."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.connections = 0
        self.paths: list[str] = []

    def get_request(self) -> tuple[Any, Any]:
        self.connections += 1
        return super().get_request()


class _Handler(BaseHTTPRequestHandler):
    server: Canary

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        self.send_response(200)
        self.send_header("content-type", "image/gif")
        self.send_header("content-length", str(len(ONE_PICTURE)))
        self.end_headers()
        self.wfile.write(ONE_PICTURE)

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def canary() -> Iterator[Canary]:
    with Canary() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the payloads as they are and as they are written, beginnings of them, and an honest answer."""
    folder = tmp_path_factory.mktemp("markdown")
    places = [(name, end) for name, text in PAYLOADS.items() for end in range(1, len(text))]
    sampled = random.Random(7).sample(places, BEGINNINGS)
    shown = {
        "raw": dict(PAYLOADS),
        "written": {
            **{name: safe_markdown(f"{text}\n\n나와요 [1, 2].", LINKS) for name, text in PAYLOADS.items()},
            **{f"{name}-{end}": safe_markdown(PAYLOADS[name][:end], LINKS) for name, end in sampled},
        },
        "titles": {
            name: f"{md(text)}\n\n**{md(text, 60)}** · {link(text, 'https://news.example/a')}\n\n| a |\n|---|\n| {md(text)} |"
            for name, text in PAYLOADS.items()
        },
        "honest": {"answer": safe_markdown(ANSWER, LINKS)},
    }
    script = folder / "show.py"
    script.write_text(SCRIPT, "utf-8")
    script.with_suffix(".json").write_text(json.dumps(shown), "utf-8")
    with running_app(folder / "data", script=str(script)) as address:
        yield address


@contextmanager
def reading(chromium: Browser, address: str, strangers: Canary, dialogs: list[str], asked: list[str]) -> Iterator[Page]:
    """Give the page at *address* in a browser that takes *strangers* for all hosts under ``example`` and finds no other."""
    found = next(path for name in BROWSERS if (path := shutil.which(name)))
    rules = f"MAP *.example 127.0.0.1:{strangers.server_address[1]}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    browser = chromium.browser_type.launch(executable_path=found, args=[*FLAGS, f"--host-resolver-rules={rules}"])
    try:
        page = browser.new_page(locale="ko-KR")
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        expect(page.get_by_text("The end.", exact=True).first).to_be_visible()
        yield page
    finally:
        browser.close()


def test_the_canary_sees_what_raw_text_does(chromium: Browser, texts: str):
    """Shown as they were sent, pictures of every kind ask the stranger for themselves without a click."""
    with canary() as strangers, reading(chromium, f"{texts}/?show=raw", strangers, [], []) as page:
        page.wait_for_load_state("networkidle")
        assert page.locator(".st-key-text-directives").locator(COLOURED).count() >= 2
        assert {path.strip("/").partition("?")[0] for path in strangers.paths} >= PICTURES_SEEN


@pytest.mark.parametrize(("shown", "ours"), [("written", OURS), ("titles", {"https://news.example/a"})])
def test_nothing_written_asks_a_stranger(chromium: Browser, texts: str, shown: str, ours: set[str]):
    """As answers, beginnings of answers and titles of pages, payloads cause no request, dialog, drawing or foreign link."""
    dialogs: list[str] = []
    asked: list[str] = []
    with canary() as strangers, reading(chromium, f"{texts}/?show={shown}", strangers, dialogs, asked) as page:
        page.wait_for_load_state("networkidle")
        said = page.locator("[data-testid=stMarkdownContainer]")
        assert said.count() > 2 * len(PAYLOADS)
        links = said.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert {link for link in links if not link.startswith("#")} == ours
        assert said.locator(DRAWN).evaluate_all("all => all.map(one => one.outerHTML)") == []
        assert said.locator(COLOURED).evaluate_all("all => all.map(one => one.outerHTML)") == []
        assert (strangers.connections, strangers.paths) == (0, [])
    assert dialogs == []
    assert [url for url in asked if not url.startswith(texts)] == []


def test_an_honest_answer_reads_as_it_was_meant(chromium: Browser, texts: str):
    """Headings, lists, tables, code, comparisons, money and times look the same to the reader."""
    with canary() as strangers, reading(chromium, f"{texts}/?show=honest", strangers, [], []) as page:
        for kind in ("text", "bubble"):
            answer = page.locator(f".st-key-{kind}-answer")
            expect(answer.locator("pre code").first).to_have_text('print("<b>안녕</b>")')
            shown = answer.locator("[data-testid=stMarkdownContainer]").first.inner_text()
            assert [line for line in shown.splitlines() if line.strip()] == READ
        assert page.locator("ul > li > ol > li").count() == 2
        assert strangers.connections == 0
