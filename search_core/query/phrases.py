"""Content words that stand side by side in a text as one phrase."""

from __future__ import annotations

import re
from typing import NamedTuple

from search_core.korean.content import ContentTerm, content_terms

_MAX_PHRASE_CHARS = 40
"""Longer runs are titles without grammar rather than one thing."""


class Phrase(NamedTuple):
    """A run of content words with nothing but spaces between them."""

    text: str
    start: int
    end: int
    specific: bool
    """True when a word of it says more than a property."""
    whole: str
    """The run with the properties at its ends."""


def phrases(text: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of *text* in order ("AI 기본법", "solid-state battery"), without properties at the ends."""
    runs: list[list[ContentTerm]] = []
    for term in content_terms(text):
        if term.predicate:
            continue
        before = runs[-1] if runs else []
        if before and re.fullmatch(r" ?", text[before[-1].end : term.start]) and term.end - before[0].start <= _MAX_PHRASE_CHARS:
            before.append(term)
        else:
            runs.append([term])
    return tuple(_phrase(text, run) for run in runs)


def _phrase(text: str, run: list[ContentTerm]) -> Phrase:
    specific = [index for index, term in enumerate(run) if not term.attribute]
    core = run[specific[0] : specific[-1] + 1] if specific else run
    return Phrase(
        text[core[0].start : core[-1].end], core[0].start, core[-1].end, bool(specific), text[run[0].start : run[-1].end]
    )
