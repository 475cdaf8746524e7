"""How well claims stand alone: what pointing words and relative times are put as, and that nothing is put that was not said.

Own sentences: everything they must hold is there and nothing they must not hold; ``held`` ones were written after the rules.
TREC CAsT (questions, rewritten by people): of the pronouns that were put as something, the share of turns with at least half of
the words that the rewriter put; what is not sure is left, so a share of the turns stays as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from search_core.claims import find_claims
from search_core.claims.discourse import Discourse
from search_core.claims.pointing import pointing_words
from search_core.claims.times import name_times
from search_core.domain import VideoContext
from search_core.entities import find_entities
from search_core.korean.wordlist import words
from search_core.relevance.words import stem
from search_core.video import samples
from tests.quality import claim_sets
from tests.quality.intent_quality import _loaders

PAIRS = Path(__file__).with_name("data") / "claims_standing.jsonl"
_WORD = re.compile(r"[A-Za-z0-9]+")
_NUMBER = re.compile(r"\d+")
_LIGHT = words("of the in for is s about a an as and to with on are do does did was were")
_DATED_YEARS = range(-2, 3)
_MONTHS_AND_DAYS = range(1, 32)


def measure() -> dict[str, float]:
    """Return each figure by name, in [0, 1], higher is better."""
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    texts = [(row, stand_alone(row)) for row in rows]
    figures = {
        f"own/{side}_right": _share(not missing_from(text, row) for row, text in texts if row["side"] == side)
        for side in ("tuned", "held")
    }
    figures["own/nothing_invented"] = _share(not _invented(text, _source(row), _video(row)) for row, text in texts)
    figures["samples/nothing_invented"] = _share(
        not _invented(claim.text, _all_said(video), video) for video in samples() for claim in find_claims(video).claims
    )
    if claim_sets.are_present():
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
    said: dict[str, Discourse] = {}
    right, put, pointing = 0, 0, 0
    for turn in _loaders().cast("dev"):
        discourse = said.setdefault(turn["topic"], Discourse())
        points = bool(pointing_words(turn["raw"]))
        text = discourse.understand(turn["raw"])
        wanted = _words(turn["resolved"]) - _words(turn["raw"])
        if not turn["changed"] or not points or not wanted:
            continue
        pointing += 1
        put += text != turn["raw"]
        right += text != turn["raw"] and 2 * len(_words(text) & wanted) >= len(wanted)
    return {"cast/right_where_put": right / put, "cast/put": put / pointing}


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


def _share(right: Iterable[bool]) -> float:
    outcomes = list(right)
    return sum(outcomes) / len(outcomes)
