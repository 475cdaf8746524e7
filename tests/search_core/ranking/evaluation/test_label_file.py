"""Labelled searches as JSON lines and in the forms of TREC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.domain import Label, ScoreParts
from search_core.errors import InputError
from search_core.ranking.evaluation.label_file import labelled_line, qrels_text, read_labelled_line, run_text
from tests.search_core.ranking.evaluation.made import BY_WORDS, search

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def line(**changes: Any) -> dict[str, Any]:
    result = {"id": 7, "title": "제목", "snippet": "글", "url": "https://a.kr/1", "published": "2026-11-01", "relevant": 1}
    return {"id": "q1", "query": "HBM4 양산", "results": [result], **changes}


def test_a_line_becomes_a_search():
    """Texts, date and label are taken, unknown fields ignored; null is no label, and an address or position stands for an id."""
    found = read_labelled_line(line(note="x"), NOW).search
    assert (found.id, found.query, found.labels) == ("q1", "HBM4 양산", {"7": Label.RELEVANT})
    assert found.results[0].publish_date == datetime(2026, 11, 1, tzinfo=UTC)
    rows = [{"id": "a", "relevant": None}, {"id": "b", "relevant": 0}, {"id": "c"}]
    assert read_labelled_line(line(results=rows), NOW).search.labels == {"b": Label.NOT_RELEVANT}
    unnamed = read_labelled_line(line(results=[{"url": "https://a.kr"}, {"title": "x"}]), NOW)
    assert [result.url for result in unnamed.search.results] == ["https://a.kr", "2"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"query": " "}, "query"),
        ({"results": [{"id": "a", "relevant": 2}]}, "results.0.relevant"),
        ({"results": [{"id": "a", "parts": {"lexical": 3}}]}, "results.0.parts.lexical"),
        ({"results": [{"id": "a"}, {"id": "a"}]}, "one id"),
        ({"results": [{"id": str(n)} for n in range(501)]}, "results"),
        ({"query": "a" * 501}, "question has 501 characters; at most 500"),
        ({"results": [{"title": "a" * 301}]}, "result.title has 301 characters; at most 300"),
        ({"video": {"title": "a" * 301}}, "video.title has 301 characters; at most 300"),
    ],
)
def test_a_bad_line_is_named(changes: dict[str, Any], words: str):
    """A line that cannot be used says where it is wrong."""
    with pytest.raises(InputError, match=words):
        read_labelled_line(line(**changes), NOW)


def test_parts_come_back_as_they_went():
    """An exported line is read as the same search, with the parts of its scores."""
    made = search("a", (0.9, "+"), (0.3, "-"), (0.2, ""))
    back = read_labelled_line(labelled_line(made), NOW)
    assert back.search.labels == made.labels
    assert [result.parts for result in back.search.results] == [result.parts for result in made.results]
    assert back.search.results[0].parts == ScoreParts(lexical=0.9, entity=0.9)


def test_labels_and_orders_are_files_of_trec():
    """A judged result is a line of qrels; a run has the order of the page, the hidden after the shown, with falling numbers."""
    assert qrels_text([search("a b", (0.9, "+"), (0.8, "-"), (0.7, "?"), (0.6, ""))]) == "a_b 0 a_b0 1\na_b 0 a_b1 0\n"
    assert run_text([search("a", (0.3, "+"), (0.9, "-"))], BY_WORDS) == "a Q0 a1 1 2 maekrak\na Q0 a0 2 1 maekrak\n"
