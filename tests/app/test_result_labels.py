"""Results are labelled where they are listed; the sidebar and the relevance lab count the labels at once."""

from __future__ import annotations

import pytest

from search_core.domain import Label
from search_core.errors import StorageError
from search_core.storage.stored_searches import StoredSearches
from tests.app.conftest import Visit

QUESTION = "대역폭이 왜 중요한가요?"
SCOPE = "lab-scope"


def choices(here: Visit):
    return [group for group in here.at.button_group if group.key and group.key.startswith("label-")]


def press(here: Visit, number: int, label: Label | None) -> None:
    choices(here)[number].set_value(label)
    here.look()


def turn_on(here: Visit) -> None:
    here.set("toggle", "labelling", True)


def stored(here: Visit):
    [entry] = here.core.stored_searches.entries("")
    return here.core.stored_searches.load([entry.id], "")[0]


def test_labels_are_stored_with_their_search_and_counted(visit):
    """The last choice counts, the same again takes it back, a hidden result counts as hidden, and the search reopens labelled."""
    here = visit(video=True)
    here.ask(QUESTION)
    assert choices(here) == []
    turn_on(here)
    assert len(choices(here)) == 9
    press(here, 0, Label.NOT_RELEVANT)
    assert "(관련 없음 1, 판정 안 함 8)" in here.texts()
    press(here, 0, None)
    assert "판정 안 함 9" in here.texts()
    assert stored(here).labels == {}
    press(here, 0, Label.RELEVANT)
    assert "보이는 9개 가운데 **1개가 관련 있어요** (관련 없음 0, 판정 안 함 8)" in here.texts()
    assert list(stored(here).labels.values()) == [Label.RELEVANT]
    assert stored(here).entry.query == QUESTION
    titles = [hit.title for hit in stored(here).report.results]
    here.set("slider", "threshold", 100)
    assert "가운데 관련 있는 것 1개" in here.texts()
    here.core.jobs.clear()
    again = Visit(here.core, {"job": stored(here).entry.id})
    turn_on(again)
    assert again.at.text_input(key="question").value == QUESTION
    assert all(title in again.texts() for title in titles[:3])
    assert "**1개가 관련 있어요**" in again.texts()
    assert len(again.core.searches) == 1


class AwaySearches(StoredSearches):
    """Stored searches whose database is away."""

    keeps = True

    def __init__(self) -> None:
        self.keeps = True

    def keep(self, *_: object, **__: object) -> None:
        raise StorageError("away", korean="저장소를 열 수 없어요.")

    labels = label = profiles = entries = keep  # type: ignore[assignment]


@pytest.mark.parametrize("labelled", [False, True])
def test_a_database_that_is_away_costs_the_labels_and_not_the_results(visit, labelled: bool):
    """Results are there all the same, and the sidebar says that the search cannot be stored."""
    here = visit()
    here.core.stored_searches = AwaySearches()
    here.ask(QUESTION)
    turn_on(here)
    if labelled:
        press(here, 0, Label.RELEVANT)
    here.look()
    assert "저장소를 열 수 없어요" in here.texts()
    assert len(choices(here)) == 9


def test_where_searches_are_not_stored_the_page_says_so(visit):
    """With the setting off there is no switch but a sentence that names it, and nothing is stored."""
    here = visit()
    here.core.stored_searches.keeps = False
    here.ask(QUESTION)
    assert "SEARCH_HISTORY" in here.texts()
    assert here.core.stored_searches.entries("") == ()


def test_the_lab_shows_searches_without_labels_where_none_is_labelled(visit):
    """A fresh installation is offered samples; one that has only searched sees its searches, not an empty choice."""
    here = visit(video=True)
    here.open("lab")
    assert "아직 보관한 검색이 없어요." in here.texts()
    assert here.has_button("lab-samples")
    here.open("search")
    here.ask(QUESTION)
    [job] = here.core.jobs.values()
    here.core.stored_searches.keep(job.id, "", job.report)  # the page stores it, too, in the background
    here.open("lab")
    assert here.at.selectbox(key=SCOPE).value == "all"
    assert "검색 **1건**" in here.texts()
    here.set("selectbox", SCOPE, "labelled")
    assert "판정한 검색이 아직 없어요." in here.texts()
