"""Builds the query from the question, the video and the earlier turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from search_core.domain.query import (
    ConstructedQuery,
    ConversationMemory,
    PartOrigin,
    QueryPart,
    QueryVariant,
    QuestionTerm,
    Reference,
    ReferenceKind,
    SearchIntent,
    SearchType,
    VariantOrigin,
)
from search_core.domain.video import VideoContext
from search_core.language.korean import has_hangul
from search_core.language.korean.content import content_terms
from search_core.language.korean.particles import join_particle
from search_core.runtime import Clock, utc_now
from search_core.search.understanding.broadening import (
    broader_queries,
    broader_texts,
    broader_words,
    drop_doubles,
    translate_query,
)
from search_core.search.understanding.context import context_parts, count_named, subject_at
from search_core.search.understanding.phrases import fold, holds, names
from search_core.search.understanding.references import PRONOUNS
from search_core.search.understanding.resolution import Resolver
from search_core.search.understanding.transcript_index import index_of

_QUESTION_WORD = re.compile(
    r"언제|어디서?|왜|얼마|누구|누가|어떻게|\b(?:how (?:much|many|long|old|far)|when|where|why|who)\b", re.IGNORECASE
)


def _asked_terms(intent: SearchIntent) -> tuple[QuestionTerm, ...]:
    """Return the question's terms, with the question word if no other term says what is asked: "언제 나와요?"."""
    asks = None if any(not term.predicate for term in intent.terms) else _QUESTION_WORD.search(intent.query)
    if asks is None:
        return intent.terms
    word = QuestionTerm(asks[0], asks.start(), asks.end(), False, True, describes=True)
    return tuple(sorted((*intent.terms, word), key=lambda term: term.start))


def lay_out(resolver: Resolver) -> tuple[QueryPart, ...]:
    """Return the parts of a query: the question's terms as pages write them, and those from video and earlier turns."""
    intent = resolver.intent
    placed: list[tuple[int, tuple[QueryPart, ...]]] = [
        (term.start, (QueryPart(term.written or term.text, PartOrigin.QUESTION),)) for term in _asked_terms(intent)
    ]
    for reference in intent.references:
        parts_meant = resolver.resolve(reference)
        place = reference.start if has_hangul(intent.query) or not parts_meant else -1
        placed.append((place, parts_meant or (QueryPart(reference.text, PartOrigin.QUESTION),)))
    if not intent.references:
        unsaid, behind = resolver.unsaid
        placed.append((len(intent.query) if behind else -1, unsaid))
    elif all(reference.kind in _VAGUE or not resolver.resolve(reference) for reference in intent.references):
        placed.append((-2, resolver.about_video()[:1]))
    ordered = [part for _, parts in sorted(placed, key=lambda entry: entry[0]) for part in parts]
    return _without_doubles(ordered)


def _verbs_of(intent: SearchIntent) -> frozenset[str]:
    """Return the question's merely descriptive words, which find nothing alone."""
    return frozenset(term.written or term.text for term in _asked_terms(intent) if term.describes)


_VAGUE = (ReferenceKind.THING, ReferenceKind.PLACE)
"""Kinds of references that may mean a common word ("기술"), so that the video's subject is added to make it clear."""


def words_as_written(intent: SearchIntent) -> tuple[tuple[QueryPart, ...], tuple[QueryPart, ...]]:
    """Return the search terms of a question without pointing words, as pages write them, and the names among them."""
    terms = _asked_terms(intent)
    words = [QueryPart(term.written or term.text, PartOrigin.QUESTION) for term in terms]
    others = [word for term, word in zip(terms, words, strict=True) if not term.describes]
    return _without_doubles(words), _without_doubles(others)


def verbs_among(parts: Sequence[QueryPart]) -> frozenset[str]:
    """Return the texts of merely descriptive *parts*, judged without the question."""
    return frozenset(part.text for part in parts if any(term.describes for term in content_terms(part.text)))


def own_words(resolver: Resolver) -> tuple[QueryPart, ...]:
    """Return the question word for word, each pointing word replaced by its meaning, with the fitting particle.

    A pointing word that nothing is known about stays.
    """
    parts: list[QueryPart] = []
    rest = resolver.intent.query
    for reference in sorted(resolver.intent.references, key=lambda reference: reference.start, reverse=True):
        meaning = resolver.resolve(reference)
        if not meaning:
            continue
        particle = _particle_in(reference)
        word, behind = join_particle(" ".join(part.text for part in meaning), particle + rest[reference.end :])
        parts = [QueryPart(word, meaning[0].origin), *_words(behind), *parts]
        rest = rest[: reference.start]
    return (*_words(rest), *parts)


def _particle_in(reference: Reference) -> str:
    """Return the particle of a personal pronoun, which is read as a part of it: "그분이"."""
    people = (word for word, kind in PRONOUNS.items() if kind is ReferenceKind.PERSON and reference.text.startswith(word))
    return reference.text.removeprefix(max(people, key=len, default=reference.text))


def _words(text: str) -> list[QueryPart]:
    return [QueryPart(" ".join(text.split()), PartOrigin.QUESTION)] if text.strip() else []


def _without_doubles(parts: list[QueryPart]) -> tuple[QueryPart, ...]:
    """Return *parts* without those that another part contains; a question word is dropped only if the other part ends in it."""
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
    context = [fold(part.text) for part in unique if part.origin is not PartOrigin.QUESTION]
    return tuple(  # 올림픽 yields to 도쿄올림픽, but 발사 not to 발사체
        part
        for part in unique
        if part.origin is not PartOrigin.QUESTION or not any(text.endswith(fold(part.text)) for text in context)
    )


MAX_QUERY_CHARS = 120
"""Queries longer than this find less on the keyless services, which match every word."""
PROVIDER_MAX_CHARS = 400
"""The shortest limit among the services (Brave 400 characters, DuckDuckGo 500)."""

_SURE = 0.02
"""Below this probability of the other reading, a question is sent only as self-contained, or only with words of the video."""
_HAS_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"재작년|the year before last", re.IGNORECASE), -2),
    (re.compile(r"작년|지난해|전년|last year", re.IGNORECASE), -1),
    (re.compile(r"내년|next year", re.IGNORECASE), 1),
    (re.compile(r"올해|금년|최근|최신|요즘|this year|latest|\brecent(?:ly)?\b", re.IGNORECASE), 0),
)


class QueryConstructor:
    """Adds the necessary context to the words of a question."""

    def __init__(self, *, now: Clock = utc_now) -> None:
        self._now = now

    def query_for(
        self, intent: SearchIntent, video_context: VideoContext | None, memory: ConversationMemory | None = None
    ) -> ConstructedQuery:
        """Return the query for *intent*, with words of the video if the question needs some, else in its own words.

        Services that may be asked twice get other wordings, too: one with further words of the video, or with another meaning of
        a pointing word that is about as likely, and, if it is unsure whether the question needs the video, one that assumes the
        opposite.
        """
        needs = intent.requires_context
        resolver = Resolver(intent, memory, video_context)
        likelier = self._construct(resolver) if needs else self.without_context(intent)
        if video_context is None or intent.follow_up:
            return likelier
        others: list[tuple[VariantOrigin, ConstructedQuery | None]] = []
        if intent.references:
            others.append((VariantOrigin.OTHER_CONTEXT, self._construct(resolver) if resolver.take_other_meaning() else None))
        elif needs:
            others.append((VariantOrigin.OTHER_CONTEXT, self._with_other_context(resolver)))
        if _SURE < intent.own < 1 - _SURE:
            reverse = self.without_context(intent) if needs else self._construct(resolver)
            others.append((VariantOrigin.WITHOUT_CONTEXT if needs else VariantOrigin.WITH_CONTEXT, reverse))
        also = (
            QueryVariant(text=other.text, origin=origin, translated=other.translated)
            for origin, other in others
            if other is not None and other.text != likelier.text
        )
        return replace(likelier, also=tuple(also))

    def _with_other_context(self, resolver: Resolver) -> ConstructedQuery | None:
        """Return the query with the words of the video that come next; None if there are no others."""
        intent = resolver.intent
        others = [part for part in resolver.unsaid_otherwise if not any(holds(part.text, word) for word in intent.excluded)]
        parts = self._fit_in_order(_without_doubles([*others, *words_as_written(intent)[0]]), self._year(intent))
        return self._build(parts, _verbs_of(intent)) if others else None

    def construct_query(
        self, intent: SearchIntent, video_context: VideoContext | None, memory: ConversationMemory | None = None
    ) -> ConstructedQuery:
        """Return the query for *intent*: its own words, its pointing words' meanings, and relevant parts of the video.

        The words of the question are only cut at ``PROVIDER_MAX_CHARS``. The first added part may fill the query up to that,
        too, so that the video is never lost to a long question; further parts keep it within ``MAX_QUERY_CHARS``.
        """
        return self._construct(Resolver(intent, memory, video_context))

    def _construct(self, resolver: Resolver) -> ConstructedQuery:
        intent = resolver.intent
        asked = lay_out(resolver)
        parts = self._fit_in_order(asked, self._year(intent)) or (QueryPart(intent.query, PartOrigin.QUESTION),)
        own_origins = (PartOrigin.QUESTION, PartOrigin.DATE)
        fitting = tuple(
            one for one in parts if one.origin in own_origins or not any(holds(one.text, word) for word in intent.excluded)
        )
        built = self._build(fitting or parts, _verbs_of(intent))
        understood = self._understood(resolver)
        return replace(built, understood=understood, referents=resolver.referents(), left_out=intent.excluded)

    def _understood(self, resolver: Resolver) -> str:
        """Return the question with each pointing word replaced by its meaning."""
        return " ".join(part.text for part in self._fit(own_words(resolver), ())) or resolver.intent.query

    def _spelt_out(self, resolver: Resolver) -> tuple[QueryPart, ...]:
        """Return the question with its pointing words replaced, followed by the subject that it leaves out."""
        intent = resolver.intent
        leaves_out = intent.requires_context and not intent.references
        if leaves_out and not intent.follow_up and resolver.index is not None:
            leaves_out = not count_named(intent.terms, resolver.index)
        unsaid = resolver.unsaid[0][:1] if leaves_out else ()
        return self._fit((*unsaid, *own_words(resolver)), ()) or (QueryPart(intent.query, PartOrigin.QUESTION),)

    def enhance_with_context(self, base_query: str, context: VideoContext | None) -> str:
        """Return *base_query* with the most relevant element of *context*, unless it already names one."""
        if context is None:
            return base_query
        base = (QueryPart(base_query, PartOrigin.QUESTION),)
        added = context_parts(base_query, content_terms(base_query), index_of(context), None, most=1)
        return " ".join(part.text for part in self._fit(base, added))

    def generate_fallback_queries(self, primary_query: str) -> tuple[str, ...]:
        """Return broader queries than *primary_query*, narrow to broad, all different from it; none for one word."""
        return broader_texts(primary_query)

    def without_parts(self, constructed: ConstructedQuery, removed: frozenset[str]) -> ConstructedQuery:
        """Return *constructed* without the parts in *removed*; unchanged if nothing would remain."""
        fitting = tuple(part for part in constructed.parts if part.text not in removed)
        if not fitting or len(fitting) == len(constructed.parts):
            return constructed
        built = self._rebuild(constructed, fitting, verbs_among(fitting))
        gone = [text for text in removed if not any(holds(part.text, text) for part in fitting)]
        fallbacks = tuple(query for query in built.fallback_queries if not any(holds(query, text) for text in gone))
        understood = "" if any(holds(constructed.understood, text) for text in gone) else constructed.understood
        return replace(built, fallback_queries=fallbacks, understood=understood)

    def with_subject(self, constructed: ConstructedQuery, subject: str) -> ConstructedQuery:
        """Return *constructed* with *subject* before its parts, unless it names it; other context makes room.

        The words of the question stay, as in ``construct_query``.
        """
        if not subject.strip() or names(constructed.text, subject):
            return constructed
        subject_part = QueryPart(" ".join(subject.split()), PartOrigin.TITLE)
        asked = [part for part in constructed.parts if part.origin is PartOrigin.QUESTION]
        added = [part for part in constructed.parts if part.origin is not PartOrigin.QUESTION]
        fitting = self._fit(asked, (subject_part, *added))
        parts = (*(part for part in fitting if part == subject_part), *(part for part in fitting if part != subject_part))
        return self._rebuild(constructed, parts, verbs_among(parts))

    def _rebuild(self, constructed: ConstructedQuery, parts: tuple[QueryPart, ...], verbs: frozenset[str]) -> ConstructedQuery:
        """Return the query of *parts* for the question of *constructed*, without other wordings."""
        return replace(
            self._build(parts, verbs),
            understood=constructed.understood,
            referents=constructed.referents,
            left_out=constructed.left_out,
        )

    def subject_of(self, video: VideoContext, moment_s: float | None = None) -> str:
        """Return the subject of *video*, at *moment_s* if given, as a word or a name; may be empty.

        At a moment that is what its title names, or else what is spoken of there.
        """
        index = index_of(video)
        subjects = index.about
        if (place := index.position_at(moment_s)) is not None:
            titled = tuple(subject for subject in subjects[:1] if not index.has_several_stories and holds(index.title, subject))
            subjects = (*titled, *subject_at(index, place, 1, of_whole=0))
        return next((subject for subject in subjects if not index.tells(subject)), "")

    def as_asked(
        self, intent: SearchIntent, video_context: VideoContext | None, memory: ConversationMemory | None = None
    ) -> ConstructedQuery:
        """Return *intent*'s question in its own words, each pointing word ("이 회사") replaced by its meaning.

        A question without a subject ("언제 발사됐어?") gets the video's subject in front; nothing else of the video is added.
        Broader queries are made of the same words; none is cut down to a single word.
        """
        resolver = Resolver(intent, memory, video_context)
        fitting = self._spelt_out(resolver)
        text = " ".join(part.text for part in fitting)
        unsaid = tuple(part for part in fitting if part.origin is not PartOrigin.QUESTION)
        named = lay_out(resolver) if intent.references else (*unsaid, *words_as_written(intent)[0])
        broader = broader_words(named, verbs=_verbs_of(intent), without=text)
        understood = self._understood(resolver)
        return ConstructedQuery(text=text, parts=fitting, fallback_queries=broader, understood=understood)

    def as_stated(self, intent: SearchIntent, video_context: VideoContext | None) -> ConstructedQuery:
        """Return the words of a statement as pages write them, each pointing word ("이 회사") replaced by its meaning.

        Nothing else of the video or of its title is added.
        """
        resolver = Resolver(intent, None, video_context)
        words = [(term.start, QueryPart(term.written or term.text, PartOrigin.QUESTION)) for term in intent.terms]
        meanings = [(reference.start, part) for reference in intent.references for part in resolver.resolve(reference)[:1]]
        stated = [part for _, part in sorted((*words, *meanings), key=lambda placed: placed[0])]
        parts = self._fit(_without_doubles(stated), ()) or (QueryPart(intent.query, PartOrigin.QUESTION),)
        return replace(self._build(parts, _verbs_of(intent)), understood=self._understood(resolver))

    def spell_out(self, intent: SearchIntent, video_context: VideoContext) -> str:
        """Return a statement with its pointing words ("이 회사") replaced; unchanged if one means a thing or a place."""
        if any(reference.kind in _VAGUE for reference in intent.references):
            return intent.query
        return " ".join(part.text for part in own_words(Resolver(intent, None, video_context)))

    def without_context(self, intent: SearchIntent) -> ConstructedQuery:
        """Return the words of a self-contained question, verbs as it writes them, without video or earlier turns.

        Broader queries are made of its other words.
        """
        words, others = words_as_written(intent)
        parts = self._fit(words, self._year(intent)) or (QueryPart(intent.query, PartOrigin.QUESTION),)
        built = self._build(parts, frozenset())
        broader = self._build(others, frozenset()) if others else built
        fallbacks = drop_doubles((broader.text, *broader.fallback_queries), without=built.text)
        return replace(built, fallback_queries=fallbacks, left_out=intent.excluded)

    def verbatim(self, question_text: str) -> ConstructedQuery:
        """Return the raw question as the query, cut to the length that providers accept."""
        text = question_text[:PROVIDER_MAX_CHARS].strip()
        return ConstructedQuery(text=text, parts=(QueryPart(text, PartOrigin.QUESTION),), verbatim=True)

    def _year(self, intent: SearchIntent) -> tuple[QueryPart, ...]:
        """Return the year that "올해" or "last year" means in a question for news; none if it has a year in digits."""
        asked = reduce(lambda text, word: text.replace(word, " "), intent.excluded, intent.query)
        shift = next((shift for pattern, shift in _RELATIVE if pattern.search(asked)), None)
        if intent.intent_type is not SearchType.NEWS or _HAS_YEAR.search(asked) or shift is None:
            return ()
        year = self._now().year + shift
        return (QueryPart(f"{year}년" if intent.language_preference == "ko" else str(year), PartOrigin.DATE),)

    def _fit_in_order(self, parts: Sequence[QueryPart], added: Sequence[QueryPart]) -> tuple[QueryPart, ...]:
        """Return *parts*, then *added*; context parts that exceed the length limit are dropped."""
        asked = [part for part in parts if part.origin is PartOrigin.QUESTION]
        words = self._fit(asked, ())
        context = self._fit(asked, [*(part for part in parts if part not in asked), *added])[len(words) :]
        cut = iter(words)
        ordered = (next(cut, None) if part in asked else part for part in parts if part in asked or part in context)
        return (*filter(None, ordered), *(part for part in context if part not in parts))

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
            translated=translated,
        )
