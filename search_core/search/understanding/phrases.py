"""The phrases of a text, and whether it contains a name in any spacing, case or spelling."""

from __future__ import annotations

import re
from typing import NamedTuple

from search_core.domain.query import QuestionTerm
from search_core.language.entities.cues import AFTER_NAME
from search_core.language.korean.content import content_terms

_NOT_WORD = re.compile(r"[\W_]+")
_RUN = re.compile(r"\d+|[가-힣]+|[^\W\d_가-힣]+")
_LATIN_ONLY = re.compile(r"[\x00-\x7f]+")
_MAX_PHRASE_CHARS = 40
"""Longest phrase; a longer run of nouns is a title rather than one thing."""


def fold(text: str) -> str:
    """Return *text* without spaces and punctuation, in lower case."""
    return _NOT_WORD.sub("", text.casefold())


def holds(text: str, name: str) -> bool:
    """Return whether *text* contains *name*, ignoring spaces, punctuation and case; Latin names only as whole words."""
    folded = fold(name)
    if not folded:
        return False
    if _LATIN_ONLY.fullmatch(name):
        words = [re.escape(word) for word in _NOT_WORD.split(name.casefold()) if word]
        pattern = r"[\W_]*".join(words)
        return re.search(f"(?<![a-z0-9]){pattern}(?![a-z0-9])", text.casefold()) is not None
    return folded in fold(text)


def names(text: str, name: str) -> bool:
    """Return whether *name* is a word of its own in *text*, ignoring case, spaces and punctuation; particles may follow.

    "HBM은" names HBM, "SK 하이닉스의" names SK하이닉스, and "HBM4", a generation of it, names HBM; "C18B" does not name C18, nor
    삼성전자 삼성.
    """
    runs = [re.escape(run) for run in _RUN.findall(name.casefold())]
    if not runs:
        return False
    pattern = r"[\W_]*".join(runs) + (r"\d*" if name.rstrip()[-1:].isalpha() else "")
    return re.search(rf"(?<![^\W_]){pattern}(?![a-z0-9]){AFTER_NAME}", text.casefold()) is not None


class Phrase(NamedTuple):
    """A run of content words with only spaces in between."""

    text: str
    specific: bool
    """True if a word of the phrase is more than a property ("매출")."""
    whole: str
    """The phrase with the properties at its ends, which ``text`` lacks."""


def phrases(text: str) -> tuple[Phrase, ...]:
    """Return the noun phrases of *text* in order ("AI 기본법", "solid-state battery"), without properties at the ends."""
    runs: list[list[QuestionTerm]] = []
    for term in content_terms(text):
        if term.predicate:
            continue
        before = runs[-1] if runs else []
        if before and re.fullmatch(r" ?", text[before[-1].end : term.start]) and term.end - before[0].start <= _MAX_PHRASE_CHARS:
            before.append(term)
        else:
            runs.append([term])
    return tuple(_phrase(text, run) for run in runs)


def _phrase(text: str, run: list[QuestionTerm]) -> Phrase:
    specific = [index for index, term in enumerate(run) if not term.attribute]
    core = run[specific[0] : specific[-1] + 1] if specific else run
    return Phrase(text[core[0].start : core[-1].end], bool(specific), text[run[0].start : run[-1].end])
