"""What of a video is added to a question that does not name it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from search_core.domain import PartOrigin, QueryPart, SearchType
from search_core.search.query.video_index import NAMED, ContextElement, VideoIndex, query_parts
from search_core.text.korean.content import is_attribute

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
MAX_ADDED = 3
"""More context than this drowns the question: keyless services match every word."""
_GUARDS = (PartOrigin.ORGANIZATION, PartOrigin.EVENT, PartOrigin.TITLE)
"""Parts of a video that distinguish a person from namesakes when the question names the person."""


def _strongest(index: VideoIndex, terms: Sequence[str], elements: Iterable[ContextElement]) -> ContextElement | None:
    """Return the one of *elements* that belongs to the *terms* of a question most, or None when none clearly does."""
    topic = _on_topic(index, terms)
    weighed = [(_said_with(index, element, topic), -place, element) for place, element in enumerate(elements)]
    best = max(weighed, key=lambda entry: entry[:2], default=None)
    return best[2] if best is not None and best[0] > 0 else None


def _on_topic(index: VideoIndex, terms: Sequence[str]) -> set[int]:
    """Return the segments that speak of the question, rare words counting more than common ones."""
    count = index.segment_count
    named = [term for term in terms if len(term) > 1 and not is_attribute(term)]
    telling = [term for term in named if not term.endswith("다")] or named
    places_of = [found for term in telling if (found := index.places(term))]
    if count >= _SHORT_SEGMENTS:
        places_of = [places for places in places_of if len(places) <= _EVERYWHERE * count]
    weighted = [(set(places), math.log1p(count / len(places))) for places in places_of]
    least = _ON_TOPIC * sum(rarity for _, rarity in weighted)
    shares: dict[int, float] = {}
    for segments, rarity in weighted:
        for place in segments:
            shares[place] = shares.get(place, 0.0) + rarity
    return {place for place, share in shares.items() if share >= least}


def _said_with(index: VideoIndex, element: ContextElement, topic: set[int]) -> float:
    """Return how strongly *element* belongs to the segments of *topic*, by how often it is said in them or beside them."""
    count = index.segment_count
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


def enrich(
    asked: Sequence[QueryPart], terms: Sequence[str], kind: SearchType, index: VideoIndex | None, *, resolved: bool
) -> tuple[QueryPart, ...]:
    """Return what of a video is added to the *asked* parts, most helpful first, at most ``MAX_ADDED``.

    *terms* are the words of the question, *kind* is what it asks for. One that earlier turns or the video already made clear
    (*resolved*), or that names an element of the video, gets no more than a guard against namesakes; any other gets the one
    element that narrows it most.
    """
    if index is None:
        return ()
    present = index.held_in(" ".join(part.text for part in asked))
    speakers = [element for element in present if element.origin is PartOrigin.SPEAKER]
    if resolved or any(element.origin in NAMED for element in present):
        known = any(element.origin in _GUARDS for element in present)
        return query_parts(() if known or not speakers else _guard(index, speakers[0], present))
    chosen = _narrowing(index, terms, kind, present)
    if chosen is None:
        return ()
    guard = _guard(index, chosen, present) if chosen.origin is PartOrigin.SPEAKER else ()
    return query_parts((chosen, *guard))[:MAX_ADDED]


def _narrowing(
    index: VideoIndex, terms: Sequence[str], kind: SearchType, present: Sequence[ContextElement]
) -> ContextElement | None:
    """Return what narrows the question: the name tied to its words, who acts in news, the title's subject, any name, a term.

    None when the question already says what the video is about.
    """
    actors = index.by_salience()
    tied = _strongest(index, terms, actors)
    if tied is not None:
        return tied
    if set(index.by_salience(PartOrigin.TITLE)[:1]) & set(present):
        return None
    if kind is SearchType.NEWS and actors:
        return actors[0]
    title = [element for element in index.by_salience(PartOrigin.ORGANIZATION, PartOrigin.EVENT) if element.in_title]
    title += [element for element in index.by_salience(PartOrigin.TITLE) if element not in present]
    others = [element for element in index.by_salience(PartOrigin.TRANSCRIPT) if element not in present]
    return next(iter((*title, *actors, *others)), None)


def _guard(index: VideoIndex, speaker: ContextElement, present: Sequence[ContextElement]) -> tuple[ContextElement, ...]:
    """Return what distinguishes *speaker* from namesakes: its organisation, the title's subject, any organisation."""
    organizations = index.by_salience(PartOrigin.ORGANIZATION)
    tied = _strongest(index, (speaker.text,), organizations)
    own = [organization for organization in organizations if index.beside(organization, speaker.text)]
    title = index.by_salience(PartOrigin.TITLE)
    guards = (*own, *((tied,) if tied else ()), *title, *organizations)
    return tuple(guard for guard in guards if guard not in present)[:1]
