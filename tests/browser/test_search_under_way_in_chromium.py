"""A search while it goes on, in Chromium: late results, reloads, summaries and stops; services and model answer when they may."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import Page, expect

from tests.browser.played_app import HOLD_S, WEB, PlayedApp, played_app
from tests.browser.steps import announcement, open_sample, question, slider, top, visible_buttons
from tests.loopback.language_model import Asked, Stream, Whole, saying
from tests.loopback.world import Page as WebPage

pytestmark = pytest.mark.browser

HEIGHT = 844
FIRST = "메모리 대역폭은 왜 중요한가?"
FOREIGN = tuple(
    WebPage(
        title=f"Memory bandwidth of accelerators, part {number}",
        url=f"https://news{number}.example.com/memory",
        snippet=f"Memory bandwidth decides how fast accelerators answer; part {number} measures what that means for HBM.",
    )
    for number in (1, 2, 3)
)
CLOSER = tuple(
    WebPage(
        title=f"메모리 대역폭 해설 {number}",
        url=f"https://close{number}.example.kr/",
        snippet="메모리 대역폭이 왜 중요한지 설명합니다.",
    )
    for number in (1, 2)
)
SUMMARY = "가속기의 메모리 대역폭을 설명하는 글이에요."


def send(page: Page, text: str) -> None:
    """Send a question of the search page, and wait for nothing."""
    question(page).fill(text)
    question(page).press("Enter")


def places(page: Page) -> list[tuple[str, float]]:
    """Return the titles of the results in sight, and where they stand."""
    return [(each.inner_text(), top(each)) for each in page.locator("[class*='st-key-heading-']:visible").all()]


def titles(pages: tuple[WebPage, ...]) -> list[str]:
    return [f"{place}. {each.title}" for place, each in enumerate(pages, start=1)]


@pytest.fixture(scope="module")
def fresh_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedApp]:
    """Run an app of its own: one that knows its services well waits for none of them much longer than usual."""
    with played_app(tmp_path_factory.mktemp("fresh") / "data") as app:
        yield app


@pytest.fixture
def foreign(fresh_app: PlayedApp, visitor) -> tuple[PlayedApp, Page]:
    """Open the search page without the library; both services find three English pages."""
    fresh_app.reset()
    fresh_app.world.play_all(pages=FOREIGN)
    fresh_app.model.answer = saying(SUMMARY)
    return fresh_app, visitor(f"{fresh_app.address}/?off=library", width=1000)


def test_late_results_wait_for_a_click(foreign: tuple[PlayedApp, Page]):
    """What one service found is shown while another is awaited; what comes later moves nothing before a click or a new order."""
    played, page = foreign
    played.world.play("brave", pages=CLOSER)
    show = visible_buttons(page, "show-newer")
    for reorder in (lambda: show.first.click(), lambda: slider(page).press("ArrowLeft")):
        played.world.hold("brave")
        send(page, "메모리 대역폭")
        expect(page.locator(".st-key-card-3").first).to_be_visible()
        expect(page.get_by_text("Brave 검색 응답 대기 중").first).to_be_visible()
        expect(page.get_by_text("1곳 기다리는 중").first).to_be_visible()
        before = places(page)
        assert [title for title, _ in before] == titles(FOREIGN)
        played.world.release()
        expect(page.locator(".st-key-newer").get_by_text("결과가 2건 더 왔어요").first).to_be_visible()
        expect(announcement(page)).to_have_text("결과가 2건 더 왔어요. ‘순서대로 보기’를 누르면 모두 보여드려요.")
        expect(page.locator(".st-key-stop")).to_have_count(0)
        assert places(page) == before
        reorder()
        expect(page.locator(".st-key-card-5").first).to_be_visible()
        expect(show).to_have_count(0)
        assert [title for title, _ in places(page)][:2] == titles(CLOSER)
    expect(page.get_by_text("웹 검색 2곳 중 2곳 응답").first).to_be_visible()

    played.world.play("brave", failure="bad-key")
    played.world.hold("brave")
    send(page, "메모리 대역폭")
    expect(page.get_by_text("1곳 기다리는 중").first).to_be_visible()
    expect(page.locator(".st-key-card-3").first).to_be_visible()
    played.world.release()
    expect(page.get_by_text("2곳 중 1곳이 답했어요.").first).to_be_visible()
    assert [title for title, _ in places(page)] == titles(FOREIGN)  # who adds nothing changes nothing
    expect(show).to_have_count(0)


def test_a_search_goes_on_over_a_reload_and_its_summaries_come_later(foreign: tuple[PlayedApp, Page]):
    """A page reloaded in the middle shows the search going on, then extracts, and the summaries of the model in their place."""
    played, page = foreign
    written = Event()

    def write(asked: Asked) -> Whole | Stream:
        written.wait(HOLD_S)
        return saying(SUMMARY)(asked)

    played.model.answer = write
    played.world.hold(*WEB)
    page.set_viewport_size({"width": 390, "height": HEIGHT})
    page.reload()  # a window is narrow from its first request on
    open_sample(page)
    send(page, FIRST)
    expect(page.get_by_text("Tavily 응답 대기 중").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("Tavily 응답 대기 중").first).to_be_visible()
    played.world.release()
    card = page.locator(".st-key-card-1").first
    expect(card).to_be_visible()
    expect(visible_buttons(page, "stop")).to_have_count(1)
    assert top(card) < HEIGHT * 0.75  # the video folds to its title
    expect(page.get_by_text("원문", exact=True).first).to_be_visible()
    expect(page.get_by_text("AI 요약")).to_have_count(0)
    expect(question(page)).to_have_value(FIRST)
    expect(visible_buttons(page, "change-video")).to_have_count(1)
    written.set()
    expect(page.get_by_text("AI 요약").first).to_be_visible()
    expect(page.get_by_text(SUMMARY).first).to_be_visible()
    expect(page.locator(".st-key-stop")).to_have_count(0)


def test_stopping_keeps_what_there_is_and_says_what_is_missing(foreign: tuple[PlayedApp, Page]):
    """A stopped search shows what some services found, or nothing at all, but never the results of the question before."""
    played, page = foreign
    silent = Event()

    def keep_silent(asked: Asked) -> Whole | Stream:
        silent.wait(HOLD_S)
        return saying(SUMMARY)(asked)

    stop = visible_buttons(page, "stop").first
    played.model.answer = keep_silent
    send(page, "메모리 대역폭")
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    stop.click()
    expect(page.get_by_text("검색을 멈췄어요. 외국어 자료 3건은 원문의 문장을 그대로 보여 드려요.").first).to_be_visible()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page.locator(".st-key-stop")).to_have_count(0)
    silent.set()
    played.model.answer = saying(SUMMARY)

    played.world.hold("brave")
    send(page, "메모리 대역폭과 가속기")
    expect(page.get_by_text("Tavily 3건").first).to_be_visible()
    stop.click()
    expect(page.get_by_text("Brave 검색은 검색을 멈춰서 기다리지 않았어요.").first).to_be_visible()
    expect(page.locator(".st-key-card-1").first).to_be_visible()

    played.world.hold(*WEB)
    send(page, "HBM 가격 전망")
    expect(page.get_by_text("Tavily 응답 대기 중").first).to_be_visible()
    stop.click()
    expect(page.get_by_text("검색을 멈췄어요. 그때까지 찾은 결과가 없어요.").first).to_be_visible()
    expect(page.locator(".st-key-card-1")).to_have_count(0)
    expect(question(page)).to_have_value("HBM 가격 전망")
