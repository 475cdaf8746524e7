"""The relevance lab as its visitor meets it: the promise first, and behind a fold what it rests on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.parts import lab_figures, visitor
from search_core.core import SearchCore
from search_core.domain import result_key
from search_core.settings import Settings
from tests.app.conftest import OpenPage, Visit


@pytest.fixture
def lab(visit: OpenPage, tmp_path: Path):
    """Open the lab over a core of its own, which keeps no searches where *keeps* is false."""
    cores = []

    def open_page(*, keeps: bool = True) -> Visit:
        settings = Settings(
            maekrak_data_dir=tmp_path,
            embedding_model="kiwi",
            search_providers="library",
            search_history=keeps,
            library_samples=False,
        )
        cores.append(SearchCore.from_settings(settings))
        return visit(page="lab", core=cores[-1])

    yield open_page
    for core in cores:
        core.close()


def test_the_promise_stands_first_with_its_price(lab):
    """In points alone, with a button that takes it over; a share that cannot be promised says how many labels are missing."""
    here = lab()
    assert "판정한 검색이 아직 없어요." in here.texts()
    here.click("lab-samples")
    assert "예시 검색 24건을 불러왔어요" in "".join(box.value for box in here.at.success)
    assert re.search(r"80%를 90% 확신으로 약속하려면 지금 같은 판정이 \d+개쯤 더 있어야 해요", here.markdown())
    assert not here.has_button("lab-use")
    here.set("selectbox", lab_figures.PRECISION_KEY, 0.6)
    [promise] = [text.value for text in here.at.markdown if text.value.startswith("### ")]
    said = re.fullmatch(r"### (\d+)점이면 보이는 결과의 60% 이상이 관련 있어요, 대신 관련 결과의 (\d+)%가 숨어요", promise)
    assert said is not None
    points, hidden = map(int, said.groups())
    assert re.search(r"90% 확신 · 검색 \d+건의 판정 \d+개로 셌어요\.", here.texts())
    assert "지금 기준 35점에서는 보이는 결과의" in here.texts()
    assert not re.search(r"\b0\.\d", here.texts())
    here.click("lab-use")
    assert f"지금 기준 {points}점에서는 보이는 결과의" in here.texts()
    assert f"관련 결과의 {hidden}%가 숨어요. 보이는" in here.texts()


def test_what_is_labelled_elsewhere_counts(lab):
    """A label taken back on another page, or in another window, since the lab was drawn is none when it is drawn again."""
    here = lab()
    here.click("lab-samples")
    here.fold("lab-expert")
    searches, whose = here.core.stored_searches, visitor.owner()
    [entry, *_] = searches.entries(whose, labelled=True)
    [stored] = searches.load([entry.id], whose)
    results = (*stored.report.results, *stored.report.hidden)
    labelled = next(each.url for each in results if result_key(each.url) in stored.labels)
    counted = re.compile(r"판정 (\d+)개 \(결과의")
    before = int(counted.search(here.texts())[1])
    searches.label(entry.id, whose, labelled, None)
    here.look()
    assert int(counted.search(here.texts())[1]) == before - 1


def test_the_rest_is_behind_a_fold(lab):
    """Curve, comparison, profiles and files are drawn where the fold is open, in points, too; the samples can be loaded again."""
    here = lab()
    here.click("lab-samples")
    assert not here.has_button("lab-samples")
    assert [name for name in ("설정 견주기", "기준마다 얼마나 맞나요", "설정 프로필") if name in headings(here)] == []
    here.fold("lab-expert")
    assert [*headings(here)] == ["기준마다 얼마나 맞나요", "설정 견주기", "설정 프로필", "가져오기와 내보내기"]
    measures = here.at.dataframe[-1].value
    assert list(measures["100점 만점"])[:3] == ["nDCG@10", "P@10", "Judged@10"]
    assert re.fullmatch(r"\d+\.\d \(\d+\.\d–\d+\.\d\)", measures.iloc[0, 1])
    assert here.has_button("lab-samples")


def headings(here: Visit) -> list[str]:
    return [heading.value for heading in here.at.subheader]


def test_that_no_searches_are_kept_is_said_in_plain_words(lab):
    """No name of a setting is on the page."""
    here = lab(keeps=False)
    assert "검색을 보관하지 않도록 설정되어 있어서 판정할 수 없어요." in here.texts()
    assert "SEARCH_HISTORY" not in here.texts()
