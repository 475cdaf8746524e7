"""The page that checks a whole video in Chromium: from the click to the file, by pointer, keyboard and on a phone."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import open_sample, unfold, visible_buttons
from tests.browser.played_app import played_app
from tests.loopback.press import Article

pytestmark = pytest.mark.browser

PHONE = {
    "width": 390,
    "height": 844,
    "user_agent": "Mozilla/5.0 (Linux; Android 15) Chrome/156 Mobile",
    "is_mobile": True,
    "has_touch": True,
}


@pytest.fixture
def check(scripted, visitor):
    """Return a function that opens the page with a sample video whose claims are there."""

    def open_page(**options: object) -> Page:
        page = open_sample(visitor(f"{scripted}/claims", **options))
        expect(visible_buttons(page, "start-claims")).to_be_enabled()
        return page

    return open_page


def start(page: Page) -> None:
    visible_buttons(page, "start-claims").click()
    expect(page).to_have_url(re.compile(r"[?&]claims=[\w-]{20,}"))


def finished(page: Page) -> None:
    expect(visible_buttons(page, "claims-again")).to_have_count(1)
    expect(page.locator(".st-key-stop-claims")).to_have_count(0)


def marks(page: Page, kind: str = "") -> Locator:
    return page.locator(f"[class*='st-key-mark-{kind}'] button:visible")


def test_from_the_click_to_the_file(check):
    """Claims are chosen, checked while one looks on, found on the timeline, opened, and taken away as a table."""
    page = check()
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 12개 확인 · 검색 12–24번 · 유료 0번")
    page.get_by_role("checkbox", name="HBM4 표준의 대역폭은 한 묶음에 초당 2테라바이트다.", exact=True).uncheck(force=True)
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 11개 확인")
    start(page)
    expect(marks(page, "contradicts").first).to_be_visible()
    finished(page)
    expect(marks(page)).to_have_count(12)  # one claim is made twice
    visible_buttons(page, "export-run").first.click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="표 (CSV)").click()
    rows = list(csv.reader(io.StringIO(download.value.path().read_bytes().decode("utf-8-sig"))))
    assert {row[5] for row in rows[1:] if len(row) > 2} == {"일치", "상충", "이후 변경", "확인 불가", "보완"}


def test_a_mark_leads_to_its_claim_and_moves_the_video(check):
    """By the keyboard alone: the mark says what it is, its claim comes into sight unfolded and has the focus."""
    page = check(height=700)
    start(page)
    finished(page)
    mark = marks(page, "contradicts-12").last
    expect(mark).to_have_accessible_name(re.compile(r"\d\d:\d\d 상충: "))
    mark.focus()
    page.keyboard.press("Enter")
    card = page.locator(".st-key-claim-12")
    expect(card).to_be_focused()
    expect(card).to_be_in_viewport()
    expect(card).to_contain_text("독립된 출처로 세지 않은 글")
    expect(page.locator("[class*='st-key-line-'] button:visible").filter(has_text="← 지금")).to_have_count(1)


def test_a_reload_and_a_second_tab_show_the_same_run(check, visitor):
    """The run goes on over a reload; a tab opened with its address stops it, and both keep what was checked."""
    page = check()
    page.get_by_role("textbox", name="더할 주장").fill("값은 500달러다. (held)")
    page.locator(".st-key-add-claim button:visible").last.click()
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 13개 확인")
    start(page)
    expect(marks(page, "agree").first).to_be_visible()
    page.reload()
    expect(marks(page).first).to_be_visible()
    other = visitor(page.url)
    visible_buttons(other, "stop-claims").click()
    for tab in (other, page):
        finished(tab)
        expect(tab.locator(".st-key-claims-status").first).to_contain_text("확인을 멈췄어요")
        expect(visible_buttons(tab, "resume-claims")).to_have_count(1)
        expect(tab.locator(".st-key-change-video button:visible").first).to_be_visible()


def test_lines_of_the_transcript_follow_the_check(check):
    """While one claim is still looked for, lines of others carry what those came to."""
    page = check()
    page.get_by_role("textbox", name="더할 주장").fill("값은 500달러다. (held)")
    page.locator(".st-key-add-claim button:visible").last.click()
    expect(page.locator(".st-key-claims-start")).to_contain_text("고른 13개 확인")
    start(page)
    decided = page.locator("[class*='st-key-line-'] button:visible").filter(has_text="check_circle")
    expect(decided.first).to_be_visible()
    visible_buttons(page, "stop-claims").click()
    finished(page)


def test_filters_show_what_wants_a_look(check):
    """One click leaves the contradicted claims, on the timeline and in the list."""
    page = check()
    start(page)
    finished(page)
    page.locator(".st-key-claims-filters").get_by_role("button", name=re.compile("상충")).click()
    expect(marks(page)).to_have_count(4)  # one of the three is made twice
    expect(page.locator("[class*='st-key-claim-']:visible")).to_have_count(3)
    expect(page.get_by_text("12개 중 3개를 보고 있어요.")).to_be_visible()


def test_on_a_phone_everything_is_in_reach(check):
    """Nothing is wider than the screen, marks are apart and large enough, and a mark leads to its claim."""
    page = check(**PHONE)
    start(page)
    finished(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    boxes = [box for mark in marks(page).all() if (box := mark.bounding_box()) is not None]
    assert all(box["width"] >= 24 and box["height"] >= 24 and 0 <= box["x"] <= 390 - box["width"] for box in boxes)
    apart = [(one, other) for one in boxes for other in boxes if one is not other]
    assert not [pair for pair in apart if _overlap(*pair) > 2]
    marks(page, "changed").last.tap()
    expect(page.locator(".st-key-claim-8")).to_be_in_viewport()


def _overlap(one: dict[str, float], other: dict[str, float]) -> float:
    """Return how many pixels two boxes share on the shorter side."""
    across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    return max(0.0, min(across, down))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_without_findings_of_axe(check, scheme):
    """What can be chosen, and what came of it with a claim unfolded, in both colour schemes."""
    page = check(color_scheme=scheme)
    assert violations(page) == []
    start(page)
    finished(page)
    marks(page, "contradicts").first.click()
    expect(page.locator(".st-key-claim-2")).to_be_focused()
    assert violations(page) == []


def test_a_claim_is_taken_on_to_a_search(check):
    """The search begins at once, with the claim as its question."""
    page = check()
    start(page)
    finished(page)
    page.locator(".st-key-go-on-2 button:visible").first.click()
    page.get_by_text("검색하기", exact=True).click()
    expect(page.get_by_role("textbox", name="질문")).to_have_value("HBM4의 입출력 폭은 1024비트다.")
    expect(page.locator("[class*='st-key-card-']:visible").first).to_be_visible()


PARKS = (
    Article(
        path="/heights",
        title="국립공원의 산은 얼마나 높은가",
        published="2022-05-02",
        paragraphs=("설악산의 높이는 1,708미터이다.", "지리산의 높이는 1,915미터이다.", "높이는 국토지리정보원이 잰다."),
    ),
    Article(
        path="/number",
        title="팔공산, 스물세 번째 국립공원",
        published="2024-01-02",
        paragraphs=("우리나라의 국립공원은 23곳이다.", "팔공산이 새로 국립공원이 되었다."),
    ),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the app as it is over a web that knows how high the mountains are."""
    with played_app(tmp_path_factory.mktemp("claims") / "data", articles=PARKS) as (address, _):
        yield address


def test_planted_errors_are_found_by_the_app_as_it_is(played, visitor):
    """The sample with errors is looked through, checked against pages that were read, and taken away with its moments."""
    page = visitor(f"{played}/claims")
    page.locator(".st-key-open-sample-3 button").click()
    expect(visible_buttons(page, "start-claims")).to_be_enabled()
    start(page)
    finished(page)
    card = page.locator("[class*='st-key-claim-']:visible").filter(has_text="설악산의 높이는 1,807미터")
    expect(card).to_contain_text("상충")
    unfold(card)
    expect(card).to_contain_text("“설악산의 높이는 1,708미터이다.”")
    expect(card).to_contain_text("내 자료(예시)에서 (웹이 아니에요)")
    changed = page.locator("[class*='st-key-claim-']:visible").filter(has_text="국립공원은 22곳")
    expect(changed).to_contain_text("이후 변경")
    visible_buttons(page, "export-run").first.click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="문서 (Markdown)").click()
    written = download.value.path().read_text("utf-8")
    assert "- **상충** · 독립된 출처 1곳" in written
    assert "- 영상 01:02 “설악산의 높이는 1,807미터입니다.”" in written
