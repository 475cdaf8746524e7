"""What is at hand around a report in Chromium: its parts, its sources, what has changed, and one entry for one piece of work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_sample, running_app, visible_buttons
from tests.browser.played_app import played_app
from tests.search_core.test_core_chat import QUESTION

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app as it is over a played world; a model that cites nothing leaves the report to quotations."""
    with played_app(tmp_path_factory.mktemp("played") / "data") as (address, _):
        yield address


def ask(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="조사할 질문").fill(text)
    page.get_by_role("textbox", name="조사할 질문").press("Enter")


def finished(page: Page) -> None:
    expect(page.locator(".st-key-stop-research")).to_have_count(0)
    expect(page.locator(".st-key-report-text").first).to_be_visible()


def entries(page: Page) -> Locator:
    return page.locator(".st-key-history [class*='st-key-run-'] button:visible").filter(has_text="·")


def test_a_report_has_contents_that_lead_to_its_parts(played, visitor):
    """Each heading is listed over the report; a click brings it into sight and puts the focus there."""
    page = open_sample(visitor(f"{played}/research", height=600))
    ask(page, QUESTION)
    finished(page)
    contents = page.locator(".st-key-contents a")
    headings = page.locator(".st-key-report-text :is(h2, h3, h4)")
    expect(contents).to_have_text(headings.all_inner_texts())
    contents.last.click()
    expect(headings.last).to_be_in_viewport()
    expect(headings.last).to_be_focused()


def test_own_documents_are_opened_and_cited_by_their_title(played, visitor):
    """A quotation of one names it, its number leads to where it stands, and its title opens it over the page."""
    page = open_sample(visitor(f"{played}/research"))
    ask(page, "HBM4 표준의 대역폭은 얼마입니까?")
    finished(page)
    expect(page.locator(".st-key-report-text")).to_contain_text("[4]")
    cited = page.locator(".st-key-report-text a[href^='#source-']").first
    number = cited.get_attribute("href").removeprefix("#source-")
    title = cited.get_attribute("title").split(" — ")[0]
    expect(page.locator(".st-key-report-text")).to_contain_text(f"({title}, 내 자료")
    cited.click()
    place = page.locator(f".st-key-source-{number}").first
    expect(place).to_be_in_viewport()
    place.locator("button:visible").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(title)


def test_sources_that_the_report_does_not_cite_are_folded(played, visitor):
    """They are counted, and a click shows them."""
    page = open_sample(visitor(f"{played}/research"))
    ask(page, f"{QUESTION} (출처)")
    finished(page)
    fold = page.locator("[class*='st-key-uncited-'] summary:visible")
    expect(fold).to_contain_text("보고서에 인용하지 않은 출처")
    before = page.locator("[class*='st-key-source-']:visible").count()
    fold.click()
    expect(page.locator("[class*='st-key-uncited-'] [class*='st-key-source-']:visible").first).to_be_visible()
    assert page.locator("[class*='st-key-source-']:visible").count() > before


def test_what_has_changed_stands_over_the_report(played, visitor):
    """A question that is asked again is held against its last report, before the new one is read."""
    page = open_sample(visitor(f"{played}/research"))
    ask(page, f"{QUESTION} (다시)")
    finished(page)
    visible_buttons(page, "research-again").click()
    changes = page.locator("[class*='st-key-changes-'] summary:visible")
    expect(changes).to_contain_text("지난 조사 이후 바뀐 것")
    finished(page)
    above, below = changes.bounding_box(), page.locator(".st-key-report-text").first.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]


def test_going_on_makes_no_second_entry(visitor, tmp_path):
    """A run whose search failed and the one that goes on from it are one piece of work, and one entry of the list."""
    with running_app(tmp_path / "data", SEARCH_PROVIDERS="library,searxng", SEARXNG_URL="http://127.0.0.1:9/") as address:
        page = open_sample(visitor(f"{address}/research"))
        ask(page, QUESTION)
        own = visible_buttons(page, "research-own-documents")
        expect(own).to_have_count(1)
        expect(entries(page)).to_have_count(1)
        own.click()
        finished(page)
        expect(page.get_by_text("웹은 검색하지 않음").first).to_be_visible()
        expect(entries(page)).to_have_count(1)
        page.close()  # before the server ends, which the page would look for
