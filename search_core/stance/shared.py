"""What two texts have in common: names and words, in either script."""

from __future__ import annotations

from functools import lru_cache

from search_core.ranking.equivalents import equivalents
from search_core.text.entities import EntityMatcher
from search_core.text.words import Word


@lru_cache(maxsize=8192)
def same_name(one: str, other: str) -> bool:
    """Return whether two names can be one, in either script."""
    return one.casefold() == other.casefold() or bool(_matcher((one,)).find_in(other) or _matcher((other,)).find_in(one))


@lru_cache(maxsize=16384)
def held_names(names: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return those of *names* that *text* holds, in either script."""
    return _matcher(names).find_in(text)


@lru_cache(maxsize=2048)
def _matcher(names: tuple[str, ...]) -> EntityMatcher:
    return EntityMatcher(names)


@lru_cache(maxsize=16384)
def shared_words(statement: tuple[Word, ...], web: tuple[Word, ...]) -> frozenset[str]:
    """Return the forms of *statement* that *web* holds, themselves or in the other script."""
    same = {word.form for word in statement} & {word.form for word in web}
    return frozenset(same | {statement[number].form for number in equivalents(statement, web)})
