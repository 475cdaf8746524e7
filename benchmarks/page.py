"""What a visitor waits for at the page, beside the same three acts in an empty Streamlit app."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page

from benchmarks.reference import note
from tests.browser.conftest import environment, free_port, open_chromium, running

ROUNDS = 7
QUESTION = "메모리 대역폭은 왜 중요한가?"
CARD = "[class*='st-key-card-']"
"""A result of the web or an own document."""
PATIENCE_MS = 60_000
FRAME_MS = 17
"""What the browser answers by itself within a frame is no figure to hold a later run against."""
EMPTY = """
import streamlit as st

def first():
    with st.form("ask"):
        asked = st.text_input("asked")
        st.form_submit_button("send")
    st.markdown(f"asked {asked}")
    st.markdown(f"value {st.slider('value', 0, 100, 35)}")

def second():
    st.title("second")

st.navigation([st.Page(first, title="first", default=True), st.Page(second, title="second")]).run()
"""
_WATCH = """() => {
  window.took = null;
  const seen = () => { %s };
  addEventListener("%s", () => {
    const began = performance.now();
    const look = () => { if (seen()) window.took = performance.now() - began; else requestAnimationFrame(look); };
    look();
  }, { capture: true, once: true });
}"""
_SAYS = (
    "return [...document.querySelectorAll('[data-testid=stMarkdownContainer]')].some((each) => each.textContent.includes('%s'))"
)
_CHART = "document.querySelector('.st-key-histogram-place [role=graphics-document]')?.getAttribute('aria-label')"
_ANSWERED = "return getComputedStyle(document.querySelector('.st-key-ask-row'), '::after').opacity === '1'"


def page() -> None:
    """Print how long Enter takes to be answered, a moved threshold to be counted and another page to appear, with ratios."""
    with tempfile.TemporaryDirectory() as name, open_chromium() as browser:
        folder = Path(name)
        script = folder / "empty.py"
        script.write_text(EMPTY, encoding="utf-8")
        port, other = free_port(), free_port()
        variables = environment(folder / "data")
        with (
            running(_command("app.py", port), port, "URL:", variables) as ours,
            running(_command(str(script), other), other, "URL:", variables) as theirs,
        ):
            own, empty = browser.new_page(), browser.new_page()
            own.goto(ours)
            empty.goto(theirs)
            own.locator(".st-key-open-sample-0 button").click(timeout=PATIENCE_MS)
            own.locator(".st-key-tuning summary").click()
            _search(own, QUESTION)
            _report("Enter → first change", [_enter(own, n) for n in range(ROUNDS)], [_asked(empty, n) for n in range(ROUNDS)])
            _report("threshold → count", [_threshold(own) for _ in range(ROUNDS)], [_value(empty) for _ in range(ROUNDS)])
            _report("another page", [_switch(own) for _ in range(ROUNDS)], [_second(empty) for _ in range(ROUNDS)])


def _command(script: str, port: int) -> list[str]:
    return ["streamlit", "run", script, "--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]


def _report(act: str, ours: list[float], theirs: list[float]) -> None:
    own, empty = statistics.median(ours), statistics.median(theirs)
    if own > FRAME_MS:
        note(f"page, {act}", own / empty)
    print(f"{act}: {own:.0f} ms, empty app {empty:.0f} ms, ratio {own / empty:.2f}", flush=True)


def took_ms(page: Page, seen: str, event: str, target: Locator, key: str | None) -> float:
    """Return milliseconds from *event* on *target* to the first frame in which *seen* holds in the browser."""
    page.evaluate(_WATCH % (seen, event))
    if key is None:
        target.click()
    else:
        target.press(key)
    page.wait_for_function("() => window.took !== null", timeout=PATIENCE_MS)
    return float(page.evaluate("() => window.took"))


def _search(page: Page, text: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(text)
    box.press("Enter")
    page.locator(CARD).first.wait_for(timeout=PATIENCE_MS)


def _enter(page: Page, number: int) -> float:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(f"{QUESTION} {number}")
    took = took_ms(page, _ANSWERED, "keydown", box, "Enter")
    page.wait_for_function("() => !document.documentElement.dataset.asking", timeout=PATIENCE_MS)
    page.locator(CARD).first.wait_for(timeout=PATIENCE_MS)
    return took


def _asked(page: Page, number: int) -> float:
    box = page.get_by_role("textbox", name="asked")
    box.fill(f"word{number}")
    return took_ms(page, _SAYS % f"asked word{number}", "keydown", box, "Enter")


def _threshold(page: Page) -> float:
    slider = page.get_by_role("slider", name="관련도 기준")
    wanted = int(slider.input_value()) + 1
    return took_ms(page, f"return {_CHART}?.includes('{wanted}점')", "keydown", slider, "ArrowRight")


def _value(page: Page) -> float:
    slider = page.get_by_role("slider", name="value")
    wanted = int(slider.input_value()) + 1
    return took_ms(page, _SAYS % f"value {wanted}", "keydown", slider, "ArrowRight")


def _switch(page: Page) -> float:
    to = page.get_by_role("link", name="기록", exact=True)
    took = took_ms(page, "return document.querySelector('.st-key-records') !== null", "click", to, None)
    page.get_by_role("link", name="작업", exact=True).click()
    page.locator(CARD).first.wait_for(timeout=PATIENCE_MS)
    return took


def _second(page: Page) -> float:
    to = page.get_by_role("link", name="second", exact=True)
    took = took_ms(page, "return document.querySelector('h1')?.textContent === 'second'", "click", to, None)
    page.get_by_role("link", name="first", exact=True).click()
    page.get_by_role("slider", name="value").wait_for(timeout=PATIENCE_MS)
    return took
