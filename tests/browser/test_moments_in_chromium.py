"""Moments and lines of the transcript in Chromium: each moment of an answer marks its own line."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

SRT = """1
00:00:01,700 --> 00:00:09,000
오늘은 HBM4 메모리의 대역폭이 왜 인공지능 가속기의 성능을 정하는지 처음부터 차근차근 길게 이야기해 보겠습니다.

2
00:00:12,600 --> 00:00:19,000
가람반도체는 HBM4의 대역폭이 초당 2테라바이트라고 밝혔고 이것은 앞선 세대의 두 배에 가까운 값이라고 설명했습니다.

3
00:00:25,800 --> 00:00:33,000
마지막으로 전력 소비는 앞선 세대와 같은 수준으로 묶었다고 덧붙였습니다 이것으로 발표를 모두 마치겠습니다.
"""


def lines(page: Page):
    return page.locator("[class*='st-key-line-'] button:visible")


def test_a_moment_of_an_answer_marks_the_line_it_quotes(app, visitor):
    """Lines that begin within a second are marked themselves, not the ones before them."""
    page = visitor(f"{app}/chat")
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": "talk.srt", "mimeType": "text/plain", "buffer": SRT.encode()})
    expect(lines(page).filter(has_text="00:12").first).to_be_visible()
    page.get_by_test_id("stChatInputTextArea").fill("HBM4의 대역폭은 초당 얼마인가요?")
    page.get_by_test_id("stChatInputTextArea").press("Enter")
    moment = page.locator("[class*='st-key-at-'] button:visible").filter(has_text="00:12").first
    expect(moment).to_be_visible()
    moment.click()
    marked = lines(page).filter(has_text="← 지금")
    expect(marked).to_have_count(1)
    expect(marked).to_have_text(re.compile("00:12"))


def test_lines_typed_by_hand_keep_their_own_times(app, visitor):
    """Three short lines with three times are three lines of the transcript."""
    page = visitor(app)
    page.get_by_role("tab", name="직접 입력").click()
    page.get_by_role("textbox", name="영상 제목").fill("3분기 실적 발표")
    page.get_by_role("textbox", name="내용이나 자막").fill("0:00 안녕하세요\n0:05 매출이 늘었습니다\n0:12 마치겠습니다")
    page.get_by_role("button", name="이 내용으로 시작").click()
    expect(lines(page).filter(has_text="00:05").first).to_be_visible()
    expect(lines(page).filter(has_text="00:12").first).to_be_visible()
    expect(lines(page)).to_have_count(3)
