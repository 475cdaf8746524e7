"""Journeys through the whole app in Chromium: pages, core and database are real, services, pages of the web and model are played.

``first`` stands wherever a rerun may be under way: Streamlit then keeps the old element beside the new one for a moment.
"""

from __future__ import annotations

import json
import re
from threading import Event

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.accessibility import violations
from tests.browser.played_app import PlayedApp
from tests.browser.steps import (
    PHONE,
    announcement,
    assert_fits,
    be_still,
    box,
    marked_line,
    open_sample,
    search,
    slider,
    top,
    turn_to,
    unfold,
    unfold_named,
    visible_buttons,
    wait_for_answer,
    wait_for_motion,
)
from tests.loopback.world import Page as WebPage

pytestmark = pytest.mark.browser

HEIGHT = 844
FIRST, SECOND = "메모리 대역폭은 왜 중요한가?", "HBM과 GDDR은 어떻게 다른가?"


def cards(page: Page, prefix: str = "") -> list[Locator]:
    """Return the results in sight; those whose numbers begin with "h" are hidden ones that were unfolded."""
    found = page.locator(f"[class*='st-key-card-{prefix}']:visible")
    wanted = re.compile(rf"st-key-card-{prefix}\d+( |$)")
    return [each for each in found.all() if wanted.search(each.get_attribute("class") or "")]


def score(card: Locator) -> int:
    return int(card.get_by_role("progressbar").get_attribute("aria-valuenow") or -1)


def set_threshold(page: Page, points: int) -> None:
    slider(page).press("Home")
    expect(slider(page)).to_have_value("0")
    for _ in range(points // 10):
        slider(page).press("PageUp")
    for _ in range(points % 10):
        slider(page).press("ArrowRight")
    expect(slider(page)).to_have_value(str(points))


def test_a_newcomer_gets_results_with_their_reasons_and_takes_them_away(played: PlayedApp, visitor):
    """A sample and an example are two clicks to results, which are announced, explained, exported and there after a reload."""
    page = visitor(played.address)
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    assert violations(page) == []
    expect(announcement(page)).to_have_text("")
    open_sample(page)
    page.locator(".st-key-example-0 button").click()
    wait_for_answer(page)
    expect(page.get_by_text("웹 검색 2곳 중 2곳 응답").first).to_be_visible()
    expect(announcement(page)).to_have_text(re.compile(r"(\d+건이|답변이) 나왔어요\."))
    asked = page.locator("[class*='st-key-say-question-']:visible").last.inner_text().splitlines()[0]

    for fold in ("hidden", "ledger", "tuning"):
        unfold(page.locator(f"[class*='st-key-{fold}']:has(summary)").filter(visible=True).first)
    unfold(page.locator("[class*='st-key-why-']:has(summary)").filter(visible=True).first)
    expect(page.get_by_role("columnheader", name="근거")).to_be_visible()
    assert violations(page) == []

    shown = len(cards(page)) + len(cards(page, "doc-"))
    visible_buttons(page, "export").first.click()
    with page.expect_download() as started:
        page.get_by_role("button", name="데이터 (JSON)").click()
    assert started.value.suggested_filename.endswith(".json")
    assert len(json.loads(started.value.path().read_text("utf-8"))["results"]) == shown

    page.reload()
    expect(page.locator(".st-key-card-doc-1").first).to_be_visible()
    expect(page.locator("[class*='st-key-say-question-']:visible").last).to_contain_text(asked)
    expect(visible_buttons(page, "change-video")).to_have_count(1)
    expect(announcement(page)).to_have_text("")  # what a reload brings back is no news
    assert_fits(page, 1024, 390)
    page.set_viewport_size({"width": 390, "height": HEIGHT})
    assert top(page.locator(".st-key-video").first) < top(box(page))


CLOSE = "메모리 대역폭은 왜 중요한가: 메모리 대역폭이 계산을 기다리게 하는 까닭을 설명합니다."
NEAR = "메모리 대역폭을 늘리는 방법을 정리합니다."
FAR = "오늘 저녁 날씨와 주말 나들이 소식입니다."
SNIPPETS = (
    *(CLOSE, NEAR, f"{NEAR} 엔비디아의 발표입니다.", "삼성전자의 새 소식을 전합니다.", FAR, f"{CLOSE} 마이크론의 자료입니다."),
    *("메모리 값이 올랐습니다.", f"엔비디아 소식. {FAR}", f"{NEAR} 원리를 그림으로 봅니다.", "대역폭이라는 말의 뜻입니다."),
)
TEN = tuple(
    WebPage(title=f"{place + 1}째 글: {snippet[:18]}", url=f"https://news{place}.example.com/{place}", snippet=snippet)
    for place, snippet in enumerate(SNIPPETS)
)
THRESHOLD = 20
HEAD = re.compile(r"^숨긴 결과 (\d+)개 \(기준 미달 \d+\)")


def test_a_moved_threshold_moves_chart_and_list_without_a_search(played: PlayedApp, visitor):
    """Chart and list count alike, the line follows a drag at once, and the panel of what it hides stays open."""
    played.world.play_all(pages=TEN)
    page = open_sample(visitor(f"{played.address}/?off=library&threshold={THRESHOLD}"))
    unfold_named(page, "조정")
    search(page, FIRST)
    expect(page.get_by_text(HEAD).first).to_be_visible()
    page.get_by_text(HEAD).first.click()
    expect(page.locator(".st-key-card-h1").first).to_be_visible()
    be_still(page)
    searched = re.search(r"job=[^&]+", page.url)
    assert searched is not None
    place = page.locator(".st-key-histogram-place")
    chart = place.locator("[role='graphics-document']").first
    head = HEAD.match(page.get_by_text(HEAD).first.inner_text())
    assert head is not None
    words = chart.get_attribute("aria-label") or ""
    assert f"보임 {len(TEN) - int(head[1])}, 개수 제한으로 제외 0, 기준 미달 {head[1]}." in words
    assert f"기준은 {THRESHOLD}점" in words
    low = max(map(score, cards(page))) // 5 * 5
    bar = chart.locator("i").last
    bar.hover()
    assert f"{low}–{100 if low == 95 else low + 4}" in bar.evaluate("each => getComputedStyle(each, '::after').content")

    thumb = page.locator(".st-key-threshold [data-testid='stSliderThumbValue']").locator("..").bounding_box()
    assert thumb is not None
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=8)
    expect(place).to_have_attribute("data-moving", "true")
    value = slider(page).input_value()
    assert int(value) > THRESHOLD
    assert place.evaluate("each => each.style.getPropertyValue('--threshold')") == f"{value}%"
    assert f"기준은 {THRESHOLD}점" in (chart.get_attribute("aria-label") or "")  # nothing has been sent yet
    page.mouse.up()
    expect(chart).to_have_attribute("aria-label", re.compile(f"기준은 {value}점"))
    expect(place).not_to_have_attribute("data-moving", "true")

    highest = max(map(score, cards(page)))
    set_threshold(page, highest + 1)
    expect(page.get_by_text(re.compile(r"^숨긴 결과 10개 \(기준 미달 10\)")).first).to_be_visible()
    for card in cards(page, "h"):  # the panel has stayed open
        expect(card.get_by_text(f"기준보다 {highest + 1 - score(card)}점 낮음", exact=True)).to_be_visible()
    assert searched[0] in page.url


def test_back_and_forward_go_through_searches_and_pages(played: PlayedApp, visitor):
    """Each question and each page that is gone to is one entry of the history, with its own results."""
    page = open_sample(visitor(played.address))
    unfold_named(page, "조정")
    first = search(page, FIRST)
    set_threshold(page, 10)
    slider(page).press("ArrowLeft")
    expect(page).to_have_url(re.compile("threshold=9"))  # a setting is no entry
    second = search(page, SECOND)
    page.go_back()
    expect(page).to_have_url(first.replace("&chat=", "&threshold=9&chat="))
    found = page.locator("[class*='st-key-card-']:visible")
    expect(found.first).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?video=1$"))
    expect(found).to_have_count(0)
    page.go_forward()
    expect(found.first).to_be_visible()
    page.go_forward()
    expect(page).to_have_url(second)

    page.get_by_role("link", name="기록", exact=True).click()
    expect(page.locator("[class*='st-key-record-chat-']:visible").first).to_contain_text(FIRST)
    page.go_back()
    expect(page).to_have_url(second)
    expect(found.first).to_be_visible()
    turn_to(page, "주장 확인")
    expect(page).to_have_url(re.compile(r"[?&]tab=claims"))
    page.go_back()
    expect(found.first).to_be_visible()


OUTLINE = "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"
ASKING = "getComputedStyle(document.querySelector('.st-key-ask-row'), '::after').opacity === '1'"


def test_the_keyboard_is_enough_and_the_focus_is_seen(played: PlayedApp, visitor):
    """Enter shows at once that the question is on its way; the focus has an outline and stays where a part of the query was."""
    page = visitor(f"{played.address}/?video=1")
    silent = Event()
    waiting: list[bytes | str] = []

    def between(tab: WebSocketRoute) -> None:
        server = tab.connect_to_server()
        server.on_message(lambda message: waiting.append(message) if silent.is_set() else tab.send(message))
        page.on("close", lambda _: server.close())
        handed_on.append(tab)

    handed_on: list[WebSocketRoute] = []
    page.route_web_socket(re.compile("_stcore/stream"), between)
    page.reload()
    expect(visible_buttons(page, "change-video")).to_have_count(1)
    be_still(page)
    box(page).focus()
    page.keyboard.type(FIRST)
    silent.set()
    page.keyboard.press("Enter")
    expect(page.locator("html[data-asking]")).to_have_count(1)  # before the server has said anything
    wait_for_motion(page)
    assert page.evaluate(ASKING)
    silent.clear()
    for message in waiting:
        handed_on[-1].send(message)
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page.locator("html[data-asking]")).to_have_count(0, timeout=10_000)  # before the script gives up by itself
    wait_for_answer(page)
    be_still(page)

    visible_buttons(page, "query").focus()
    page.keyboard.press("Enter")
    chips = visible_buttons(page, "part-")
    expect(chips.first).to_be_visible()
    before, words = chips.count(), chips.nth(1).inner_text().split("·")[0].split("close")[0].strip()
    address = page.url
    chips.nth(1).focus()
    page.keyboard.press("Enter")
    expect(visible_buttons(page, "restore-").first).to_contain_text(words)
    expect(chips).to_have_count(before - 1)
    expect(page.locator(".st-key-chips button:focus")).to_have_count(1)
    expect(page).not_to_have_url(address)

    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.get_by_test_id("stSidebarNavLink").first.focus()
        for _ in range(12):
            page.keyboard.press("Tab")
            inside = page.evaluate("document.activeElement.closest('[data-testid=stSidebar]') !== null")
            if inside and page.evaluate("document.activeElement.tagName") in ("A", "BUTTON", "SUMMARY"):
                assert page.evaluate(OUTLINE) == ["solid", "2px"], page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


SMALL_TARGETS = """() => [...document.querySelectorAll("button, summary, [role=tab], label:has(> input)")].filter((each) => {
    const box = each.getBoundingClientRect(), shown = each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return shown && box.width > 1 && (box.height < 44 || (each.closest("[data-testid=stChatInput]") && box.width < 44));
}).map((each) => each.innerText || each.getAttribute("aria-label"))"""
"""What is hard to hit with a finger, in the box also for being narrow."""


def test_a_phone_shows_results_video_and_reasons_in_their_turn(played: PlayedApp, visitor):
    """Results are in sight under the bar of the video, which unfolds at a moment; reasons and fingers have room."""
    page = open_sample(visitor(played.address, width=390, height=HEIGHT, **PHONE))
    search(page, FIRST)
    expect(page.locator("[class*='st-key-say-answer-']:visible").first).to_be_in_viewport()
    expect(page.locator(".st-key-video")).to_be_in_viewport()
    assert_fits(page, 390, 720)
    assert page.evaluate(SMALL_TARGETS) == []
    assert violations(page) == []

    unfold(page.locator(".st-key-why-1:visible").first)
    expect(page.get_by_role("columnheader", name="근거")).to_be_in_viewport()
    expect(page.locator(".st-key-heading-1:visible").first).to_be_in_viewport()  # what it explains stays in sight
    assert_fits(page, 390)

    moment = visible_buttons(page, "moment-").last
    moment.scroll_into_view_if_needed()
    moment.tap()
    expect(marked_line(page)).to_have_count(1)
    expect(page.locator(".st-key-video")).to_be_in_viewport()
    expect(marked_line(page)).to_be_in_viewport()
    page.get_by_role("button", name="메뉴 · 설정").tap()
    unfold_named(page, "조정")
    expect(slider(page)).to_be_visible()
