"""A statement held against what a page says is so or not.

What is denied in part is denied as a whole: "he did not die" contradicts "he died in prison". What is affirmed must hold all that
the statement says. A statement that denies something stands the other way round.
"""

from __future__ import annotations

import re

from search_core import korean
from search_core.stance.alignment import Alignment, held_names, shared_words
from search_core.stance.claim import Claim
from search_core.stance.figures import Figure
from search_core.stance.polarity import denials_in, is_conditional, is_limited
from search_core.stance.subject import words_missing

LEAST_WORDS = 3
"""Words that a statement and what is ruled on have in common, a name among them; fewer may be about anything."""
LEAST_WITHOUT_NAME = 4
HELD = 0.8
"""Share of the telling words of one side that the other must hold."""
SAME_QUESTION = 0.7
"""A ruling that a model finds so near to the statement in meaning is on the same matter."""
MIN_SURNAME_CHARS = 3
_RANK = re.compile(
    r"처음|최초|(?<![가-힣])첫|마지막|유일|가장|최대|최고|최소|최저|역대"
    r"|\b(?:first|last|only|most|least|best|worst|record|(?:high|low|larg|small|fast|old|young)est)\b",
    re.IGNORECASE,
)
_NONE_AT_ALL = re.compile(r"\bzero\b|(?<![\d.,])0\s?(?:명|건|개|곳|번|people|cases|deaths)", re.IGNORECASE)
"""Denies by a number."""


def stands_to_ruling(statement: Claim, ruled: Claim, aligned: Alignment, near: float | None) -> bool | None:
    """Return whether *statement* is so by what is *ruled*; None where the ruling leaves that open."""
    if not _comparable(statement, ruled):
        return None
    part, whole = (statement, ruled) if ruled.ruling else (ruled, statement)
    if is_limited(part.text) and not is_limited(whole.text):
        return None
    if any(not _has(whole.figures, figure) for figure in part.figures) or not _times_within(part, whole):
        return None
    if not _same_matter(part, whole, aligned, near):
        return None
    agrees = bool(ruled.ruling) != statement.negated
    if agrees and statement.negated and _names_missing(statement, ruled):
        return None  # of several that are said not to, one is
    return None if agrees and _says_more(statement, ruled) else agrees


def _comparable(statement: Claim, ruled: Claim) -> bool:
    if (
        ruled.negated
        or _NONE_AT_ALL.search(statement.text)
        or statement.open
        or is_conditional(statement.text) != is_conditional(ruled.text)
    ):
        return False
    if korean.has_hangul(statement.text) != korean.has_hangul(ruled.text) or denials_in(statement.text) > statement.negated:
        return False
    if not statement.negated and statement.denied & {word.form for word in ruled.words}:
        return False  # "failed to appear"
    shared = shared_words(ruled.words, statement.words)
    return len(shared) >= (LEAST_WORDS if held_names(ruled.names, statement.text) else LEAST_WITHOUT_NAME)


def _says_more(statement: Claim, ruled: Claim) -> bool:
    """Return whether *statement* has a word of rank that what is ruled on lacks ("for the first time")."""
    held = ruled.text.casefold()
    return any(match[0].casefold() not in held for match in _RANK.finditer(statement.text))


def _same_matter(part: Claim, whole: Claim, aligned: Alignment, near: float | None) -> bool:
    """Return whether *whole* holds what *part* says: every name, and nearly every other word or the same meaning."""
    if _names_missing(part, whole):
        return False
    if near is not None and near >= SAME_QUESTION:
        return True
    return len(words_missing(part, whole, aligned)) <= (1 - HELD) * max(1, len(part.words))


def _names_missing(part: Claim, whole: Claim) -> bool:
    """Return whether *whole* lacks a name or place of *part*; a person may go by the last name alone."""
    text = whole.text.casefold()
    times = " ".join(period.text for period in part.periods)
    names = [name for name in part.names if name not in times and not _last_word_in(name, text)]
    places = [form for form in part.propers if korean.has_hangul(form) and form not in text]
    return bool(set(names) - set(held_names(tuple(names), whole.text)) or places)


def _last_word_in(name: str, text: str) -> bool:
    last = name.split()[-1].casefold()
    return " " in name and len(last) >= MIN_SURNAME_CHARS and last in text


def _has(figures: tuple[Figure, ...], wanted: Figure) -> bool:
    return any(figure.dimension == wanted.dimension and figure.equals(wanted) for figure in figures)


def _times_within(part: Claim, whole: Claim) -> bool:
    return all(any(mine.same_as(theirs) for theirs in whole.periods) for mine in part.periods)
