"""What is at hand beside an answer in Chromium: asking again, taking it away, its sources' words, and being told of its end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.app.chat_double import SOURCES
from tests.browser.conftest import open_sample, visible_buttons

pytestmark = pytest.mark.browser


@pytest.fixture
def page(scripted, visitor) -> Page:
    return open_sample(visitor(f"{scripted}/chat"))


def box(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def ask(page: Page, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")
    expect(visible_buttons(page, "listen-").last).to_be_visible()
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)


def news(page: Page) -> Locator:
    return page.locator("body > [role=status]")


def test_a_broken_answer_is_asked_for_again(page):
    """The button stands under the last answer alone, where it broke off, and sends the same question."""
    ask(page, "전력은? (broken)")
    expect(visible_buttons(page, "retry-")).to_have_count(1)
    visible_buttons(page, "retry-").click()
    expect(page.locator("[class*='st-key-say-question-']:visible")).to_have_count(2)
    expect(visible_buttons(page, "listen-")).to_have_count(2)
    expect(visible_buttons(page, "retry-")).to_have_count(1)
    ask(page, "대역폭은?")
    expect(visible_buttons(page, "retry-")).to_have_count(0)


def test_an_answer_is_taken_away_in_one_click(page):
    """The clipboard has the words as they were written; the page says so, to those who see it and to those who do not."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, "대역폭은?")
    expect(visible_buttons(page, "copy-")).to_have_text("content_copy복사")
    visible_buttons(page, "copy-").click()
    expect(news(page)).to_have_text("복사했어요")
    expect(page.locator("[data-copied='복사했어요']")).to_have_count(1)
    taken = page.evaluate("navigator.clipboard.readText()")
    assert taken.startswith("HBM4의 **대역폭이 두 배**로 늘었다고 해요 [0:40].")
    assert "복사" not in taken


def test_a_question_goes_back_into_the_box(page):
    """It is changed there and asked as a new one; the old one stays."""
    ask(page, "대역폭은?")
    visible_buttons(page, "edit-question-").click()
    expect(box(page)).to_have_value("대역폭은?")
    ask(page, "전력은?")
    expect(page.locator("[class*='st-key-say-question-']:visible")).to_have_count(2)
    expect(box(page)).to_have_value("")


def test_the_words_of_a_source_are_at_hand(page):
    """Pointing at a number tells title and text of its source; the list of sources has the text, too."""
    ask(page, "실적은요? (fallback)")
    told = page.get_by_role("link", name="[2]").first.get_attribute("title")
    assert told == f"{SOURCES[1].title} — {SOURCES[1].snippet}"
    page.get_by_text("출처 3곳").first.click()
    expect(page.get_by_text(SOURCES[0].snippet).first).to_be_visible()


def test_who_comes_back_to_a_video_finds_the_conversation(page):
    """Another video was only a look aside: one click brings back the one before, with what was said about it."""
    ask(page, "대역폭은?")
    visible_buttons(page, "change-video").click()
    expect(page.locator("[class*='st-key-say-question-']:visible")).to_have_count(0)
    visible_buttons(page, "back-to-video").click()
    expect(page.locator("[class*='st-key-say-question-']:visible")).to_have_count(1)
    expect(visible_buttons(page, "change-video")).to_have_count(1)


def test_the_end_of_an_answer_is_told_to_who_does_not_see_it(page):
    """A region that is there from the beginning says that an answer or a check has ended; an old conversation is no news."""
    expect(news(page)).to_have_text("")
    ask(page, "대역폭은?")
    expect(news(page)).to_have_text("답변이 나왔어요.")
    visible_buttons(page, "check-").click()
    expect(news(page)).to_have_text("온라인 확인이 끝났어요.")
    page.reload()
    expect(visible_buttons(page, "listen-").first).to_be_visible()
    expect(news(page)).to_have_text("")
