"""How long the first searches of a video take on the page, from Enter to the first result, with the model that ships."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.reference import note_time
from benchmarks.texts import video
from search_core.domain import VideoContext
from search_core.settings import Settings
from tests.browser.conftest import BROWSERS, FLAGS
from tests.browser.demo import demo_app
from tests.browser.steps import be_still, question, upload

QUESTIONS = ("메모리 대역폭은 왜 중요한가?", "SK하이닉스 최근 실적은?", "HBM4 값은 하반기에 어떻게 되나요?")
READ_S = {20: 8, 180: 50}
"""Seconds that a visitor looks at a video of so many minutes before asking."""
_WATCH = """() => {
  window.took = null;
  const before = document.querySelector(".st-key-card-1")?.textContent;
  addEventListener("keydown", () => {
    const began = performance.now();
    const look = () => {
      const card = document.querySelector(".st-key-card-1");
      if (card?.offsetParent && card.textContent !== before) window.took = performance.now() - began;
      else requestAnimationFrame(look);
    };
    look();
  }, { capture: true, once: true });
}"""


def first_search() -> None:
    """Print Enter to results of three searches each, of two videos of each length, whose services answer at once (bar 0.4 s)."""
    model = str(Settings.model_fields["embedding_model"].default)
    for minutes, read_s in READ_S.items():
        with (
            tempfile.TemporaryDirectory() as name,
            sync_playwright() as playwright,
            demo_app(Path(name) / "data", EMBEDDING_MODEL=model) as (address, _),
        ):
            browser = playwright.chromium.launch(
                executable_path=next(path for path in map(shutil.which, BROWSERS) if path), args=FLAGS
            )
            for seed, who in ((1, "first of the process"), (2, "another")):
                page = browser.new_context(locale="ko-KR", viewport={"width": 1280, "height": 720}).new_page()
                page.goto(address)
                expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
                be_still(page)
                upload(page, "talk.srt", _subtitles(video(minutes, seed)).encode())
                expect(page.locator(".st-key-change-video button").first).to_be_visible(timeout=90_000)
                page.wait_for_timeout(read_s * 1000)
                took = [_search(page, each) for each in QUESTIONS]
                note_time(f"first search, {minutes} minutes, {who}", took[0] / 1000)
                print(f"{minutes} minutes, {who}: {', '.join(f'{each:.0f}' for each in took)} ms")
            browser.close()


def _search(page: Page, text: str) -> float:
    page.evaluate(_WATCH)
    question(page).fill(text)
    question(page).press("Enter")
    page.wait_for_function("() => window.took !== null")
    took = float(page.evaluate("window.took"))
    be_still(page)
    page.wait_for_timeout(1500)
    return took


def _subtitles(talk: VideoContext) -> str:
    return "\n".join(
        f"{number}\n{_clock(said.start_s)} --> {_clock(said.end_s)}\n{said.text}\n"
        for number, said in enumerate(talk.transcript, 1)
    )


def _clock(at_s: float) -> str:
    return f"{int(at_s // 3600):02}:{int(at_s // 60) % 60:02}:{int(at_s) % 60:02},000"
