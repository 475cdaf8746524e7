"""Sentences in two languages: meaning finds them, values and known translations decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from search_core.domain import SearchResult, Stance, Statement, VideoContext
from search_core.stance import Nearness, judge_sources

NOW = datetime(2026, 6, 12, tzinfo=UTC)
MIRROR = "이 망원경의 거울은 지름이 6.5미터입니다."


def stances(said: str, found: str, nearness: Nearness | None) -> list[Stance]:
    source = SearchResult(title="", url="https://news.example/1", snippet=found, source="news.example", publish_date=NOW)
    video = VideoContext(published_at=NOW)
    return [row.stance for row in judge_sources([Statement(0.0, 5.0, said)], [source], video, NOW, nearness=nearness).rows]


def test_only_sentences_in_another_language_are_embedded():
    """Within one language meaning is not asked: it takes lookalikes for agreement."""
    asked: list[str] = []

    def note(said: Sequence[str], found: Sequence[str]) -> list[list[float]]:
        asked.extend((*said, *found))
        return [[0.0] * len(found) for _ in said]

    stances(MIRROR, "거울의 지름은 6.5미터다. The mirror is gold.", note)
    assert sorted(asked) == sorted([MIRROR, "The mirror is gold."])
