"""Journeys through the whole app in Chromium: pages, core and database are real, services, pages of the web and model are played.

``first`` stands wherever a rerun may be under way: Streamlit then keeps the old element beside the new one for a moment.
"""

from __future__ import annotations

import io
import json
import re
import wave
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from math import floor
from pathlib import Path
from threading import Event

import httpx
import pytest
from playwright.sync_api import Locator, Page, WebSocket, WebSocketRoute, expect

from pages.parts.headers import HEADERS
from search_core.domain import SearchStatus
from tests.app.health_double import HOSTILE_QUERY, event
from tests.browser.accessibility import violations
from tests.browser.played_app import HOLD_S, MOUNTAINS, WEB, PlayedApp
from tests.browser.steps import (
    PHONE,
    announcement,
    ask,
    assert_fits,
    be_still,
    chat_box,
    marked_line,
    open_sample,
    question,
    research,
    search,
    slider,
    top,
    unfold,
    unfold_named,
    upload,
    visible_buttons,
    wait_for_answer,
    wait_for_report,
)
from tests.loopback.language_model import Asked, Whole, saying
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import RATE, Sentence, sentences, speak
from tests.loopback.world import Page as WebPage
from tests.search_core.test_core_chat import QUESTION

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
    expect(slider(page)).to_have_value(str(points))


def test_a_newcomer_gets_results_with_their_reasons_and_takes_them_away(played: PlayedApp, visitor):
    """A sample and an example are two clicks to results, which are announced, explained, exported and there after a reload."""
    page = visitor(played.address)
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    assert violations(page) == []
    expect(announcement(page)).to_have_text("")
    open_sample(page)
    page.locator(".st-key-example-0 button").click()
    expect(page.locator(".st-key-card-1").first.get_by_role("progressbar")).to_be_visible()
    expect(page.locator(".st-key-chips button").first).to_be_visible()
    expect(visible_buttons(page, "to-chat")).to_have_count(1)
    expect(page.get_by_text("웹 검색 2곳 중 2곳 응답").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]q=.+&job="))
    expect(announcement(page)).to_have_text(re.compile(r"\d+건이 나왔어요\."))
    asked = question(page).input_value()
    assert asked

    for fold in ("hidden-", "ledger", "weights", "absent-services"):
        unfold(page.locator(f"[class*='st-key-{fold}']:has(summary)").filter(visible=True).first)
    expect(page.locator(".st-key-ledger ul").first).to_be_visible()
    visible_buttons(page, "why-").first.click()
    expect(page.get_by_role("cell", name="점수", exact=True)).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")

    shown = len(cards(page))
    visible_buttons(page, "export").first.click()
    with page.expect_download() as started:
        page.get_by_role("button", name="데이터 (JSON)").click()
    assert started.value.suggested_filename.endswith(".json")
    assert len(json.loads(started.value.path().read_text("utf-8"))["results"]) == shown

    page.reload()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(question(page)).to_have_value(asked)
    expect(visible_buttons(page, "change-video")).to_have_count(1)
    expect(announcement(page)).to_have_text("")  # what a reload brings back is no news
    assert_fits(page, 1024, 390)
    page.set_viewport_size({"width": 390, "height": HEIGHT})
    assert top(page.locator(".st-key-video").first) < top(question(page))


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
THRESHOLD, COUNT = 20, 5
HEAD = re.compile(r"^\d+건 · 숨김 (\d+) \(기준 아래 (\d+) · 결과 수 초과 (\d+)\)")
NAMED, OTHERS = "이 영상의 인물·기업·행사가 나온 결과", "그 밖의 결과"


@pytest.fixture
def ten_results(played: PlayedApp, visitor) -> Page:
    """Search about a sample where one service has ten pages and the other three of them, and show five and the hidden ones."""
    played.world.play("tavily", pages=TEN)
    played.world.play("brave", pages=TEN[:3])
    page = open_sample(visitor(f"{played.address}/?off=library&threshold={THRESHOLD}&result-count={COUNT}"))
    search(page, FIRST)
    expect(page.get_by_text(HEAD).first).to_be_visible()
    page.get_by_text(re.compile(r"^숨긴 결과 \d+개$")).first.click()
    expect(page.locator(".st-key-card-h1").first).to_be_visible()
    be_still(page)
    return page


def test_a_reader_with_a_calculator_agrees_with_the_order(ten_results: Page):
    """Scores decide what is shown, names what comes first; hidden results say why, and the parts of each score add up to it."""
    page = ten_results
    shown, hidden = list(map(score, cards(page))), list(map(score, cards(page, "h")))
    assert len(shown) == COUNT
    assert min(shown) >= max(hidden)
    lines = page.locator("[class*='st-key-section-line-']:visible")
    expect(lines).to_have_count(2)
    named, others = (re.fullmatch(r"(.+) (\d+)건", lines.nth(place).inner_text()) for place in (0, 1))
    assert named is not None
    assert others is not None
    assert (named[1], others[1]) == (NAMED, OTHERS)
    count = int(named[2])
    assert count + int(others[2]) == COUNT
    assert shown[:count] == sorted(shown[:count], reverse=True)
    assert shown[count:] == sorted(shown[count:], reverse=True)
    assert max(shown) in shown[count:]  # the best names none of them, and is shown all the same
    for place, card in enumerate(cards(page)):
        assert bool(card.get_by_text(re.compile(r"^(엔비디아|마이크론|삼성전자)$")).count()) is (place < count)
        assert (top(card) > top(lines.nth(1))) is (place >= count)

    head = HEAD.match(page.get_by_text(HEAD).first.inner_text())
    assert head is not None
    assert hidden == sorted(hidden, reverse=True)
    over = [each for each in hidden if each >= THRESHOLD]
    assert list(map(int, head.groups())) == [len(hidden), len(hidden) - len(over), len(over)]
    line = page.locator("[class*='st-key-threshold-line-']:visible")
    expect(line).to_have_count(1)
    expect(line).to_contain_text(f"관련도 기준 {THRESHOLD}점")
    for card, points in zip(cards(page, "h"), hidden, strict=True):
        reason = f"기준보다 {THRESHOLD - points}점 낮음" if points < THRESHOLD else "결과 수 초과"
        expect(card.get_by_text(reason, exact=True)).to_be_visible()
        assert (top(card) > top(line)) is (points < THRESHOLD)

    for place, card in enumerate(cards(page), start=1):
        card.locator(f".st-key-why-{place} button:visible").click()
        body = page.get_by_test_id("stPopoverBody").filter(has=page.get_by_role("cell", name="합계", exact=True))
        expect(body).to_be_visible()
        rows = [row.get_by_role("cell").all_inner_texts() for row in body.get_by_role("row").all()]
        cells = {row[0]: row[-1] for row in rows if row}
        names = list(cells)
        assert "질문과 뜻이 가까움" in names
        assert any(re.fullmatch(r"\d+%", each) for row in rows for each in row)
        parts = [Decimal(cells[name]) for name in names[: names.index("합계")]]
        assert sum(parts) == Decimal(cells["합계"])
        factor = Decimal(cells["합계에 곱하는 값"].removeprefix("×"))
        assert floor(min(Decimal(100), Decimal(cells["합계"]) * factor)) == int(cells["점수"]) == score(card)
        several = " 외 1곳" in card.inner_text()
        assert ("여러 곳에서 위쪽에 나옴" in cells) is several
        assert ("검색 서비스에서 위쪽에 나옴" in cells) is not several
        page.keyboard.press("Escape")
        expect(body).to_have_count(0)


def test_a_moved_threshold_moves_chart_and_list_without_a_search(ten_results: Page):
    """Chart and list count alike, the line follows a drag at once, and what the threshold hides comes back by a click."""
    page = ten_results
    searched = re.search(r"job=[^&]+", page.url)
    assert searched is not None
    place = page.locator(".st-key-histogram-place")
    chart = place.locator("[role='graphics-document']").first
    head = HEAD.match(page.get_by_text(HEAD).first.inner_text())
    assert head is not None
    words = chart.get_attribute("aria-label") or ""
    assert f"보임 {COUNT}, 결과 수 초과 {head[3]}, 기준 아래 {head[2]}." in words
    assert f"기준은 {THRESHOLD}점" in words
    ticks = [text for text in chart.locator("svg text").all_text_contents() if text.strip()]
    assert ticks == ["0", "20", "40", "60", "80", "100"]
    low = max(map(score, cards(page))) // 5 * 5
    chart.locator("svg .mark-rect path").last.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text(f"{low}–{100 if low == 95 else low + 4}")
    expect(page.locator("#vg-tooltip-element")).to_contain_text("보임")

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

    set_threshold(page, 90)
    expect(page.get_by_text(re.compile(r"숨김 10 \(기준 아래 10\)")).first).to_be_visible()
    expect(chart).to_have_attribute("aria-label", re.compile(r"보임 0, 결과 수 초과 0, 기준 아래 10"))
    expect(page.get_by_text("기준보다 높은 결과가 없어요").first).to_be_visible()
    for card in cards(page, "h"):  # the panel has stayed open
        expect(card.get_by_text(f"기준보다 {90 - score(card)}점 낮음", exact=True)).to_be_visible()
    visible_buttons(page, "lower-threshold").click()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    assert searched[0] in page.url


def test_back_and_forward_go_through_searches_and_pages(played: PlayedApp, visitor):
    """Each search and each page that is gone to is one entry of the history, with its own question and results."""
    page = open_sample(visitor(played.address))
    first = search(page, FIRST)
    set_threshold(page, 40)
    slider(page).press("ArrowLeft")
    expect(page).to_have_url(re.compile("threshold=39"))  # a setting is no entry
    second = search(page, SECOND)
    page.go_back()
    expect(page).to_have_url(f"{first}&threshold=39")
    expect(question(page)).to_have_value(FIRST)
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile(r"\?video=1$"))
    expect(question(page)).to_have_value("")
    expect(page.locator("[class*='st-key-card-']:visible")).to_have_count(0)
    page.go_forward()
    expect(question(page)).to_have_value(FIRST)
    page.go_forward()
    expect(page).to_have_url(second)
    expect(question(page)).to_have_value(SECOND)

    page.get_by_role("link", name="대화", exact=True).click()
    expect(chat_box(page)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/chat\?.*video=1"))
    page.go_back()
    expect(page).to_have_url(second)
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    page.go_forward()
    expect(chat_box(page)).to_be_visible()
    page.get_by_role("link", name="검색", exact=True).click()
    expect(page).to_have_url(second)
    expect(question(page)).to_have_value(SECOND)

    visible_buttons(page, "to-chat").click()
    expect(page.locator("[class*='st-key-say-question-']:visible").first).to_contain_text(SECOND)
    page.go_back()
    visible_buttons(page, "to-research").click()
    expect(page.get_by_role("textbox", name="조사할 질문")).to_have_value(SECOND)


def test_an_address_is_a_state_with_its_settings(played: PlayedApp, visitor):
    """The search an address names decides over its words; settings travel in it and go back to their first values by a click."""
    zero = "&".join(f"weight-{name}=0" for name in ("semantic_question", "semantic_video", "lexical", "entity"))
    page = visitor(f"{played.address}/?video=1&{zero}")
    expect(page.get_by_text("모든 점수가 0이에요").first).to_be_visible()
    visible_buttons(page, "reset-all").first.click()
    expect(page).not_to_have_url(re.compile("weight-"))
    address = search(page, FIRST)
    page.goto(re.sub(r"q=[^&]*", "q=HBM4", address))
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(question(page)).to_have_value(FIRST)
    expect(page).to_have_url(address)

    set_threshold(page, 60)
    page.locator(".st-key-entity-first label:visible").first.click()
    expect(page).to_have_url(re.compile(r"threshold=60"))
    expect(page).to_have_url(re.compile(r"entity-first=0"))
    page.reload()
    expect(slider(page)).to_have_value("60")
    expect(page.get_by_role("switch", name="영상 속 이름이 나온 결과 먼저")).not_to_be_checked()
    visible_buttons(page, "reset-all").first.click()
    expect(slider(page)).to_have_value("35")
    expect(page).not_to_have_url(re.compile("threshold"))
    expect(page.locator(".st-key-reset-all")).to_have_count(0)


OUTLINE = "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"
ASKING = "getComputedStyle(document.querySelector('.st-key-question-box'), '::after').opacity === '1'"


def test_the_keyboard_is_enough_and_the_focus_is_seen(played: PlayedApp, visitor):
    """Enter shows at once that the question is on its way; the focus has an outline and stays where a part of the query was."""
    page = visitor(f"{played.address}/?video=1", reduced_motion="reduce")
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
    question(page).focus()
    page.keyboard.type(FIRST)
    silent.set()
    page.keyboard.press("Enter")
    page.wait_for_function(ASKING)  # before the server has said anything
    silent.clear()
    for message in waiting:
        handed_on[-1].send(message)
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page.locator("html[data-asking]")).to_have_count(0, timeout=10_000)  # before the script gives up by itself
    expect(visible_buttons(page, "to-chat")).to_have_count(1)
    be_still(page)

    chips = visible_buttons(page, "part-")
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


def test_a_phone_shows_results_video_and_reasons_in_their_turn(played: PlayedApp, visitor):
    """Results are in sight after Enter, a moment leads up to the video, a reason has room, and the controls have a name."""
    page = open_sample(visitor(played.address, width=390, height=HEIGHT, **PHONE))
    search(page, FIRST)
    assert top(page.locator("[class*='st-key-card-']:visible").first) < HEIGHT * 0.75
    chip = page.locator(".st-key-chips button:visible").first
    expect(chip).to_have_css("border-radius", "999px")
    assert_fits(page, 390)

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

    moment = visible_buttons(page, "moment-").last
    moment.scroll_into_view_if_needed()
    moment.tap()
    expect(page.get_by_text(re.compile(r"^위쪽 영상을 \d+:\d\d로 옮겼어요$")).first).to_be_visible()
    expect(marked_line(page)).to_have_count(1)
    expect(page.locator(".st-key-video")).to_be_in_viewport()
    expect(marked_line(page)).to_be_in_viewport()
    expect(chip).to_have_css("border-radius", "999px")
    search(page, SECOND)
    expect(marked_line(page)).to_have_count(0)  # the next question folds the video again
    page.get_by_role("button", name="메뉴 · 설정").tap()
    expect(slider(page)).to_be_visible()


SRT = """1
00:00:01,700 --> 00:00:09,000
오늘은 HBM4 메모리의 대역폭이 왜 인공지능 가속기의 성능을 정하는지 처음부터 차근차근 길게 이야기해 보겠습니다.

2
00:00:12,600 --> 00:00:19,000
가람반도체는 HBM4의 대역폭이 초당 2테라바이트라고 밝혔고 이것은 앞선 세대의 두 배에 가까운 값이라고 설명했습니다.

3
00:00:25,800 --> 00:00:33,000
마지막으로 전력 소비는 앞선 세대와 같은 수준으로 묶었다고 덧붙였습니다 이것으로 발표를 모두 마치겠습니다.
""".encode()


def test_a_file_becomes_the_video_and_what_is_none_says_so(played: PlayedApp, visitor):
    """Wrong addresses and files leave a sentence and the draft; subtitles are searched, quoted, and there after a reload."""
    page = visitor(played.address)
    question(page).fill("아직 보내지 않은 질문")
    page.get_by_role("textbox", name="YouTube 주소").fill("https://example.com/watch")
    page.get_by_role("button", name="열기", exact=True).click()
    expect(page.get_by_text("YouTube 영상 주소가 아니에요").first).to_be_visible()
    visible_buttons(page, "to-file").first.click()
    expect(page.get_by_role("tab", name="파일")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("자막 (SRT, VTT, JSON, TXT · 20MB까지) 또는 영상·소리 (2.0GB, 6시간까지)").first).to_be_visible()
    several = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": b"words " * 10_000} for n in range(4)]
    page.locator("input[type=file]").set_input_files(several)
    expect(page.get_by_text("파일은 하나만").first).to_be_visible()
    upload(page, "a.pdf", b"%PDF-1.7", "application/pdf")
    expect(page.get_by_text("파일은 읽을 수 없는 종류예요").first).to_be_visible()
    expect(question(page)).to_have_value("아직 보내지 않은 질문")

    upload(page, "발표.srt", SRT)
    line = visible_buttons(page, "line-").filter(has_text="가람반도체는")
    expect(line.first).to_be_visible()
    metrics = page.request.get(f"{played.address}/_stcore/metrics").text()
    assert "UploadedFileManager" not in metrics  # the bytes of files leave the memory as soon as they are taken
    expect(page).to_have_url(re.compile(r"[?&]video=[0-9a-f]{32}"))
    page.reload()
    expect(line.first).to_be_visible()
    page.get_by_role("textbox", name="자막에서 찾기").fill("전력")
    page.get_by_role("textbox", name="자막에서 찾기").press("Enter")
    expect(page.get_by_text("1곳에 나와요").first).to_be_visible()

    played.model.answer = saying("HBM4의 대역폭은 초당 2테라바이트라고 밝혔어요 [00:12].")
    page.get_by_role("link", name="대화", exact=True).click()
    ask(page, "HBM4의 대역폭은 초당 얼마인가요?")
    visible_buttons(page, "at-").filter(has_text="00:12").first.click()
    expect(marked_line(page)).to_have_count(1)
    expect(marked_line(page)).to_have_text(re.compile("00:12"))  # not the line before it, which ends within the same second
    visible_buttons(page, "change-video").first.click()
    expect(page.locator("[class*='st-key-say-question-']:visible")).to_have_count(0)
    expect(visible_buttons(page, "recent-").filter(has_text="발표").first).to_be_visible()
    visible_buttons(page, "back-to-video").first.click()
    expect(page.locator("[class*='st-key-say-question-']:visible")).to_have_count(1)
    expect(line.first).to_be_visible()
    page.get_by_role("link", name="검색", exact=True).click()
    address = search(page, FIRST)
    visible_buttons(page, "change-video").first.click()
    visible_buttons(page, "back-to-video").first.click()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    expect(page).to_have_url(address)


TRAPS = "img, iframe, script, a[href^='javascript'], a[href^='http://203']"


def test_hostile_documents_and_queries_stay_text(played: PlayedApp, visitor):
    """A result, its document and a counted query that are full of traps are shown as written: nothing runs, loads or links."""
    page = visitor(f"{played.address}/?off={','.join(WEB)}&threshold=0")
    search(page, "메모리 대역폭 함정")
    card = page.locator("[class*='st-key-card-']").filter(has_text="onerror=alert(1)").first
    expect(card).to_contain_text("![그림](http://203.0.113.7/beacon.png)")
    expect(card.locator(TRAPS)).to_have_count(0)
    card.locator("[class*='st-key-title-'] button:visible").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("<script>alert(document.title)</script>")
    expect(dialog.locator(TRAPS)).to_have_count(0)
    page.keyboard.press("Escape")
    open_health(page)
    find_request(page, "onerror")
    # The table is a picture; this is the copy of it for those who do not see.
    cells = page.locator(".st-key-events canvas td[role=gridcell]")
    expect(cells.get_by_text(HOSTILE_QUERY, exact=True).first).to_be_attached()
    expect(page.locator(".st-key-events").first.locator(TRAPS)).to_have_count(0)


def label_first(page: Page) -> None:
    """Call the first result relevant."""
    expect(page.get_by_text("0개가 관련 있어요").first).to_be_visible()
    page.locator("[class*='st-key-label-']").first.get_by_role("radio", name="관련 있음").click()
    expect(page.get_by_text("1개가 관련 있어요").first).to_be_visible()


def open_lab(page: Page) -> None:
    page.get_by_role("link", name="관련도 실험실").click()
    expect(page.get_by_role("heading", name="임계값 정하기")).to_be_visible()


def load_samples(page: Page) -> None:
    page.get_by_role("button", name="판정한 예시 검색 불러오기").click()
    expect(page.get_by_text("예시 검색 24건을 불러왔어요")).to_be_visible()
    be_still(page)


def labelled(page: Page) -> tuple[int, int]:
    """Return how many searches and labels the lab counts."""
    line = re.search(
        r"검색 (\d+)건 · 결과 \d+개 · 판정 (\d+)개", page.get_by_text(re.compile("검색 .*건 · 결과")).first.inner_text()
    )
    assert line is not None
    return int(line[1]), int(line[2])


def test_labels_become_a_threshold_that_is_used(played: PlayedApp, visitor):
    """Labels by key and pointer promise a threshold, with those of the samples; a click puts it on the search page."""
    page = open_sample(visitor(f"{played.address}/?off={','.join(WEB)}"))
    search(page, FIRST)
    page.locator(".st-key-labelling input").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("0개가 관련 있어요").first).to_be_visible()
    relevant = page.locator("[class*='st-key-label-']").first.get_by_role("radio", name="관련 있음")
    expect(relevant).to_be_visible()
    be_still(page)
    page.locator("[class*='st-key-moment-1'] button:visible").first.focus()
    page.keyboard.press("Tab")
    expect(relevant).to_be_focused()
    for words in ("1개가 관련 있어요", "0개가 관련 있어요", "1개가 관련 있어요"):  # the same key takes it back
        page.keyboard.press("Space")
        expect(page.get_by_text(words).first).to_be_visible()
        be_still(page)
    search(page, SECOND)
    label_first(page)

    open_lab(page)
    searches, labels = labelled(page)
    assert (searches >= 2, labels) == (True, 2)
    expect(page.get_by_text("맨 위 결과는 글쇠 1, 2, 3으로")).to_be_visible()
    be_still(page)  # the line stands over buttons that are still to come
    page.locator("body").press("3")
    expect(page.get_by_text(re.compile("판정 3개"))).to_be_visible()
    load_samples(page)
    counted = labelled(page)
    load_samples(page)
    assert labelled(page) == counted  # loading them again adds none
    choice = page.get_by_role("combobox", name="보이는 것 가운데 관련 있는 몫")
    choice.click()
    choice.fill("70")
    page.get_by_role("option", name="70%").click()
    promise = page.get_by_text(
        re.compile(r"추천 기준 0\.\d\d: 보이는 결과의 70 % 이상이 관련 있어요\. \(90 % 확신, 검색 \d+건의 판정 \d+개로\)")
    )
    expect(promise).to_be_visible()
    points = re.findall(r"추천 기준 0\.(\d\d)", promise.inner_text())[0]
    page.get_by_role("button", name="이 기준 쓰기").click()
    expect(page.get_by_text(f"기준을 {int(points)}점으로 바꿨어요")).to_be_visible()
    expect(page.locator("[data-testid=stVegaLiteChart]").first).to_be_visible()
    assert violations(page) == []

    page.get_by_label("이름", exact=True).fill("엄격하게")
    page.get_by_label("이름", exact=True).press("Enter")
    page.get_by_role("button", name="지금 설정을 프로필로").click()
    expect(page.get_by_text("프로필 “엄격하게”을 두었어요")).to_be_visible()
    page.get_by_role("link", name="검색", exact=True).click()
    expect(slider(page)).to_have_value(str(int(points)))
    expect(page.get_by_role("combobox", name="설정 프로필")).to_have_value("엄격하게")


def test_labels_and_questions_go_out_and_come_in_as_files(played: PlayedApp, visitor, tmp_path: Path):
    """Exported labels are imported as the same searches, a bad line is named, and a list of questions is searched in one go."""
    page = visitor(f"{played.address}/lab")
    load_samples(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="판정과 검색 (JSONL)").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert all({"query", "results"} <= json.loads(line).keys() for line in lines)
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join([*lines[:2], "{"]), encoding="utf-8")
    unfold(page.locator(".st-key-fold-labels"))
    page.locator(".st-key-lab-import input[type=file]").set_input_files(file)
    expect(page.get_by_text("검색 2건을 가져왔어요.")).to_be_visible()
    expect(page.get_by_text("3번째 줄은 읽지 못했어요")).to_be_visible()
    questions = tmp_path / "questions.csv"
    questions.write_text(f'질문\n"{FIRST}"\n"{SECOND}"', encoding="utf-8")
    unfold(page.locator(".st-key-fold-questions"))
    page.locator(".st-key-lab-questions input[type=file]").set_input_files(questions)
    page.get_by_role("button", name="모두 검색하기").click()
    expect(page.get_by_text("질문 2개를 검색해 보관했어요")).to_be_visible()


ASIDE = "SK하이닉스의 창업자는 누구인가요?"
FOUNDER = WebPage(
    title="SK하이닉스의 역사",
    url="https://history.example.kr/",
    snippet="SK하이닉스의 창업자는 정주영이다. 1983년에 현대전자로 시작했다.",
)
NOTE_RECORDING = """() => {
    const start = MediaRecorder.prototype.start;
    MediaRecorder.prototype.start = function (...given) {
        setTimeout(() => { document.body.dataset.recorded = "half a second"; }, 500);
        return start.apply(this, given);
    };
}"""


def test_a_video_is_asked_aloud_checked_and_asked_what_it_does_not_say(played: PlayedApp, visitor):
    """A recorded question is answered with its moment and checked on the web, which answers where the video cannot."""
    page = open_sample(visitor(f"{played.address}/chat"))
    page.context.grant_permissions(["microphone"])
    page.evaluate(NOTE_RECORDING)
    page.get_by_role("button", name="Start recording").click()
    expect(page.locator("body[data-recorded]")).to_be_attached()  # before that there may be no sound to send
    page.get_by_role("button", name="Submit recording").click()
    expect(page.get_by_test_id("stMain").get_by_text(QUESTION).first).to_be_visible()
    wait_for_answer(page)
    [(name, data)] = [asked.files[0] for asked in played.model.asked if asked.files]
    assert name.endswith(".wav")
    assert data[:4] == b"RIFF"
    expect(page.locator("a[href='#t=345']:visible").first).to_be_visible()
    visible_buttons(page, "listen-").click()
    expect(page.get_by_test_id("stAudio")).to_have_count(1)

    visible_buttons(page, "check-").click()
    block = page.locator("[class*='st-key-stance-']:visible").first
    expect(block).to_contain_text("이후 변경")
    expect(block).to_contain_text("HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다.")
    block.get_by_role("button", name="누가 판단했나").click()
    expect(page.get_by_test_id("stPopoverBody")).to_contain_text("규칙")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_text("3쪽 중 2쪽을 읽었어요").first).to_be_visible()
    expect(visible_buttons(page, "check-")).to_have_count(0)
    played.world.play_all(pages=(FOUNDER,))
    ask(page, ASIDE)
    expect(page.get_by_text("영상에서는 답을 찾지 못해 웹에서 찾아봤어요").first).to_be_visible()
    answer = page.locator("[class*='st-key-say-answer-']:visible").last
    expect(answer).to_contain_text("JEDEC이 HBM4 표준을 개정했어요")
    expect(answer).not_to_contain_text("[77]")
    expect(answer).to_contain_text("살펴본 자막")
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)
    for fold in ("passages-", "sources-", "ledger-"):
        unfold(page.locator(f"[class*='st-key-{fold}']:has(summary)").filter(visible=True).last)
    expect(page.locator("[class*='st-key-line-passage-'] button:visible").first).to_be_visible()
    assert violations(page) == []

    expect(page).to_have_url(re.compile(r"[?&]chat=[\w-]{20,}"))
    page.reload()
    expect(page.locator("[class*='st-key-stance-']:visible").first).to_contain_text("일치")
    expect(page.get_by_text(ASIDE).first).to_be_visible()


def entries(page: Page, text: str) -> Locator:
    return page.locator(".st-key-history [class*='st-key-run-'] button:visible").filter(has_text=text)


def test_a_report_has_contents_sources_and_what_has_changed(played: PlayedApp, visitor):
    """Headings and numbers lead to their places; sources not cited are folded, and changes stand over the report."""
    page = open_sample(visitor(f"{played.address}/research", height=600))
    research(page, QUESTION)
    wait_for_report(page)
    report = page.locator(".st-key-report-text").first
    contents, headings = page.locator(".st-key-contents a"), page.locator(".st-key-report-text :is(h2, h3, h4)")
    expect(contents).to_have_text(headings.all_inner_texts())
    contents.last.click()
    expect(headings.last).to_be_in_viewport()
    expect(headings.last).to_be_focused()

    cited = report.locator("a[href^='#source-']").first
    title = (cited.get_attribute("title") or "").split(" — ")[0]
    expect(report).to_contain_text(f"({title}, 내 자료")
    number = (cited.get_attribute("href") or "").removeprefix("#source-")
    cited.click()
    place = page.locator(f".st-key-source-{number}").first
    expect(place).to_be_in_viewport()
    place.locator("button:visible").first.click()
    expect(page.get_by_role("dialog")).to_contain_text(title)
    page.keyboard.press("Escape")

    fold = page.locator("[class*='st-key-uncited-'] summary:visible")
    expect(fold).to_contain_text("보고서에 인용하지 않은 출처")
    unfold(page.locator("[class*='st-key-uncited-']:has(summary)").filter(visible=True).first)
    expect(page.locator("[class*='st-key-uncited-'] [class*='st-key-source-']:visible").first).to_be_visible()
    unfold_named(page, "어디까지 조사했나요")
    expect(page.locator(".st-key-coverage ul").first).to_be_visible()
    assert violations(page) == []

    first = page.url
    visible_buttons(page, "research-again").click()
    expect(page).not_to_have_url(first)
    changes = page.locator("[class*='st-key-changes-'] summary:visible")
    expect(changes).to_contain_text("지난 조사 이후 바뀐 것")
    wait_for_report(page)
    assert top(changes) < top(report)


def test_research_without_the_web_goes_on_with_own_documents(played: PlayedApp, visitor):
    """A run that found no service to ask, and the one by own documents alone that goes on from it, are one entry of the list."""
    for service in WEB:
        played.world.play(service, failure="bad-key")
    text = "메모리 대역폭은 왜 중요한가요? (웹 없이)"
    page = open_sample(visitor(f"{played.address}/research"))
    research(page, text)
    expect(visible_buttons(page, "research-own-documents")).to_have_count(1)
    expect(page.locator(".st-key-research-status").first).to_contain_text("웹을 검색하지 못했어요")
    expect(entries(page, text)).to_have_count(1)
    visible_buttons(page, "research-own-documents").click()
    wait_for_report(page)
    expect(page.locator(".st-key-report").first).to_contain_text("내 자료만으로 쓴 보고서예요. 웹은 검색하지 않았어요.")
    expect(page.get_by_text("웹은 검색하지 않음").first).to_be_visible()
    expect(page.locator("[class*='st-key-source-']").first).to_be_visible()
    expect(entries(page, text)).to_have_count(1)
    address = page.url
    page.reload()
    expect(page).to_have_url(address)
    expect(page.locator(".st-key-research-status").first).to_contain_text("조사를 마쳤어요")


def test_planted_errors_of_a_video_are_found(played: PlayedApp, visitor):
    """The sample with errors is checked against pages that were read, and taken away as a text with its moments."""
    played.world.play_all(pages=played.press.hits([article.path for article in MOUNTAINS]))
    page = visitor(f"{played.address}/claims")
    page.locator(".st-key-open-sample-3 button").click()
    expect(visible_buttons(page, "start-claims")).to_be_enabled()
    visible_buttons(page, "start-claims").click()
    expect(visible_buttons(page, "claims-again")).to_have_count(1)
    card = page.locator("[class*='st-key-claim-']:visible").filter(has_text="설악산의 높이는 1,807미터")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("상충")
    expect(card).to_contain_text("“설악산의 높이는 1,708미터이다.”")
    expect(card.locator("strong", has_text="1,708미터")).to_have_count(1)
    unfold(card)
    expect(card).to_contain_text("내 자료(예시)에서 (웹이 아니에요)")
    changed = page.locator("[class*='st-key-claim-']:visible").filter(has_text="국립공원은 22곳")
    expect(changed).to_contain_text("이후 변경")
    visible_buttons(page, "export-run").first.click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="문서 (Markdown)").click()
    written = download.value.path().read_text("utf-8")
    assert "- **상충** · 독립된 출처 1곳" in written
    assert "- 영상 01:02 “설악산의 높이는 1,807미터입니다.”" in written


def open_health(page: Page) -> None:
    page.get_by_test_id("stSidebarNavLink").filter(has_text="검색 상태").first.click()
    expect(page.locator(".st-key-events").first).to_be_visible()


def counted(page: Page) -> int:
    """Return how many requests the table counts."""
    line = page.locator(".st-key-events").get_by_text(re.compile(r"^[\d,]+건 · 새것부터$")).first
    expect(line).to_be_visible()
    return int(line.inner_text().split("건")[0].replace(",", ""))


def find_request(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="검색어로 찾기")
    box.fill(text)
    box.press("Enter")


def test_the_health_page_refreshes_itself_and_leaves_the_reader_alone(played: PlayedApp, visitor):
    """A new request appears by itself while filter, chart and scroll position stay; the filtered requests can be taken away."""
    page = visitor(played.address)
    open_health(page)
    row = page.locator(".st-key-services tr").filter(has_text="내 자료").first
    expect(row).to_contain_text(re.compile(r"정상.*성공\s?\d+"))
    expect(page.get_by_text("기록 보관: 이 서버의 기록").first).to_be_visible()
    page.get_by_text(re.compile("^꺼 둔 검색 서비스")).first.click()
    chart = page.locator(".st-key-timeline svg").first
    expect(chart).to_be_visible()
    assert violations(page) == []

    whole = counted(page)
    find_request(page, "갓 들어온")
    expect(page.get_by_text("조건에 맞는 기록이 없어요.").first).to_be_visible()
    chart.evaluate("drawing => drawing.dataset.seen = 'before'")
    main = page.get_by_test_id("stMain")
    place = main.evaluate("area => (area.scrollTo(0, 150), area.scrollTop)")
    newcomer = event(0, "library", SearchStatus.SUCCESS, datetime.now(UTC))
    played.log.append([replace(newcomer, query="갓 들어온 검색어")])
    expect(page.get_by_text(f"{whole + 1:,}건 중 1건 · 새것부터").first).to_be_visible()
    expect(page.get_by_role("textbox", name="검색어로 찾기")).to_have_value("갓 들어온")
    assert main.evaluate("area => area.scrollTop") == place > 0
    expect(page.locator(".st-key-timeline svg[data-seen=before]")).to_have_count(1)

    find_request(page, "onerror")
    expect(page.get_by_text(re.compile("건 중 9건 · 새것부터")).first).to_be_visible()
    visible_buttons(page, "health-export").first.click()
    expect(page.get_by_text(re.compile("아래 조건에 맞는 기록만 받아요: onerror")).first).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("button", name="표 (CSV)").click()
    assert re.fullmatch(r"maekrak-health-\d{8}-\d{4}\.csv", started.value.suggested_filename)
    lines = started.value.path().read_text("utf-8-sig").splitlines()
    requests = [line for line in lines if line.startswith('"20')]
    assert len(requests) == 9
    assert all("+09:00" in line for line in requests)
    assert any(line.startswith('"조건","onerror (') for line in lines)
    page.keyboard.press("Escape")
    assert_fits(page, 1024, 390)


def test_services_are_asked_once_and_no_more_when_the_page_is_left(played: PlayedApp, visitor):
    """Two quick clicks ask each service once, and the page says who is awaited; on another page the clock asks for nothing."""
    page = visitor(played.address, reduced_motion="reduce")  # its clock cannot be given back
    sockets: list[WebSocket] = []
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.clock.install()
    page.reload()
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    open_health(page)
    played.world.hold("brave")
    before = played.world.times_asked("tavily"), played.world.times_asked("brave")
    button = visible_buttons(page, "probe").first
    button.dblclick()
    expect(page.get_by_text("Brave 검색 응답 대기 중").first).to_be_visible()
    expect(page.get_by_text("3곳 중 2곳 끝남").first).to_be_visible()
    expect(button).to_be_disabled()
    played.world.release()
    outcome = page.locator(".st-key-probe-panel").first
    expect(outcome.get_by_text("점검을 마쳤어요").first).to_be_visible()
    expect(outcome.get_by_text(re.compile("^.*Brave 검색: 3건")).first).to_be_visible()
    expect(button).to_be_enabled()
    assert (played.world.times_asked("tavily"), played.world.times_asked("brave")) == (before[0] + 1, before[1] + 1)
    expect(page.get_by_text(re.compile("점검하며 3번 물은 것은 세지 않았어요")).first).to_be_visible()

    with sockets[-1].expect_event("framesent"):
        page.clock.fast_forward(11_000)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="검색").first.click()
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    expect(page.locator(".st-key-events")).to_have_count(0)
    sockets[-1].on("framesent", lambda frame: sent.append(frame))
    page.clock.fast_forward(60_000)
    open_sample(page)
    assert len(sent) == 1


def test_a_recording_is_listened_to_searched_and_asked_about(played: PlayedApp, visitor):
    """Transcribing can be stopped and goes on over a reload; its transcript is asked about like any other."""
    may_answer = Event()

    def listen(asked: Asked) -> Whole:
        may_answer.wait(HOLD_S)
        return listening(asked)

    played.model.hear, played.model.answer = listen, saying("영상에서 여러 낱말을 차례로 말해요 [00:07].")
    page = visitor(played.address)
    upload(page, "강연.wav", wav(sentences(40.0, first_s=5.0)), "")
    visible_buttons(page, "cancel-transcription").first.click()
    expect(page.get_by_text("받아 적기를 멈췄어요").first).to_be_visible()
    upload(page, "깨진.mp4", b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 5000, "")
    expect(page.get_by_text("파일이 깨져 있어서 소리를 읽지 못했어요").first).to_be_visible()
    expect(page.locator(".st-key-cancel-transcription")).to_have_count(0)

    said = sentences(40.0, first_s=2.0)
    upload(page, "낱말.wav", wav(said), "")
    expect(visible_buttons(page, "cancel-transcription").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]sound=[\w-]{20,}"))
    page.reload()
    expect(page.get_by_text("받아 적고 있어요").first).to_be_visible()
    assert violations(page) == []
    assert_fits(page, 390)
    may_answer.set()
    expect(page.get_by_text("낱말", exact=True).first).to_be_visible()
    expect(page.get_by_text("음성 인식(listener) · 한국어").first).to_be_visible()
    expect(visible_buttons(page, "line-").first).to_contain_text(said[0].text)
    assert violations(page) == []
    page.get_by_role("link", name="대화", exact=True).click()
    ask(page, "무슨 말을 하나요?")
    expect(page.get_by_text("영상에서 여러 낱말을 차례로 말해요").first).to_be_visible()
    wait_for_answer(page)


def wav(said: list[Sentence]) -> bytes:
    """Return a file of forty seconds in which *said* is said."""
    with io.BytesIO() as file:
        with wave.open(file, "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(speak(40.0, said).tobytes())
        return file.getvalue()


JSON = {"Content-Type": "application/json"}
ADDRESSES = (
    ("GET", "/", 200),
    ("GET", "/chat?chat=nothing", 200),
    ("GET", "/nowhere", 200),  # Streamlit answers with its page, which then says so
    ("PUT", "/", 405),
    ("GET", "/_stcore/health", 200),
    ("GET", "/_stcore/host-config", 200),
    ("PUT", "/_stcore/upload_file/nothing/nothing", 403),
    ("GET", "/app/static/PretendardVariable.woff2", 200),
    ("GET", "/app/static/nothing.woff2", 404),
    ("GET", "/media/nothing.png", 404),
    ("GET", "/component/nothing/index.html", 404),
    ("GET", "/..%2f..%2fetc/passwd", 400),
    ("GET", "/%00", 400),
    ("GET", "/auth/login", 302),
    ("GET", "/healthz", 200),
    ("GET", "/metrics", 200),
    ("GET", "/api/openapi.json", 200),
    ("GET", "/api/nowhere", 404),
    ("GET", "/api/chat", 405),
    ("POST", "/api/chat", 415),
    ("OPTIONS", "/api/web-search", 405),
    ("GET", "/api/sessions/nothing", 404),
    ("GET", "/api/research", 200),
    ("GET", "/api/research/nothing/events", 404),
    ("DELETE", "/api/research/nothing", 404),
)
CALLS = (
    ({**JSON, "Origin": "http://evil.example"}, "{}", 403),
    ({**JSON, "X-Forwarded-For": "203.0.113.9"}, "{}", 401),
    (JSON, "{", 400),
    (JSON, f'{{"query": "{"가" * 30_000}"}}', 413),
    (JSON, '{"query": "메모리 대역폭이 왜 중요해?", "video_id": "sample-hbm"}', 200),
)


def test_every_answer_of_the_server_has_the_security_headers(played: PlayedApp):
    """Pages, static files, errors, refusals, streams and addresses for machines have every header once, as it is meant."""
    with httpx.Client(base_url=played.address, timeout=HOLD_S, trust_env=False) as client:
        for method, path, status in ADDRESSES:
            assert_secured(client.request(method, path), status)
        assert client.get("/healthz").json()["status"] in ("ok", "degraded")
        assert "# TYPE web_search_total counter" in client.get("/metrics").text
        assert client.get("/api/nothing").json()["error"]["type"] == "not_found"
        for headers, body, status in CALLS:
            answer = client.post("/api/chat", headers=headers, content=body.encode())
            assert_secured(answer, status)
            assert answer.headers["cache-control"].startswith("no-store")
            assert status != 200 or answer.headers["content-type"].startswith("text/event-stream")


def assert_secured(answer: httpx.Response, status: int) -> None:
    """Assert that *answer* has that status and the headers of the app."""
    assert answer.status_code == status, answer.request.url
    sent = {name: answer.headers.get_list(name) for name in (name.decode() for name, _ in HEADERS)}
    assert sent == {name.decode(): [value.decode()] for name, value in HEADERS}, answer.request.url
    assert "access-control-allow-origin" not in answer.headers or answer.request.url.path.startswith(
        ("/_stcore", "/app", "/media")
    )
    assert "server" not in answer.headers or "/" not in answer.headers["server"]
