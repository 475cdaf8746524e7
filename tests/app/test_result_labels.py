"""Results are labelled where they are listed; the sidebar recommends a threshold."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain.report import Label
from tests.app.conftest import Visit

QUESTION = "대역폭이 왜 중요한가요?"


def choices(here: Visit):
    return [group for group in here.at.button_group if group.key and group.key.startswith("label-")]


def press(here: Visit, number: int, label: Label | None) -> None:
    choices(here)[number].set_value(label)
    here.look()


def stored(here: Visit):
    return here.core.stored_searches.load(here.session.report_of, "")


def test_labels_are_stored_with_their_search(visit):
    """The last choice counts, the same again takes it back, and the search reopens labelled."""
    here = visit(video=True)
    here.ask(QUESTION)
    assert choices(here) == []
    here.fold("tuning")
    here.set("toggle", "labelling", True)
    assert len(choices(here)) == 9
    press(here, 0, Label.NOT_RELEVANT)
    assert list(stored(here).labels.values()) == [Label.NOT_RELEVANT]
    press(here, 0, None)
    assert stored(here).labels == {}
    press(here, 0, Label.RELEVANT)
    assert list(stored(here).labels.values()) == [Label.RELEVANT]
    titles = [hit.title for hit in stored(here).report.results]
    here.core.jobs.clear()
    again = Visit(here.core, {"job": here.session.report_of})
    again.fold("tuning")
    again.set("toggle", "labelling", True)
    assert again.session.asked == QUESTION
    assert all(title in again.texts() for title in titles[:3])
    assert [group.value for group in choices(again)][:2] == [Label.RELEVANT, None]
    assert len(again.core.searches) == 1


def label_searches(here: Visit, count: int) -> None:
    """Label of so many searches the six results as right that have more than 50 points, and the other six as wrong."""
    [job] = here.core.jobs.values()
    for number in range(count):
        here.core.stored_searches.keep(str(number), "", job.report)
        for result in (*job.report.results, *job.report.hidden):
            label = Label.RELEVANT if result.relevance_score > 0.51 else Label.NOT_RELEVANT
            here.core.stored_searches.label(str(number), "", result.url, label)


def test_labels_recommend_a_threshold_that_a_click_takes(visit):
    """While labelling the sidebar says how many searches are missing, then the threshold; it holds for scores of one scorer."""
    here = visit(video=True)
    here.ask(QUESTION)
    label_searches(here, 10)
    here.fold("tuning")
    assert "더 있어야 해요" not in here.texts()
    here.set("toggle", "labelling", True)
    assert "추천 기준을 계산하려면 검색 1건을 더 평가해 주세요." in here.texts()
    label_searches(here, 15)
    press(here, 0, Label.RELEVANT)
    best = "추천 기준 51점: 보이는 결과의 80% 이상이 관련 있어요. (90% 확신, 검색 16건의 평가 91개로)"
    assert best in here.texts()
    here.click("use-threshold")
    assert here.at.slider(key="threshold").value == 51
    here.session.report = replace(here.session.report, scorer="another")
    here.look()
    assert best not in here.texts()
