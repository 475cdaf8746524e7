"""Every page with content in Chromium, light and dark: axe-core finds nothing, and the console says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import open_sample, unfold, visible_buttons
from tests.browser.played_app import played_app
from tests.search_core.test_core_chat import QUESTION

pytestmark = pytest.mark.browser

SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app as it is over a played world."""
    with played_app(tmp_path_factory.mktemp("filled") / "data") as (address, _):
        yield address


def search(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="질문")
    box.fill(text)
    box.press("Enter")
    expect(page.locator("[class*='st-key-card-']").first).to_be_visible()


@SCHEMES
def test_search_without_a_video(filled, visitor, scheme):
    """The first page: samples, and the ways to a video of one's own."""
    page = visitor(filled, color_scheme=scheme)
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    assert violations(page) == []


@SCHEMES
def test_search_with_results(filled, visitor, scheme):
    """Results with the parts of a score and the hidden ones in sight, beside the video."""
    page = open_sample(visitor(filled, color_scheme=scheme))
    search(page, QUESTION)
    expect(page.get_by_text("2곳 중 2곳 응답").first).to_be_visible()
    for fold in ("hidden-", "ledger", "weights", "absent-services"):
        found = page.locator(f"[class*='st-key-{fold}']:has(summary)").filter(visible=True)
        if found.count():
            unfold(found.first)
    expect(page.locator(".st-key-ledger ul").first).to_be_visible()
    assert violations(page) == []
    visible_buttons(page, "why-").first.click()
    expect(page.locator("[data-testid=stPopoverBody] table")).to_be_visible()
    assert violations(page) == []


@SCHEMES
def test_chat_with_an_answer_and_a_check(filled, visitor, scheme):
    """An answer from the video, its check with the table, an answer from the web; all folds open."""
    page = open_sample(visitor(filled, color_scheme=scheme))
    page.get_by_role("link", name="대화").click()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(QUESTION)
    box.press("Enter")
    visible_buttons(page, "check-").first.click()
    expect(page.locator("[class*='st-key-stances-'] table:visible").first).to_contain_text("일치")
    box.fill("SK하이닉스의 창업자는 누구인가요?")
    box.press("Enter")
    answer = page.locator("[class*='st-key-say-answer-']:visible").last
    expect(answer).to_contain_text("살펴본 자막")
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)
    for fold in ("passages-", "sources-", "ledger-"):
        unfold(page.locator(f"[class*='st-key-{fold}']:has(summary)").filter(visible=True).last)
    expect(page.locator("[class*='st-key-line-passage-'] button:visible").first).to_be_visible()
    assert violations(page) == []


@SCHEMES
def test_research_with_a_report(filled, visitor, scheme):
    """A run that has ended, with its report, sources and coverage."""
    page = open_sample(visitor(f"{filled}/research", color_scheme=scheme))
    box = page.get_by_role("textbox", name="조사할 질문")
    box.fill(f"{QUESTION} ({scheme})")
    box.press("Enter")
    expect(visible_buttons(page, "research-again")).to_have_count(1)
    page.get_by_text("어디까지 조사했나요").click()
    expect(page.locator(".st-key-coverage ul").first).to_be_visible()
    assert violations(page) == []


@SCHEMES
def test_health_after_searches(filled, visitor, scheme):
    """The state of services after a few searches, the services that are off unfolded."""
    page = visitor(f"{filled}/health", color_scheme=scheme)
    expect(page.locator(".st-key-services table").first).to_be_visible()
    page.get_by_text(re.compile("^꺼 둔 검색 서비스")).first.click()
    assert violations(page) == []
