"""Which names of a video belong to the words of a question: those said where the words are said, clearly more than elsewhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from search_core.korean.content import is_attribute
from search_core.query.presence import fold, holds
from search_core.query.video_index import ContextElement, VideoIndex

_SHORT_SEGMENTS = 20
"""Below this there is hardly a base rate to exceed; being said in the same segment once is all a tie can show."""
_BESIDE = 0.5
"""Weight of a mention one segment away: subtitles break a sentence over two cues."""
_LEAST_SUPPORT = 1.5
_LEAST_LIFT = 3.0
"""How many times more often than by chance the name must be said near the words."""
_LEAST_SUPPORT_SHORT = 1.0
_LEAST_LIFT_SHORT = 2.0
_ON_TOPIC = 0.4
"""Share of the words' rarity a segment must hold to speak of the question."""
_EVERYWHERE = 0.25
"""A word in a larger share of the segments than this is what the whole video is about; every name is said near it."""
_COVERED = 0.5
"""Share of a name that words of the question must spell for it to be meant ("반도체 대전" of "2026 반도체 대전")."""


@dataclass(frozen=True, slots=True)
class Ties:
    """Weighs how strongly the names of one video belong to the words of one question."""

    index: VideoIndex
    terms: Sequence[str]

    def strongest(self, elements: Iterable[ContextElement]) -> ContextElement | None:
        """Return the one of *elements* that belongs to the words most, or None when none clearly does."""
        topic = self._on_topic()
        weighed = [
            (self._spelt(element) + self._said_with(element, topic), -place, element) for place, element in enumerate(elements)
        ]
        best = max(weighed, key=lambda entry: entry[:2], default=None)
        return best[2] if best is not None and best[0] > 0 else None

    def _telling(self) -> list[str]:
        terms = [term for term in self.terms if len(term) > 1 and not is_attribute(term)]
        return [term for term in terms if not term.endswith("다")] or terms

    def _on_topic(self) -> set[int]:
        """Return the segments that speak of the question, rare words counting more than common ones."""
        count = self.index.segment_count
        places_of = [found for term in self._telling() if (found := self.index.places(term))]
        if count >= _SHORT_SEGMENTS:
            places_of = [places for places in places_of if len(places) <= _EVERYWHERE * count]
        weighted = [(set(places), math.log1p(count / len(places))) for places in places_of]
        least = _ON_TOPIC * sum(rarity for _, rarity in weighted)
        shares: dict[int, float] = {}
        for segments, rarity in weighted:
            for place in segments:
                shares[place] = shares.get(place, 0.0) + rarity
        return {place for place, share in shares.items() if share >= least}

    def _said_with(self, element: ContextElement, topic: set[int]) -> float:
        count = self.index.segment_count
        short = count < _SHORT_SEGMENTS
        near = dict.fromkeys(element.mentions, 1.0)
        if not short:
            for place in element.mentions:
                for other in (place - 1, place + 1):
                    if 0 <= other < count:
                        near.setdefault(other, _BESIDE)
        support = sum(near.get(place, 0.0) for place in topic)
        if support < (_LEAST_SUPPORT_SHORT if short else _LEAST_SUPPORT):
            return 0.0
        lift = support * count / (len(topic) * sum(near.values()))
        return support * math.log(lift) if lift >= (_LEAST_LIFT_SHORT if short else _LEAST_LIFT) else 0.0

    def _spelt(self, element: ContextElement) -> float:
        spelling = [fold(term) for term in self._telling() if holds(element.text, term)]
        share = sum(map(len, spelling)) / len(fold(element.text))
        return float(len(spelling)) if len(spelling) > 1 and share >= _COVERED else 0.0
