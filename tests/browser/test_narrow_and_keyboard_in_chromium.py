"""The pages in Chromium on a phone, in a narrow window, and by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_sample, visible_buttons

pytestmark = pytest.mark.browser

PHONE = {"user_agent": "Mozilla/5.0 (Linux; Android 15) Chrome/156 Mobile", "is_mobile": True, "has_touch": True}
HEIGHT = 844
OUTLINE = "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"


def question(page: Page) -> Locator:
    return page.get_by_role("textbox", name="질문")


def search(page: Page) -> Locator:
    """Ask by Enter, and return the first result."""
    question(page).fill("메모리 대역폭은 왜 중요한가?")
    question(page).press("Enter")
    card = page.locator("[class*='st-key-card-']:visible").first
    expect(card).to_be_visible()
    return card


@pytest.mark.parametrize("browser", [PHONE, {}], ids=["phone", "narrow window"])
def test_results_are_in_sight_after_enter(app, visitor, browser):
    """The video folds to its title: the first result is there to be read without scrolling."""
    page = open_sample(visitor(app, width=390, height=HEIGHT, **browser))
    card = search(page)
    expect(visible_buttons(page, "to-chat")).to_have_count(1)
    place = card.bounding_box()
    assert place is not None
    assert place["y"] < HEIGHT * 0.75


def test_a_tapped_moment_scrolls_to_the_video(app, visitor):
    """The line that is said there is in sight after the tap, and the next question folds the video again."""
    page = open_sample(visitor(app, width=390, height=HEIGHT, **PHONE))
    search(page)
    moment = visible_buttons(page, "moment-").last
    moment.scroll_into_view_if_needed()
    moment.tap()
    line = page.locator("[class*='st-key-line-'] button:visible").filter(has_text="← 지금")
    expect(line).to_have_count(1)
    expect(page.locator(".st-key-video")).to_be_in_viewport()
    expect(line).to_be_in_viewport()
    search(page)
    expect(line).to_have_count(0)


def test_the_score_is_explained_in_sight(app, visitor):
    """However low on the screen the card stands, the explanation has room to be read, and goes when something else is tapped."""
    page = open_sample(visitor(app, width=390, height=HEIGHT, **PHONE))
    search(page)
    why = page.locator(".st-key-why-1 button:visible").first
    why.evaluate("button => button.scrollIntoView({block: 'end'})")
    why.tap()
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_role("cell", name="점수", exact=True)).to_be_visible()
    place = body.bounding_box()
    assert place is not None
    assert place["height"] > HEIGHT / 2
    assert place["y"] + place["height"] <= HEIGHT
    assert 0 <= place["x"] <= place["x"] + place["width"] <= 390
    page.touchscreen.tap(195, 60)
    expect(body).to_have_count(0)


def test_the_way_to_the_controls_has_a_name(app, visitor):
    """The button that opens the sidebar says what is in it."""
    page = open_sample(visitor(app, width=390, height=HEIGHT, **PHONE))
    page.get_by_role("button", name="메뉴 · 설정").tap()
    expect(page.get_by_role("slider", name="관련도 기준")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen_in_the_sidebar(app, visitor, scheme):
    """Each place of the sidebar that the keyboard reaches has an outline while it has the focus."""
    page = open_sample(visitor(app, color_scheme=scheme))
    link = page.get_by_test_id("stSidebarNavLink").first
    expect(link).to_be_visible()
    page.keyboard.press("Tab")
    for _ in range(12):
        inside = page.evaluate("document.activeElement.closest('[data-testid=stSidebar]') !== null")
        style = page.evaluate(OUTLINE)
        kind = page.evaluate("document.activeElement.tagName")
        if inside and kind in ("A", "BUTTON", "SUMMARY"):
            assert style == ["solid", "2px"], page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        page.keyboard.press("Tab")


def test_the_focus_stays_among_the_parts_of_the_query(app, visitor):
    """A part that is taken out by the keyboard hands the focus on to the one that takes its place."""
    page = open_sample(visitor(app))
    search(page)
    chips = page.locator("[class*='st-key-part-'] button:visible")
    before = chips.count()
    chips.nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[class*='st-key-restore-'] button:visible")).to_have_count(1)
    expect(chips).to_have_count(before - 1)
    expect(page.locator(".st-key-chips button:focus")).to_have_count(1)
