"""Steps that journeys have in common: opening a video, asking, waiting until a page is drawn, and what stands on it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

PHONE = {"user_agent": "Mozilla/5.0 (Linux; Android 15) Chrome/156 Mobile", "is_mobile": True, "has_touch": True}
OTHER_SEARCH = "before => new URL(location).searchParams.get('job') !== new URL(before).searchParams.get('job')"


def open_sample(page: Page, place: int = 0) -> Page:
    """Open a sample video on *page*, the first where nothing is said, and return that page when the video is there."""
    page.locator(f".st-key-open-sample-{place} button").click()
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


def unfold_named(page: Page, head: str) -> None:
    """Unfold the first panel whose head says *head*."""
    unfold(page.get_by_test_id("stExpander").filter(has=page.locator("summary", has_text=head)).filter(visible=True).first)


def visible_buttons(page: Page, key: str) -> Locator:
    """Return the buttons in sight whose key begins like that; Streamlit keeps old ones beside new ones for a moment."""
    return page.locator(f"[class*='st-key-{key}'] button:visible")


def upload(page: Page, name: str, data: bytes, kind: str = "text/plain") -> None:
    """Give the open page a file in place of a video."""
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": kind, "buffer": data})


def question(page: Page) -> Locator:
    """Return the box of the search page."""
    return page.get_by_role("textbox", name="질문")


def search(page: Page, text: str) -> str:
    """Search for *text*, and return the address when results of it are there."""
    before = page.url
    question(page).fill(text)
    question(page).press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]job="))
    page.wait_for_function(OTHER_SEARCH, arg=before)
    expect(page.locator("[class*='st-key-card-']:visible").first).to_be_visible()
    expect(question(page)).to_have_value(text)
    expect(visible_buttons(page, "to-chat")).to_have_count(1)
    return page.url


def chat_box(page: Page) -> Locator:
    """Return the box of the chat."""
    return page.get_by_test_id("stChatInputTextArea")


def ask(page: Page, text: str) -> None:
    """Send *text* in the chat."""
    chat_box(page).fill(text)
    chat_box(page).press("Enter")


def wait_for_answer(page: Page) -> None:
    """Wait until the last answer is whole: it can be copied, and there is nothing to stop."""
    expect(visible_buttons(page, "copy-").last).to_be_visible()
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)


def research(page: Page, text: str) -> None:
    """Have *text* researched."""
    page.get_by_role("textbox", name="조사할 질문").fill(text)
    page.get_by_role("textbox", name="조사할 질문").press("Enter")


def wait_for_report(page: Page) -> None:
    """Wait until the run has ended, and its report, which comes after the button to research again, is drawn to its end."""
    expect(visible_buttons(page, "research-again")).to_have_count(1)
    expect(page.locator(".st-key-stop-research")).to_have_count(0)
    be_still(page)


def announcement(page: Page) -> Locator:
    """Return the region that screen readers read out."""
    return page.locator("body > [role=status]")


def marked_line(page: Page) -> Locator:
    """Return the line of the transcript at which the video stands."""
    return page.locator("[class*='st-key-line-'] button:visible").filter(has_text="← 지금")


def slider(page: Page) -> Locator:
    """Return the slider of the threshold."""
    return page.get_by_role("slider", name="관련도 기준")


def top(place: Locator) -> float:
    """Return where *place* begins, in pixels below the upper edge of the window."""
    box = place.bounding_box()
    assert box is not None
    return box["y"]


WATCH_SHIFTS = """(() => {
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
        .observe({ type: "layout-shift", buffered: true });
})()"""
"""Has a page note how far its layout shifts; for ``add_init_script``."""


def shift_since(page: Page) -> float:
    """Return by how much the layout has shifted since this was asked last, after a click or not."""
    return float(page.evaluate("window.shifts.splice(0).reduce((sum, each) => sum + each, 0)"))


def assert_fits(page: Page, *widths: int) -> None:
    """Assert that nothing on *page* runs over the edge of a window of each of these widths."""
    size = page.viewport_size
    assert size is not None
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        be_still(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(size)
