"""The whole of it in Chromium: page, core, database, a model, a web of services and pages, all real but for who answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.played_app import played_app
from tests.loopback.language_model import LanguageModelServer
from tests.search_core.test_core_chat import QUESTION

pytestmark = pytest.mark.browser

ASIDE = "SK하이닉스의 창업자는 누구인가요?"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, LanguageModelServer]]:
    """Run the app as it is; Tavily finds three articles, one of which is gone."""
    with played_app(tmp_path_factory.mktemp("whole") / "data") as running:
        yield running


@pytest.fixture
def page(whole, visitor) -> Page:
    address, _ = whole
    page = visitor(f"{address}/?video=1")
    expect(page.locator(".st-key-change-video button").first).to_be_visible()
    page.get_by_role("link", name="대화").click()
    expect(box(page)).to_be_visible()
    return page


def box(page: Page):
    return page.get_by_test_id("stChatInputTextArea")


def ask(page: Page, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")


def check(page: Page):
    return page.locator("[class*='st-key-check-'] button:visible")


def test_a_video_is_asked_held_against_the_web_and_asked_again_elsewhere(page: Page):
    """An answer with its moment, the table of stances with both sides, and an answer from the web where the video has none."""
    ask(page, QUESTION)
    expect(check(page)).to_have_count(1)
    expect(page.locator("a[href='#t=345']:visible").first).to_be_visible()
    check(page).click()
    table = page.locator("[class*='st-key-stances-'] table:visible")
    expect(table.first).to_contain_text("일치")
    expect(table.first).to_contain_text("HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다.")
    expect(table.nth(1)).to_contain_text("이후 변경")
    expect(page.get_by_text("3쪽 중 2쪽을 읽었어요").first).to_be_visible()
    expect(check(page)).to_have_count(0)
    ask(page, ASIDE)
    expect(page.get_by_text("영상에서는 답을 찾지 못해 웹에서 찾아봤어요").first).to_be_visible()
    answer = page.locator("[class*='st-key-say-answer-']:visible").last
    expect(answer).to_contain_text("JEDEC이 HBM4 표준을 개정했어요")
    expect(answer).not_to_contain_text("[77]")
    expect(answer).to_contain_text("살펴본 자막")
    page.reload()
    expect(page.locator("[class*='st-key-stances-'] table:visible").first).to_contain_text("일치")
    expect(page.get_by_text(ASIDE).first).to_be_visible()


NOTE_RECORDING = """() => {
    const start = MediaRecorder.prototype.start;
    MediaRecorder.prototype.start = function (...given) {
        setTimeout(() => { document.body.dataset.heard = "half a second"; }, 500);
        return start.apply(this, given);
    };
}"""


def test_a_recorded_question_is_answered_like_a_typed_one(whole, page: Page):
    """What the microphone hears goes to the endpoint as it was recorded, and its text is answered from the video."""
    _, endpoint = whole
    page.context.grant_permissions(["microphone"])
    page.evaluate(NOTE_RECORDING)
    page.get_by_role("button", name="Start recording").click()
    expect(page.locator("body[data-heard]")).to_be_attached()  # before that there may be no sound to send
    page.get_by_role("button", name="Submit recording").click()
    expect(page.locator("[data-testid=stMain]").get_by_text(QUESTION).first).to_be_visible()
    expect(page.locator("a[href='#t=345']:visible").first).to_be_visible()
    [sent] = [asked for asked in endpoint.asked if asked.files]
    name, data = sent.files[0]
    assert name.endswith(".wav")
    assert data[:4] == b"RIFF"
    expect(page).to_have_url(re.compile(r"[?&]chat="))
