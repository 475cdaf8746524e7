"""What the pointing words of a question stand for: earlier turns first, then the video."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from search_core.domain import (
    ConstructedQuery,
    ConversationMemory,
    PartOrigin,
    QueryPart,
    Reference,
    ReferenceKind,
    Referent,
    SearchIntent,
    VideoContext,
)
from search_core.errors import QuestionError
from search_core.search.query.phrases import fold, holds, phrases
from search_core.search.query.video_index import ContextElement, index_of, query_parts
from search_core.text.entities import EntityKind, find_entities
from search_core.text.korean.content import content_terms, is_attribute
from search_core.text.korean.wordlist import words as word_set

MAX_OTHERS = 6
_MAX_SUBJECTS = 2
_ORIGINS = {
    ReferenceKind.PERSON: PartOrigin.SPEAKER,
    ReferenceKind.ORGANIZATION: PartOrigin.ORGANIZATION,
    ReferenceKind.EVENT: PartOrigin.EVENT,
}
_PERSONAL = word_set(
    """
    경력 이력 나이 학력 소속 프로필 약력 국적 출신 가족 생애 대표작 연봉 직업 수상 background biography career
    education age
    """
)
_SCHEDULED = word_set(
    """
    장소 일정 일시 입장료 티켓 개막 개최 주최 참가 열리다 venue tickets held schedule
    """
)
_CORPORATE = word_set(
    """
    매출 매출액 실적 이익 영업이익 순이익 주가 시가총액 시총 경쟁사 경쟁자
    대표 사장 총재 ceo 창업자 설립자 본사 직원 직원수 인원 제품
    점유율 대표이사 채용 투자 상장 고객사 revenue earnings profit sales stock share shares competitors founder
    founders headquarters employees products valuation hiring
    """
)


class Resolver:
    """Finds what pointing words and bare properties mean."""

    def __init__(self, intent: SearchIntent, memory: ConversationMemory | None, video: VideoContext | None) -> None:
        self._intent = intent
        self._turns = memory.turns[::-1] if memory is not None else ()
        self.index = index_of(video) if video is not None else None

    def referents(self) -> tuple[Referent, ...]:
        """Return what the question's pointing words for a person, an organisation or an event are taken for, in order."""
        return tuple(self._referent(reference) for reference in self._intent.references if reference.kind in _ORIGINS)

    def _referent(self, reference: Reference) -> Referent:
        meaning = " ".join(part.text for part in self._named_parts(reference))
        known = self.index.by_salience(_ORIGINS[reference.kind]) if self.index is not None else ()
        others = tuple(element.text for element in known if fold(element.text) != fold(meaning))
        return Referent(
            reference=reference.text,
            start=reference.start,
            end=reference.end,
            kind=reference.kind,
            meaning=meaning,
            others=others[:MAX_OTHERS],
        )

    def resolve(self, reference: Reference) -> tuple[QueryPart, ...]:
        """Return the parts that say what *reference* points at; none when nothing is known."""
        if reference.kind in _ORIGINS:
            return self._named_parts(reference)
        if reference.kind is ReferenceKind.VIDEO and self.index is not None:  # the name that bears most on what is asked of it
            asks_what = not all(map(is_attribute, self._intent.search_terms))
            return query_parts(self.index.by_salience()[:1] if asks_what else ()) or self._about_video()
        return self._subject() or self._about_video()

    def resolve_omission(self) -> tuple[QueryPart, ...]:
        """Return the parts that say what a question without pointing words leaves out ("매출은?", "더 자세히")."""
        subject = self._subject()
        if subject:
            return subject
        if self.index is None:
            return ()
        asked = {term.casefold() for term in self._intent.search_terms}
        for wanted, origin in (
            (_CORPORATE, PartOrigin.ORGANIZATION),
            (_PERSONAL, PartOrigin.SPEAKER),
            (_SCHEDULED, PartOrigin.EVENT),
        ):
            named = self.index.by_salience(origin)
            if asked & wanted and named:
                return query_parts(named[:1])
        return self._about_video()

    def contrast(self) -> tuple[QueryPart, ...]:
        """Return what was asked before, for a question that only names something else to ask it of.

        It is "HBM4 양산" of "삼성전자 HBM4 양산은?" for "SK하이닉스".
        """
        query, before = self._intent.query, self._latest_question()
        named = " ".join(term.text for term in content_terms(query) if not term.attribute and not term.predicate)
        if not named or not before:
            return ()
        kinds = {entity.kind for entity in find_entities(named)} - {EntityKind.OTHER}
        rest = before
        for rival in (*self._intent.excluded, *(entity.text for entity in find_entities(before) if entity.kind in kinds)):
            rest = rest.replace(rival, " , ")
        return _remembered(phrase.whole for phrase in phrases(rest) if not holds(named, phrase.text))

    def _named_parts(self, reference: Reference) -> tuple[QueryPart, ...]:
        kind = EntityKind(reference.kind)
        said = (text for turn in self._turns for text in (turn.question, turn.query, turn.answer))
        names = (entity.text for text in said for entity in find_entities(text) if entity.kind is kind)
        if latest := _remembered(islice(names, 1)):
            return latest
        element = self._of_video(reference)
        if element is not None:
            return query_parts((element,))
        if reference.kind is ReferenceKind.ORGANIZATION:  # a person or a title in its stead would ask something else
            return ()
        return self._subject() or self._about_video()

    def _of_video(self, reference: Reference) -> ContextElement | None:
        if self.index is None:
            return None
        candidates, head = self.index.by_salience(_ORIGINS[reference.kind]), reference.head
        for candidate in candidates if head else ():
            if fold(head) in fold(candidate.text) or self.index.beside(candidate, head):
                return candidate
        return next(iter(candidates), None)

    def _subject(self) -> tuple[QueryPart, ...]:
        """Return what the latest turn with a subject was about."""
        return _remembered(phrase.text for phrase in phrases(self._latest_question()) if phrase.specific)

    def _latest_question(self) -> str:
        """Return the latest question that names something, or what one was searched for; empty where none does."""
        said = (text for turn in self._turns for text in (turn.question, turn.query))
        return next((text for text in said if any(phrase.specific for phrase in phrases(text))), "")

    def _about_video(self) -> tuple[QueryPart, ...]:
        """Return the video's topic and its chief name."""
        if self.index is None:
            return ()
        return query_parts((*self.index.topic()[:1], *self.index.by_salience()[:1]))


def _remembered(said: Iterable[str]) -> tuple[QueryPart, ...]:
    return tuple(QueryPart(text, PartOrigin.MEMORY) for text in islice(said, _MAX_SUBJECTS))


def refuse_unknown_company(constructed: ConstructedQuery) -> None:
    """Raise QuestionError for a question about "this company" where nothing says which one."""
    for referent in constructed.referents:
        if referent.kind is ReferenceKind.ORGANIZATION and not referent.meaning:
            raise QuestionError(
                f"Nothing says what {referent.reference!r} means; name it, or open a video.",
                korean=f"‘{referent.reference}’: 어느 곳을 말하는지 알 수 없어요. 이름을 넣거나 영상을 열고 다시 물어봐 주세요.",
            )
