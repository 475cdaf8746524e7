"""The meanings of a question's pointing words: something just said, an earlier turn, or the whole video."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from search_core.domain.query import (
    ConstructedQuery,
    ConversationMemory,
    PartOrigin,
    QueryPart,
    QuestionTerm,
    Reference,
    ReferenceKind,
    Referent,
    SearchIntent,
)
from search_core.domain.video import VideoContext
from search_core.errors import QuestionError
from search_core.language.entities import EntityKind, find_entities
from search_core.language.entities.cues import ORG_ENDINGS, TITLES, is_place
from search_core.language.korean import has_hangul
from search_core.language.korean.content import content_terms
from search_core.search.understanding.context import centre_of, context_parts, origin_of, other_context_parts, subject_at
from search_core.search.understanding.phrases import fold, holds, phrases
from search_core.search.understanding.references import is_described
from search_core.search.understanding.things import Thing, surroundings
from search_core.search.understanding.transcript_index import index_of
from search_core.search.understanding.unsaid import things_around

MAX_OTHERS = 6
_LOOK_BACK_S = 60.0
"""How much earlier a name is looked for if none of the right kind is near the moment."""
_MAX_SUBJECTS = 2
_SAMPLE_CHARS = 2_000
_NAMED = {
    ReferenceKind.PERSON: "speakers",
    ReferenceKind.ORGANIZATION: "organizations",
    ReferenceKind.EVENT: "events",
}
_INSTITUTIONS = tuple(ending for ending in ORG_ENDINGS if len(ending) > 1)
_OF_NAMES = (ReferenceKind.PERSON, ReferenceKind.ORGANIZATION)
"""Kinds of references that a common noun cannot mean."""
_SURELY = math.log(0.2)
"""From this probability on, what is read need not be a name."""
_DESCRIBED_BY = 4
"""With so many words besides, an English question describes what it points at: "the guy who led the ice, has he done others"."""
_OF_TALK = re.compile(r"그|해당|앞|아까|방금|he\b|she\b|it\b|they\b|him\b|her\b|his\b|its\b|their\b|them\b|the ", re.IGNORECASE)
"""Openings of references to earlier turns ("그 회사", "he"); "이 회사" refers to the video instead."""


_IN_SIGHT = ("이", "요", "this", "these")


class _Reading(NamedTuple):
    """A meaning of a pointing word, and alternatives that are about as likely."""

    parts: tuple[QueryPart, ...]
    near: tuple[QueryPart, ...] = ()
    means: bool = True
    """False if nothing fits, so that the parts are only the video's subject."""


class Resolver:
    """Finds what pointing words ("그 회사") and questions that continue earlier ones refer to."""

    def __init__(self, intent: SearchIntent, memory: ConversationMemory | None, video: VideoContext | None) -> None:
        self.intent = intent
        self._turns = memory.turns[::-1] if memory is not None else ()
        self.index = index_of(video) if video is not None else None
        self._meant: dict[Reference, _Reading] = {}

    def referents(self) -> tuple[Referent, ...]:
        """Return the meanings of the question's pointing words, in order, with alternatives."""
        return tuple(
            self._referent(reference) for reference in self.intent.references if reference.kind is not ReferenceKind.VIDEO
        )

    def _referent(self, reference: Reference) -> Referent:
        parts, near, means = self._look_up(reference)
        meaning = " ".join(part.text for part in parts) if means else ""
        names = (
            *(part.text for part in near),
            *(getattr(self.index.video, _NAMED[reference.kind]) if self.index and reference.kind in _NAMED else ()),
        )
        others = dict.fromkeys(text for text in names if fold(text) != fold(meaning))
        headless = not reference.head or reference.head in reference.text
        return Referent(
            reference=reference.text if headless else f"{reference.text} {reference.head}",
            start=reference.start,
            end=reference.end,
            kind=reference.kind,
            meaning=meaning,
            others=tuple(others)[:MAX_OTHERS],
        )

    def resolve(self, reference: Reference) -> tuple[QueryPart, ...]:
        """Return the query parts for the meaning of *reference*; none if it is unknown."""
        return self._look_up(reference).parts

    def take_other_meaning(self) -> bool:
        """Give the first pointing word that has a second meaning about as likely that one; return whether there is one."""
        for reference in self.intent.references:
            if near := self._look_up(reference).near:
                self._meant[reference] = _Reading(near)
                return True
        return False

    def _look_up(self, reference: Reference) -> _Reading:
        if reference not in self._meant:
            self._meant[reference] = next(self._readings(reference), _Reading(()))
        return self._meant[reference]

    def _readings(self, reference: Reference) -> Iterator[_Reading]:
        """Yield the possible meanings of *reference*, the likeliest first."""
        if reference.kind is ReferenceKind.VIDEO and self.index is not None:
            yield _Reading(self.about_video())
            return
        earlier = self._earlier(reference)
        if earlier and (self.intent.moment_s is None or _OF_TALK.match(reference.text)):
            yield _Reading(earlier)
        placed = self.intent.moment_s is not None or bool(self._describing(reference))
        if placed:
            yield from self._likeliest(reference)
        if earlier:
            yield _Reading(earlier)
        named = self._of_whole_video(reference)
        if named:
            yield _Reading(named)
        if not placed:
            yield from self._likeliest(reference, fitting=True)
        if reference.kind is not ReferenceKind.ORGANIZATION:  # a person or a title in its stead would ask something else
            earlier = self._thing_of_talk(reference)
            yield _Reading(earlier or self.about_video(), means=bool(earlier) or not reference.head)

    def _describing(self, reference: Reference) -> list[QuestionTerm]:
        others = self._others(reference)
        if not has_hangul(self.intent.query):
            return others if sum(not term.attribute for term in others) >= _DESCRIBED_BY else []
        return [term for term in others if term.end <= reference.start] if is_described(self.intent.query, reference) else []

    def _others(self, reference: Reference) -> list[QuestionTerm]:
        return [term for term in self.intent.terms if fold(term.text) != fold(reference.head)]

    def _likeliest(self, reference: Reference, *, fitting: bool = False) -> Iterator[_Reading]:
        candidates = self.antecedents(reference)
        surely_read = bool(candidates) and candidates[0].features.get("unsaid", -math.inf) >= _SURELY
        if not surely_read and (reference.kind in _OF_NAMES or (reference.kind is ReferenceKind.PLACE and not reference.head)):
            said = self.index.text[:_SAMPLE_CHARS] if self.index is not None else ""
            candidates = [each for each in candidates if _is_named(each, reference, said)] or [
                each for each in self.antecedents(reference, _LOOK_BACK_S) if _is_named(each, reference, said)
            ]
        if self._is_presented(reference) and candidates and not surely_read and not fits(candidates[0], reference):
            return
        if fitting and reference.head and self._is_in_sight(reference):  # nothing is in sight without a moment
            candidates = [candidate for candidate in candidates if fits(candidate, reference)]
        if candidates and self.index is not None:
            least = candidates[0].score("antecedents") - _ABOUT_AS_NEAR
            near = [each for each in candidates[1:2] if each.score("antecedents") >= least]
            parts = [QueryPart(each.text, origin_of(each.text, self.index)) for each in (candidates[0], *near)]
            yield _Reading(tuple(parts[:1]), tuple(parts[1:]))

    def place_of(self, reference: Reference) -> int | None:
        """Return the place of the transcript where the meaning of *reference* is looked for; None if there is none."""
        if self.index is None:
            return None
        centre = None
        if described := self._describing(reference):
            centre = self.index.place_described(self.intent.query, centre_of(described, self.index, None))
        return centre_of(self._others(reference), self.index, self.intent.moment_s) if centre is None else centre

    def antecedents(self, reference: Reference, before_s: float = 0.0) -> list[Thing]:
        """Return the things in the video that *reference* may mean, the best first; those *before_s* earlier if given.

        A description is looked up first ("배터리를 만드는 그 회사" means a company beside 배터리). Without one, things around the
        moment are taken, or without a moment those where most of the question's other words are said.
        """
        centre = self.place_of(reference)
        if centre is None or self.index is None:
            return []
        described = self._describing(reference)
        centre = max(0, centre - round(before_s * self.index.rate))
        text, head = surroundings(self.index, centre).text, reference.head.casefold()
        asked = " ".join(term.text for term in self.intent.terms)
        ranked = []
        for thing in things_around(self.intent.query, self.index, centre):
            may_be = reference.kind is ReferenceKind.PERSON or not thing.tells
            if may_be and fold(thing.text) != head and not holds(asked, thing.text):
                features = {**thing.features, **_fit(text, reference, thing)}
                features |= {f"{name}, if described": features.get(name, 0.0) for name in ("before", "unsaid") if described}
                ranked.append(replace(thing, features=features))
        return sorted(ranked, key=lambda thing: -thing.score("antecedents"))

    def _earlier(self, reference: Reference) -> tuple[QueryPart, ...]:
        """Return the latest name of the right kind in the earlier turns; for a reference to a thing, their subject."""
        if reference.kind not in _NAMED:
            return self._thing_of_talk(reference)
        added = self._is_in_sight(reference)  # names that are only in a query came from the video, not from the talk
        texts = (text for turn in self._turns for text in (turn.question, "" if added else turn.query, turn.answer))
        kind = EntityKind(reference.kind)
        return _remembered(islice((entity.text for text in texts for entity in find_entities(text) if entity.kind is kind), 1))

    def _is_in_sight(self, reference: Reference) -> bool:
        """Return whether *reference* points at the video on the page, not at earlier turns."""
        return self.index is not None and reference.text.casefold().startswith(_IN_SIGHT)

    def _thing_of_talk(self, reference: Reference) -> tuple[QueryPart, ...]:
        """Return the subject of the last turn; if *reference* points at the video ("이 법"), only a name with its noun."""
        subject = self.subject_of_talk()
        if reference.kind is not ReferenceKind.THING or not reference.head or not self._is_in_sight(reference):
            return subject
        return tuple(part for part in subject if fold(reference.head) in fold(part.text))

    def _of_whole_video(self, reference: Reference) -> tuple[QueryPart, ...]:
        if self.index is None or reference.kind not in _NAMED:
            return ()
        names: tuple[str, ...] = getattr(self.index.video, _NAMED[reference.kind])
        head, places = reference.head, self.index.places
        names = (self.index.video.channel, *names) if self._is_presented(reference) else names
        fitting = [name for name in names if head and (fold(head) in fold(name) or places(f"{name} {head}"))]
        return tuple(QueryPart(name, origin_of(name, self.index)) for name in (*fitting, *names)[:1])

    def _is_presented(self, reference: Reference) -> bool:
        """Return whether *reference* means an organisation and the video is one in which a firm presents itself."""
        return reference.kind is ReferenceKind.ORGANIZATION and self.index is not None and self.index.presents_itself

    @cached_property
    def unsaid(self) -> tuple[tuple[QueryPart, ...], bool]:
        """Return what a question without pointing words leaves unsaid ("매출은?"), and whether it comes after the question."""
        if self.intent.follow_up:
            contrast = self.contrast()
            earlier = contrast or self.subject_of_talk()
            if earlier:
                return earlier, bool(contrast)
        if self.index is None:
            return (), False
        return context_parts(self.intent.query, self.intent.terms, self.index, self.intent.moment_s), False

    @property
    def unsaid_otherwise(self) -> tuple[QueryPart, ...]:
        """Return other words of the video in place of the ``unsaid`` ones; none if there are no others."""
        if self.index is None or self.intent.follow_up:
            return ()
        return other_context_parts(self.intent.query, self.intent.terms, self.index, self.intent.moment_s, self.unsaid[0])

    def contrast(self) -> tuple[QueryPart, ...]:
        """Return what the earlier question asks about its subject, if this question only names another subject.

        For example "HBM4 양산" for "SK하이닉스는?" after "삼성전자 HBM4 양산은?".
        """
        query = self.intent.query
        texts = (text for turn in self._turns for text in (turn.question, turn.query))
        before = next((text for text in texts if any(phrase.specific for phrase in phrases(text))), "")
        named = " ".join(term.text for term in content_terms(query) if not term.attribute and not term.predicate)
        if not named or not before:
            return ()
        kinds = {entity.kind for entity in find_entities(named)} - {EntityKind.OTHER}
        rest = before
        for rival in (*self.intent.excluded, *(entity.text for entity in find_entities(before) if entity.kind in kinds)):
            rest = rest.replace(rival, " , ")
        return _remembered(phrase.whole for phrase in phrases(rest) if not holds(named, phrase.text))

    def subject_of_talk(self) -> tuple[QueryPart, ...]:
        """Return the subject of the latest turn that has one, with what its query took from the video."""
        texts = (text for turn in self._turns for text in (turn.query, turn.question))
        specific = ([phrase.text for phrase in phrases(text) if phrase.specific] for text in texts)
        return _remembered(next(filter(None, specific), []))

    def about_video(self) -> tuple[QueryPart, ...]:
        """Return the subject of the video, or of its story at the moment."""
        if self.index is None:
            return ()
        subject = subject_at(self.index, self.index.position_at(self.intent.moment_s), _MAX_SUBJECTS)
        return tuple(QueryPart(text, origin_of(text, self.index)) for text in subject)


def _remembered(said: Iterable[str]) -> tuple[QueryPart, ...]:
    return tuple(QueryPart(text, PartOrigin.MEMORY) for text in islice(said, _MAX_SUBJECTS))


def refuse_unknown_company(constructed: ConstructedQuery) -> None:
    """Raise QuestionError for a question about "this company" if nothing says which one."""
    for referent in constructed.referents:
        if referent.kind is ReferenceKind.ORGANIZATION and not referent.meaning:
            raise QuestionError(
                f"Nothing says what {referent.reference!r} means; name it, or open a video.",
                korean=f"‘{referent.reference}’: 어느 곳을 말하는지 알 수 없어요. 이름을 넣거나 영상을 열고 다시 물어봐 주세요.",
            )


_NOUN_AHEAD, _NOUN_BEHIND = 24, 12
"""Most characters between a name and the pointing word's noun after it ("E Ink라는 회사"), and before it."""
_ABOUT_AS_NEAR = 0.7
"""A second thing within this distance in log odds is offered as well, as it is right in one of three cases."""


def _is_named(thing: Thing, reference: Reference, text: str) -> bool:
    """Return whether *thing* is a name, or is called by the noun of *reference* as 김민수 감독 is for "그 감독".

    A thing in Latin letters is a name if the video's *text* is in Korean. Names of other kinds are none.
    """
    words, is_person = thing.text.split(), reference.kind is ReferenceKind.PERSON
    is_organization = thing.kind == "organization" or words[-1].endswith(_INSTITUTIONS)
    if (is_organization and is_person) or (is_place(thing.text) and reference.kind in _OF_NAMES):
        return False
    return bool(
        thing.kind == reference.kind.value
        or thing.features["proper"]
        or (has_hangul(text) and any(word.isascii() for word in words))
        or (not is_person and any(word.endswith(_INSTITUTIONS) for word in words))
        or (thing.features["called"] and thing.features["its noun behind"])
    )


def fits(thing: Thing, reference: Reference) -> bool:
    """Return whether *thing* is of the kind of *reference*, or is called by its noun nearby."""
    named = reference.kind in _NAMED and thing.kind == reference.kind.value
    return named or any(value > 0 and "noun" in name for name, value in thing.features.items())


def _fit(text: str, reference: Reference, thing: Thing) -> dict[str, float]:
    """Return the features of how *thing* matches the kind and the noun of *reference*."""
    head, folded = reference.head.casefold(), thing.text.casefold()
    nouns = {head} if head else set()
    titled = nouns.union(TITLES) if reference.kind is ReferenceKind.PERSON else nouns
    ahead = [text[mention.end : mention.end + _NOUN_AHEAD].casefold() for mention in thing.mentions]
    behind = [text[max(0, mention.start - _NOUN_BEHIND) : mention.start].casefold() for mention in thing.mentions]
    last_behind = {words_behind.split()[-1] for words_behind in behind if words_behind.strip() and words_behind.endswith(" ")}
    return {
        "of its kind": float(thing.kind == reference.kind.value),
        "of another kind": float(thing.kind not in ("", "other", reference.kind.value)),
        "of no kind": float(not thing.kind),
        "ends in its noun": float(bool(head) and folded.endswith(head) and (len(head) > 1 or len(folded) < 7)),
        "its noun just before": float(not titled.isdisjoint(last_behind)),
        "its noun behind": float(bool(head) and any(head in words_ahead for words_ahead in ahead)),
    }
