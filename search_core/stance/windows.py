"""The parts of a source that are held against a statement: one or two sentences, the nearest by words, values and meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from search_core.sentences import split_sentences
from search_core.stance.alignment import held_names, shared_words
from search_core.stance.claim import MAX_SENTENCE_CHARS, Claim, is_table
from search_core.stance.subject import equal_pairs

MAX_WINDOWS = 3
"""What the model of entailment reads of a source."""
MAX_OPEN_WINDOWS = 6
"""What a language model reads of one that is still open."""
MAX_ANSWER_CHARS = 40
"""A shorter sentence behind a question is its answer and says nothing without it."""
_VALUE = 0.5
"""What an equal value counts for beside the share of words that are held."""
_NAME = 0.3

Near = Callable[[str], float]
"""How near in meaning a sentence is to the statement; 0 where no model looked at it."""


def parts_of(text: str, most: int) -> tuple[str, ...]:
    """Return the first *most* sentences of *text*, each on one line, a short answer together with its question."""
    parts: list[str] = []
    for sentence in split_sentences(text):
        line = " ".join(sentence.split())
        if parts and parts[-1].endswith(("?", "？")) and len(line) <= MAX_ANSWER_CHARS:
            parts[-1] = f"{parts[-1]} {line}"
        elif not is_table(line):
            parts.append(line)
    return tuple(parts[:most])


def choose_windows(
    statement: Claim, parts: Sequence[str], claims: Sequence[Claim], near: Near, most: int = MAX_WINDOWS
) -> tuple[str, ...]:
    """Return at most *most* windows of *parts*, which *claims* are read from; none of a source that shares nothing.

    The nearest sentence stands alone and behind the one before it, which may name what it speaks of; then come the next ones,
    and the sentence behind the nearest.
    """
    scores = [_score(statement, claim) + near(part) for part, claim in zip(parts, claims, strict=True)]
    order = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    if not order:
        return ()
    first, *others = order
    before = _joined(parts, first - 1) if first else []
    windows = [parts[first], *before, *(parts[place] for place in others[: max(1, most - 3)])]
    windows += [*_joined(parts, first), *(parts[place] for place in others)]
    return tuple(dict.fromkeys(windows))[:most]


def _joined(parts: Sequence[str], place: int) -> list[str]:
    """Return the part at *place* with the next one, where there are both and they are short enough."""
    joined = [f"{before} {part}" for before, part in pairwise(parts[place : place + 2])]
    return [window for window in joined if len(window) <= MAX_SENTENCE_CHARS]


def _score(statement: Claim, claim: Claim) -> float:
    words = len(shared_words(statement.words, claim.words)) / max(1, len(statement.words))
    values = _VALUE * bool(equal_pairs(statement, claim))
    return words + values + _NAME * bool(held_names(statement.names, claim.text))
