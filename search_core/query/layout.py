"""The words of a question in order, with what its pointing words mean put in for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from search_core.domain import PartOrigin, QueryPart, SearchIntent
from search_core.korean import has_hangul
from search_core.korean.content import content_terms, is_description, word_as_written
from search_core.korean.particles import join_particle
from search_core.query.conversation import Conversation
from search_core.query.presence import fold, holds
from search_core.query.resolution import Resolver


@dataclass(frozen=True, slots=True)
class QuestionLayout:
    """The question in parts."""

    parts: tuple[QueryPart, ...]
    resolved: bool
    """True when earlier turns or the video said what the question leaves open."""
    verbs: frozenset[str]
    """The words of the question that only describe: nothing is found by them alone."""


def lay_out(intent: SearchIntent, resolver: Resolver, conversation: Conversation) -> QuestionLayout:
    """Return the parts of the question: search terms in order, verbs as it writes them, what its pointing words mean."""
    verbs = _verbs(intent)
    placed: list[tuple[int, tuple[QueryPart, ...]]] = [
        (start, (QueryPart(verbs.get(term, term), PartOrigin.QUESTION),)) for term, start in _places(intent).items()
    ]
    resolved = False
    for reference in intent.references:
        meant = resolver.resolve(reference)
        if meant:
            resolved = True
            placed.append((reference.start if has_hangul(intent.query) else -1, meant))
        else:
            placed.append((reference.start, (QueryPart(reference.text, PartOrigin.QUESTION),)))
    if intent.requires_context and not intent.references:
        contrast = _contrast(intent, conversation)
        unsaid = contrast or resolver.resolve_omission()
        resolved = bool(unsaid)
        placed.append((len(intent.query) if contrast else -1, unsaid))
    ordered = [part for _, parts in sorted(placed, key=lambda entry: entry[0]) for part in parts]
    return QuestionLayout(_without_doubles(ordered), resolved, frozenset(verbs.values()))


def words_as_written(intent: SearchIntent) -> tuple[tuple[QueryPart, ...], tuple[QueryPart, ...]]:
    """Return the search terms of a question that points at nothing, verbs as it writes them, and those of them that are none."""
    verbs = _verbs(intent)
    words: list[QueryPart] = []
    others: list[QueryPart] = []
    for term in sorted(intent.search_terms, key=_places(intent).__getitem__):
        words.append(QueryPart(verbs.get(term, term), PartOrigin.QUESTION))
        if term not in verbs:
            others.append(words[-1])
    return _without_doubles(words), _without_doubles(others)


def _verbs(intent: SearchIntent) -> dict[str, str]:
    """Return the words of the question that only describe as a query writes them, by their dictionary form."""
    verbs: dict[str, str] = {}
    for term in content_terms(intent.query):
        if is_description(term):
            verbs.setdefault(term.text, word_as_written(intent.query, term))
    return verbs


def verbs_among(parts: Sequence[QueryPart]) -> frozenset[str]:
    """Return the texts of *parts* that only describe, as they read by themselves, where the question is not at hand."""
    return frozenset(part.text for part in parts if any(map(is_description, content_terms(part.text))))


def own_words(intent: SearchIntent, resolver: Resolver) -> tuple[QueryPart, ...]:
    """Return the question word for word, each pointing word replaced by what it means, with the particle after it.

    A pointing word that nothing is known about stays.
    """
    parts: list[QueryPart] = []
    rest = intent.query
    for reference in sorted(intent.references, key=lambda reference: reference.start, reverse=True):
        meant = resolver.resolve(reference)
        if not meant:
            continue
        word, behind = join_particle(" ".join(part.text for part in meant), rest[reference.end :])
        parts = [QueryPart(word, meant[0].origin), *_words(behind), *parts]
        rest = rest[: reference.start]
    return (*_words(rest), *parts)


def _words(text: str) -> list[QueryPart]:
    return [QueryPart(" ".join(text.split()), PartOrigin.QUESTION)] if text.strip() else []


def _contrast(intent: SearchIntent, conversation: Conversation) -> tuple[QueryPart, ...]:
    """Return what was asked before, for a question that only names something else to ask it of."""
    named = [term.text for term in content_terms(intent.query) if not term.attribute and not term.predicate]
    if not named or not conversation.memory.turns:
        return ()
    return tuple(QueryPart(phrase, PartOrigin.MEMORY) for phrase in conversation.aspect(" ".join(named), intent.excluded))


def _places(intent: SearchIntent) -> dict[str, int]:
    """Return the position of each search term; a term that cannot be found follows the one before it."""
    known: dict[str, int] = {}
    for term in content_terms(intent.query):
        known.setdefault(term.text.casefold(), term.start)
    places: dict[str, int] = {}
    last = 0
    for word in intent.search_terms:
        found = known.get(word.casefold(), intent.query.find(word))
        last = found if found >= 0 else last
        places[word] = last
    return places


def _without_doubles(parts: list[QueryPart]) -> tuple[QueryPart, ...]:
    """Return *parts* without those another part already says; the words of the question give way only to equals."""
    unique: list[QueryPart] = []
    for part in parts:
        if part.origin is PartOrigin.QUESTION:
            if any(fold(part.text) == fold(one.text) and one.origin is PartOrigin.QUESTION for one in unique):
                continue
        elif any(
            holds(other.text, part.text)
            for other in parts
            if other is not part and (other.origin is PartOrigin.QUESTION or other in unique)
        ):
            continue
        unique.append(part)
    context = [part for part in unique if part.origin is not PartOrigin.QUESTION]
    return tuple(
        part
        for part in unique
        if part.origin is not PartOrigin.QUESTION or not any(holds(other.text, part.text) for other in context)
    )
