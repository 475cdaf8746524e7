"""Things mentioned around a place in a video, with named features of each."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from search_core.language.entities import find_entities
from search_core.language.korean import has_hangul, morphemes
from search_core.language.korean.content import is_attribute
from search_core.language.korean.morphemes import with_whole_names
from search_core.search.understanding.phrases import fold, holds
from search_core.search.understanding.transcript_index import REPORTS, TranscriptIndex
from search_core.video.subject import COMMON, runs_with_places, telling_of

_BEFORE_S, _AHEAD_S = 60.0, 20.0
_WIDE_S = 100.0
"""Distance in seconds over which a mention loses weight, for the measure of how often a thing is mentioned around a place."""
_LONGEST = 3
"""Most words of one thing's name."""
_CALLED = re.compile(r"(?:이라는|라는|이라고|라고|이란|란|이라|라)(?![가-힣])")
_TOPIC = re.compile(r"(?:은|는|이|가|께서|도)(?![가-힣])|,? (?:announced|says?|said|made|built|wrote|developed)\b")


class Mention(NamedTuple):
    """One place where a thing is mentioned."""

    text: str
    start: int
    end: int
    kind: str = ""
    """The kind of entity if the text is a known name, otherwise empty."""
    in_longer: bool = False
    """True if the mention is part of a longer name."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing mentioned in a video."""

    text: str
    mentions: Sequence[Mention]
    """Where it is said; nowhere around the place if the title or the subject of the video alone names it."""
    features: Mapping[str, float]
    """Values of the features by name."""
    kind: str = ""
    """The kind of entity, or empty."""
    tells: bool = False
    """It is who reports or presents the video, or its channel: no question is about that, but "이 사람" may mean it."""

    def score(self, decision: str) -> float:
        """Return its weighted score; comparable for one question and one *decision*."""
        return weigh(decision, self.features)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text around a place, and the things that it, the title and the subject of the video mention."""

    text: str
    here: int
    """Position of the place in ``text``."""
    things: tuple[Thing, ...]


@lru_cache(maxsize=64)
def surroundings(index: TranscriptIndex, centre: int) -> Surroundings:
    """Return what is mentioned around *centre* in the video of *index*."""
    text, start = index.stretch(centre, _BEFORE_S, _AHEAD_S)
    text = text.replace("\n", " ")
    named: dict[str, tuple[Mention, list[Mention]]] = {}
    for mention in sorted(_mentions(text), key=lambda each: (each.end, each.start)):
        key = fold(mention.text)
        if len(key) > 1 and not REPORTS.match(text, mention.end):
            named.setdefault(key, (mention, []))[1].append(mention)
    if not index.has_several_stories:
        for mention in (*_mentions(index.title), *(Mention(subject, 0, 0) for subject in index.about)):
            if len(key := fold(mention.text)) > 1:
                named.setdefault(key, (mention, []))
    reader = _Reader(index, text, start, centre - start)
    things = tuple(
        Thing(first.text, mentions, reader.read(key, first.text, mentions), _kind_of(first, *mentions), index.tells(first.text))
        for key, (first, mentions) in named.items()
    )
    return Surroundings(text, max(0, min(len(text), centre - start)), things)


def _kind_of(*mentions: Mention) -> str:
    return next((mention.kind for mention in mentions if mention.kind), "")


def _mentions(text: str) -> Iterator[Mention]:
    """Yield the names in *text*, its telling nouns, and combinations of up to three of them."""
    named = find_entities(text)
    yield from (Mention(entity.text, entity.start, entity.end, entity.kind.value) for entity in named)
    spans = {(entity.start, entity.end) for entity in named}
    for run in runs_with_places(text):
        for first in range(len(run)):
            for last in range(first, min(first + _LONGEST, len(run))):
                start, end = run[first][1], run[last][2]
                if (start, end) not in spans and _may_stand([word for word, _, _ in run[first : last + 1]]):
                    whole = " ".join(text[start:end].split())
                    yield Mention(whole, start, end, in_longer=last - first + 1 < min(len(run), _LONGEST))


def _may_stand(words: Sequence[str]) -> bool:
    is_property = len(words) == 1 and is_attribute(words[0])
    return not is_property and len(words[-1]) > 1 and not REPORTS.fullmatch(words[-1]) and max(map(telling_of, words)) >= COMMON


class _Reader:
    """Computes the features of things around one place."""

    def __init__(self, index: TranscriptIndex, text: str, start: int, here: int) -> None:
        self._index, self._text, self._start, self._here = index, text, start, here
        self._lead = index.lead_at(start + here) or (0, 0)

    def read(self, key: str, name: str, mentions: Sequence[Mention]) -> dict[str, float]:
        """Return the features of the thing of this *name* with these *mentions*, which are in order."""
        return {**self._how_near(mentions), **self._how_often(name, mentions), **_what(key, name, mentions)}

    def _how_near(self, mentions: Sequence[Mention]) -> dict[str, float]:
        if not mentions:
            return dict.fromkeys(("just before", "before", "topic", "called"), 0.0)
        rate, here = self._index.rate, self._here
        before = [mention for mention in mentions if mention.end <= here + rate]
        nearest = (before or mentions)[-1 if before else 0]
        since = max(0.0, here - nearest.end) / rate if before else math.inf
        return {
            "just before": math.exp(-since / 6),
            "before": math.exp(-since / 20),
            "topic": float(bool(_TOPIC.match(self._text, nearest.end))),
            "called": float(bool(_CALLED.match(self._text, nearest.end))),
        }

    def _how_often(self, name: str, mentions: Sequence[Mention]) -> dict[str, float]:
        index, here = self._index, self._start + self._here
        places = index.places(name)
        often = max(len(places), len(mentions), 1)
        around = sum(math.exp(-abs(place - here) / (_WIDE_S * index.rate)) for place in places)
        lead, lead_end = self._lead
        return {
            "often here": math.log1p(len(mentions)),
            "often": math.log1p(often),
            "share around": around / often,
            "new here": float(not places or places[0] >= self._start),
            "once": float(often == 1),
            "in the lead": float(any(lead <= self._start + each.start < lead_end for each in mentions)),
            "in the title": float(holds(index.title, name)),
            "subject": float(name in index.about),
        }


def _what(key: str, name: str, mentions: Sequence[Mention]) -> dict[str, float]:
    telling = [*map(telling_of, name.split())]
    return {
        "several words": float(" " in name),
        "in a longer one": sum(mention.in_longer for mention in mentions) / max(1, len(mentions)),
        "proper": float(is_name(name.split()[-1])),
        "telling": min(1.0, max(telling)),
        "least telling": min(telling),
        "long": min(len(key), 12) / 12,
    }


@lru_cache(maxsize=20_000)
def is_name(word: str) -> bool:
    """Return whether *word* is a name, by its letters or the analyser."""
    if not has_hangul(word):
        return word[:1].isupper() or word != word.lower()
    return any(morpheme.tag in ("NNP", "SL") or morpheme.unknown for morpheme in with_whole_names(word, morphemes(word)))


def weigh(decision: str, features: Mapping[str, float]) -> float:
    """Return the weighted sum of *features*, with the weights and bias of *decision*."""
    weights, bias = _weights(decision)
    return bias + sum(weights.get(name, 0.0) * value for name, value in features.items())


@cache
def _weights(decision: str) -> tuple[Mapping[str, float], float]:
    stored = json.loads(resources.files(__package__).joinpath("data/context.json").read_text(encoding="utf-8"))[decision]
    return stored["weights"], stored["bias"]
