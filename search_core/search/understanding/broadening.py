"""Broader queries, tried when one finds nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from search_core.domain.query import PartOrigin, QueryPart
from search_core.language.entities import translate_name
from search_core.language.korean import has_hangul
from search_core.language.korean.content import content_terms, is_attribute
from search_core.search.understanding.phrases import fold
from search_core.video.subject import telling_of

_YEAR = re.compile(r"((?:1\d|20)\d\d)년?")
_LONGEST_NAME = 3
"""Most parts of the query that may form one name ("제임스", "웹")."""
MAX_FALLBACKS = 4
"""Most broader queries; each asks every service again, and more would exceed the search's deadline."""


def translate_query(parts: Sequence[QueryPart]) -> str | None:
    """Return a query of the *parts* that exist in the other script: known names, words already in it, and years.

    None when no name among them is known in both scripts. A query with Hangul is put into Latin, any other into Hangul.
    """
    to_latin = any(has_hangul(part.text) for part in parts)
    translated: list[str] = []
    has_name = False
    index = 0
    while index < len(parts):
        name, taken = _name_at(parts, index)
        if name is None:
            text = _in_script(parts[index].text, latin=to_latin)
        else:
            has_name = True
            own = " ".join(part.text for part in parts[index : index + taken])
            text = name if has_hangul(own) == to_latin else own
        if text and text.casefold() not in (one.casefold() for one in translated):
            translated.append(text)
        index += taken
    return " ".join(translated) if has_name else None


def _name_at(parts: Sequence[QueryPart], index: int) -> tuple[str | None, int]:
    """Return the name at *index* in the other script, and how many parts it takes."""
    for size in range(min(_LONGEST_NAME, len(parts) - index), 0, -1):
        name = translate_name(" ".join(part.text for part in parts[index : index + size]))
        if name is not None:
            return name, size
    return None, 1


def _in_script(text: str, *, latin: bool) -> str:
    """Return the words of *text* in the wanted script, and its years."""
    words = []
    for word in text.split():
        year = _YEAR.fullmatch(word)
        if year:
            words.append(year[1])
        elif has_hangul(word) != latin and any(letter.isalpha() for letter in word):
            words.append(word)
    return " ".join(words)


def broader_queries(parts: Sequence[QueryPart], translated: str | None, verbs: Collection[str]) -> tuple[str, ...]:
    """Return broader queries than the joined *parts*, narrow to broad.

    In order: without years, the question's own words, these without properties ("매출") and *verbs*, the most informative word.
    *translated*, the query in the other script, comes after all with at least as many words; it is left out if it lacks half of
    the informative words.
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
    if translated is None or 2 * sum(not _YEAR.fullmatch(word) for word in translated.split()) < len(telling):
        return _first_distinct(native, MAX_FALLBACKS)
    native = _first_distinct(native, MAX_FALLBACKS - 1)
    place = sum(len(query.split()) >= len(translated.split()) for query in native)
    return drop_doubles((*native[:place], translated, *native[place:]), without=_join(parts))


def _first_distinct(queries: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return at most *count* of *queries*: the narrowest ones, and the broadest, which most likely finds something."""
    return queries if len(queries) <= count else (*queries[: count - 1], queries[-1])


def _anchors(parts: Sequence[QueryPart]) -> list[QueryPart]:
    """Return the parts that a vague question needs: words from earlier turns, and the meanings of pointing words."""
    last = max((index for index, part in enumerate(parts) if part.origin is PartOrigin.QUESTION), default=len(parts))
    return [
        part
        for index, part in enumerate(parts)
        if part.origin is PartOrigin.MEMORY or (part.origin not in (PartOrigin.QUESTION, PartOrigin.DATE) and index < last)
    ]


def broader_texts(query: str) -> tuple[str, ...]:
    """Return queries broader than *query*, narrow to broad: without properties first, at last only the most telling words."""
    terms = content_terms(query)
    parts = [QueryPart(term.written, PartOrigin.QUESTION) for term in terms]
    broader = broader_queries(parts, None, {term.written for term in terms if term.describes})
    return drop_doubles((_join(parts), *broader), without=query)


def broader_words(parts: Sequence[QueryPart], *, verbs: Collection[str], without: str) -> tuple[str, ...]:
    """Return queries of a question's words alone, broader than *without*, narrow to broad.

    In order: its *parts*, these without properties and *verbs*, the two most informative ones. Parts with a number ("2024년")
    stay in every query, because without them the results answer another question.
    """
    numbered = [part for part in parts if any(char.isdigit() for char in part.text)]
    telling = [part for part in parts if part not in numbered and _tells(part.text, verbs)]
    best = sorted(telling, key=lambda part: -len(part.text))[:2]
    chosen = ([part for part in parts if part in numbered or part in fitting] for fitting in (telling, best))
    return drop_doubles(map(_join, (parts, *(fitting for fitting in chosen if len(fitting) > 1))), without=without)


def drop_doubles(queries: Iterable[str], *, without: str) -> tuple[str, ...]:
    """Return the first *queries* that differ from each other and from *without* in more than case, signs and word order."""
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
    """Return the most informative of *parts*, or two if there are more than two, as one alone ("지하철") asks something else."""
    named = [part for part in parts if not _YEAR.fullmatch(part.text)] or parts
    best = sorted(named, key=lambda part: -telling_of(part.text))[: 2 if len(named) > 2 else 1]
    return [part for part in parts if part in best]


def _tells(term: str, verbs: Collection[str]) -> bool:
    """Return whether *term* is neither a property nor an action; a capitalised English property may be part of a name."""
    if term in verbs:
        return False
    return not is_attribute(term) or (term.isascii() and term.istitle())
