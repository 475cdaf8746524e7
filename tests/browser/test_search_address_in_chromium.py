"""The address of the search page in Chromium: one address is one state, from every page, after a reload and in the history."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_sample
from tests.browser.test_moments_in_chromium import SRT
from tests.browser.test_search_in_chromium import HEAD_LINE, question, set_threshold

pytestmark = pytest.mark.browser

FIRST, SECOND = "메모리 대역폭은 왜 중요한가?", "HBM과 GDDR은 어떻게 다른가?"


def ask(page: Page, text: str) -> str:
    """Search for *text* and return the address of its results."""
    before = search_of(page)
    question(page).fill(text)
    question(page).press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]job="))
    page.wait_for_function("old => new URL(location.href).searchParams.get('job') !== old", arg=before)
    expect(page.locator(".st-key-found").get_by_text(HEAD_LINE).first).to_be_visible()
    return page.url


def search_of(page: Page) -> str | None:
    return parse_qs(urlsplit(page.url).query).get("job", [None])[0]


def to_page(page: Page, name: str, heading: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.locator(heading).first).to_be_visible()


def test_the_address_comes_back_with_the_search_page(app, visitor):
    """From the search page to the conversation and back: the same search at the same address."""
    page = visitor(app)
    open_sample(page)
    address = ask(page, FIRST)
    to_page(page, "대화", ".st-key-ask-bar")
    to_page(page, "검색", ".st-key-card-1")
    expect(page).to_have_url(address)
    expect(question(page)).to_have_value(FIRST)


def test_back_and_forward_change_the_page_with_the_address(app, visitor):
    """Two searches are two entries of the history; each shows its own question and results, back and forward."""
    page = visitor(app)
    open_sample(page)
    length = page.evaluate("history.length")
    first = ask(page, FIRST)
    second = ask(page, SECOND)
    assert page.evaluate("history.length") == length + 2
    page.go_back()
    expect(page).to_have_url(first)
    expect(question(page)).to_have_value(FIRST)
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    page.go_forward()
    expect(page).to_have_url(second)
    expect(question(page)).to_have_value(SECOND)
    page.go_back()
    expect(question(page)).to_have_value(FIRST)
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?video=1$"))
    expect(question(page)).to_have_value("")
    expect(page.get_by_text(HEAD_LINE)).to_have_count(0)


def test_back_crosses_pages(app, visitor):
    """One entry for the visit to another page: back leads to the search as it was, forward to that page again."""
    page = visitor(app)
    open_sample(page)
    address = ask(page, FIRST)
    length = page.evaluate("history.length")
    to_page(page, "대화", ".st-key-ask-bar")
    expect(page).to_have_url(re.compile(r"/chat\?.*video=1"))
    assert page.evaluate("history.length") == length + 1
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    page.go_forward()
    expect(page.locator(".st-key-ask-bar").first).to_be_visible()


def test_the_question_of_the_address_is_that_of_its_search(app, visitor):
    """An address whose question was changed by hand shows the search it names, with the question of that search."""
    page = visitor(app)
    address = ask(page, FIRST)
    page.goto(re.sub(r"q=[^&]*", "q=HBM4", address))
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    expect(question(page)).to_have_value(FIRST)
    expect(page).to_have_url(address)


def test_an_uploaded_video_survives_a_reload(app, visitor):
    """The transcript of an uploaded file is there again after a reload, on another page too."""
    page = visitor(app)
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": "발표.srt", "mimeType": "text/plain", "buffer": SRT.encode()})
    line = page.locator("[class*='st-key-line-'] button:visible").filter(has_text="가람반도체는")
    expect(line.first).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]video=[0-9a-f]{32}"))
    page.reload()
    expect(line.first).to_be_visible()
    to_page(page, "대화", ".st-key-ask-bar")
    page.reload()
    expect(line.first).to_be_visible()


def test_a_video_that_was_put_away_is_one_click_away(app, visitor):
    """After "다른 영상" one click leads back to the video and its search; an uploaded one is among the recent."""
    page = visitor(app)
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": "발표.srt", "mimeType": "text/plain", "buffer": SRT.encode()})
    expect(page.locator("[class*='st-key-line-'] button:visible").first).to_be_visible()
    address = ask(page, FIRST)
    page.locator(".st-key-change-video button:visible").first.click()
    expect(page.locator("[class*='st-key-recent-'] button:visible").first).to_be_visible()
    page.locator(".st-key-back-to-video button:visible").first.click()
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    expect(page).to_have_url(address)


def test_settings_travel_in_the_address_and_go_back_to_the_first_values(app, visitor):
    """The threshold and the switch are as they were after a reload; one click makes all as at first."""
    page = visitor(app)
    open_sample(page)
    ask(page, FIRST)
    length = page.evaluate("history.length")
    set_threshold(page, 60)
    page.locator(".st-key-entity-first label:visible").first.click()
    expect(page).to_have_url(re.compile(r"threshold=60"))
    expect(page).to_have_url(re.compile(r"entity-first=0"))
    assert page.evaluate("history.length") == length
    page.reload()
    expect(page.get_by_role("slider", name="관련도 기준")).to_have_value("60")
    expect(page.get_by_role("switch", name="영상 속 이름이 나온 결과 먼저")).not_to_be_checked()
    page.locator(".st-key-reset-all button:visible").first.click()
    expect(page.get_by_role("slider", name="관련도 기준")).to_have_value("35")
    expect(page).not_to_have_url(re.compile("threshold"))
    expect(page.locator(".st-key-reset-all")).to_have_count(0)


def test_weights_of_nothing_are_warned_of(app, visitor):
    """Where no weight is left that a score could be made of, the sidebar says so."""
    zero = "&".join(f"weight-{name}=0" for name in ("semantic_question", "semantic_video", "lexical", "entity"))
    page = visitor(f"{app}/?{zero}")
    expect(page.get_by_text("모든 점수가 0이에요").first).to_be_visible()


def test_something_moves_at_once_when_a_question_is_sent(app, visitor):
    """Within 100 ms of Enter the page shows that the question is on its way, before the server has said anything."""
    page = visitor(app)
    expect(page.locator("html[data-maekrak-page]")).to_be_attached()
    question(page).fill(FIRST)
    page.evaluate("""() => addEventListener("keydown", (event) => {
        const pressed = performance.now();
        const look = () => {
            const shown = getComputedStyle(document.querySelector(".st-key-question-box"), "::after").opacity;
            if (shown === "1") document.body.dataset.answered = String(performance.now() - pressed);
            else requestAnimationFrame(look);
        };
        look();
    }, true)""")
    question(page).press("Enter")
    expect(page.locator("body[data-answered]")).to_be_attached()
    assert float(page.evaluate("document.body.dataset.answered")) < 100
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    expect(page.locator("html[data-asking]")).to_have_count(0, timeout=10_000)  # before the script gives up by itself


def test_a_question_is_taken_on_in_one_click(app, visitor):
    """From the results one click asks the question in a conversation, another writes it down for research."""
    page = visitor(app)
    open_sample(page)
    ask(page, FIRST)
    page.locator(".st-key-to-chat button:visible").first.click()
    expect(page.locator("[class*='st-key-say-question-']:visible").first).to_contain_text(FIRST)
    page.go_back()
    page.locator(".st-key-to-research button:visible").first.click()
    expect(page.get_by_role("textbox", name="조사할 질문")).to_have_value(FIRST)
