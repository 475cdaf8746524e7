"""Results are labelled where they are listed; the sidebar and the relevance lab count the labels at once."""

from __future__ import annotations

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


def stored(here: Visit):
    [entry] = here.core.stored_searches.entries("")
    return here.core.stored_searches.load([entry.id], "")[0]


def test_labels_are_stored_with_their_search_and_counted(visit):
    """The last choice counts, the same again takes it back, a hidden result counts as hidden, and the search reopens labelled."""
    here = visit(video=True)
    here.ask(QUESTION)
    assert choices(here) == []
    here.fold("tuning")
    here.set("toggle", "labelling", True)
    assert len(choices(here)) == 9
    press(here, 0, Label.NOT_RELEVANT)
    assert "(관련 없음 1, 판정 안 함 8)" in here.texts()
    press(here, 0, None)
    assert stored(here).labels == {}
    press(here, 0, Label.RELEVANT)
    assert "보이는 9개 가운데 **1개가 관련 있어요** (관련 없음 0, 판정 안 함 8)" in here.texts()
    assert list(stored(here).labels.values()) == [Label.RELEVANT]
    titles = [hit.title for hit in stored(here).report.results]
    here.set("slider", "threshold", 100)
    assert "가운데 관련 있는 것 1개" in here.texts()
    here.core.jobs.clear()
    again = Visit(here.core, {"job": stored(here).entry.id})
    again.fold("tuning")
    again.set("toggle", "labelling", True)
    assert again.at.text_input(key="question").value == QUESTION
    assert all(title in again.texts() for title in titles[:3])
    assert "**1개가 관련 있어요**" in again.texts()
    assert len(again.core.searches) == 1


class AwaySearches(StoredSearches):
    """Stored searches whose database is away."""

    def __init__(self) -> None:
        self.keeps = True

    def keep(self, *_: object, **__: object) -> None:
        raise StorageError("away", korean="저장소를 열 수 없어요.")

    labels = label = profiles = entries = keep  # type: ignore[assignment]


def test_where_searches_are_not_stored_the_page_says_so(visit):
    """With the setting off a sentence names no variable; a database that is away costs the labels and not the results."""
    here = visit()
    here.core.stored_searches.keeps = False
    here.ask(QUESTION)
    here.fold("tuning")
    assert "검색을 보관하지 않도록 설정되어 있어서 판정할 수 없어요." in here.texts()
    assert "SEARCH_HISTORY" not in here.texts()
    assert here.core.stored_searches.entries("") == ()
    here.core.stored_searches = AwaySearches()
    here.ask(QUESTION)
    here.set("toggle", "labelling", True)
    assert "저장소를 열 수 없어요" in here.texts()
    press(here, 0, Label.RELEVANT)
    here.look()
    assert "저장소를 열 수 없어요" in here.texts()
    assert len(choices(here)) == 9


def test_the_lab_shows_searches_without_labels_where_none_is_labelled(visit):
    """A fresh installation is offered samples; one that has only searched sees its searches, not an empty choice."""
    here = visit(video=True)
    here.open("lab")
    assert "판정한 검색이 아직 없어요." in here.texts()
    assert here.has_button("lab-samples")
    here.open("search")
    here.ask(QUESTION)
    [job] = here.core.jobs.values()
    here.core.stored_searches.keep(job.id, "", job.report)  # the page stores it, too, in the background
    here.open("lab")
    here.fold("lab-expert")
    assert here.at.selectbox(key=SCOPE).value == "all"
    assert "검색 **1건**" in here.texts()
    here.set("selectbox", SCOPE, "labelled")
    assert "판정한 검색이 아직 없어요." in here.texts()


def test_labels_and_questions_come_in_as_files(visit):
    """Labelled searches are imported and a bad line is named; a list of questions is searched in one go."""
    here = visit(page="lab")
    line = '{"query": "대역폭", "results": [{"id": "https://a.example/", "title": "HBM4", "snippet": "두 배", "relevant": 1}]}'
    here.fold("lab-expert")
    here.fold("fold-labels")
    here.at.file_uploader(key="lab-import").upload("labels.jsonl", f"{line}\n{{".encode(), "text/plain")
    here.look()
    assert "검색 1건을 가져왔어요." in here.at.success[0].value
    assert "2번째 줄은 읽지 못했어요" in here.texts()
    assert list(stored(here).labels.values()) == [Label.RELEVANT]
    here.fold("fold-questions")
    here.at.file_uploader(key="lab-questions").upload("questions.csv", "질문\n하나?\n둘?".encode(), "text/csv")
    here.look()
    here.click("lab-batch-run")
    here.look()
    assert [question.text for question, _ in here.core.searches] == ["하나?", "둘?"]
