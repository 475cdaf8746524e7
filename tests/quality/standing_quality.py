"""How well claims stand alone: what pointing words and relative times are put as, and that nothing is put that was not said.

Own sentences: everything they must hold is there and nothing they must not hold; ``held`` ones were written after the rules.
TREC CAsT (turns of conversations, rewritten by people), turns with a pronoun: the share with at least half of the words that the
rewriter put (``restored``), the share where anything was put (``put``), and how many of these are right (``right_where_put``).
The turns of 2019 go on about one another; since 2020 they go on about answers, too, which the set does not hold: in 77 of 100
turns of all years half of those words were said before. ``nothing_invented`` is the share of turns, with a pronoun or without, in
which every word that was put was said before.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from search_core.claims import find_claims
from search_core.claims.discourse import Discourse
from search_core.claims.times import name_times
from search_core.domain import VideoContext
from search_core.entities import find_entities
from search_core.intent.english_references import english_references
from search_core.korean.wordlist import words
from search_core.relevance.words import stem
from search_core.sentences import split_sentences
from search_core.video import samples
from tests.quality.sets import are_present, loaders, read_rows, share

_WORD = re.compile(r"[A-Za-z0-9]+")
_NUMBER = re.compile(r"\d+")
_LIGHT = words("of the in for is s about a an as and to with on are do does did was were")
_DATED_YEARS = range(-2, 3)
_MONTHS_AND_DAYS = range(1, 32)


def measure() -> dict[str, float]:
    """Return each figure by name, in [0, 1], higher is better."""
    texts = [(row, stand_alone(row)) for row in read_rows("claims_standing")]
    figures = {
        f"own/{side}_right": share(not missing_from(text, row) for row, text in texts if row["side"] == side)
        for side in ("tuned", "held")
    }
    figures["own/nothing_invented"] = share(not _invented(text, _source(row), _video(row)) for row, text in texts)
    figures["samples/nothing_invented"] = share(
        not _invented(claim.text, _all_said(video), video) for video in samples() for claim in find_claims(video).claims
    )
    if are_present():
        figures |= _cast()
    return {f"claims/standing/{name}": value for name, value in figures.items()}


def stand_alone(row: dict[str, Any]) -> str:
    """Return what the sentence of *row* says when it stands alone."""
    video = _video(row)
    published = video.published_at.date() if video.published_at else None
    discourse = Discourse(video)
    for sentence in row["before"]:
        discourse.understand(name_times(sentence, published))
    return discourse.understand(name_times(row["said"], published))


def missing_from(text: str, row: dict[str, Any]) -> list[str]:
    """Return what *text* lacks of ``contains`` and what it has of ``absent``."""
    return [part for part in row["contains"] if part not in text] + [part for part in row["absent"] if part in text]


def _cast() -> dict[str, float]:
    discourses: defaultdict[str, Discourse] = defaultdict(Discourse)
    said: defaultdict[str, set[str]] = defaultdict(set)
    outcomes: list[tuple[bool, bool, bool]] = []
    invented: list[bool] = []
    for turn in loaders().cast("dev"):
        sentences = split_sentences(turn["raw"])
        understood = [discourses[turn["topic"]].understand(sentence) for sentence in sentences]
        text = _words(" ".join(understood))
        said[turn["topic"]] |= _words(turn["raw"])
        invented.append(not text <= said[turn["topic"]])
        wanted = _words(turn["resolved"]) - _words(turn["raw"])
        if turn["changed"] and english_references(turn["raw"]) and wanted:
            right = 2 * len(text & wanted) >= len(wanted)
            outcomes.append((turn["topic"].startswith("2019"), understood != sentences, understood != sentences and right))
    return {
        "cast/right_where_put": share(right for _, put, right in outcomes if put),
        "cast/put": share(put for _, put, _ in outcomes),
        "cast/restored": share(right for _, _, right in outcomes),
        "cast/restored_2019": share(right for of_2019, _, right in outcomes if of_2019),
        "cast/nothing_invented": share(not words_invented for words_invented in invented),
    }


def _words(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.casefold())} - _LIGHT


def _invented(text: str, source: str, video: VideoContext) -> list[str]:
    """Return the numbers and names of *text* that neither *source* holds nor the day of the video gives."""
    known = set(_NUMBER.findall(source))
    if video.published_at is not None:
        known |= {str(video.published_at.year + shift) for shift in _DATED_YEARS} | set(map(str, _MONTHS_AND_DAYS))
    numbers = [number for number in _NUMBER.findall(text) if number not in known]
    folded = source.casefold()
    return numbers + [entity.text for entity in find_entities(text) if entity.text.casefold() not in folded]


def _source(row: dict[str, Any]) -> str:
    return " ".join((*row["before"], row["said"], row["video"]["title"]))


def _all_said(video: VideoContext) -> str:
    return " ".join((video.title, *(segment.text for segment in video.transcript)))


def _video(row: dict[str, Any]) -> VideoContext:
    return VideoContext.from_mapping(row["video"])
