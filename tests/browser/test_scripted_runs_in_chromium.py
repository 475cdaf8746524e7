"""Journeys through answers, research and checks while they go on, in Chromium: each look of the page takes them an event further.

A word in brackets in a question names the script: "long" and "held" end only by a click.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import docx
import pypdf
import pytest
from playwright.sync_api import Locator, Page, expect

from search_core.domain import STOPPED_KOREAN
from tests.browser.accessibility import violations
from tests.browser.steps import (
    PHONE,
    announcement,
    ask,
    assert_fits,
    chat_box,
    marked_line,
    open_sample,
    research,
    unfold_named,
    visible_buttons,
    wait_for_answer,
    wait_for_report,
)

pytestmark = pytest.mark.browser

HEIGHT = 844
DRAWN = "img:visible, iframe:visible, svg.mermaid, script, h1, a[href^='http://203'], a[href^='javascript']"


def questions(page: Page) -> Locator:
    return page.locator("[class*='st-key-say-question-']:visible")


def test_an_answer_grows_is_announced_and_can_be_asked_anew(scripted, visitor):
    """An answer is written before one's eyes; a broken one is asked for again, and a question goes back into the box."""
    page = open_sample(visitor(f"{scripted}/chat"))
    expect(announcement(page)).to_have_text("")
    ask(page, "HBM4 대역폭은 얼마나 늘었나요?")
    expect(page.get_by_text("HBM4의 대역폭이", exact=False).first).to_be_visible()
    expect(visible_buttons(page, "stop-answer")).to_have_count(1)
    expect(page.get_by_text("전력은 그대로라고 설명했어요").first).to_be_visible()
    wait_for_answer(page)
    expect(announcement(page)).to_have_text("답변이 나왔어요.")
    expect(page).to_have_url(re.compile(r"[?&]chat=[\w-]{20,}"))
    expect(chat_box(page)).to_have_value("")

    address = page.url
    page.locator("a[href='#t=320']:visible").first.click()
    expect(marked_line(page)).to_contain_text("5:20")
    expect(page).to_have_url(address)
    visible_buttons(page, "at-").filter(has_text="0:40").press("Enter")
    expect(marked_line(page)).to_contain_text("0:40")

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(visible_buttons(page, "copy-")).to_have_text("content_copy복사")
    visible_buttons(page, "copy-").click()
    expect(announcement(page)).to_have_text("복사했어요")
    expect(page.locator("[data-copied='복사했어요']")).to_have_count(1)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("HBM4의 **대역폭이 두 배**로 늘었다고 해요 [0:40].")
    assert "복사" not in copied

    visible_buttons(page, "edit-question-").click()
    expect(chat_box(page)).to_have_value("HBM4 대역폭은 얼마나 늘었나요?")
    ask(page, "전력은? (broken)")
    expect(questions(page)).to_have_count(2)
    expect(visible_buttons(page, "retry-")).to_have_count(1)
    visible_buttons(page, "retry-").click()
    expect(questions(page)).to_have_count(3)
    expect(visible_buttons(page, "listen-")).to_have_count(3)
    wait_for_answer(page)
    expect(visible_buttons(page, "retry-")).to_have_count(1)  # under the last answer alone
    with page.expect_download() as started:
        visible_buttons(page, "export-conversation").first.click()
    assert re.fullmatch(r"maekrak-chat-[\d-]+\.md", started.value.suggested_filename)


def test_an_answer_is_checked_against_the_web_with_the_newest_line_in_sight(scripted, visitor):
    """A statement leads into the video, the page keeps up with what is written, and without a network nothing is to click."""
    page = open_sample(visitor(f"{scripted}/chat", height=HEIGHT))
    ask(page, "대역폭은?")
    wait_for_answer(page)
    page.context.set_offline(True)
    expect(visible_buttons(page, "check-")).to_have_count(0)
    page.context.set_offline(False)
    visible_buttons(page, "check-").click()
    expect(page.get_by_text("출처 3곳").first).to_be_visible()
    expect(visible_buttons(page, "check-")).to_have_count(0)
    expect(page.locator("[class*='st-key-stance-']:visible").first).to_contain_text("상충")
    expect(page.get_by_text("3쪽 중 2쪽을 읽었어요").first).to_be_in_viewport()
    expect(visible_buttons(page, "change-video").first).to_be_in_viewport()
    wait_for_answer(page)
    expect(announcement(page)).to_have_text("온라인 확인이 끝났어요.")
    expect(visible_buttons(page, "check-")).to_have_count(0)
    page.locator("[class*='st-key-stances-']").get_by_role("button", name="11:40").first.click()
    expect(marked_line(page)).to_contain_text("11:40")
    expect(page.locator("[class*='st-key-say-check-']").first).to_have_css("border-left-width", "3px")
    assert_fits(page, 390)
    page.reload()
    expect(visible_buttons(page, "listen-").first).to_be_visible()
    expect(announcement(page)).to_have_text("")  # an old conversation is no news


def test_an_answer_outlives_a_reload_and_a_stop_keeps_its_words(scripted, visitor):
    """An answer is still written after a reload, a draft typed meanwhile stays, and a stopped answer keeps what there is."""
    page = open_sample(visitor(f"{scripted}/chat"))
    ask(page, "길게 말해 주세요 (long)")
    answer = page.locator("[class*='st-key-say-answer-']").first
    expect(answer).to_contain_text("긴 이야기")
    page.reload()
    expect(answer).to_contain_text("긴 이야기를 이어 가고 있어요. 긴 이야기")
    expect(visible_buttons(page, "change-video").first).to_be_visible()
    chat_box(page).fill("다음에 물어볼 것")
    visible_buttons(page, "stop-answer").click()
    expect(answer).to_contain_text("답변을 멈췄어요")
    expect(answer).to_contain_text("긴 이야기를 이어 가고 있어요.")
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)
    expect(chat_box(page)).to_have_value("다음에 물어볼 것")


def test_a_question_of_the_chat_is_researched_where_it_was_asked(scripted, visitor):
    """A draft outlives the switch to research; the run goes on in the conversation, stays there, and leads to its page."""
    page = open_sample(visitor(f"{scripted}/chat"))
    chat_box(page).fill("깊이 알고 싶은 것 (held)")
    switch = visible_buttons(page, "research-mode")
    for kind in ("primary", "secondary", "primary"):
        switch.click()
        expect(switch).to_have_attribute("kind", kind)
        expect(chat_box(page)).to_have_value("깊이 알고 싶은 것 (held)")
    expect(chat_box(page)).to_have_attribute("placeholder", "깊이 조사할 것을 물어보세요")
    chat_box(page).press("Enter")
    card = page.locator("[class*='st-key-say-research-']")
    expect(questions(page)).to_contain_text("깊이 알고 싶은 것")
    expect(card).to_contain_text("생각의 과정")
    visible_buttons(page, "stop-run-").click()
    expect(card).to_contain_text("조사를 멈췄어요")
    page.reload()
    expect(card).to_contain_text("조사를 멈췄어요")
    card.get_by_role("link", name="딥리서치에서 보기").click()
    expect(page).to_have_url(re.compile(r"/research\?(.*&)?run=[\w-]{20,}"))
    expect(page.locator(".st-key-research-title").first).to_contain_text("깊이 알고 싶은 것")


def test_a_file_over_the_limit_is_refused_until_it_is_taken_away(scripted, visitor, tmp_path: Path):
    """The label names the limit, and a file that is larger leaves a Korean sentence as long as it is in the list."""
    page = visitor(scripted)
    refused = page.get_by_text("올리지 못한 파일이 있어요. 파일 하나는 20MB까지 올릴 수 있어요.").first
    page.get_by_role("tab", name="파일").click()
    expect(page.get_by_text("자막 파일 (SRT, VTT, JSON, TXT · 20MB까지)").first).to_be_visible()
    expect(refused).to_be_hidden()
    (tmp_path / "big.srt").write_bytes(b"x" * (21 * 1024 * 1024))
    page.locator("input[type=file]").set_input_files(tmp_path / "big.srt")
    expect(refused).to_be_visible()
    page.get_by_role("button", name="Remove big.srt").click()
    expect(refused).to_be_hidden()


def in_status(page: Page, words: str) -> None:
    expect(page.locator(".st-key-research-status").first).to_contain_text(words)


def test_a_plan_is_changed_and_its_report_taken_away(scripted, visitor):
    """Parts are rewritten, taken out and added before the run; its report cites, comes in four formats, and seeks the video."""
    page = open_sample(visitor(f"{scripted}/research"))
    page.get_by_text("계획 먼저 보기", exact=True).click()
    research(page, "계획이 필요한 질문")
    expect(visible_buttons(page, "agree")).to_have_count(1)
    page.get_by_role("textbox", name="하위 질문 1").fill("HBM4의 대역폭은 몇 배인가요?")
    visible_buttons(page, "remove-part-2").click()
    expect(visible_buttons(page, "remove-part-")).to_have_count(2)
    visible_buttons(page, "add-part").click()
    expect(visible_buttons(page, "remove-part-")).to_have_count(3)
    page.get_by_role("textbox", name="하위 질문 3").fill("전력은 줄었나요?")
    visible_buttons(page, "agree").click()
    wait_for_report(page)
    for number, text in enumerate(("HBM4의 대역폭은 몇 배인가요?", "값은 얼마나 오르나요?", "전력은 줄었나요?"), start=1):
        expect(page.locator(f".st-key-step-{number}").first).to_contain_text(text)
    expect(page.locator(".st-key-step-read").first).to_contain_text("1개 읽음 · 1개 못 읽음")
    report = page.locator(".st-key-report-text").first
    expect(report).to_contain_text("출처에서 확인 안 됨")
    expect(report.get_by_role("link", name="[1]")).to_have_attribute("href", "https://news.example.com/hbm4?id=1")
    unfold_named(page, "어디까지 조사했나요")
    expect(page.get_by_text("Google 맞춤검색: 2건 · 0.2초")).to_be_visible()

    page.get_by_text("내보내기", exact=True).first.click()
    files = {}
    for name in ("Markdown", "HTML", "PDF", "DOCX"):
        with page.expect_download() as coming:
            page.get_by_role("button", name=name).click()
        files[coming.value.suggested_filename.rsplit(".", 1)[1]] = coming.value.path().read_bytes()
    assert "2테라바이트" in files["md"].decode()
    assert "2테라바이트" in files["html"].decode()
    assert "테라바이트" in "".join(leaf.extract_text() for leaf in pypdf.PdfReader(io.BytesIO(files["pdf"])).pages)
    assert any("2테라바이트" in part.text for part in docx.Document(io.BytesIO(files["docx"])).paragraphs)
    page.keyboard.press("Escape")
    visible_buttons(page, "moment-source-1").click()
    expect(marked_line(page)).to_contain_text("5:20")


def test_a_part_is_changed_while_the_run_goes_on_and_the_rest_is_left_for_later(scripted, visitor):
    """What is typed into the dialog outlives redraws behind it; finishing now gives a report, and resuming another run."""
    page = open_sample(visitor(f"{scripted}/research"))
    research(page, "고칠 질문 (held)")
    expect(page).to_have_url(re.compile(r"[?&]run=[\w-]{20,}"))
    expect(page.get_by_role("textbox", name="조사할 질문")).to_have_value("")
    visible_buttons(page, "edit-subtask-2").click()
    field = page.get_by_role("dialog").get_by_role("textbox")
    field.fill("HBM3보다 몇 배 빠른가요?")
    status = page.locator(".st-key-research-now").first
    for _ in range(2):  # the page behind the dialog is drawn anew
        words = status.text_content() or ""
        expect(status).not_to_have_text(words)
    expect(field).to_have_value("HBM3보다 몇 배 빠른가요?")
    visible_buttons(page, "save-subtask").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".st-key-step-2").first).to_contain_text("HBM3보다 몇 배 빠른가요?")
    expect(page.locator(".st-key-step-2").first).to_contain_text("고침")
    visible_buttons(page, "finish-research").click()
    wait_for_report(page)
    in_status(page, "지금까지 찾은 자료로 마무리했어요")
    in_status(page, "사이트 ")
    expect(page.locator(".st-key-report-text").first).to_contain_text("2테라바이트")
    first = page.url
    visible_buttons(page, "resume-research").click()
    expect(page).not_to_have_url(first)
    visible_buttons(page, "stop-research").click()
    wait_for_report(page)


def test_a_run_goes_on_over_a_reload_and_is_stopped_in_another_tab(scripted, visitor):
    """A phone that opens the address of a run stops it within reach of the thumb; both tabs keep what was written, marked."""
    page = open_sample(visitor(f"{scripted}/research"))
    research(page, "오래 걸리는 질문 (long)")
    report = page.locator(".st-key-report-text").first
    expect(report).to_contain_text("긴 보고서를")
    page.reload()
    expect(report).to_contain_text("이어 가고 있어요")
    expect(visible_buttons(page, "change-video").first).to_be_visible()
    page.get_by_role("textbox", name="조사할 질문").fill("다음에 물어볼 것")
    phone = visitor(page.url, width=390, height=HEIGHT, color_scheme="dark")
    expect(phone.locator(".st-key-report-text").first).to_contain_text("이어 가고 있어요")
    phone.locator("[class*='st-key-source-3']").first.scroll_into_view_if_needed()
    expect(visible_buttons(phone, "stop-research")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    visible_buttons(phone, "stop-research").click()
    for tab in (phone, page):
        wait_for_report(tab)
        in_status(tab, "조사를 멈췄어요")
        expect(tab.locator(".st-key-report-text").first).to_contain_text(STOPPED_KOREAN)
        expect(tab.locator(".st-key-report-text").first).to_contain_text("긴 보고서를 이어 가고")
    expect(page.get_by_role("textbox", name="조사할 질문")).to_have_value("다음에 물어볼 것")
    page.get_by_role("link", name="검색 상태").click()
    expect(page.locator(".st-key-health-controls").first).to_be_visible()
    page.get_by_role("link", name="딥리서치", exact=True).click()
    in_status(page, "조사를 멈췄어요")


def marks(page: Page, kind: str = "") -> Locator:
    return visible_buttons(page, f"mark-{kind}")


def open_claims(page: Page) -> Page:
    open_sample(page)
    expect(visible_buttons(page, "start-claims")).to_be_enabled()
    return page


def start_check(page: Page) -> None:
    visible_buttons(page, "start-claims").click()
    expect(page).to_have_url(re.compile(r"[?&]claims=[\w-]{20,}"))


def wait_for_check(page: Page) -> None:
    expect(visible_buttons(page, "claims-again")).to_have_count(1)
    expect(page.locator(".st-key-stop-claims")).to_have_count(0)


def test_claims_are_chosen_checked_found_by_keyboard_and_taken_away(scripted, visitor):
    """By keyboard a mark leads to its claim; filters leave what was asked for, and a claim goes on to a search."""
    page = open_claims(visitor(f"{scripted}/claims", height=700))
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 12개 확인 · 검색 12–24번 · 유료 0번")
    first = page.get_by_role("checkbox", name="HBM4 표준의 대역폭은 한 묶음에 초당 2테라바이트다.", exact=True)
    first.uncheck(force=True)
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 11개 확인")
    first.check(force=True)
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 12개 확인")
    assert violations(page) == []
    start_check(page)
    expect(marks(page, "contradicts").first).to_be_visible()
    wait_for_check(page)
    expect(marks(page)).to_have_count(13)  # one claim is made twice
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

    visible_buttons(page, "export-run").first.click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="표 (CSV)").click()
    rows = list(csv.reader(io.StringIO(download.value.path().read_bytes().decode("utf-8-sig"))))
    assert {row[5] for row in rows[1:] if len(row) > 2} == {"일치", "상충", "이후 변경", "확인 불가", "보완"}
    page.keyboard.press("Escape")
    page.locator(".st-key-claims-filters").get_by_role("button", name=re.compile("상충")).click()
    shown = page.locator("[class*='st-key-claim-']:visible")
    expect(shown).to_have_count(3)
    expect(marks(page)).to_have_count(4)  # one of the three is made twice
    expect(page.get_by_text("12개 중 3개를 보고 있어요.")).to_be_visible()
    page.locator(".st-key-go-on-2 button:visible").first.click()
    page.get_by_text("검색하기", exact=True).click()
    expect(page.get_by_role("textbox", name="질문")).to_have_value("HBM4의 입출력 폭은 1024비트다.")
    expect(page.locator("[class*='st-key-card-']:visible").first).to_be_visible()


def test_a_check_goes_on_over_a_reload_and_is_stopped_in_another_tab(scripted, visitor):
    """Lines of the transcript carry verdicts while one claim is still looked for; both tabs keep what was checked."""
    page = open_claims(visitor(f"{scripted}/claims"))
    page.get_by_role("textbox", name="더할 주장").fill("값은 500달러다. (held)")
    visible_buttons(page, "add-claim").last.click()
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 13개 확인")
    start_check(page)
    expect(marks(page, "agree").first).to_be_visible()
    expect(visible_buttons(page, "line-").filter(has_text="check_circle").first).to_be_visible()
    page.reload()
    expect(marks(page).first).to_be_visible()
    phone = visitor(page.url, width=390, height=HEIGHT, **PHONE)
    visible_buttons(phone, "stop-claims").click()
    for tab in (phone, page):
        wait_for_check(tab)
        expect(tab.locator(".st-key-claims-status").first).to_contain_text("확인을 멈췄어요")
        expect(visible_buttons(tab, "resume-claims")).to_have_count(1)
        expect(visible_buttons(tab, "change-video").first).to_be_visible()

    assert_fits(phone, 390)
    boxes = [box for mark in marks(phone).all() if (box := mark.bounding_box()) is not None]
    assert len(boxes) >= 13
    assert all(box["width"] >= 24 and box["height"] >= 24 and 0 <= box["x"] <= 390 - box["width"] for box in boxes)
    assert not [(one, other) for one in boxes for other in boxes if one is not other and _overlap(one, other) > 2]
    marks(phone, "changed").last.tap()
    expect(phone.locator(".st-key-claim-8")).to_be_in_viewport()


def _overlap(one: dict[str, float], other: dict[str, float]) -> float:
    """Return how many pixels two boxes share on the shorter side."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return max(0.0, min(across, down))
