"""The research page in Chromium: what a visitor sees and does while runs are told, over scripted ones."""

from __future__ import annotations

import io
import re

import docx
import pypdf
import pytest
from playwright.sync_api import Locator, Page, expect

from search_core.domain import STOPPED_KOREAN
from tests.browser.conftest import open_sample, visible_buttons

pytestmark = pytest.mark.browser

NOW = "[class*='st-key-line-'] button:visible"
TRAPS = "img:visible, iframe:visible, svg.mermaid, script, h1, a[href^='http://203'], a[href^='javascript']"


@pytest.fixture
def inquire(scripted, visitor):
    """Return a function that opens the research page with a sample video."""

    def open_page(**options: object) -> Page:
        return open_sample(visitor(f"{scripted}/research", **options))

    return open_page


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="조사할 질문")


def ask(page: Page, text: str) -> None:
    box(page).fill(text)
    box(page).press("Enter")


def finished(page: Page) -> None:
    """Wait until the run has ended: it can be asked again, and there is nothing to stop."""
    expect(visible_buttons(page, "research-again")).to_have_count(1)
    expect(page.locator(".st-key-stop-research")).to_have_count(0)


def in_status(page: Page, words: str) -> None:
    expect(page.locator(".st-key-research-status").first).to_contain_text(words)


def test_a_run_is_watched_from_the_question_to_the_report(inquire):
    """Plan, counts, reading and words appear one after the other without a click; the report cites, the sources seek."""
    page = inquire()
    ask(page, "HBM4의 대역폭은 얼마인가요?")
    expect(page).to_have_url(re.compile(r"[?&]run=[\w-]{20,}"))
    expect(page.locator(".st-key-step-1").first).to_contain_text("HBM4의 대역폭은 얼마인가요?")
    finished(page)
    in_status(page, "사이트 2곳")
    expect(box(page)).to_have_value("")
    report = page.locator(".st-key-report-text").first
    expect(report).to_contain_text("출처에서 확인 안 됨")
    expect(report.get_by_role("link", name="[1]")).to_have_attribute("href", "https://news.example.com/hbm4?id=1")
    expect(page.locator(".st-key-step-read").first).to_contain_text("1개 읽음 · 1개 못 읽음")
    visible_buttons(page, "moment-source-1").click()
    expect(page.locator(NOW).filter(has_text="← 지금")).to_contain_text("5:20")
    page.get_by_text("어디까지 조사했나요").click()
    expect(page.get_by_text("Google 맞춤검색: 2건 · 0.2초")).to_be_visible()


def test_a_plan_is_changed_before_it_is_agreed_to(inquire):
    """Parts are rewritten, taken out and added; the run then goes through what the visitor made of it."""
    page = inquire()
    page.get_by_text("계획 먼저 보기", exact=True).click()
    ask(page, "계획이 필요한 질문")
    expect(visible_buttons(page, "agree")).to_have_count(1)
    page.get_by_role("textbox", name="하위 질문 1").fill("HBM4의 대역폭은 몇 배인가요?")
    visible_buttons(page, "remove-part-2").click()
    expect(visible_buttons(page, "remove-part-")).to_have_count(2)
    visible_buttons(page, "add-part").click()
    expect(visible_buttons(page, "remove-part-")).to_have_count(3)
    page.get_by_role("textbox", name="하위 질문 3").fill("전력은 줄었나요?")
    visible_buttons(page, "agree").click()
    finished(page)
    expect(page.locator(".st-key-step-1").first).to_contain_text("HBM4의 대역폭은 몇 배인가요?")
    expect(page.locator(".st-key-step-2").first).to_contain_text("값은 얼마나 오르나요?")
    expect(page.locator(".st-key-step-3").first).to_contain_text("전력은 줄었나요?")


def test_a_part_is_changed_while_the_page_redraws_itself(inquire):
    """What is typed into the dialog stays while the run goes on behind it, and becomes the part of the plan."""
    page = inquire()
    ask(page, "고칠 질문 (held)")
    visible_buttons(page, "edit-subtask-2").click()
    field = page.get_by_role("dialog").get_by_role("textbox")
    field.fill("HBM3보다 몇 배 빠른가요?")
    status = page.locator(".st-key-research-now").first
    for _ in range(2):  # the page behind the dialog is drawn anew
        told = status.text_content() or ""
        expect(status).not_to_have_text(told)
    expect(field).to_have_value("HBM3보다 몇 배 빠른가요?")
    visible_buttons(page, "save-subtask").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".st-key-step-2").first).to_contain_text("HBM3보다 몇 배 빠른가요?")
    expect(page.locator(".st-key-step-2").first).to_contain_text("고침")
    visible_buttons(page, "stop-research").click()
    finished(page)


def test_a_reload_and_a_second_tab_follow_and_a_stop_keeps_the_words(inquire, visitor):
    """The run goes on over a reload; a tab opened with its address stops it, and both keep what was written, marked."""
    page = inquire()
    ask(page, "오래 걸리는 질문 (long)")
    report = page.locator(".st-key-report-text").first
    expect(report).to_contain_text("긴 보고서를")
    page.reload()
    expect(report).to_contain_text("이어 가고 있어요")
    expect(page.locator(".st-key-change-video button").first).to_be_visible()
    other = visitor(page.url)
    expect(other.locator(".st-key-report-text").first).to_contain_text("이어 가고 있어요")
    box(page).fill("다음에 물어볼 것")
    visible_buttons(other, "stop-research").click()
    for tab in (other, page):
        finished(tab)
        in_status(tab, "조사를 멈췄어요")
        expect(tab.locator(".st-key-report-text").first).to_contain_text(STOPPED_KOREAN)
        expect(tab.locator(".st-key-report-text").first).to_contain_text("긴 보고서를 이어 가고")
    expect(box(page)).to_have_value("다음에 물어볼 것")
    page.get_by_role("link", name="검색 상태").click()
    expect(
        page.get_by_text("검색이 잘 되고 있는지", exact=False).or_(page.locator(".st-key-health-controls")).first
    ).to_be_visible()
    page.get_by_role("link", name="딥리서치").click()
    in_status(page, "조사를 멈췄어요")


def test_finishing_now_gives_a_report(inquire):
    """The button ends the searching; the report is written, and the rest can be researched later."""
    page = inquire()
    ask(page, "서둘러 주세요 (held)")
    visible_buttons(page, "finish-research").click()
    finished(page)
    in_status(page, "지금까지 찾은 자료로 마무리했어요")
    expect(page.locator(".st-key-report-text").first).to_contain_text("2테라바이트")
    first = page.url
    visible_buttons(page, "resume-research").click()
    expect(page).not_to_have_url(first)
    expect(visible_buttons(page, "stop-research")).to_have_count(1)


def test_history_changes_and_the_end_of_a_run(inquire):
    """An earlier run is opened by a click, the later one tells what has changed, a run is deleted after a second yes."""
    page = inquire()
    ask(page, "무엇이 바뀌었나요? (old)")
    finished(page)
    expect(page.get_by_text("지난 조사 이후 바뀐 것", exact=False)).to_have_count(0)
    first = page.url
    visible_buttons(page, "research-again").click()
    expect(page).not_to_have_url(first)  # else the run that has ended may still be the one in sight
    finished(page)
    expect(page.get_by_text("나누기 1.3초", exact=False).first).to_be_visible()  # the last line: nothing is drawn any more
    fold = page.get_by_text("지난 조사 이후 바뀐 것", exact=False)
    fold.click()
    expect(page.locator(".st-key-changes").first).to_contain_text("달라진 것이 없어요")
    later = page.url
    runs = page.locator("[class*='st-key-run-']:not([class*='run-open']) button:visible").filter(has_text="무엇이 바뀌었나요?")
    expect(runs).to_have_count(1)
    runs.click()
    expect(page).not_to_have_url(later)
    finished(page)
    expect(fold).to_have_count(0)
    visible_buttons(page, "delete-run").click()
    page.get_by_role("dialog").get_by_role("button", name="지울게요").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).not_to_have_url(re.compile(r"[?&]run="))
    expect(page.locator(".st-key-research-welcome").first).to_be_visible()


def test_a_run_is_taken_away_in_four_formats(inquire):
    """Each file can be opened and holds the report."""
    page = inquire()
    ask(page, "파일로 가져갈 질문")
    finished(page)
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


def test_hostile_words_ask_nobody(inquire):
    """What strangers and models wrote is shown as words: no script runs, nothing is fetched, no foreign link appears."""
    page = inquire()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    ask(page, "함정이에요 (hostile)")
    finished(page)
    page.get_by_text("어디까지 조사했나요").click()
    run = page.locator(".st-key-run").first
    expect(run).to_contain_text("onerror=alert(1)")
    expect(run.locator(TRAPS)).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_runs_over_the_edge_and_stopping_stays_in_reach(inquire, width):
    """On a phone and on a wide screen the page fits, and the stop button is in sight wherever the reader is."""
    page = inquire(width=width, height=844, color_scheme="dark")
    ask(page, "긴 이야기 (long)")
    expect(page.locator(".st-key-report-text").first).to_contain_text("이어 가고 있어요")
    page.locator("[class*='st-key-source-3']").first.scroll_into_view_if_needed()
    expect(visible_buttons(page, "stop-research")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    visible_buttons(page, "stop-research").click()
    finished(page)


def test_the_chat_sends_a_question_to_research(scripted, visitor):
    """The switch is highlighted, a draft outlives it, the run goes on in the conversation, stays there, and leads to its page."""
    page = visitor(f"{scripted}/chat")
    page.locator(".st-key-open-sample-0 button").click()
    draft = page.get_by_test_id("stChatInputTextArea")
    draft.fill("깊이 알고 싶은 것 (held)")
    switch = visible_buttons(page, "research-mode")
    switch.click()
    expect(switch).to_have_attribute("kind", "primary")
    expect(draft).to_have_attribute("placeholder", "깊이 조사할 것을 물어보세요")
    expect(draft).to_have_value("깊이 알고 싶은 것 (held)")
    switch.click()
    expect(switch).to_have_attribute("kind", "secondary")
    expect(draft).to_have_value("깊이 알고 싶은 것 (held)")
    switch.click()
    expect(switch).to_have_attribute("kind", "primary")
    draft.press("Enter")
    card = page.locator("[class*='st-key-say-research-']")
    expect(page.locator("[class*='st-key-say-question-']")).to_contain_text("깊이 알고 싶은 것")
    expect(card).to_contain_text("생각의 과정")
    visible_buttons(page, "stop-run-").click()
    expect(card).to_contain_text("조사를 멈췄어요")
    page.reload()
    expect(card).to_contain_text("조사를 멈췄어요")
    card.get_by_role("link", name="딥리서치에서 보기").click()
    expect(page).to_have_url(re.compile(r"/research\?(.*&)?run=[\w-]{20,}"))
    expect(page.locator(".st-key-research-title").first).to_contain_text("깊이 알고 싶은 것")


def test_the_real_core_researches_what_the_library_holds(app, visitor):
    """With nobody but the library to ask a real run fails; by own documents alone it comes to a report that says so."""
    page = visitor(f"{app}/research")
    page.locator(".st-key-open-sample-0 button").click()
    expect(page.locator(".st-key-change-video button").first).to_be_visible()
    ask(page, "메모리 대역폭은 왜 중요한가요?")
    expect(visible_buttons(page, "research-own-documents")).to_have_count(1, timeout=90_000)
    in_status(page, "웹을 검색하지 못했어요")
    visible_buttons(page, "research-own-documents").click()
    expect(visible_buttons(page, "research-again")).to_have_count(1, timeout=90_000)
    expect(page.locator(".st-key-report").first).to_contain_text("내 자료만으로 쓴 보고서예요. 웹은 검색하지 않았어요.")
    expect(page.locator("[class*='st-key-source-']").first).to_be_visible()
    address = page.url
    page.reload()
    expect(page).to_have_url(address)
    in_status(page, "조사를 마쳤어요")
