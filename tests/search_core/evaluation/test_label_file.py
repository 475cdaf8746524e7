"""Labelled searches as JSON lines and in the forms of TREC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.domain import Label, ScoreParts
from search_core.errors import InputError
from search_core.evaluation.label_file import labelled_line, qrels_text, read_labelled_line, run_text
from tests.search_core.evaluation.made import BY_WORDS, search

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def line(**changes: Any) -> dict[str, Any]:
    result = {"id": 7, "title": "제목", "snippet": "글", "url": "https://a.kr/1", "published": "2026-11-01", "relevant": 1}
    return {"id": "q1", "query": "HBM4 양산", "results": [result], **changes}


def test_a_line_becomes_a_search():
    """Texts, date and label are taken; a number as id is its digits."""
    found = read_labelled_line(line(), NOW).search
    assert (found.id, found.query, found.labels) == ("q1", "HBM4 양산", {"7": Label.RELEVANT})
    assert found.results[0].publish_date == datetime(2026, 11, 1, tzinfo=UTC)


def test_unknown_fields_are_ignored():
    """What is not known does not stop a line."""
    assert read_labelled_line(line(note="x"), NOW).search.query == "HBM4 양산"


def test_no_label_is_not_a_zero():
    """Null is not judged, 0 is not relevant."""
    rows = [{"id": "a", "relevant": None}, {"id": "b", "relevant": 0}, {"id": "c"}]
    assert read_labelled_line(line(results=rows), NOW).search.labels == {"b": Label.NOT_RELEVANT}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"query": " "}, "query"),
        ({"query": None}, "query"),
        ({"results": {}}, "results"),
        ({"results": [{"id": "a", "relevant": 2}]}, "results.0.relevant"),
        ({"results": [{"id": "a", "parts": {"lexical": 3}}]}, "results.0.parts.lexical"),
        ({"results": [{"id": "a"}, {"id": "a"}]}, "one id"),
        ({"results": [{"id": str(n)} for n in range(501)]}, "results"),
        ({"video": 3}, "video"),
    ],
)
def test_a_bad_line_is_named(changes: dict[str, Any], words: str):
    """A line that cannot be used says where it is wrong."""
    with pytest.raises(InputError, match=words):
        read_labelled_line(line(**changes), NOW)


def test_results_without_an_id_are_named_by_address_or_place():
    """The address stands in for the id, the place for the address."""
    found = read_labelled_line(line(results=[{"url": "https://a.kr"}, {"title": "x"}]), NOW)
    assert [result.url for result in found.search.results] == ["https://a.kr", "2"]


def test_parts_come_back_as_they_went():
    """An exported line is read as the same search, with the parts of its scores."""
    made = search("a", (0.9, "+"), (0.3, "-"), (0.2, ""))
    back = read_labelled_line(labelled_line(made), NOW)
    assert back.search.labels == made.labels
    assert [result.parts for result in back.search.results] == [result.parts for result in made.results]
    assert back.search.results[0].parts == ScoreParts(lexical=0.9, entity=0.9)


def test_labels_as_qrels():
    """A judged result is a line; unsure and unjudged ones are none, and spaces do not split a word."""
    assert qrels_text([search("a b", (0.9, "+"), (0.8, "-"), (0.7, "?"), (0.6, ""))]) == "a_b 0 a_b0 1\na_b 0 a_b1 0\n"


def test_an_order_as_a_run():
    """Results stand in the order of the page, the hidden after the shown, with falling numbers."""
    assert run_text([search("a", (0.3, "+"), (0.9, "-"))], BY_WORDS) == "a Q0 a1 1 2 maekrak\na Q0 a0 2 1 maekrak\n"
