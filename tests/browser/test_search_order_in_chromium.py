"""The order of results in Chromium: who is shown, under which line, why the others are hidden, and numbers that add up."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import ExitStack
from decimal import Decimal

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as BrowserPage

from tests.browser.conftest import open_sample, running_app
from tests.browser.test_search_in_chromium import question, set_threshold
from tests.loopback.world import Page, World

pytestmark = pytest.mark.browser

QUESTION = "메모리 대역폭은 왜 중요한가?"
CLOSE = "메모리 대역폭은 왜 중요한가: 메모리 대역폭이 계산을 기다리게 하는 까닭을 설명합니다."
NEAR = "메모리 대역폭을 늘리는 방법을 정리합니다."
FAR = "오늘 저녁 날씨와 주말 나들이 소식입니다."
SNIPPETS = (
    *(CLOSE, NEAR, f"{NEAR} 엔비디아의 발표입니다.", "삼성전자의 새 소식을 전합니다.", FAR, f"{CLOSE} 마이크론의 자료입니다."),
    *("메모리 값이 올랐습니다.", f"엔비디아 소식. {FAR}", f"{NEAR} 원리를 그림으로 봅니다.", "대역폭이라는 말의 뜻입니다."),
)
PAGES = tuple(
    Page(title=f"{place + 1}째 글: {snippet[:18]}", url=f"https://news{place}.example.com/{place}", snippet=snippet)
    for place, snippet in enumerate(SNIPPETS)
)
THRESHOLD, COUNT = 20, 5
HEAD = re.compile(r"^\d+건 · 숨김 (\d+) \(기준 아래 (\d+) · 결과 수 초과 (\d+)\)")
NAMED, OTHERS = "이 영상의 인물·기업·행사가 나온 결과", "그 밖의 결과"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app over one service with ten pages, and one that has three of them."""
    with ExitStack() as stack:
        world = stack.enter_context(World())
        world.play("tavily", pages=PAGES)
        world.play("searxng", pages=PAGES[:3])
        settings = {name.upper(): str(value) for name, value in world.settings().items()}
        settings |= {"SEARCH_PROVIDERS": "tavily,searxng", "WEB_SEARCH_CACHE_TTL": "0"}
        yield stack.enter_context(running_app(tmp_path_factory.mktemp("order") / "data", **settings))


@pytest.fixture
def results(served: str, visitor) -> BrowserPage:
    """Search about the first sample with room for five results, and open the hidden ones."""
    page = visitor(f"{served}/?threshold={THRESHOLD}&result-count={COUNT}")
    open_sample(page)
    question(page).fill(QUESTION)
    question(page).press("Enter")
    expect(page.get_by_text(HEAD).first).to_be_visible()
    page.get_by_text(re.compile(r"^숨긴 결과 \d+개$")).first.click()
    expect(page.locator(".st-key-card-h1").first).to_be_visible()
    return page


def cards(page: BrowserPage, prefix: str = "") -> list[Locator]:
    found = page.locator(f"[class*='st-key-card-{prefix}']:visible")
    wanted = re.compile(rf"st-key-card-{prefix}\d+( |$)")
    return [each for each in found.all() if wanted.search(each.get_attribute("class") or "")]


def score(card: Locator) -> int:
    return int(card.get_by_role("progressbar").get_attribute("aria-valuenow") or -1)


def top(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"]


def test_the_score_alone_decides_what_is_shown_and_names_come_first_among_those(results: BrowserPage):
    """No hidden result has more points than one that is shown; those that name somebody stand first, under a line, by score."""
    shown, hidden = list(map(score, cards(results))), list(map(score, cards(results, "h")))
    assert len(shown) == COUNT
    assert min(shown) >= max(hidden)
    lines = results.locator("[class*='st-key-section-line-']:visible")
    expect(lines).to_have_count(2)
    first, second = lines.nth(0).inner_text(), lines.nth(1).inner_text()
    named, others = re.fullmatch(rf"{NAMED} (\d+)건", first), re.fullmatch(rf"{OTHERS} (\d+)건", second)
    assert named is not None
    assert others is not None
    count = int(named[1])
    assert count + int(others[1]) == COUNT
    assert shown[:count] == sorted(shown[:count], reverse=True)
    assert shown[count:] == sorted(shown[count:], reverse=True)
    assert max(shown) in shown[count:]  # the best names nobody, and is shown all the same
    for place, card in enumerate(cards(results)):
        assert bool(card.get_by_text(re.compile(r"^(엔비디아|마이크론|삼성전자)$")).count()) is (place < count)
        assert (top(card) > top(lines.nth(1))) is (place >= count)


def test_hidden_results_are_ordered_by_score_and_say_why(results: BrowserPage):
    """Those over the count come first, then a line at the threshold, then those below it, each with the points it lacks."""
    head = HEAD.match(results.get_by_text(HEAD).first.inner_text())
    assert head is not None
    hidden = cards(results, "h")
    scores = list(map(score, hidden))
    assert scores == sorted(scores, reverse=True)
    over = [each for each in scores if each >= THRESHOLD]
    assert list(map(int, head.groups())) == [len(scores), len(scores) - len(over), len(over)]
    line = results.locator("[class*='st-key-threshold-line-']:visible")
    expect(line).to_have_count(1)
    expect(line).to_contain_text(f"관련도 기준 {THRESHOLD}점")
    for card, points in zip(hidden, scores, strict=True):
        below = points < THRESHOLD
        reason = f"기준보다 {THRESHOLD - points}점 낮음" if below else "결과 수 초과"
        expect(card.get_by_text(reason, exact=True)).to_be_visible()
        assert (top(card) > top(line)) is below


def test_a_reader_with_a_calculator_gets_the_score(results: BrowserPage):
    """The points of the parts add up to the total, and that times the factor is the score of the card."""
    for place, card in enumerate(cards(results), start=1):
        card.locator(f".st-key-why-{place} button:visible").click()
        body = results.get_by_test_id("stPopoverBody").filter(has=results.get_by_role("cell", name="합계", exact=True))
        expect(body).to_be_visible()
        rows = [row.get_by_role("cell").all_inner_texts() for row in body.get_by_role("row").all()]
        told = {cells[0]: cells[-1] for cells in rows if cells}
        names = list(told)
        parts = [Decimal(told[name]) for name in names[: names.index("합계")]]
        assert sum(parts) == Decimal(told["합계"])
        factor = Decimal(told["합계에 곱하는 값"].removeprefix("×"))
        assert math.floor(min(Decimal(100), Decimal(told["합계"]) * factor)) == int(told["점수"]) == score(card)
        several = "Tavily 외 1곳" in card.inner_text() or "SearXNG 외 1곳" in card.inner_text()
        assert ("여러 곳에서 위쪽에 나옴" in told) is several
        assert ("검색 서비스에서 위쪽에 나옴" in told) is not several
        results.keyboard.press("Escape")
        expect(body).to_have_count(0)


def test_the_histogram_agrees_with_the_list(results: BrowserPage):
    """Chart and list count the same groups; the axis goes from 0 to 100, and a bar tells its points and its results."""
    chart = results.locator(".st-key-histogram-place [role='graphics-document']").first
    head = HEAD.match(results.get_by_text(HEAD).first.inner_text())
    assert head is not None
    told = chart.get_attribute("aria-label") or ""
    assert f"보임 {COUNT}, 결과 수 초과 {head[3]}, 기준 아래 {head[2]}." in told
    assert f"기준은 {THRESHOLD}점" in told
    ticks = [text for text in chart.locator("svg text").all_text_contents() if text.strip()]
    assert ticks == ["0", "20", "40", "60", "80", "100"]
    best = max(map(score, cards(results)))
    low = best // 5 * 5
    chart.locator("svg .mark-rect path").last.hover()
    tooltip = results.locator("#vg-tooltip-element")
    expect(tooltip).to_contain_text(f"{low}–{100 if low == 95 else low + 4}")
    expect(tooltip).to_contain_text("보임")


def test_the_line_of_the_histogram_goes_along_with_the_drag(results: BrowserPage):
    """Before the mouse is let go the line stands at the value under it; then the chart is drawn anew there."""
    place = results.locator(".st-key-histogram-place")
    chart = place.locator("[role='graphics-document']").first
    slider = results.get_by_role("slider", name="관련도 기준")
    thumb = results.locator(".st-key-threshold [data-testid='stSliderThumbValue']").locator("..").bounding_box()
    assert thumb is not None
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    results.mouse.move(x, y)
    results.mouse.down()
    results.mouse.move(x + 40, y, steps=8)
    expect(place).to_have_attribute("data-moving", "true")
    value = slider.input_value()
    assert int(value) > THRESHOLD
    assert place.evaluate("each => each.style.getPropertyValue('--threshold')") == f"{value}%"
    assert f"기준은 {THRESHOLD}점" in (chart.get_attribute("aria-label") or "")  # nothing has been sent yet
    results.mouse.up()
    expect(chart).to_have_attribute("aria-label", re.compile(f"기준은 {value}점"))
    expect(place).not_to_have_attribute("data-moving", "true")


def test_a_moved_threshold_moves_chart_and_reasons(results: BrowserPage):
    """A higher threshold counts more below it, in the head line, the chart and the list alike."""
    set_threshold(results, 90)
    expect(results.get_by_text(re.compile(r"숨김 10 \(기준 아래 10\)")).first).to_be_visible()
    chart = results.locator(".st-key-histogram-place [role='graphics-document']").first
    expect(chart).to_have_attribute("aria-label", re.compile(r"보임 0, 결과 수 초과 0, 기준 아래 10"))
    for card in cards(results, "h"):
        expect(card.get_by_text(f"기준보다 {90 - score(card)}점 낮음", exact=True)).to_be_visible()
