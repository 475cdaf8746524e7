"""Journeys through answers, research and checks while they go on, in Chromium: each look of the page takes them an event further.

A word in brackets in a question names the script: "long" and "held" end only by a click.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import violations
from tests.browser.steps import (
    PHONE,
    announcement,
    ask,
    assert_fits,
    box,
    marked_line,
    open_sample,
    research,
    turn_to,
    unfold,
    visible_buttons,
    wait_for_answer,
    wait_for_report,
)

pytestmark = pytest.mark.browser

HEIGHT = 844


def questions(page: Page) -> Locator:
    return page.locator("[class*='st-key-say-question-']:visible")


def test_an_answer_grows_is_announced_checked_and_can_be_asked_anew(scripted, visitor):
    """An answer is written before one's eyes and checked under it; a question is asked anew."""
    page = open_sample(visitor(scripted, height=HEIGHT))
    expect(announcement(page)).to_have_text("")
    ask(page, "HBM4 대역폭은 얼마나 늘었나요?")
    expect(page.get_by_text("HBM4의 대역폭이", exact=False).first).to_be_visible()
    expect(visible_buttons(page, "stop-answer")).to_have_count(1)
    wait_for_answer(page)
    expect(announcement(page)).to_have_text("답변이 나왔어요.")
    expect(page).to_have_url(re.compile(r"[?&]chat=[\w-]{20,}"))
    expect(box(page)).to_have_value("")

    address = page.url
    page.locator("a[href='#t=320']:visible").first.click()
    expect(marked_line(page)).to_contain_text("5:20")
    expect(page).to_have_url(address)

    page.context.set_offline(True)
    expect(visible_buttons(page, "check-")).to_have_count(0)  # without a network nothing is to click
    page.context.set_offline(False)
    visible_buttons(page, "check-").click()
    expect(page.get_by_text("출처 3곳").first).to_be_visible()
    expect(page.get_by_text("3쪽 중 2쪽을 읽었어요").first).to_be_visible()
    expect(visible_buttons(page, "change-video").first).to_be_in_viewport()
    wait_for_answer(page)
    expect(announcement(page)).to_have_text("온라인 확인이 끝났어요.")
    page.locator("[class*='st-key-stances-']").get_by_role("button", name="11:40").first.click()
    expect(marked_line(page)).to_contain_text("11:40")
    assert_fits(page, 390)

    ask(page, "전력은? (broken)")
    expect(questions(page)).to_have_count(2)
    visible_buttons(page, "retry-").click()
    expect(questions(page)).to_have_count(3)
    wait_for_answer(page)
    expect(visible_buttons(page, "retry-")).to_have_count(1)  # under the last answer alone
    page.reload()
    expect(visible_buttons(page, "retry-")).to_have_count(1)
    expect(announcement(page)).to_have_text("")  # an old conversation is no news


def test_drafts_outlive_reloads_switches_and_stops(scripted, visitor):
    """An answer goes on over a reload; a draft outlives another page, a reload and the switch to research, and is sent once."""
    page = open_sample(visitor(scripted))
    ask(page, "길게 말해 주세요 (long)")
    answer = page.locator("[class*='st-key-say-answer-']").first
    expect(answer).to_contain_text("긴 이야기")
    page.reload()
    expect(answer).to_contain_text("긴 이야기를 이어 가고 있어요. 긴 이야기")
    box(page).fill("깊이 알고 싶은 것 (held)")
    page.get_by_role("link", name="기록", exact=True).click()
    expect(page.locator(".st-key-records-query").first).to_be_visible()
    page.get_by_role("link", name="작업", exact=True).click()
    expect(box(page)).to_have_value("깊이 알고 싶은 것 (held)")
    page.reload()
    expect(box(page)).to_have_value("깊이 알고 싶은 것 (held)")
    visible_buttons(page, "stop-answer").click()
    expect(answer).to_contain_text("답변을 멈췄어요")
    expect(box(page)).to_have_value("깊이 알고 싶은 것 (held)")
    switch = visible_buttons(page, "research-mode")
    for kind in ("primary", "secondary", "primary"):
        switch.click()
        expect(switch).to_have_attribute("kind", kind)
        expect(box(page)).to_have_value("깊이 알고 싶은 것 (held)")
    box(page).press("Enter")
    card = page.locator("[class*='st-key-say-research-']")
    expect(card).to_contain_text("생각의 과정")
    visible_buttons(page, "stop-run-").click()
    expect(card).to_contain_text("조사를 멈췄어요")
    page.reload()
    expect(card).to_contain_text("조사를 멈췄어요")
    expect(box(page)).to_have_value("")


def test_a_run_is_finished_early(scripted, visitor):
    """Stopping is in reach of a thumb while the run goes on; its report leads to the moments of the video."""
    page = open_sample(visitor(scripted))
    research(page, "고칠 질문 (held)")
    expect(box(page)).to_have_value("")
    page.set_viewport_size({"width": 390, "height": HEIGHT})
    expect(visible_buttons(page, "stop-run-")).to_be_in_viewport()  # within reach of the thumb
    assert_fits(page, 390)
    page.set_viewport_size({"width": 1280, "height": 720})
    visible_buttons(page, "finish-run-").click()
    wait_for_report(page)
    report = page.locator("[class*='st-key-report-text-']").first
    expect(report).to_contain_text("출처에서 확인 안 됨")
    assert violations(page) == []
    assert_fits(page, 390)
    unfold(page.locator("[class*='st-key-found-']:has(summary)").filter(visible=True).first)
    visible_buttons(page, "moment-source-").first.click()
    expect(marked_line(page)).to_contain_text("5:20")


def marks(page: Page, kind: str = "") -> Locator:
    return visible_buttons(page, f"mark-{kind}")


def test_claims_are_checked_stopped_in_another_tab_and_found_by_keyboard(scripted, visitor):
    """Verdicts stand on marks while a claim is looked for; marks on a phone can be hit; by keyboard they lead on."""
    page = open_sample(visitor(scripted, height=700))
    turn_to(page, "주장 확인")
    page.get_by_role("textbox", name="더할 주장").fill("값은 500달러다. (held)")
    visible_buttons(page, "add-claim").last.click()
    expect(page.locator(".st-key-claims-start")).to_contain_text("주장 13개 확인")
    visible_buttons(page, "start-claims").click()
    expect(marks(page, "agree").first).to_be_visible()
    page.reload()
    expect(marks(page, "contradicts-12").last).to_be_visible()
    phone = visitor(page.url, width=390, height=HEIGHT, **PHONE)
    visible_buttons(phone, "stop-claims").click()
    for tab in (phone, page):
        expect(visible_buttons(tab, "claims-again")).to_have_count(1)
        expect(tab.locator("[class*='st-key-stop-claims-']")).to_have_count(0)
        expect(tab.locator(".st-key-claims-status").first).to_contain_text("확인을 멈췄어요")

    assert_fits(phone, 390)
    boxes = [box for mark in marks(phone).all() if (box := mark.bounding_box()) is not None]
    assert len(boxes) >= 13  # one claim is made twice
    assert all(box["width"] >= 24 and box["height"] >= 24 and 0 <= box["x"] <= 390 - box["width"] for box in boxes)
    assert not [(one, other) for one in boxes for other in boxes if one is not other and _overlap(one, other) > 2]
    marks(phone, "changed").last.tap()
    expect(phone.locator(".st-key-claim-8")).to_be_in_viewport()

    mark = marks(page, "contradicts-12").last
    expect(mark).to_have_accessible_name(re.compile(r"\d\d:\d\d 상충: "))
    mark.focus()
    page.keyboard.press("Enter")
    card = page.locator(".st-key-claim-12")
    expect(card).to_be_focused()
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text("독립된 출처로 세지 않은 글")
    expect(marked_line(page)).to_have_count(1)
    assert violations(page) == []

    page.locator(".st-key-go-on-2 button:visible").first.click()
    page.get_by_text("영상과 웹에 묻기", exact=True).click()
    expect(questions(page).last).to_contain_text("HBM4의 입출력 폭은 1024비트다.")
    expect(page.locator("[class*='st-key-card-']:visible").first).to_be_visible()


def _overlap(one: dict[str, float], other: dict[str, float]) -> float:
    """Return how many pixels two boxes share on the shorter side."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return max(0.0, min(across, down))
