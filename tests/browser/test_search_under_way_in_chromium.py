"""A search while it goes on, in Chromium: reloaded, waiting for summaries, stopped; services and model are played on loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from tests.browser.conftest import open_sample, running_app
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, saying
from tests.loopback.world import Page, World

pytestmark = pytest.mark.browser

FOREIGN = tuple(
    Page(
        title=f"Memory bandwidth of accelerators, part {number}",
        url=f"https://news{number}.example.com/memory",
        snippet=f"Memory bandwidth decides how fast accelerators answer; part {number} measures what that means for HBM.",
    )
    for number in (1, 2, 3)
)
SUMMARY = "가속기의 메모리 대역폭을 설명하는 글이에요."
PATIENCE_S = 60.0


@dataclass
class Served:
    """The address of the app, the services it asks, and the gate its model waits at."""

    address: str
    world: World
    gate: threading.Event


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run the app over two services and a model that answers when its gate is opened."""
    gate = threading.Event()

    def model(asked: Asked) -> Whole | Stream:
        gate.wait(PATIENCE_S)
        return saying(SUMMARY)(asked)

    with ExitStack() as stack:
        world = stack.enter_context(World())
        endpoint = stack.enter_context(LanguageModelServer(model))
        stack.callback(gate.set)
        settings = {name.upper(): str(value) for name, value in world.settings().items()}
        settings |= {"SEARCH_PROVIDERS": "tavily,searxng", "WEB_SEARCH_CACHE_TTL": "0"}
        settings |= {"OPENAI_BASE_URL": endpoint.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any", "OPENAI_TIMEOUT": "50"}
        address = stack.enter_context(running_app(tmp_path_factory.mktemp("served") / "data", **settings))
        yield Served(address, world, gate)


@pytest.fixture
def service(served: Served) -> Served:
    """Have the services answer at once and the model wait."""
    served.world.reset(pages=FOREIGN)
    served.gate.clear()
    return served


CLOSER = tuple(
    Page(
        title=f"메모리 대역폭 해설 {number}",
        url=f"https://close{number}.example.kr/",
        snippet="메모리 대역폭이 왜 중요한지 설명합니다.",
    )
    for number in (1, 2)
)


def places(page: BrowserPage) -> list[tuple[str, float]]:
    """Return the titles of the results in sight, and where they stand."""
    headings = page.locator("[class*='st-key-heading-']:visible").all()
    return [(each.inner_text(), (each.bounding_box() or {"y": -1.0})["y"]) for each in headings]


def ask(page: BrowserPage, text: str) -> None:
    page.get_by_role("textbox", name="질문").fill(text)
    page.get_by_role("textbox", name="질문").press("Enter")


def stop(page: BrowserPage):
    return page.locator(".st-key-stop button:visible").first


def news(page: BrowserPage):
    """Return the region that is read to who does not see the page."""
    return page.locator("body > [role=status]")


def test_a_search_goes_on_when_its_page_is_reloaded(service: Served, visitor):
    """A page reloaded in the middle of a search about a video shows that search going on, and then its results."""
    service.world.play("tavily", pages=FOREIGN, latency_s=4)
    service.gate.set()
    page = visitor(service.address)
    open_sample(page)
    ask(page, "메모리 대역폭은 왜 중요한가요?")
    expect(page.get_by_text("Tavily 응답 대기 중").first).to_be_visible()
    page.reload()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page.get_by_role("textbox", name="질문")).to_have_value("메모리 대역폭은 왜 중요한가요?")
    expect(page.locator(".st-key-change-video button").first).to_be_visible()


def test_results_are_there_before_their_summaries(service: Served, visitor):
    """With a model that does not answer the results are shown at once; its summaries come in their place when it does."""
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(stop(page)).to_be_visible()
    expect(page.get_by_text("AI 요약")).to_have_count(0)
    expect(page.get_by_text("원문에서 뽑은 요약").first).to_be_visible()
    service.gate.set()
    expect(page.get_by_text("AI 요약").first).to_be_visible()
    expect(page.get_by_text(SUMMARY).first).to_be_visible()
    expect(page.locator(".st-key-stop")).to_have_count(0)


def test_stopping_keeps_the_results_and_says_what_is_missing(service: Served, visitor):
    """Stopped while the model is silent, the results stay under their question, and the page says that summaries are missing."""
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    stop(page).click()
    expect(page.get_by_text("검색을 멈췄어요. 외국어 자료 3건은 원문에서 자동으로 정리했어요.").first).to_be_visible()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page.locator(".st-key-stop")).to_have_count(0)


def test_stopping_keeps_what_some_services_found(service: Served, visitor):
    """Stopped while one service is silent, the page shows what the other found and names the one that was left."""
    service.world.play("searxng", failure="hang")
    service.gate.set()
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.get_by_text("Tavily 3건").first).to_be_visible()
    stop(page).click()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page.get_by_text("검색을 멈춰서 SearXNG의 답은 기다리지 않았어요.").first).to_be_visible()


def test_a_stopped_search_does_not_show_the_one_before(service: Served, visitor):
    """Stopped with nothing found, the page shows no results of the question before under the new one."""
    service.gate.set()
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    service.world.play_all(failure="hang")
    ask(page, "HBM 가격 전망")
    expect(page.get_by_text("Tavily 응답 대기 중").first).to_be_visible()
    stop(page).click()
    expect(page.get_by_text("검색을 멈췄어요. 그때까지 찾은 결과가 없어요.").first).to_be_visible()
    expect(page.locator(".st-key-card-1")).to_have_count(0)
    expect(page.get_by_role("textbox", name="질문")).to_have_value("HBM 가격 전망")


def test_results_are_shown_as_services_answer_and_none_moves_without_a_word(service: Served, visitor):
    """What one service found is there while the other is awaited; what comes later waits for a click, and then is in order."""
    service.gate.set()
    service.world.play("searxng", pages=CLOSER, latency_s=4)
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.locator(".st-key-card-3").first).to_be_visible()
    expect(page.get_by_text("SearXNG 응답 대기 중").first).to_be_visible()
    expect(page.get_by_text("1곳 기다리는 중").first).to_be_visible()
    before = places(page)
    assert [title for title, _ in before] == [f"{place}. {each.title}" for place, each in enumerate(FOREIGN, start=1)]
    show = page.locator(".st-key-show-newer button:visible")
    expect(page.locator(".st-key-newer").get_by_text("결과가 2건 더 왔어요").first).to_be_visible()
    expect(news(page)).to_have_text("결과가 2건 더 왔어요. ‘순서대로 보기’를 누르면 모두 보여드려요.")
    assert places(page) == before
    expect(page.locator(".st-key-stop")).to_have_count(0)
    assert places(page) == before
    show.first.click()
    expect(page.locator(".st-key-card-5").first).to_be_visible()
    assert [title for title, _ in places(page)][:2] == [f"{place}. {each.title}" for place, each in enumerate(CLOSER, start=1)]
    expect(show).to_have_count(0)
    expect(page.get_by_text("웹 검색 2곳 중 2곳 응답").first).to_be_visible()


def test_a_service_that_adds_nothing_changes_nothing_in_the_list(service: Served, visitor):
    """Where the one that was awaited fails, the results stay where they are, and the page says who failed."""
    service.gate.set()
    service.world.play("searxng", failure="500", latency_s=4)
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.get_by_text("1곳 기다리는 중").first).to_be_visible()
    expect(page.get_by_text("2곳 중 1곳이 답했어요.").first).to_be_visible()
    assert [title for title, _ in places(page)] == [f"{place}. {each.title}" for place, each in enumerate(FOREIGN, start=1)]
    expect(page.locator(".st-key-show-newer")).to_have_count(0)


def test_moving_the_threshold_shows_all_that_has_come(service: Served, visitor):
    """Who has the list placed anew gets it whole: nothing waits for a click any longer."""
    service.gate.set()
    service.world.play("searxng", pages=CLOSER, latency_s=4)
    page = visitor(service.address)
    ask(page, "메모리 대역폭")
    expect(page.locator(".st-key-show-newer button:visible").first).to_be_visible()
    page.get_by_role("slider", name="관련도 기준").press("ArrowLeft")
    expect(page.locator(".st-key-card-5").first).to_be_visible()
    expect(page.locator(".st-key-show-newer button:visible")).to_have_count(0)
