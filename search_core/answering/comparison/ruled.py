"""A statement held against what a page says is so or not.

What is denied in part is denied as a whole: "he did not die" contradicts "he died in prison". What is affirmed must hold all that
the statement says.
"""

from __future__ import annotations

from search_core import korean
from search_core.answering.comparison.alignment import Alignment, held_names, shared_words
from search_core.answering.comparison.claim import Claim
from search_core.answering.comparison.figures import Figure
from search_core.answering.comparison.polarity import is_conditional, is_limited
from search_core.answering.comparison.subject import equal_pairs, words_missing

LEAST_WORDS = 3
"""Words that a statement and what is ruled on have in common, a name among them; fewer may be about anything."""
LEAST_WITHOUT_NAME = 4
HELD = 0.8
"""Share of the telling words of one side that the other must hold."""
SAME_QUESTION = 0.7
"""A ruling that a model finds so near to the statement in meaning is on the same matter."""


def is_denied(said: Claim, ruled: Claim, aligned: Alignment, near: float | None) -> bool:
    """Tell whether *said* cannot be so where what is *ruled* on is not."""
    if not _comparable(said, ruled) or (is_limited(ruled.text) and not is_limited(said.text)):
        return False
    if any(not _has(said.figures, figure) for figure in ruled.figures) or not _times_within(ruled, said):
        return False
    return _same_matter(ruled, said, aligned, near)


def is_affirmed(said: Claim, ruled: Claim, aligned: Alignment, near: float | None) -> bool:
    """Tell whether *said* is so where what is *ruled* on is."""
    if not _comparable(said, ruled) or (is_limited(said.text) and not is_limited(ruled.text)):
        return False
    if len(equal_pairs(said, ruled)) < len(said.figures) or not _times_within(said, ruled):
        return False
    return _same_matter(said, ruled, aligned, near)


def _comparable(said: Claim, ruled: Claim) -> bool:
    if said.negated or ruled.negated or said.open or is_conditional(said.text) != is_conditional(ruled.text):
        return False
    if korean.has_hangul(said.text) != korean.has_hangul(ruled.text) or said.denied & {word.form for word in ruled.words}:
        return False
    shared = shared_words(ruled.words, said.words)
    return len(shared) >= (LEAST_WORDS if held_names(ruled.names, said.text) else LEAST_WITHOUT_NAME)


def _same_matter(part: Claim, whole: Claim, aligned: Alignment, near: float | None) -> bool:
    """Tell whether *whole* holds what *part* says: every name, and nearly every other word or the same meaning."""
    if aligned.other_proper or set(part.names) - set(held_names(part.names, whole.text)):
        return False
    if near is not None and near >= SAME_QUESTION:
        return True
    telling = max(1, len(part.words))
    return len(words_missing(part, whole, aligned)) <= (1 - HELD) * telling


def _has(figures: tuple[Figure, ...], wanted: Figure) -> bool:
    return any(figure.dimension == wanted.dimension and figure.equals(wanted) for figure in figures)


def _times_within(part: Claim, whole: Claim) -> bool:
    return all(any(mine.same_as(theirs) for theirs in whole.periods) for mine in part.periods)
