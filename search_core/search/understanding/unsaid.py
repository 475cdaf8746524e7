"""What a question leaves unsaid, read by the shipped model in a passage of its video.

Question, title, subject and passage are read together, and each word gets a score: that it names what the question means
("이 회사") or leaves out ("언제 나와?"). One more word stands for a question that leaves nothing unsaid.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.search.understanding.things import Thing, surroundings
from search_core.search.understanding.transcript_index import TranscriptIndex

_BEFORE, _LEAD, _AFTER = 90, 15, 25
"""Most words of a passage before the moment, those of them from its beginning, and those behind the moment."""
_TITLE, _SUBJECT = 25, 12
"""Most words of a title, and of a subject."""
_UNREAD, _LEAST = -12.0, 1e-6
"""Least score of a thing, which is that of one that is not among the words; least probability of leaving nothing unsaid."""
_WORD = re.compile(r"\S+")

Read = Callable[[Sequence[str]], NDArray[np.float64] | None]
"""Returns the log odds of each word, or None without a model."""
_readers: list[Read] = []


def use_reader(read: Read) -> None:
    """Find what questions leave unsaid by *read* until ``drop_reader``."""
    _readers.append(read)


def drop_reader(read: Read) -> None:
    """Stop using *read*; an earlier one is used again."""
    _readers.remove(read)


class PlacedWord(NamedTuple):
    """A word that is read, with its place."""

    text: str
    part: str = ""
    """``question``, ``title``, ``subject`` or ``passage``; ``nothing`` for the word that stands for it; empty for a mark."""
    start: int = 0
    end: int = 0


def lay_out_words(question: str, title: str, subject: str, passage: str, here: int) -> list[PlacedWord]:
    """Return the words of a question and of what is around the place *here* of its *passage*, in the order of reading."""
    said = [*_words(passage, "passage")]
    before, after = [word for word in said if word.start < here], [word for word in said if word.start >= here]
    if len(before) > _BEFORE:
        before = [*before[:_LEAD], PlacedWord("…"), *before[-(_BEFORE - _LEAD) :]]
    named = [
        *islice(_words(title, "title"), _TITLE),
        PlacedWord("|"),
        *islice(_words(subject, "subject"), _SUBJECT),
        PlacedWord("|"),
    ]
    return [*_words(question, "question"), PlacedWord("?", "nothing"), *named, *before, PlacedWord("▶"), *after[:_AFTER]]


def _words(text: str, part: str) -> Iterator[PlacedWord]:
    return (PlacedWord(found[0], part, found.start(), found.end()) for found in _WORD.finditer(text))


class Unsaid:
    """How likely a question leaves the words around a place unsaid, as logarithms of probabilities."""

    def __init__(self, words: Sequence[PlacedWord], odds: NDArray[np.float64], named: Mapping[str, str]) -> None:
        """Take the *words* with their log *odds*, and the texts of title and subject."""
        may_be = np.array([word.part not in ("", "question") for word in words])
        scores = np.where(may_be, odds, -np.inf)
        scores -= np.logaddexp.reduce(scores)
        self._named = named
        self._parts = {
            part: [(word, float(score)) for word, score in zip(words, scores, strict=True) if word.part == part]
            for part in ("passage", *named, "nothing")
        }

    @property
    def nothing(self) -> float:
        """Return the log odds that the question leaves nothing unsaid."""
        share = sum(math.exp(score) for _, score in self._parts["nothing"])
        return math.log(share + _LEAST) - math.log(1 - share + _LEAST)

    def score(self, thing: Thing) -> float:
        """Return the log probability of all words that name *thing*; at least ``-12``."""
        spans = [("passage", mention.start, mention.end) for mention in thing.mentions]
        for part, text in self._named.items():
            start = text.casefold().find(thing.text.casefold())
            spans += [(part, start, start + len(thing.text))] if start >= 0 else []
        naming = {word: score for span in spans for word, score in self._held(*span)}
        return max(_UNREAD, float(np.logaddexp.reduce([*naming.values()])))

    def _held(self, part: str, start: int, end: int) -> Sequence[tuple[PlacedWord, float]]:
        words = self._parts[part]
        first = bisect_right(words, start, key=lambda placed: placed[0].end)
        behind = bisect_left(words, end, key=lambda placed: placed[0].start)
        return words[first:behind]


def find_unsaid(question: str, index: TranscriptIndex, centre: int) -> Unsaid | None:
    """Return what *question* leaves unsaid around *centre* in the video of *index*; None without a model."""
    if not _readers:
        return None
    around, subject = surroundings(index, centre), " ".join(index.about)
    words = lay_out_words(question, index.title, subject, around.text, around.here)
    odds = _readers[-1]([word.text for word in words])
    if odds is None:
        return None
    return Unsaid(words, odds, {"title": index.title, "subject": subject})


def things_around(question: str, index: TranscriptIndex, centre: int) -> Sequence[Thing]:
    """Return the things around *centre*; with a model and a *question*, the feature ``unsaid`` is what is read of each."""
    things = surroundings(index, centre).things
    unsaid = find_unsaid(question, index, centre) if question else None
    if unsaid is None:
        return things
    return [replace(thing, features={**thing.features, "unsaid": unsaid.score(thing)}) for thing in things]
