"""The search page in Chromium: what a visitor sees and does, on the real core."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_sample, running_app

pytestmark = pytest.mark.browser
# ``first`` stands wherever a rerun may be under way: Streamlit then keeps the old element beside the new one for a moment.

HEAD_LINE = re.compile(r"^내 자료 (\d+)건( · 숨김 (\d+) \([^)]+\))? · \d+\.\d초$")


FOUND = re.compile(r"내 자료에서 [1-9]\d*건이 나왔어요\.|순서가 바뀌었어요\.")
"""What is told of results; on a slow machine meaning is measured after they are shown, and changes their order."""


def question(page: Page):
    return page.get_by_role("textbox", name="질문")


def news(page: Page):
    return page.locator("body > [role=status]")


def ask_example(page: Page) -> None:
    page.locator(".st-key-example-0 button").click()
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()


def counts(page: Page) -> tuple[int, int]:
    """Return how many results are shown and hidden."""
    found = HEAD_LINE.match(page.get_by_text(HEAD_LINE).first.inner_text())
    assert found is not None
    return int(found[1]), int(found[3] or 0)


def set_threshold(page: Page, points: int) -> None:
    slider = page.get_by_role("slider", name="관련도 기준")
    slider.press("Home")
    expect(slider).to_have_value("0")
    for _ in range(points // 10):
        slider.press("PageUp")
    expect(slider).to_have_value(str(points))


def test_the_first_request_to_any_path_gets_the_frame(chromium, tmp_path):
    """A page's own path, asked for before anything else was, is answered by the app and not by the bare page script."""
    with running_app(tmp_path / "data") as address, chromium.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(f"{address}/search")
        expect(page).to_have_title("맥락 · 영상의 맥락으로 찾는 검색")
        expect(page.get_by_test_id("stSidebar").get_by_role("heading", name="맥락")).to_be_visible()


def test_a_sample_an_example_and_there_are_results(app, visitor):
    """Two clicks from the first visit to numbered results with score, source and moment."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    first = page.locator(".st-key-card-1").first
    expect(first).to_be_visible()
    expect(first.get_by_role("progressbar")).to_be_visible()
    expect(first.get_by_text("점수 근거")).to_be_visible()
    expect(page.locator(".st-key-chips button").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]q=.+&?"))


def test_results_are_told_to_who_does_not_see_them(app, visitor):
    """A region that is there from the beginning says how many are there; what a reload brings back is no news."""
    page = visitor(app)
    open_sample(page)
    expect(news(page)).to_have_text("")
    ask_example(page)
    expect(news(page)).to_have_text(FOUND)
    set_threshold(page, 100)
    expect(page.get_by_text("기준보다 높은 결과가 없어요").first).to_be_visible()
    question(page).fill("메모리 대역폭은 왜 중요한가?")
    question(page).press("Enter")
    expect(news(page)).to_have_text("기준보다 높은 결과가 없어요.")
    page.reload()
    expect(page.get_by_text("기준보다 높은 결과가 없어요").first).to_be_visible()
    expect(news(page)).to_have_text("")


def test_the_threshold_places_anew_without_searching(app, visitor):
    """Moving the threshold hides and shows results of the same search."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    search = re.search(r"job=[^&]+", page.url)
    assert search is not None
    set_threshold(page, 0)
    expect(page.get_by_text(re.compile(r"^내 자료 [1-9]\d*건")).first).to_be_visible()
    shown, hidden = counts(page)
    set_threshold(page, 100)
    expect(page.get_by_text("기준보다 높은 결과가 없어요").first).to_be_visible()
    expect(page.get_by_text(f"숨긴 결과 {shown + hidden}개").first).to_be_visible()
    page.locator(".st-key-lower-threshold button").click()
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    assert search[0] in page.url


def test_a_chip_taken_away_searches_anew(app, visitor):
    """The cross of a chip starts another search, without that part."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    address = page.url
    chip = page.locator("[class*='st-key-part-1-'] button").first
    words = chip.inner_text().split("·")[0].split("close")[0].strip()
    chip.click()
    expect(page.locator(".st-key-restore-0 button:visible").first).to_contain_text(words)
    expect(page.locator(".st-key-restore-0 button:visible").first).to_be_enabled()
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    expect(page).not_to_have_url(address)


def test_hidden_results_open(app, visitor):
    """Hidden results are counted, open in place, and stay open while the threshold moves."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    shown, hidden = counts(page)
    set_threshold(page, 100)
    expect(page.get_by_text("기준보다 높은 결과가 없어요").first).to_be_visible()
    panel = page.get_by_text(f"숨긴 결과 {shown + hidden}개", exact=True).first
    expect(panel).to_be_visible()
    panel.click()
    expect(page.locator(".st-key-card-h1").first).to_be_visible()
    set_threshold(page, 90)
    set_threshold(page, 80)
    expect(page.locator(".st-key-card-h1").first).to_be_visible()


def test_a_moment_marks_its_line(app, visitor):
    """The moment of a result marks the line of the transcript that is said there."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    set_threshold(page, 0)
    moment = page.locator("[class*='st-key-moment-'] button:visible").first
    clock = re.match(r"\D*(\d+:\d\d)", moment.inner_text().replace("\n", " "))
    moment.click()
    now = page.locator("[class*='st-key-line-'] button:visible").filter(has_text="← 지금")
    expect(now).to_have_count(1)
    expect(now).to_be_in_viewport()
    assert clock is not None


def test_the_score_is_explained_on_demand(app, visitor):
    """The popover names the parts of the score with their weights."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    page.locator(".st-key-why-2 button:visible").first.click()  # the first is in English, whose meaning Kiwi does not see
    expect(page.get_by_role("cell", name="질문과 뜻이 가까움")).to_be_visible()
    expect(page.get_by_role("cell", name=re.compile(r"^\d+%$")).first).to_be_visible()


def test_results_can_be_taken_away(app, visitor, tmp_path: Path):
    """The exported JSON holds the shown results."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    shown, _ = counts(page)
    page.locator(".st-key-export button").first.click()
    with page.expect_download() as started:
        page.get_by_role("button", name="데이터 (JSON)").click()
    file = tmp_path / "export.json"
    started.value.save_as(file)
    assert started.value.suggested_filename.endswith(".json")
    assert len(json.loads(file.read_text("utf-8"))["results"]) == shown


def test_a_bad_file_leaves_a_sentence_and_the_draft(app, visitor):
    """A file that cannot be read says so; what was typed before is still in the box."""
    page = visitor(app)
    question(page).fill("아직 보내지 않은 질문")
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
    expect(page.get_by_text("파일은 읽을 수 없는 종류예요").first).to_be_visible()
    expect(question(page)).to_have_value("아직 보내지 않은 질문")


def test_a_subtitle_file_becomes_the_video(app, visitor):
    """An uploaded SRT shows its lines with times, and its words can be found."""
    page = visitor(app)
    srt = "1\n00:00:01,000 --> 00:00:04,000\n메모리 대역폭 이야기입니다\n\n2\n00:01:10,000 --> 00:01:12,000\n마치겠습니다\n"
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": "talk.srt", "mimeType": "text/plain", "buffer": srt.encode()})
    expect(page.locator("[class*='st-key-line-'] button:visible").filter(has_text="1:10").first).to_be_visible()
    page.get_by_role("textbox", name="자막에서 찾기").fill("대역폭")
    page.get_by_role("textbox", name="자막에서 찾기").press("Enter")
    expect(page.get_by_text("1곳에 나와요").first).to_be_visible()


def test_nothing_of_an_upload_is_held(app, visitor):
    """The bytes of files leave the server's memory as soon as they are taken, be they read or refused."""
    page = visitor(app)
    page.get_by_role("tab", name="파일").click()
    several = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": b"words " * 10_000} for n in range(4)]
    page.locator("input[type=file]").set_input_files(several)
    expect(page.get_by_text("파일은 하나만").first).to_be_visible()
    assert "UploadedFileManager" not in page.request.get(f"{app}/_stcore/metrics").text()
    page.locator("input[type=file]").set_input_files(several[0])
    expect(page.get_by_text("시간 정보가 없는 글이라").first).to_be_attached()
    assert "UploadedFileManager" not in page.request.get(f"{app}/_stcore/metrics").text()


def test_hostile_documents_stay_text(app, visitor):
    """A document full of traps is shown as written: nothing runs, nothing is fetched, nothing is drawn."""
    page = visitor(app)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    question(page).fill("메모리 대역폭 함정")
    question(page).press("Enter")
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    set_threshold(page, 0)
    card = page.locator("[class*='st-key-card-']").filter(has_text="onerror=alert(1)").first
    expect(card).to_be_visible()
    expect(card).to_contain_text("![그림](http://203.0.113.7/beacon.png)")
    expect(card.locator("img, iframe, script, a[href^='javascript']")).to_have_count(0)
    card.locator("[class*='st-key-title-'] button:visible").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("<script>alert(document.title)</script>")
    expect(dialog.locator("img, iframe, script")).to_have_count(0)


def test_a_reloaded_page_has_everything_back(app, visitor):
    """After a reload question, video and results are there again."""
    page = visitor(app)
    open_sample(page)
    ask_example(page)
    expect(question(page)).to_have_value(re.compile("."))  # the list may be there before the box has been filled
    asked = question(page).input_value()
    shown = page.get_by_text(HEAD_LINE).first.inner_text()
    page.reload()
    expect(page.get_by_text(shown).first).to_be_visible()
    expect(question(page)).to_have_value(asked)
    expect(page.locator(".st-key-change-video button").first).to_be_visible()


def test_a_question_that_stands_alone_keeps_to_its_own_words(app, visitor):
    """No chip of the query comes from the video, and verbs stand as they were written; a question that points gets the video."""
    page = visitor(app)
    open_sample(page)
    question(page).fill("GPU 위에 메모리를 얹은 이유는?")
    question(page).press("Enter")
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()
    chips = page.locator(".st-key-chips button:visible")
    expect(chips.filter(has_text="얹은").first).to_be_visible()
    expect(chips.filter(has_text="얹다")).to_have_count(0)
    expect(chips.filter(has_text="영상")).to_have_count(0)
    question(page).fill("이 회사 최근 실적은?")
    question(page).press("Enter")
    expect(chips.filter(has_text="영상 기업·기관").first).to_be_visible()


def test_the_keyboard_is_enough(app, visitor):
    """Typing and Enter search; nothing else is needed."""
    page = visitor(app)
    question(page).focus()
    page.keyboard.type("메모리 대역폭")
    page.keyboard.press("Enter")
    expect(page.get_by_text(HEAD_LINE).first).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1024, "dark")])
def test_narrow_screens_fold_the_video_on_top(app, visitor, width, scheme):
    """On a phone or a small window nothing runs over the edge, and the video stands above the question."""
    page = visitor(app, width=width, height=900, color_scheme=scheme)
    open_sample(page)
    ask_example(page)
    expect(page.locator(".st-key-card-1").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    video, box = page.locator(".st-key-video").bounding_box(), question(page).bounding_box()
    assert video is not None
    assert box is not None
    assert video["y"] < box["y"]


def test_on_a_phone_a_moment_says_where_it_led_and_unfolds_the_transcript(app, visitor):
    """The panel is out of sight above the list there: a toast says what happened, and nothing loses its shape."""
    page = visitor(app, width=390, height=844, user_agent="Mozilla/5.0 (Linux; Android 15) Chrome/156 Mobile", is_mobile=True)
    open_sample(page)
    ask_example(page)
    chip = page.locator(".st-key-chips button:visible").first
    expect(chip).to_have_css("border-radius", "999px")
    page.locator("[class*='st-key-moment-'] button:visible").first.click()
    expect(page.get_by_text(re.compile(r"^위쪽 영상을 \d+:\d\d로 옮겼어요$")).first).to_be_visible()
    expect(page.locator("[class*='st-key-line-'] button:visible").filter(has_text="←")).to_have_count(1)
    expect(chip).to_have_css("border-radius", "999px")
