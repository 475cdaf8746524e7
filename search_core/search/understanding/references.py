"""Words that point outside the question: "이 회사", "그 사람", "아까 나온 기술", "he", "this company"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from search_core.domain.query import QuestionTerm, Reference, ReferenceKind
from search_core.language import word_set
from search_core.language.entities.cues import EVENT_ENDINGS, ORG_ENDINGS, TITLES
from search_core.language.korean import Morpheme, has_hangul, morphemes
from search_core.language.korean.exclusions import exclusions


def kinds_of(**lists: str) -> dict[str, ReferenceKind]:
    """Return the kind of each word in *lists*, which are named by kind."""
    return {word: ReferenceKind[kind.upper()] for kind, text in lists.items() for word in word_set(text)}


_PRONOUNS = kinds_of(person="he she him his her hers", thing="they them it those these this that its their theirs")
_HEADS = kinds_of(
    person="guy man woman person speaker presenter host author lady narrator interviewee",
    organization="company firm business organization organisation startup corporation brand",
    event="event conference summit show fair festival meeting expo",
    video="video talk presentation lecture keynote interview speech clip episode",
    place="place venue location",
)
_AFTER_LONE_POINTER = word_set(
    """
    who what which when where why how is are was were do does did can could will would should have has had it they
    he she if because so then while since before after to in on for from at with by mean work the about
    """
)
_NO_NOUN = word_set("of in on to for from by with about the a an and or but not no")
_BEFORE_POINTER = _NO_NOUN | word_set("is was does did do")
_TIMES = word_set("year week month morning evening afternoon weekend time quarter season summer winter")
"""Nouns of time: "this week" is a date, no reference."""
_WORD = re.compile(r"[A-Za-z][\w'’]*|[\d][\w.]*|[.?!;,]")


class _Word(NamedTuple):
    text: str
    low: str
    start: int
    end: int


def english_references(text: str) -> tuple[Reference, ...]:
    """Return the English pointing words of *text*, in order, none overlapping."""
    words = [
        _Word(m.group(), re.sub(r"['’](?:s|re|ll|d|ve|m)$", "", m.group().casefold()), m.start(), m.end())
        for m in _WORD.finditer(text)
    ]
    references: list[Reference] = []
    index = 0
    while index < len(words):
        reference, index = _english_at(text, words, index)
        references += [] if reference is None else [reference]
    return tuple(references)


def _english_at(text: str, words: list[_Word], index: int) -> tuple[Reference | None, int]:
    """Return the reference at *index*, if any, and where to read on."""
    word, following = words[index], [other.low for other in words[index + 1 : index + 3]]
    pointer = word.low in ("this", "that", "these", "those")
    if following and (pointer or word.low in ("the", "such")):
        noun = words[index + 1]
        kind = _HEADS.get(noun.low)
        if kind is not None:
            stop = noun.start + len(re.split(r"['’]", noun.text)[0])
            return Reference(text[word.start : stop], word.start, stop, kind, noun.low), index + 2
        opens = index == 0 or words[index - 1].low in _BEFORE_POINTER or not any(other[0].isalnum() for other in following[1:])
        if word.low not in ("the", "that") or (word.low == "that" and opens):
            noun_follows = following[0][0].isalpha() and following[0] not in _NO_NOUN | _AFTER_LONE_POINTER | _TIMES
            if noun_follows:
                return Reference(word.text, word.start, word.end, ReferenceKind.THING, following[0]), index + 1
    kind = None if pointer and not _stands_alone(words, index) else _PRONOUNS.get(word.low)
    if kind is None or _takes_up(words[:index]):
        return None, index + 1
    end = word.start + len(re.split(r"['’]", word.text)[0])
    return Reference(text[word.start : end], word.start, end, kind), index + 1


def _takes_up(before: list[_Word]) -> bool:
    """Return whether a pronoun refers to a name *before* it in the sentence: "feijoada and its significance"."""
    named = any(other.text[0].isupper() and other.start > 0 and other.low != "i" for other in before)
    return named or (len(before) > 1 and before[-1].low == "and")


def _stands_alone(words: list[_Word], index: int) -> bool:
    after = words[index + 1].low if index + 1 < len(words) else "?"
    return not after[0].isalnum() or index == 0 or (words[index].low != "that" and after in _AFTER_LONE_POINTER)


DISCOURSE_NOUNS = word_set(
    """답변 답 질문 내용 대답 문장 글 예시 예 설명 이야기 얘기 대화 결과 코드 표 말 부분 문제 이메일 것 지문 주장 사례
    항목 단계"""
)
"""Nouns for what was said in an earlier turn ("답변", "예시")."""
BACKWARD_MARKERS = word_set("이전 위 앞 앞서 앞선 직전")
SAYING = word_set("""말 언급 설명 소개 나오 이야기 얘기 대답 답변 보 말하 등장 제시 질문 작성 얘기하 다루 주어지""")
DETERMINERS = word_set("이 그 저 요 고 이런 그런 저런 이러한 그러한 저러한")
FIXED_PHRASE_NOUNS = word_set("때 중 외 동안 후 밖 정도 자체 뒤 전 만큼 대로 김 쯤 번 날 달 주 해 시간 식")
"""Nouns that make fixed phrases with a determiner ("그동안", "이때", "이달")."""

_MANNERS = frozenset({"그렇", "이렇", "저렇", "그러", "이러", "저러"})
_PARTICLES = frozenset({"XSN", "JKS", "JKB", "JX", "JKO", "JKG", "JC"})
_NOUNS = frozenset({"NNG", "NNP", "NNB", "SL", "SN", "XR"})
_WHOLE_SUBJECT = 2
"""A question with at least this many words that name something has a subject of its own."""
_Found = tuple[Reference, int]
"""A reference, and where to read on."""


PRONOUNS = kinds_of(
    thing="이것 그것 저것 이거 그거 저거 요거 고거 이 그",
    person="그녀 그이 걔 얘 쟤 이분 그분 저분",
    place="거기 여기 저기 이곳 그곳 저곳 이쪽 그쪽",
)


GENERIC_HEADS = kinds_of(
    person="사람 분 인물 남자 여자 양반 친구 이",
    organization="회사 기업 업체 기관 조직 단체 곳",
    event="행사 이벤트",
    video="영상 비디오 동영상 발표 강연 강의 인터뷰 연설 대담 방송 에피소드 영상물 채널 자리",
    thing="거 것 내용 말 얘기 이야기 부분 답변 질문 대답 점 주제 건",
)
"""Nouns that name only a kind ("회사"); they are left out of the query with their pointing word."""


_PLACE_HEADS = word_set("나라 국가 도시 지역 마을 동네 섬 산 강 바다 성 공원 항구 다리 사찰 절 궁 장소 시장 국립공원 호수 해변")
_ORG_HEADS = word_set("신문 통신사 방송사 언론 매체 정당 구단 팀 제조사 브랜드 스타트업 학회 공사 부처 당국 학교 로펌 증권사")
_EVENT_HEADS = word_set("학회 시상식 경기 발표회 회의 행사장 공연 선거 회담 축제 대회 콘퍼런스 전시 쇼")


def kind_of(noun: str) -> ReferenceKind:
    """Return the kind of *noun* by its last word: 교수 is a person, 은행 an organisation; others are things."""
    if noun in GENERIC_HEADS:
        return GENERIC_HEADS[noun]
    if noun in _PLACE_HEADS:
        return ReferenceKind.PLACE
    for kind, endings in (
        (ReferenceKind.EVENT, (*_EVENT_HEADS, *EVENT_ENDINGS)),
        (ReferenceKind.ORGANIZATION, (*_ORG_HEADS, *ORG_ENDINGS)),
        (ReferenceKind.PERSON, tuple(TITLES)),
    ):
        if noun in endings:
            return kind
    if noun.endswith(tuple(title for title in TITLES if len(title) > 1)):
        return ReferenceKind.PERSON
    return ReferenceKind.THING


def outer_references(text: str, analysed: Sequence[Morpheme], terms: Sequence[QuestionTerm]) -> tuple[Reference, ...]:
    """Return the pointing words of the question *text*, in order; *terms* are its content words."""
    if not has_hangul(text):
        return english_references(text)
    left_out = exclusions(text)
    return tuple(
        reference
        for reference in korean_references(text, analysed)
        if not _answered_inside(text, analysed, terms, reference)
        and not any(gone.start <= reference.start < gone.end for gone in left_out)
    )


def is_described(text: str, reference: Reference) -> bool:
    """Return whether the words before *reference* describe which one it means ("배터리를 만드는 그 회사")."""
    return any(morpheme.tag == "ETM" and morpheme.end == reference.start - 1 for morpheme in morphemes(text))


def _answered_inside(text: str, analysed: Sequence[Morpheme], terms: Sequence[QuestionTerm], reference: Reference) -> bool:
    """Return whether an earlier clause of the question names what *reference* means."""
    if is_described(text, reference):
        return False
    before = [term for term in terms if term.end <= reference.start and not term.attribute]
    joints = [m.tag for m in analysed if m.end <= reference.start]
    if "EF" in joints and ("SF" in joints or "SP" in joints):
        return len(before) >= _WHOLE_SUBJECT
    if "JC" in joints and before:
        return True
    return "EC" in joints and len(before) >= _WHOLE_SUBJECT


def korean_references(text: str, analysed: Sequence[Morpheme]) -> tuple[Reference, ...]:
    """Return the Korean pointing words of *text*, in order, none overlapping; *analysed* are its morphemes."""
    references: list[Reference] = []
    index = 0
    while index < len(analysed):
        hit = _at(text, analysed, index)
        if hit is not None:
            references.append(hit[0])
        index = hit[1] if hit is not None else index + 1
    return tuple(references)


def _at(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    here = analysed[index]
    if _determines(analysed, index):
        return _pointed_noun(text, analysed, index, index + 1)
    if here.tag == "NP":
        return _pronoun(text, analysed, index)
    if here.form in BACKWARD_MARKERS or (here.form in SAYING and index == 0):
        backward = _backward(text, analysed, index)
        if backward is not None:
            return backward
    return _manner(text, analysed, index) if here.form in _MANNERS else None


def _determines(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a demonstrative is at *index*: "이", "그런", "해당", and an opening "이 교수".

    The analyser reads many a lone syllable as an exclamation, one before a title as a surname, and a lone "저" as a prefix.
    """
    here = analysed[index]
    if here.tag == "MM" or (here.tag == "IC" and _tag(analysed, index + 1) in _NOUNS):
        return here.form in DETERMINERS
    if _tag(analysed, index + 1) not in _NOUNS or analysed[index + 1].start == here.end:
        return False
    if here.tag == "NNG" and here.form == "해당":
        return True
    if index or here.form not in ("이", "그", "저"):
        return False
    noun = analysed[1].form
    calls = noun in GENERIC_HEADS or kind_of(noun) is not ReferenceKind.THING
    return here.tag == "XPN" or (here.tag in ("NNP", "NNG") and calls)


def _backward(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    """Return a reference to an earlier turn: "이전 답변", "앞의 질문", "앞선 예시", and at the start "제시한 답변"."""
    noun = _skip(analysed, index + 1, ("JKG", "ETM", "XSV"))
    if _tag(analysed, noun) not in _NOUNS or analysed[noun].form not in DISCOURSE_NOUNS:
        return None
    if analysed[noun].start == analysed[index].end:
        return None
    return _span(text, analysed[index].start, analysed[noun].end, head=analysed[noun].form), noun + 1


def _pronoun(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    here = analysed[index]
    kind = PRONOUNS.get(here.form)
    if kind is None:
        return None
    end = _skip(analysed, index + 1, _PARTICLES)
    return _span(text, here.start, max(analysed[end - 1].end, here.end), kind), end


def _pointed_noun(text: str, analysed: Sequence[Morpheme], index: int, noun: int) -> _Found | None:
    """Return the reference whose noun is at *noun*, or after a number or an adjective there ("이 두 사람", "그 작은 가게")."""
    if _tag(analysed, noun) == "VA" and _tag(analysed, noun + 1) == "ETM":
        noun += 2
    elif _tag(analysed, noun) == "MM":
        noun += 1
    if _tag(analysed, noun) not in _NOUNS or analysed[noun].form in FIXED_PHRASE_NOUNS:
        return None
    return _before_head(text, analysed, index, noun)


def _before_head(text: str, analysed: Sequence[Morpheme], index: int, noun: int) -> _Found:
    """Return the reference from *index* to its head at *noun*; a head with a meaning of its own is left out."""
    end = _skip(analysed, noun + 1, _NOUNS)
    start, stop = analysed[index].start, analysed[end - 1].end
    head = text[analysed[noun].start : stop]
    if head in GENERIC_HEADS and noun == index + 1:  # "이 영상 내용" is of the video
        return _span(text, start, stop, GENERIC_HEADS[head], head), end
    return _span(text, start, analysed[noun].start, kind_of(head), head), end


def _manner(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    """Return a reference of manner: "그런", "이러한 현상", an opening "이렇게"; no conjunction or degree ("왜 이렇게")."""
    end = _skip(analysed, index + 1, ("XSA", "XSV", "EP"))
    tag = _tag(analysed, end)
    if tag not in ("ETM", "EF") and not (index == 0 and tag and analysed[end].form == "게"):
        return None
    if tag == "ETM" and _tag(analysed, end + 1) in _NOUNS:
        return _pointed_noun(text, analysed, index, end + 1)
    return _span(text, analysed[index].start, max(analysed[end].end, analysed[index].end)), end + 1


def _span(text: str, start: int, stop: int, kind: ReferenceKind = ReferenceKind.THING, head: str = "") -> Reference:
    written = text[start:stop].rstrip()
    return Reference(written, start, start + len(written), kind, head)


def _skip(analysed: Sequence[Morpheme], index: int, tags: Collection[str]) -> int:
    """Return the first place from *index* on without any of *tags*, or after a gap."""
    while _tag(analysed, index) in tags and analysed[index].start <= analysed[index - 1].end:
        index += 1
    return index


def _tag(analysed: Sequence[Morpheme], index: int) -> str:
    return analysed[index].tag if index < len(analysed) else ""
