"""Builds the query that is sent from the question, the video and the earlier turns."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce

from search_core.domain import (
    ConstructedQuery,
    ConversationMemory,
    PartOrigin,
    QueryPart,
    SearchIntent,
    SearchType,
    VideoContext,
)
from search_core.runtime import Clock, utc_now
from search_core.search.query.broadening import broader_queries, broader_texts, broader_words, drop_doubles, translate_query
from search_core.search.query.phrases import fold, holds, names
from search_core.search.query.resolution import Resolver
from search_core.search.query.video_index import NAMED, ContextElement, VideoIndex, index_of, query_parts
from search_core.text.korean import has_hangul
from search_core.text.korean.content import content_terms, is_attribute, is_description, word_as_written
from search_core.text.korean.particles import join_particle


@dataclass(frozen=True, slots=True)
class QuestionLayout:
    """The question in parts."""

    parts: tuple[QueryPart, ...]
    resolved: bool
    """True when earlier turns or the video said what the question leaves open."""
    verbs: frozenset[str]
    """The words of the question that only describe: nothing is found by them alone."""


def lay_out(intent: SearchIntent, resolver: Resolver) -> QuestionLayout:
    """Return the parts of the question: search terms in order, verbs as it writes them, what its pointing words mean."""
    verbs = _verbs(intent)
    placed: list[tuple[int, tuple[QueryPart, ...]]] = [
        (start, (QueryPart(verbs.get(term, term), PartOrigin.QUESTION),)) for term, start in _places(intent).items()
    ]
    resolved = False
    for reference in intent.references:
        meant = resolver.resolve(reference)
        resolved = resolved or bool(meant)
        place = reference.start if has_hangul(intent.query) or not meant else -1
        placed.append((place, meant or (QueryPart(reference.text, PartOrigin.QUESTION),)))
    if intent.requires_context and not intent.references:
        contrast = resolver.contrast()
        unsaid = contrast or resolver.resolve_omission()
        resolved = bool(unsaid)
        placed.append((len(intent.query) if contrast else -1, unsaid))
    ordered = [part for _, parts in sorted(placed, key=lambda entry: entry[0]) for part in parts]
    return QuestionLayout(_without_doubles(ordered), resolved, frozenset(verbs.values()))


def words_as_written(intent: SearchIntent) -> tuple[tuple[QueryPart, ...], tuple[QueryPart, ...]]:
    """Return the search terms of a question that points at nothing, verbs as it writes them, and those of them that are none."""
    verbs = _verbs(intent)
    terms = sorted(intent.search_terms, key=_places(intent).__getitem__)
    words = [QueryPart(verbs.get(term, term), PartOrigin.QUESTION) for term in terms]
    others = [word for term, word in zip(terms, words, strict=True) if term not in verbs]
    return _without_doubles(words), _without_doubles(others)


def _verbs(intent: SearchIntent) -> dict[str, str]:
    """Return the words of the question that only describe as a query writes them, by their dictionary form."""
    described = filter(is_description, reversed(content_terms(intent.query)))  # the first of equals is the one that stays
    return {term.text: word_as_written(intent.query, term) for term in described}


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


def _places(intent: SearchIntent) -> dict[str, int]:
    """Return the position of each search term; a term that cannot be found follows the one before it."""
    known = {term.text.casefold(): term.start for term in reversed(content_terms(intent.query))}
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


_SHORT_SEGMENTS = 20
"""Below this there is hardly a base rate to exceed; being said in the same segment once is all a tie can show."""
_BESIDE = 0.5
"""Weight of a mention one segment away: subtitles break a sentence over two cues."""
_LEAST_SUPPORT = 1.5
_LEAST_LIFT = 3.0
"""How many times more often than by chance the name must be said near the words."""
_LEAST_SUPPORT_SHORT = 1.0
_LEAST_LIFT_SHORT = 2.0
_ON_TOPIC = 0.4
"""Share of the words' rarity a segment must hold to speak of the question."""
_EVERYWHERE = 0.25
"""A word in a larger share of the segments than this is what the whole video is about; every name is said near it."""
MAX_ADDED = 3
"""More context than this drowns the question: keyless services match every word."""
_GUARDS = (PartOrigin.ORGANIZATION, PartOrigin.EVENT, PartOrigin.TITLE)
"""Parts of a video that distinguish a person from namesakes when the question names the person."""


def _strongest(index: VideoIndex, terms: Sequence[str], elements: Iterable[ContextElement]) -> ContextElement | None:
    """Return the one of *elements* that belongs to the *terms* of a question most, or None when none clearly does."""
    topic = _on_topic(index, terms)
    weighed = [(_said_with(index, element, topic), -place, element) for place, element in enumerate(elements)]
    best = max(weighed, key=lambda entry: entry[:2], default=None)
    return best[2] if best is not None and best[0] > 0 else None


def _on_topic(index: VideoIndex, terms: Sequence[str]) -> set[int]:
    """Return the segments that speak of the question, rare words counting more than common ones."""
    count = len(index.video.transcript)
    named = [term for term in terms if len(term) > 1 and not is_attribute(term)]
    telling = [term for term in named if not term.endswith("다")] or named
    places_of = [found for term in telling if (found := index.places(term))]
    if count >= _SHORT_SEGMENTS:
        places_of = [places for places in places_of if len(places) <= _EVERYWHERE * count]
    weighted = [(set(places), math.log1p(count / len(places))) for places in places_of]
    least = _ON_TOPIC * sum(rarity for _, rarity in weighted)
    shares: defaultdict[int, float] = defaultdict(float)
    for segments, rarity in weighted:
        for place in segments:
            shares[place] += rarity
    return {place for place, share in shares.items() if share >= least}


def _said_with(index: VideoIndex, element: ContextElement, topic: set[int]) -> float:
    """Return how strongly *element* belongs to the segments of *topic*, by how often it is said in them or beside them."""
    count = len(index.video.transcript)
    short = count < _SHORT_SEGMENTS
    near = dict.fromkeys(element.mentions, 1.0)
    if not short:
        for place in element.mentions:
            for other in (place - 1, place + 1):
                if 0 <= other < count:
                    near.setdefault(other, _BESIDE)
    support = sum(near.get(place, 0.0) for place in topic)
    if support < (_LEAST_SUPPORT_SHORT if short else _LEAST_SUPPORT):
        return 0.0
    lift = support * count / (len(topic) * sum(near.values()))
    return support * math.log(lift) if lift >= (_LEAST_LIFT_SHORT if short else _LEAST_LIFT) else 0.0


def enrich(
    asked: Sequence[QueryPart], terms: Sequence[str], kind: SearchType, index: VideoIndex | None, *, resolved: bool
) -> tuple[QueryPart, ...]:
    """Return what of a video is added to the *asked* parts, most helpful first, at most ``MAX_ADDED``.

    *terms* are the words of the question, *kind* is what it asks for. One that earlier turns or the video already made clear
    (*resolved*), or that names an element of the video, gets no more than a guard against namesakes; any other gets the one
    element that narrows it most.
    """
    if index is None:
        return ()
    present = index.held_in(" ".join(part.text for part in asked))
    speakers = [element for element in present if element.origin is PartOrigin.SPEAKER]
    if resolved or any(element.origin in NAMED for element in present):
        known = any(element.origin in _GUARDS for element in present)
        return query_parts(() if known or not speakers else _guard(index, speakers[0], present))
    chosen = _narrowing(index, terms, kind, present)
    if chosen is None:
        return ()
    guard = _guard(index, chosen, present) if chosen.origin is PartOrigin.SPEAKER else ()
    return query_parts((chosen, *guard))[:MAX_ADDED]


def _narrowing(
    index: VideoIndex, terms: Sequence[str], kind: SearchType, present: Sequence[ContextElement]
) -> ContextElement | None:
    """Return what narrows the question: the name tied to its words, who acts in news, the title's subject, any name, a term.

    None when the question already says what the video is about.
    """
    actors = index.by_salience()
    tied = _strongest(index, terms, actors)
    if tied is not None:
        return tied
    if set(index.by_salience(PartOrigin.TITLE)[:1]) & set(present):
        return None
    if kind is SearchType.NEWS and actors:
        return actors[0]
    title = [element for element in index.by_salience(PartOrigin.ORGANIZATION, PartOrigin.EVENT) if element.in_title]
    title += [element for element in index.by_salience(PartOrigin.TITLE) if element not in present]
    others = [element for element in index.by_salience(PartOrigin.TRANSCRIPT) if element not in present]
    return next(iter((*title, *actors, *others)), None)


def _guard(index: VideoIndex, speaker: ContextElement, present: Sequence[ContextElement]) -> tuple[ContextElement, ...]:
    """Return what distinguishes *speaker* from namesakes: its organisation, the title's subject, any organisation."""
    organizations = index.by_salience(PartOrigin.ORGANIZATION)
    tied = _strongest(index, (speaker.text,), organizations)
    own = [organization for organization in organizations if index.beside(organization, speaker.text)]
    title = index.by_salience(PartOrigin.TITLE)
    guards = (*own, *((tied,) if tied else ()), *title, *organizations)
    return tuple(guard for guard in guards if guard not in present)[:1]


MAX_QUERY_CHARS = 120
"""Queries longer than this find less on the keyless services, which match every word."""
PROVIDER_MAX_CHARS = 400
"""The shortest limit among the services (Brave 400 characters, DuckDuckGo 500)."""

_VALUE = re.compile(r"\d(?!.*(?:년|월|일|분기)$)")
"""A word that begins with a number and is no time."""
_HAS_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"재작년|the year before last", re.IGNORECASE), -2),
    (re.compile(r"작년|지난해|전년|last year", re.IGNORECASE), -1),
    (re.compile(r"내년|next year", re.IGNORECASE), 1),
    (re.compile(r"올해|금년|최근|최신|요즘|this year|latest|\brecent(?:ly)?\b", re.IGNORECASE), 0),
)


class QueryConstructor:
    """Adds the context a question needs to the words it has."""

    def __init__(self, *, now: Clock = utc_now) -> None:
        self._now = now

    def query_for(
        self, intent: SearchIntent, video_context: VideoContext | None, memory: ConversationMemory | None = None
    ) -> ConstructedQuery:
        """Return the query for *intent*: with context where it needs some, in its own words where it stands alone."""
        if intent.requires_context:
            return self.construct_query(intent, video_context, memory)
        return self.without_context(intent)

    def construct_query(
        self, intent: SearchIntent, video_context: VideoContext | None, memory: ConversationMemory | None = None
    ) -> ConstructedQuery:
        """Return the query for *intent*: its own words, what its pointing words mean, and what of the video bears on it.

        The words of the question are never cut below ``PROVIDER_MAX_CHARS``. Added parts keep the query within
        ``MAX_QUERY_CHARS``, the first of them within ``PROVIDER_MAX_CHARS``, so that the video is never lost to a long question.
        """
        resolver = Resolver(intent, memory, video_context)
        asked = lay_out(intent, resolver)
        referents = resolver.referents()
        added = enrich(asked.parts, intent.search_terms, intent.intent_type, resolver.index, resolved=asked.resolved)
        if any(not referent.meaning for referent in referents):
            added = tuple(part for part in added if part.origin is not PartOrigin.SPEAKER)  # "이 회사" is nobody who speaks
        parts = self._fit(asked.parts, (*added, *self._year(intent))) or (QueryPart(intent.query, PartOrigin.QUESTION),)
        own = (PartOrigin.QUESTION, PartOrigin.DATE)
        fitting = tuple(one for one in parts if one.origin in own or not any(holds(one.text, word) for word in intent.excluded))
        built = self._build(fitting or parts, asked.verbs)
        return replace(built, referents=referents, left_out=intent.excluded)

    def enhance_with_context(self, base_query: str, context: VideoContext | None) -> str:
        """Return *base_query* with the element of *context* that bears on it most, unless it already names one."""
        if context is None:
            return base_query
        base = (QueryPart(base_query, PartOrigin.QUESTION),)
        terms = [term.text for term in content_terms(base_query)]
        added = enrich(base, terms, SearchType.GENERAL, index_of(context), resolved=False)
        return " ".join(part.text for part in self._fit(base, added))

    def generate_fallback_queries(self, primary_query: str) -> tuple[str, ...]:
        """Return broader queries than *primary_query*, narrow to broad, none equal to it; none when it is one word."""
        return broader_texts(primary_query)

    def without_parts(self, constructed: ConstructedQuery, removed: frozenset[str]) -> ConstructedQuery:
        """Return *constructed* without the parts whose text is in *removed*; unchanged when nothing would be left."""
        fitting = tuple(part for part in constructed.parts if part.text not in removed)
        if not fitting or len(fitting) == len(constructed.parts):
            return constructed
        built = self._build(fitting, verbs_among(fitting))
        gone = [text for text in removed if not any(holds(part.text, text) for part in fitting)]
        fallbacks = tuple(query for query in built.fallback_queries if not any(holds(query, text) for text in gone))
        return replace(built, fallback_queries=fallbacks, referents=constructed.referents, left_out=constructed.left_out)

    def with_subject(self, constructed: ConstructedQuery, subject: str) -> ConstructedQuery:
        """Return *constructed* with *subject* before its parts, unless it names it already; other context makes room for it.

        The words of the question stay, as in ``construct_query``.
        """
        if not subject.strip() or names(constructed.text, subject):
            return constructed
        subject_part = QueryPart(" ".join(subject.split()), PartOrigin.TITLE)
        asked = [part for part in constructed.parts if part.origin is PartOrigin.QUESTION]
        added = [part for part in constructed.parts if part.origin is not PartOrigin.QUESTION]
        fitting = self._fit(asked, (subject_part, *added))
        parts = (*(part for part in fitting if part == subject_part), *(part for part in fitting if part != subject_part))
        built = self._build(parts, verbs_among(parts))
        return replace(built, referents=constructed.referents, left_out=constructed.left_out)

    def with_statement(self, constructed: ConstructedQuery, words: Sequence[str]) -> ConstructedQuery:
        """Return *constructed* with the *words* of a statement behind those of the question that name things.

        They stand for its verbs and for what else the video would add. The first broader query has no values ("6,013억 원"):
        pages that give other ones do not hold them.
        """
        verbs, meant = verbs_among(constructed.parts), [referent.meaning for referent in constructed.referents]
        spoken = (PartOrigin.QUESTION, PartOrigin.MEMORY)
        own = [part for part in constructed.parts if part.text in meant or (part.origin in spoken and part.text not in verbs)]
        said = " ".join(part.text for part in own)
        added = [QueryPart(word, PartOrigin.TRANSCRIPT) for word in words if not holds(said, word)]
        parts = self._fit(own, added)
        built = self._build(parts, frozenset())
        without_values = " ".join(part.text for part in parts if not _VALUE.match(part.text))
        fallbacks = drop_doubles((without_values, *built.fallback_queries), without=built.text)
        return replace(built, fallback_queries=fallbacks, referents=constructed.referents, left_out=constructed.left_out)

    def subject_of(self, video: VideoContext) -> str:
        """Return what *video* is about in a word or a name: who or what its title names, else its chief name; may be empty."""
        index = index_of(video)
        in_title = [name for name in index.by_salience(PartOrigin.ORGANIZATION, PartOrigin.EVENT) if name.in_title]
        chief = (*in_title, *index.by_salience(PartOrigin.TITLE), *index.by_salience())
        return chief[0].text if chief else ""

    def as_asked(
        self, intent: SearchIntent, video_context: VideoContext | None, memory: ConversationMemory | None = None
    ) -> ConstructedQuery:
        """Return the question of *intent* in its own words, each pointing word ("이 회사") replaced by what it means.

        What leaves its subject open ("언제 발사됐어?") has that of the video before it; nothing else of the video is added.
        Broader queries are made of the same words; none is a single word of several.
        """
        resolver = Resolver(intent, memory, video_context)
        unsaid = resolver.resolve_omission()[:1] if intent.requires_context and not intent.references else ()
        fitting = self._fit((*unsaid, *own_words(intent, resolver)), ()) or (QueryPart(intent.query, PartOrigin.QUESTION),)
        text = " ".join(part.text for part in fitting)
        keywords = lay_out(replace(intent, requires_context=False), resolver)
        broader = broader_words((*unsaid, *keywords.parts), verbs=keywords.verbs, without=text)
        return ConstructedQuery(text=text, parts=fitting, fallback_queries=broader)

    def without_context(self, intent: SearchIntent) -> ConstructedQuery:
        """Return the words of a question that stands alone, verbs as it writes them, with nothing of a video or earlier turns.

        Broader queries are made of its other words.
        """
        words, others = words_as_written(intent)
        parts = self._fit(words, self._year(intent)) or (QueryPart(intent.query, PartOrigin.QUESTION),)
        built = self._build(parts, frozenset())
        broader = self._build(others, frozenset()) if others else built
        fallbacks = drop_doubles((broader.text, *broader.fallback_queries), without=built.text)
        return replace(built, fallback_queries=fallbacks, left_out=intent.excluded)

    def verbatim(self, question_text: str) -> ConstructedQuery:
        """Return the query that is the raw question, cut at what providers allow."""
        text = question_text[:PROVIDER_MAX_CHARS].strip()
        return ConstructedQuery(text=text, parts=(QueryPart(text, PartOrigin.QUESTION),), verbatim=True)

    def _year(self, intent: SearchIntent) -> tuple[QueryPart, ...]:
        """Return the year that a question for news leaves unsaid."""
        asked = reduce(lambda text, word: text.replace(word, " "), intent.excluded, intent.query)
        year = implied_year(asked, self._now()) if intent.intent_type is SearchType.NEWS else None
        if year is None:
            return ()
        return (QueryPart(f"{year}년" if intent.language_preference == "ko" else str(year), PartOrigin.DATE),)

    def _fit(self, asked: Sequence[QueryPart], added: Sequence[QueryPart]) -> tuple[QueryPart, ...]:
        fitting: list[QueryPart] = []
        length = -1
        for part in asked:
            room = PROVIDER_MAX_CHARS - length - 1
            if room <= 0:
                break
            text = part.text[:room].strip()
            if text:
                fitting.append(part._replace(text=text))
                length += len(text) + 1
        limit = PROVIDER_MAX_CHARS
        for part in added:
            if length + 1 + len(part.text) <= limit and not any(fold(part.text) == fold(one.text) for one in fitting):
                fitting.append(part)
                length += len(part.text) + 1
                limit = MAX_QUERY_CHARS
        return tuple(fitting)

    def _build(self, parts: tuple[QueryPart, ...], verbs: frozenset[str]) -> ConstructedQuery:
        text = " ".join(part.text for part in parts)
        translated = translate_query(parts)
        return ConstructedQuery(
            text=text,
            parts=parts,
            fallback_queries=broader_queries(parts, translated, verbs),
            translated=translated.text if translated else None,
        )


def implied_year(question: str, now: datetime) -> int | None:
    """Return the year that *question* speaks of in words ("올해", "last year"), or None when it says none or writes one."""
    if _HAS_YEAR.search(question):
        return None
    for pattern, shift in _RELATIVE:
        if pattern.search(question):
            return now.year + shift
    return None
