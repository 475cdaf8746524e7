"""Broader queries to try when one finds nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from search_core.domain import PartOrigin, QueryPart
from search_core.korean.content import content_terms, is_attribute, is_description, word_as_written
from search_core.query.presence import fold
from search_core.query.translation import Translation

MAX_FALLBACKS = 4
"""Each fallback asks every service again; more would outlast a search's deadline."""


def broader_queries(parts: Sequence[QueryPart], translated: Translation | None, verbs: Collection[str]) -> tuple[str, ...]:
    """Return queries broader than the *parts* joined, narrow to broad.

    They are: without years, the question's own words, those without properties and *verbs*, the most telling word.
    *translated*, the query in the other script, comes when every query that says no less is tried.
    """
    asked = [part for part in parts if part.origin is PartOrigin.QUESTION]
    telling = [part for part in asked if _tells(part.text, verbs)]
    anchors = _anchors(parts)
    added = [part for part in parts if part.origin not in (PartOrigin.QUESTION, PartOrigin.DATE) and part not in anchors]
    candidates: tuple[Sequence[QueryPart], ...] = (
        [part for part in parts if part.origin is not PartOrigin.DATE],
        [*anchors, *asked],
        [*anchors, *added[:1], *telling],
        [*anchors, *telling] if telling else (),
        [*anchors[:1], *asked],
        [*anchors[:1], *_most_telling(telling)] or _most_telling(added),
    )
    own = sorted(candidates, key=lambda query: -len(_join(query).split()))
    native = drop_doubles(map(_join, own), without=_join(parts))
    if translated is None:
        return _first_distinct(native, MAX_FALLBACKS)
    sizes = {_join(query): len(query) for query in own}
    native = _first_distinct(native, MAX_FALLBACKS - 1)
    place = max((place for place, query in enumerate(native, 1) if sizes[query] >= translated.parts), default=0)
    return drop_doubles((*native[:place], translated.text, *native[place:]), without=_join(parts))


def _first_distinct(queries: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return at most *count* of *queries*: the narrowest, and the broadest, which finds something most likely."""
    return queries if len(queries) <= count else (*queries[: count - 1], queries[-1])


def _anchors(parts: Sequence[QueryPart]) -> list[QueryPart]:
    """Return the parts without which a vague question asks nothing: earlier turns and what stands for a pointing word."""
    last = max((index for index, part in enumerate(parts) if part.origin is PartOrigin.QUESTION), default=len(parts))
    return [
        part
        for index, part in enumerate(parts)
        if part.origin is PartOrigin.MEMORY or (part.origin not in (PartOrigin.QUESTION, PartOrigin.DATE) and index < last)
    ]


def broader_texts(query: str) -> tuple[str, ...]:
    """Return queries broader than *query*, narrow to broad, dropping properties first and then all but the most telling word."""
    found = content_terms(query)
    if not found:
        return ()
    terms = [QueryPart(word_as_written(query, term), PartOrigin.QUESTION) for term in found]
    verbs = {word_as_written(query, term) for term in found if is_description(term)}
    telling = [term for term in terms if _tells(term.text, verbs)]
    half = telling[: max(2, (len(telling) + 1) // 2)]
    return drop_doubles(map(_join, (terms, telling, half, _most_telling(telling or terms))), without=query)


def broader_words(parts: Sequence[QueryPart], *, verbs: Collection[str], without: str) -> tuple[str, ...]:
    """Return queries of the words of a question alone, broader than the question *without*, narrow to broad.

    They are: its *parts*, those without properties and *verbs*, the two most telling ones. What has a number ("2024년") stays in
    all of them: without it another question is answered.
    """
    numbered = [part for part in parts if any(char.isdigit() for char in part.text)]
    telling = [part for part in parts if part not in numbered and _tells(part.text, verbs)]
    best = sorted(telling, key=lambda part: -len(part.text))[:2]
    chosen = ([part for part in parts if part in numbered or part in fitting] for fitting in (telling, best))
    return drop_doubles(map(_join, (parts, *(fitting for fitting in chosen if len(fitting) > 1))), without=without)


def drop_doubles(queries: Iterable[str], *, without: str) -> tuple[str, ...]:
    """Return the first *queries* that differ from each other and from *without* by more than case, signs and order of words."""
    seen = {_words(without), frozenset()}
    fitting: list[str] = []
    for query in queries:
        if _words(query) not in seen:
            seen.add(_words(query))
            fitting.append(query)
    return tuple(fitting)


def _words(query: str) -> frozenset[str]:
    return frozenset(word for word in map(fold, query.split()) if word)


def _join(parts: Iterable[QueryPart]) -> str:
    return " ".join(part.text for part in parts)


def _most_telling(parts: Sequence[QueryPart]) -> list[QueryPart]:
    """Return the longest of *parts*: names and compounds carry more letters than common words."""
    return sorted(parts, key=lambda part: -len(part.text))[:1]


def _tells(term: str, verbs: Collection[str]) -> bool:
    """Return whether *term* says more than a property or what is done; capitalised English may be part of a name."""
    if term in verbs:
        return False
    return not is_attribute(term) or (term.isascii() and term.istitle())
