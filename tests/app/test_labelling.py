"""Results are labelled where they are, and the sidebar says at once what that comes to."""

from __future__ import annotations

import pytest

from search_core.domain import Label
from search_core.errors import StorageError
from search_core.storage.kept_searches import KeptSearches
from tests.app.conftest import Visit

QUESTION = "대역폭이 왜 중요한가요?"


def labelling(visit):
    here = visit()
    here.open_sample()
    here.ask(QUESTION)
    here.at.toggle(key="labelling").set_value(True)
    here.look()
    return here


def choices(here):
    return [group for group in here.at.button_group if group.key and group.key.startswith("label-")]


def press(here, place: int, label: Label | None):
    choices(here)[place].set_value(label)
    here.look()


def kept(here):
    (entry,) = here.core.kept_searches.entries("")
    return here.core.kept_searches.load([entry.id], "")[0]


def test_labels_are_there_only_when_they_are_wanted(visit):
    """Without the switch no result has a label to press."""
    here = visit()
    here.open_sample()
    here.ask(QUESTION)
    assert choices(here) == []
    here.at.toggle(key="labelling").set_value(True)
    here.look()
    assert len(choices(here)) == 9


def test_a_label_is_kept_with_its_search_and_counted(visit):
    """One relevant result of nine shown: the sidebar says so, and the search is kept with the label."""
    here = labelling(visit)
    press(here, 0, Label.RELEVANT)
    assert "보이는 9개 가운데 **1개가 관련 있어요** (관련 없음 0, 판정 안 함 8)" in here.texts()
    assert list(kept(here).labels.values()) == [Label.RELEVANT]
    assert kept(here).entry.query == QUESTION


def test_a_label_is_changed_and_taken_back(visit):
    """The last word counts; the same pressed again leaves none."""
    here = labelling(visit)
    press(here, 0, Label.RELEVANT)
    press(here, 0, Label.NOT_RELEVANT)
    assert "(관련 없음 1, 판정 안 함 8)" in here.texts()
    press(here, 0, None)
    assert "판정 안 함 9" in here.texts()
    assert kept(here).labels == {}


def test_moving_the_threshold_counts_anew(visit):
    """A relevant result that the threshold hides is counted among the hidden."""
    here = labelling(visit)
    press(here, 0, Label.RELEVANT)
    here.at.slider(key="threshold").set_value(100)
    here.look()
    assert "가운데 관련 있는 것 1개" in here.texts()


def test_a_kept_search_is_opened_from_its_address(visit):
    """Where the process no longer knows the search, it comes back with results, video, question and labels."""
    here = labelling(visit)
    press(here, 0, Label.RELEVANT)
    search = kept(here).entry.id
    titles = [hit.title for hit in kept(here).report.results]
    here.core.jobs.clear()
    searches_before = len(here.core.searches)
    again = Visit(here.core, {"job": search})
    again.at.toggle(key="labelling").set_value(True)
    again.look()
    assert again.at.text_input(key="question").value == QUESTION
    assert all(title in again.texts() for title in titles[:3])
    assert "**1개가 관련 있어요**" in again.texts()
    assert len(again.core.searches) == searches_before


def test_where_searches_are_not_kept_the_page_says_so(visit):
    """With keeping turned off there is no switch but a sentence that names the setting."""
    here = visit()
    here.core.kept_searches.keeps = False
    here.open_sample()
    here.ask(QUESTION)
    assert "SEARCH_HISTORY" in here.texts()
    assert here.core.kept_searches.entries("") == ()


class AwaySearches(KeptSearches):
    """Kept searches whose database is away."""

    keeps = True

    def __init__(self) -> None:
        self.keeps = True

    def keep(self, *_: object, **__: object) -> None:
        raise StorageError("away", korean="저장소를 열 수 없어요.")

    labels = label = profiles = entries = keep  # type: ignore[assignment]


@pytest.mark.parametrize("labelled", [False, True])
def test_a_database_that_is_away_costs_the_labels_and_not_the_results(visit, labelled: bool):
    """Results are there all the same, and the sidebar says that the search cannot be kept."""
    here = visit()
    here.core.kept_searches = AwaySearches()
    here.open_sample()
    here.ask(QUESTION)
    here.at.toggle(key="labelling").set_value(True)
    here.look()
    if labelled:
        press(here, 0, Label.RELEVANT)
    here.look()
    assert "저장소를 열 수 없어요" in here.texts()
    assert len(choices(here)) == 9
