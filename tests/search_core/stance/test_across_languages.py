"""Sentences in two languages: meaning finds them, values and known translations decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from search_core.domain import SearchResult, Stance, Statement, VideoContext
from search_core.stance import Nearness, judge_sources

NOW = datetime(2026, 6, 12, tzinfo=UTC)
MIRROR = "이 망원경의 거울은 지름이 6.5미터입니다."


def always(near: float) -> Nearness:
    """Return a nearness that finds all sentences equally near."""
    return lambda said, found: [[near] * len(found) for _ in said]


def see_nothing(_said: Sequence[str], _found: Sequence[str]) -> None:
    """Stand for an embedder that sees no meaning across languages."""


def stances(said: str, found: str, nearness: Nearness | None) -> list[Stance]:
    source = SearchResult(title="", url="https://news.example/1", snippet=found, source="news.example", publish_date=NOW)
    video = VideoContext(published_at=NOW)
    return [row.stance for row in judge_sources([Statement(0.0, 5.0, said)], [source], video, NOW, nearness=nearness).rows]


@pytest.mark.parametrize(
    ("found", "near", "stance"),
    [
        ("The telescope's mirror measures 6.5 metres across.", 0.8, [Stance.AGREE]),
        ("The telescope's mirror measures 6.5 metres across.", 0.65, []),
        ("The telescope's mirror measures 2.4 metres across.", 0.8, [Stance.CONTRADICTS]),
        ("The telescope's mirror costs the museum 6.5 metres of space.", 0.8, [Stance.CANNOT_TELL]),
    ],
)
def test_near_sentences_agree_only_in_their_values(found: str, near: float, stance: list[Stance]):
    """A near sentence with another value contradicts, with a further known word it settles nothing, and a far one is no row."""
    assert stances(MIRROR, found, always(near)) == stance


def test_without_a_model_the_rules_speak_alone():
    """Where no model sees meaning nothing is admitted that words do not align."""
    found = "The telescope's mirror measures 6.5 metres across."
    assert stances(MIRROR, found, None) == stances(MIRROR, found, see_nothing) == []


def test_only_sentences_in_another_language_are_embedded():
    """Within one language meaning is not asked: it takes lookalikes for agreement."""
    asked: list[str] = []

    def note(said: Sequence[str], found: Sequence[str]) -> list[list[float]]:
        asked.extend((*said, *found))
        return [[0.0] * len(found) for _ in said]

    stances(MIRROR, "거울의 지름은 6.5미터다. The mirror is gold.", note)
    assert sorted(asked) == sorted([MIRROR, "The mirror is gold."])
