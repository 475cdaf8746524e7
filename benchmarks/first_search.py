"""How long the first searches of a video take on the page, from Enter to the first result, with the model that ships."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from benchmarks.page import took_ms
from benchmarks.reference import note_time
from benchmarks.texts import video
from search_core.settings import Settings
from search_core.video.subtitles import write_vtt
from tests.browser.conftest import open_chromium
from tests.browser.demo import demo_app
from tests.browser.steps import be_still, box, upload, wait_for_answer

QUESTIONS = ("메모리 대역폭은 왜 중요한가?", "SK하이닉스 최근 실적은?", "HBM4 값은 하반기에 어떻게 되나요?")
MINUTES = (20, 180)


def first_search() -> None:
    """Print Enter to results of three searches each, of two videos of each length, whose services answer at once (bar 0.4 s)."""
    model = str(Settings.model_fields["embedding_model"].default)
    for minutes in MINUTES:
        with (
            tempfile.TemporaryDirectory() as name,
            open_chromium() as browser,
            demo_app(Path(name) / "data", EMBEDDING_MODEL=model) as (address, _),
        ):
            for seed, who in ((1, "first of the process"), (2, "another")):
                page = browser.new_context(locale="ko-KR", viewport={"width": 1280, "height": 720}).new_page()
                page.goto(address)
                expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
                be_still(page)
                upload(page, "talk.vtt", write_vtt(video(minutes, seed)).encode())
                expect(page.locator(".st-key-change-video button").first).to_be_visible(timeout=90_000)
                took = [_search(page, each) for each in QUESTIONS]
                note_time(f"first search, {minutes} minutes, {who}", took[0] / 1000)
                print(f"{minutes} minutes, {who}: {', '.join(f'{each:.0f}' for each in took)} ms")


def _search(page: Page, text: str) -> float:
    """Return the milliseconds from Enter to a first result that was not there before, though it may say what another said."""
    page.evaluate("document.querySelectorAll('.st-key-card-1').forEach((card) => { card.dataset.before = 'true'; })")
    line = box(page)
    line.fill(text)
    seen = "return document.querySelector('.st-key-card-1:not([data-before])')?.offsetParent"
    took = took_ms(page, seen, "keydown", line, "Enter")
    wait_for_answer(page)  # the next question is taken once this one is answered
    return took
