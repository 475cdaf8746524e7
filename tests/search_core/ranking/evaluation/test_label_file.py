"""Labelled searches as JSON lines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.domain import Label
from search_core.errors import InputError
from search_core.ranking.evaluation.label_file import read_labelled_line

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def line(**changes: Any) -> dict[str, Any]:
    result = {"id": 7, "title": "제목", "snippet": "글", "url": "https://a.kr/1", "published": "2026-11-01", "relevant": 1}
    return {"query": "HBM4 양산", "results": [result], **changes}


def test_a_line_becomes_a_search():
    """Texts, date and label are taken, unknown fields ignored; null is no label, and an address or position stands for an id."""
    found = read_labelled_line(line(note="x", video={"title": "영상"}), NOW)
    assert (found.question.text, found.question.video.title, found.labels) == ("HBM4 양산", "영상", {"7": Label.RELEVANT})
    assert found.results[0].publish_date == datetime(2026, 11, 1, tzinfo=UTC)
    rows = [{"id": "a", "relevant": None}, {"id": "b", "relevant": 0}, {"id": "c"}]
    assert read_labelled_line(line(results=rows), NOW).labels == {"b": Label.NOT_RELEVANT}
    unnamed = read_labelled_line(line(results=[{"url": "https://a.kr"}, {"title": "x"}]), NOW)
    assert [result.url for result in unnamed.results] == ["https://a.kr", "2"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"query": " "}, "query"),
        ({"results": [{"id": "a", "relevant": 2}]}, "results.0.relevant"),
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
