"""The chat page in Chromium: what a visitor sees and does while answers are told, over scripted ones."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_sample, visible_buttons

pytestmark = pytest.mark.browser

ANSWER = "전력은 그대로라고 설명했어요"
NOW = "[class*='st-key-line-'] button:visible"


@pytest.fixture
def talk(scripted, visitor):
    """Return a function that opens the chat page with a sample video."""

    def open_page(**options: object) -> Page:
        return open_sample(visitor(f"{scripted}/chat", **options))

    return open_page


def box(page: Page) -> Locator:
    return page.get_by_test_id("stChatInputTextArea")


def ask(page: Page, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")


def finished(page: Page) -> None:
    """Wait until the answer is whole: what can be done with it stands under it, and there is nothing to stop."""
    expect(visible_buttons(page, "listen-").last).to_be_visible()
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)


def test_a_question_is_answered_before_the_visitors_eyes(talk):
    """The answer grows while it is written, can be stopped until it ends, and is in the address."""
    page = talk()
    ask(page, "HBM4 대역폭은 얼마나 늘었나요?")
    expect(page.get_by_text("HBM4의 대역폭이", exact=False).first).to_be_visible()
    expect(visible_buttons(page, "stop-answer")).to_have_count(1)
    expect(page.get_by_text(ANSWER).first).to_be_visible()
    finished(page)
    expect(page).to_have_url(re.compile(r"[?&]chat=[\w-]{20,}"))
    expect(box(page)).to_have_value("")


def test_a_moment_in_the_text_moves_the_video(talk):
    """The link in the sentence and the button under it both lead to the line that is said there, on the same page."""
    page = talk()
    ask(page, "대역폭은?")
    finished(page)
    address = page.url
    page.locator("a[href='#t=320']:visible").first.click()
    expect(page.locator(NOW).filter(has_text="← 지금")).to_contain_text("5:20")
    expect(page).to_have_url(address)
    visible_buttons(page, "at-").filter(has_text="0:40").press("Enter")
    expect(page.locator(NOW).filter(has_text="← 지금")).to_contain_text("0:40")


def test_where_the_video_says_nothing_the_web_is_asked(talk):
    """The page says so, shows what was looked at, and cites the web by number."""
    page = talk()
    ask(page, "실적은요? (fallback)")
    finished(page)
    expect(page.get_by_text("영상에서는 답을 찾지 못해 웹에서 찾아봤어요").first).to_be_visible()
    expect(page.get_by_role("link", name="[1]").first).to_have_attribute("href", "https://news.example.com/a?id=1")
    expect(page.get_by_text("출처에서 확인 안 됨", exact=True).first).to_be_visible()
    page.get_by_text("살펴본 자막 3곳").first.click()
    visible_buttons(page, "line-passage-").nth(2).click()
    expect(page.locator(NOW).filter(has_text="← 지금")).to_contain_text("11:40")


def test_one_click_holds_an_answer_against_the_web(talk):
    """Sources come first, then the table whose moments lead into the video; the button is gone after the click."""
    page = talk()
    ask(page, "대역폭은?")
    finished(page)
    visible_buttons(page, "check-").click()
    expect(page.get_by_text("출처 3곳").first).to_be_visible()
    expect(visible_buttons(page, "check-")).to_have_count(0)
    table = page.locator("[class*='st-key-stances-'] table:visible").first
    expect(table).to_contain_text("상충")
    finished(page)
    expect(visible_buttons(page, "check-")).to_have_count(0)
    expect(page.get_by_text("3쪽 중 2쪽을 읽었어요").first).to_be_visible()
    page.locator("[class*='st-key-stances-'] a[href='#t=700']:visible").first.click()
    expect(page.locator(NOW).filter(has_text="← 지금")).to_contain_text("11:40")
    expect(page.locator("[class*='st-key-say-check-']").first).to_have_css("border-left-width", "3px")


def test_the_check_hides_while_the_browser_is_offline(talk):
    """Without a network the button is away, and it comes back with it."""
    page = talk()
    ask(page, "대역폭은?")
    finished(page)
    expect(visible_buttons(page, "check-")).to_have_count(1)
    page.context.set_offline(True)
    expect(visible_buttons(page, "check-")).to_have_count(0)
    page.context.set_offline(False)
    expect(visible_buttons(page, "check-")).to_have_count(1)


def test_a_reload_in_the_middle_goes_on_and_stopping_keeps_the_words(talk):
    """The answer is still written after a reload; a draft typed meanwhile stays; a stop keeps what there is."""
    page = talk()
    ask(page, "길게 말해 주세요 (long)")
    answer = page.locator("[class*='st-key-say-answer-']").first
    expect(answer).to_contain_text("긴 이야기")
    page.reload()
    expect(answer).to_contain_text("긴 이야기를 이어 가고 있어요. 긴 이야기")
    expect(page.locator(".st-key-change-video button").first).to_be_visible()
    box(page).fill("다음에 물어볼 것")
    visible_buttons(page, "stop-answer").click()
    expect(answer).to_contain_text("답변을 멈췄어요")
    expect(answer).to_contain_text("긴 이야기를 이어 가고 있어요.")
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)
    expect(box(page)).to_have_value("다음에 물어볼 것")


def test_a_conversation_is_renamed_taken_away_and_deleted(talk):
    """The dialog renames; the file is Markdown; deleting asks once more and leaves an empty page for the next question."""
    page = talk()
    ask(page, "이름을 바꿀 대화")
    finished(page)
    visible_buttons(page, "rename").first.click()
    title = page.get_by_role("dialog").get_by_role("textbox")
    title.fill("대역폭 이야기 모음")
    title.press("Enter")
    expect(visible_buttons(page, "talk-open-")).to_contain_text("대역폭 이야기 모음")
    with page.expect_download() as started:
        visible_buttons(page, "export-conversation").first.click()
    assert re.fullmatch(r"maekrak-chat-[\d-]+\.md", started.value.suggested_filename)
    visible_buttons(page, "delete").first.click()
    page.get_by_role("dialog").get_by_role("button", name="지울게요").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("대역폭 이야기 모음")).to_have_count(0)
    expect(page).not_to_have_url(re.compile(r"[?&]chat="))
    expect(page.locator(".st-key-chat-welcome").first).to_be_visible()


def test_hostile_words_ask_nobody(talk):
    """What a model wrote is shown as words: no script runs, nothing is fetched, no foreign link appears."""
    page = talk()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    ask(page, "함정이에요 (hostile)")
    finished(page)
    answer = page.locator("[class*='st-key-say-answer-']").first
    expect(answer).to_contain_text("onerror=alert(1)")
    expect(answer.locator("img, iframe, script, svg.mermaid, h1, h2, a[href^='http://203']")).to_have_count(0)


def test_a_question_can_be_asked_aloud(talk):
    """What was recorded is sent, written down and answered, and the answer can be read aloud."""
    page = talk(permissions=["microphone"])
    page.get_by_role("button", name="Start recording").click()
    page.get_by_role("button", name="Submit recording").click()
    expect(page.get_by_text("받아 적고 있어요…").first).to_be_visible()
    expect(page.get_by_text("대역폭이 얼마나 늘었나요?").first).to_be_visible()
    finished(page)
    visible_buttons(page, "listen-").click()
    expect(page.get_by_test_id("stAudio")).to_have_count(1)


@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_runs_over_the_edge_and_the_newest_line_is_in_sight(talk, width):
    """On a phone and on a wide screen a long check fits, and the page keeps up with what is written."""
    page = talk(width=width, height=844, color_scheme="dark")
    ask(page, "대역폭은?")
    finished(page)
    visible_buttons(page, "check-").click()
    expect(page.get_by_text("3쪽 중 2쪽을 읽었어요").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if width > 1100:
        expect(page.locator(".st-key-change-video button").first).to_be_in_viewport()
