"""The relevance lab in Chromium: three searches labelled, a threshold promised and used, settings compared, files out and in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import be_still, open_sample, running_app, unfold

pytestmark = pytest.mark.browser

QUESTIONS = ("메모리 대역폭은 왜 중요한가?", "HBM3E와 HBM4는 무엇이 달라졌나요?", "그래픽 카드에는 왜 GDDR을 쓰나요?")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app as it is installed, with its samples and without a model, so that scores are the same everywhere."""
    with running_app(tmp_path_factory.mktemp("lab") / "data", SEARCH_PROVIDERS="library", EMBEDDING_MODEL="kiwi") as address:
        yield address


def ask(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="질문")
    box.fill(text)
    box.press("Enter")
    expect(page.get_by_role("textbox", name="질문")).to_have_value(text)
    expect(page.locator(".st-key-found [class*='st-key-card-']").first).to_be_visible()


def label_first(page: Page) -> None:
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


def test_from_labels_to_a_threshold_that_is_used(installed, visitor):
    """Three searches are labelled, with the samples they promise a threshold, and one click puts it on the search page."""
    page = open_sample(visitor(installed))
    ask(page, QUESTIONS[0])
    page.locator(".st-key-labelling label").click()
    for number, text in enumerate(QUESTIONS):
        if number:
            ask(page, text)
        label_first(page)
    open_lab(page)
    expect(page.get_by_text(re.compile(r"검색 3건 · 결과 \d+개 · 판정 3개"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"판정한 검색이 8건 더 있어야 해요"))).to_be_visible()
    load_samples(page)
    choice = page.get_by_role("combobox", name="보이는 것 가운데 관련 있는 몫")
    choice.click()
    choice.fill("70")
    page.get_by_role("option", name="70%").click()
    promise = page.get_by_text(
        re.compile(r"추천 기준 0\.\d\d: 보이는 결과의 70 % 이상이 관련 있어요\. \(90 % 확신, 검색 \d+건의 판정 \d+개로\)")
    )
    expect(promise).to_be_visible()
    points = int(re.findall(r"추천 기준 0\.(\d\d)", promise.inner_text())[0])
    page.get_by_role("button", name="이 기준 쓰기").click()
    expect(page.get_by_text(f"기준을 {points}점으로 바꿨어요")).to_be_visible()
    page.get_by_role("link", name="검색", exact=True).click()
    expect(page.get_by_role("slider", name=re.compile("관련도 기준"))).to_have_value(str(points))


def test_what_to_judge_next_takes_one_key(installed, visitor):
    """The first result of the list is labelled by a key alone, and the next one takes its place."""
    page = open_sample(visitor(installed))
    ask(page, QUESTIONS[0])
    page.locator(".st-key-labelling label").click()
    label_first(page)
    open_lab(page)
    before = int(re.findall(r"판정 (\d+)개", page.get_by_text(re.compile("검색 .*건 · 결과")).inner_text())[0])
    expect(page.get_by_text("맨 위 결과는 글쇠 1, 2, 3으로")).to_be_visible()
    be_still(page)  # the line stands over buttons that are still to come
    page.locator("body").press("3")
    expect(page.get_by_text(re.compile(rf"판정 {before + 1}개"))).to_be_visible()


def test_profiles_and_a_link_to_them(installed, visitor):
    """Settings kept under a name are compared, chosen on the search page, and a second browser gets them by the address."""
    page = open_sample(visitor(f"{installed}/?threshold=62"))
    ask(page, QUESTIONS[0])
    page.get_by_role("link", name="관련도 실험실").click()
    expect(page.get_by_role("heading", name="설정 프로필")).to_be_visible()
    page.get_by_label("이름", exact=True).fill("엄격하게")
    page.get_by_label("이름", exact=True).press("Enter")
    page.get_by_role("button", name="지금 설정을 프로필로").click()
    expect(page.get_by_text("프로필 “엄격하게”을 두었어요")).to_be_visible()
    load_samples(page)
    expect(page.get_by_text(re.compile(r"검색 \d+건에서 보이는 결과가 달라져요"))).to_be_visible()
    page.get_by_role("link", name="검색", exact=True).click()
    expect(page.get_by_role("slider", name=re.compile("관련도 기준"))).to_have_value("62")
    expect(page).to_have_url(re.compile(r"/\?.*threshold=62"))
    expect(page.get_by_role("combobox", name="설정 프로필")).to_have_value("엄격하게")
    second = visitor(page.url)
    expect(second.get_by_role("slider", name=re.compile("관련도 기준"))).to_have_value("62")


def test_labels_leave_and_come_back_as_a_file(installed, visitor, tmp_path: Path):
    """What is exported as JSON lines is imported as the same searches and labels; a bad line is named."""
    page = visitor(f"{installed}/lab")
    load_samples(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="판정과 검색 (JSONL)").click()
    file = tmp_path / "labels.jsonl"
    download.value.save_as(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert all({"query", "results"} <= json.loads(line).keys() for line in lines)
    file.write_text("\n".join([*lines[:2], "{"]), encoding="utf-8")
    unfold(page.locator(".st-key-fold-labels"))
    page.locator(".st-key-lab-import input[type=file]").set_input_files(file)
    expect(page.get_by_text("검색 2건을 가져왔어요.")).to_be_visible()
    expect(page.get_by_text("3번째 줄은 읽지 못했어요")).to_be_visible()


def test_samples_are_loaded_once(installed, visitor):
    """Loading the samples again puts them back as they were and adds none."""
    page = visitor(f"{installed}/lab")
    load_samples(page)
    before = page.get_by_text(re.compile("검색 .*건 · 결과")).inner_text()
    load_samples(page)
    expect(page.get_by_text(re.compile("검색 .*건 · 결과"))).to_have_text(before)


def test_a_list_of_questions_is_searched_in_one_go(installed, visitor, tmp_path: Path):
    """Three questions of a CSV are searched one after the other, kept, and stand in the list."""
    file = tmp_path / "questions.csv"
    file.write_text("질문\n" + "\n".join(f'"{text}"' for text in QUESTIONS), encoding="utf-8")
    page = visitor(f"{installed}/lab")
    unfold(page.locator(".st-key-fold-questions"))
    page.locator(".st-key-lab-questions input[type=file]").set_input_files(file)
    page.get_by_role("button", name="모두 검색하기").click()
    expect(page.get_by_text("질문 3개를 검색해 보관했어요")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_lab(installed, visitor, scheme):
    """axe-core finds nothing on the page with content, light and dark."""
    page = visitor(f"{installed}/lab", color_scheme=scheme)
    load_samples(page)
    expect(
        page.get_by_role("img").filter(has_text="재현율").or_(page.locator("[data-testid=stVegaLiteChart]")).first
    ).to_be_visible()
    assert violations(page) == []


def test_results_are_labelled_by_keyboard_alone(installed, visitor):
    """Tab reaches the labels of a result, the arrow and space keys choose one, and the same key takes it back."""
    page = open_sample(visitor(installed))
    ask(page, QUESTIONS[0])
    page.locator(".st-key-labelling input").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("0개가 관련 있어요").first).to_be_visible()
    relevant = page.locator("[class*='st-key-label-']").first.get_by_role("radio", name="관련 있음")
    expect(relevant).to_be_visible()
    be_still(page)
    page.locator("[class*='st-key-moment-1'] button:visible").first.focus()
    page.keyboard.press("Tab")
    expect(relevant).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_text("1개가 관련 있어요").first).to_be_visible()
    be_still(page)
    page.keyboard.press("Space")
    expect(page.get_by_text("0개가 관련 있어요").first).to_be_visible()
