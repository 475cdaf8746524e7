"""Steps that journeys have in common: opening a video, asking, waiting until a page is drawn, and what stands on it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

PHONE = {"user_agent": "Mozilla/5.0 (Linux; Android 15) Chrome/156 Mobile", "is_mobile": True, "has_touch": True}


def open_sample(page: Page, place: int = 0) -> Page:
    """Open a sample video on *page*, the first where nothing is said, and return that page when the video is there."""
    page.locator(f".st-key-open-sample-{place} button").click()
    expect(page.locator(".st-key-video").first).to_be_visible()
    return page


def be_still(page: Page) -> None:
    """Wait until the page is drawn to its end: a panel that is clicked while it is drawn anew may close again."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


STILL = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity && one.effect.target.checkVisibility())
    .map((one) => one.finished.catch(() => null))).then(() => null)"""


def wait_for_motion(page: Page) -> None:
    """Wait for what moves or fades in sight: Chromium never ends what has begun to fade within a folded panel."""
    page.evaluate(STILL)


def unfold(fold: Locator) -> None:
    """Click the head of a panel, and return when what is in it is there, in its place, and the page is drawn to its end."""
    be_still(fold.page)
    fold.locator("summary").first.click()
    expect(fold.get_by_test_id("stExpanderDetails").get_by_test_id("stElementContainer").first).to_be_visible()
    be_still(fold.page)
    wait_for_motion(fold.page)


def unfold_named(page: Page, head: str) -> None:
    unfold(page.get_by_test_id("stExpander").filter(has=page.locator("summary", has_text=head)).filter(visible=True).first)


def visible_buttons(page: Page, key: str) -> Locator:
    """Return the buttons in sight whose key begins like that; Streamlit keeps old ones beside new ones for a moment."""
    return page.locator(f"[class*='st-key-{key}'] button:visible")


def box(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def upload(page: Page, name: str, data: bytes, kind: str = "text/plain") -> None:
    page.locator(".st-key-ask-row input[type=file]").set_input_files({"name": name, "mimeType": kind, "buffer": data})
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_be_enabled()
    box(page).press("Enter")


def ask(page: Page, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")


def search(page: Page, text: str) -> str:
    """Ask *text*, and return the address when its answer and results of it are there."""
    before = re.search(r"[?&]job=([^&]+)", page.url)
    ask(page, text)
    another = f"(?!{before[1]}(&|$))" if before is not None else ""
    expect(page).to_have_url(re.compile(f"[?&]job={another}."))
    expect(page.locator("[class*='st-key-card-']:visible").first).to_be_visible()
    expect(page.locator("[class*='st-key-say-question-']:visible").last).to_contain_text(text)
    wait_for_answer(page)
    return page.url


def wait_for_answer(page: Page) -> None:
    """Wait until the last answer is whole: there is nothing to stop."""
    be_still(page)
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)


def turn_to(page: Page, tab: str) -> None:
    page.locator(".st-key-work-tab").get_by_text(tab, exact=True).click()


def research(page: Page, text: str) -> None:
    """Have *text* researched, and return when its card is there."""
    switch = visible_buttons(page, "research-mode")
    if switch.get_attribute("kind") == "secondary":
        switch.click()
        expect(switch).to_have_attribute("kind", "primary")
    cards = page.locator("[class*='st-key-say-research-']:visible")
    before = cards.count()
    ask(page, text)
    expect(cards).to_have_count(before + 1)


def wait_for_report(page: Page) -> None:
    """Wait until the run has ended, and its report, which comes after the button to research again, is drawn to its end."""
    expect(visible_buttons(page, "again-run-")).to_have_count(1)
    expect(page.locator("[class*='st-key-stop-run-']")).to_have_count(0)
    be_still(page)


def announcement(page: Page) -> Locator:
    """Return the region that screen readers read out."""
    return page.locator("body > [role=status]")


def marked_line(page: Page) -> Locator:
    return page.locator("[class*='st-key-line-'] button:visible").filter(has_text="← 지금")


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="관련도 기준")


def top(place: Locator) -> float:
    """Return where *place* begins, in pixels below the upper edge of the window."""
    box = place.bounding_box()
    assert box is not None
    return box["y"]


def assert_fits(page: Page, *widths: int) -> None:
    """Assert that nothing on *page* runs over the edge of a window of each of these widths."""
    size = page.viewport_size
    assert size is not None
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        be_still(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(size)
