"""What a browser loads for the first page, how far its layout shifts, and where answer and first result stand in the window."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from benchmarks.reference import note
from tests.browser.conftest import open_chromium
from tests.browser.demo import QUESTION, demo_app
from tests.browser.steps import be_still, open_sample, search, top, turn_to, visible_buttons

ROUNDS = 5
WIDTH, HEIGHT = 1440, 900
BAR = "bar .03"
OTHER = "HBM4 값은 하반기에 어떻게 되나요?"
_LOADED = "performance.getEntriesByType('resource').map((each) => each.transferSize)"
_WATCH_SHIFTS = """(() => {
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
        .observe({ type: "layout-shift", buffered: true });
})()"""
"""Has a page note how far its layout shifts; for ``add_init_script``."""


def layout() -> None:
    """Print bytes and requests of the first page, the shift of each step, and the places of the answer and of result 1."""
    figures: dict[str, list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        open_chromium() as browser,
        demo_app(Path(name) / "data") as (address, world),
    ):
        for _ in range(ROUNDS):
            for step, figure in _visit(browser, address):
                figures.setdefault(step, []).append(figure)
        world.play_all()
    for step, measured in figures.items():
        if step.startswith("first page"):
            note(step, statistics.median(measured))
        print(f"{step}: {statistics.median(measured):.3f} ({min(measured):.3f} to {max(measured):.3f})")


def _visit(browser: Browser, address: str) -> Iterator[tuple[str, float]]:
    context = browser.new_context(locale="ko-KR", viewport={"width": WIDTH, "height": HEIGHT})
    page = context.new_page()
    page.add_init_script(_WATCH_SHIFTS)
    page.goto(address)
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    be_still(page)
    sizes = page.evaluate(_LOADED)
    yield "first page, MB (bar 1.5)", sum(sizes) / 1e6
    yield "first page, requests", len(sizes)
    yield f"shift of the load ({BAR})", _shift_since(page)
    open_sample(page)
    _shift_since(page)
    for step, question in (("the first search", QUESTION), ("another search", OTHER)):
        search(page, question)
        yield f"shift of {step} ({BAR})", _shift_since(page)
        yield f"y of the answer after {step} (bar 100)", top(page.locator("[class*='st-key-say-answer-']:visible").last)
        yield f"y of result 1 after {step} (bar {HEIGHT}, the window)", top(page.locator(".st-key-card-1:visible").first)
    turn_to(page, "주장 확인")
    expect(visible_buttons(page, "start-claims")).to_be_enabled()
    be_still(page)
    yield f"shift of opening claims ({BAR})", _shift_since(page)
    turn_to(page, "작업")
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    be_still(page)
    page.reload()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    be_still(page)
    yield f"shift of the return ({BAR})", _shift_since(page)
    context.close()


def _shift_since(page: Page) -> float:
    """Return by how much the layout has shifted since this was asked last, after a click or not."""
    return float(page.evaluate("window.shifts.splice(0).reduce((sum, each) => sum + each, 0)"))
