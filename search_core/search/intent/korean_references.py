"""Korean words that point outside the question: "이 회사", "그 사람", "아까 나온 기술", "위 내용"."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from search_core.domain import Reference, ReferenceKind
from search_core.text.korean import Morpheme
from search_core.text.korean.wordlist import words

SPEAKER_ROLES = words("발표자 연사 강연자 강사 저자 진행자 사회자 출연자 게스트 화자 연설자 유튜버 크리에이터")
"""Roles that need no pointing word: in front of a video there is one of each."""
DISCOURSE_NOUNS = words(
    """답변 답 질문 내용 대답 문장 글 예시 예 설명 이야기 얘기 대화 결과 코드 표 말 부분 문제 이메일 것 지문 주장 사례
    항목 단계"""
)
"""What was said or written in an earlier turn, as later turns call it."""
BACKWARD_MARKERS = words("이전 위 앞 앞서 앞선 직전")
SAYING = words("""말 언급 설명 소개 나오 이야기 얘기 대답 답변 보 말하 등장 제시 질문 작성 얘기하 다루 주어지""")
EARLIER_MARKERS = words("방금 아까 앞서 조금전 위 앞 여기 거기 저기 영상")
"""Words that, with a verb of saying or appearing, point at what was just said or shown."""
DETERMINERS = words("이 그 저 요 고 이런 그런 저런 이러한 그러한 저러한")
FIXED_PHRASE_NOUNS = words("때 중 외 동안 후 밖 정도 자체 뒤 전 만큼 대로 김 쯤 번 날 달 주 해 시간 식")
"""Nouns that make fixed phrases with a determiner ("그동안", "이때", "이달")."""

_MANNERS = frozenset({"그렇", "이렇", "저렇", "그러", "이러", "저러"})
_PARTICLES = frozenset({"XSN", "JKS", "JKB", "JX", "JKO", "JKG", "JC"})
_NOUNS = frozenset({"NNG", "NNP", "NNB", "SL", "SN", "XR"})
_OWNERS = frozenset({"NNG", "NNP", "SL", "JKG", "XSN", "ETM", "SSC", "SN"})
_Found = tuple[Reference, int]
"""A reference, and where to read on."""


def kinds_of(**lists: str) -> dict[str, ReferenceKind]:
    """Return by word the kind under whose name *lists* have it."""
    return {word: ReferenceKind[kind.upper()] for kind, text in lists.items() for word in words(text)}


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
"""Nouns that say no more than their kind; they leave the query with the pointing word."""


TELLING_HEADS = kinds_of(
    person="""교수 감독 작가 대표 회장 강사 박사 배우 선수 의원 대통령 장관 총리 기자 연구원 애널리스트 디자이너 개발자
    창업자 가수 화가 의사 변호사 CEO""",
    organization="은행 대학 대학교 연구소 정당 팀 구단 브랜드 제조사 스타트업 재단 협회 병원 학교 공사 방송사",
    event="""대회 컨퍼런스 콘퍼런스 학회 영화제 축제 전시회 전시 박람회 포럼 세미나 시상식 경기 발표회 회의 심포지엄
    행사장 공연""",
)
"""Nouns that tell more than their kind and stay in the query."""


def korean_references(text: str, analysed: Sequence[Morpheme]) -> tuple[Reference, ...]:
    """Return the pointing words of *text*, in order, none overlapping; *analysed* are its morphemes."""
    found: list[Reference] = []
    index = 0
    while index < len(analysed):
        hit = _at(text, analysed, index)
        if hit is not None:
            found.append(hit[0])
        index = hit[1] if hit is not None else index + 1
    return tuple(found)


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
    if here.form in EARLIER_MARKERS:
        return _said_earlier(text, analysed, index)
    if here.tag == "NNG" and here.form in SPEAKER_ROLES and not _belongs_to_name(analysed, index):
        return _span(text, here.start, here.end, ReferenceKind.PERSON, here.form), index + 1
    return _manner(text, analysed, index) if here.form in _MANNERS else None


def _determines(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a pointing determiner stands at *index*: "이", "그런", "해당", and an opening "이 교수".

    The analyser reads a lone syllable before a title as a surname and a lone "저" as a prefix.
    """
    here = analysed[index]
    if here.tag == "MM":
        return here.form in DETERMINERS
    if _tag(analysed, index + 1) not in _NOUNS or analysed[index + 1].start == here.end:
        return False
    if here.tag == "NNG" and here.form == "해당":
        return True
    if index or here.form not in ("이", "그", "저"):
        return False
    return here.tag == "XPN" or (here.tag in ("NNP", "NNG") and analysed[1].form in {**TELLING_HEADS, **GENERIC_HEADS})


def _backward(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    """Return "이전 답변", "앞의 질문", "앞선 예시", "위 내용", and at the very start "제시한 답변"."""
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
    earlier = _said_earlier(text, analysed, index)
    if earlier is not None:
        return earlier
    if here.form == "그" and _tag(analysed, index + 1) == "XSN":
        kind = ReferenceKind.PERSON
    end = _skip(analysed, index + 1, _PARTICLES)
    return _span(text, here.start, max(analysed[end - 1].end, here.end), kind), end


def _pointed_noun(text: str, analysed: Sequence[Morpheme], index: int, noun: int) -> _Found | None:
    if _tag(analysed, noun) not in _NOUNS or analysed[noun].form in FIXED_PHRASE_NOUNS:
        return None
    return _before_head(text, analysed, index, noun)


def _before_head(text: str, analysed: Sequence[Morpheme], index: int, noun: int) -> _Found:
    """Return the reference from *index* to its head at *noun*; a head with a meaning of its own stays outside it."""
    end = _skip(analysed, noun + 1, _NOUNS)
    start, stop, last = analysed[index].start, analysed[end - 1].end, analysed[end - 1].form
    head = text[analysed[noun].start : stop]
    if head in GENERIC_HEADS:
        return _span(text, start, stop, GENERIC_HEADS[head], head), end
    kind = TELLING_HEADS.get(head) or TELLING_HEADS.get(last) or GENERIC_HEADS.get(last) or ReferenceKind.THING
    return _span(text, start, analysed[noun].start, kind, head), end


def _said_earlier(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    """Return the reference "아까 나온 회사", "위에서 말한 두 가지", "여기 나오는": marker, particle?, verb of saying, noun?."""
    verb = index + 1
    while _tag(analysed, verb) in ("JKB", "JX", "MAG", "JKO"):
        verb += 1
    if verb >= len(analysed) or analysed[verb].form not in SAYING:
        return None
    end = _skip(analysed, verb + 1, ("XSV", "VV", "EP", "VX", "EC"))
    if _tag(analysed, end) != "ETM":
        return None
    if _tag(analysed, end + 1) in _NOUNS:
        return _before_head(text, analysed, index, end + 1)
    return _span(text, analysed[index].start, analysed[end].end), end + 1


def _manner(text: str, analysed: Sequence[Morpheme], index: int) -> _Found | None:
    """Return "그런", "이러한 현상", "그랬어" and an opening "이렇게", but no joining word and no degree ("왜 이렇게")."""
    end = _skip(analysed, index + 1, ("XSA", "XSV", "EP"))
    tag = _tag(analysed, end)
    if tag not in ("ETM", "EF") and not (index == 0 and tag and analysed[end].form == "게"):
        return None
    if tag == "ETM" and _tag(analysed, end + 1) in _NOUNS:
        return _pointed_noun(text, analysed, index, end + 1)
    return _span(text, analysed[index].start, max(analysed[end].end, analysed[index].end)), end + 1


def _belongs_to_name(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a role noun stands beside the name or thing it belongs to ("기생충 저자", "발표자 김민수")."""
    before = analysed[index - 1 : index]
    if any(each.tag in _OWNERS and each.form not in EARLIER_MARKERS for each in before):
        return True
    return _tag(analysed, index + 1) == "NNP"


def _span(text: str, start: int, stop: int, kind: ReferenceKind = ReferenceKind.THING, head: str = "") -> Reference:
    written = text[start:stop].rstrip()
    return Reference(written, start, start + len(written), kind, head)


def _skip(analysed: Sequence[Morpheme], index: int, tags: Collection[str]) -> int:
    """Return the first place from *index* on that has none of *tags* or stands apart from the one before it."""
    while _tag(analysed, index) in tags and analysed[index].start <= analysed[index - 1].end:
        index += 1
    return index


def _tag(analysed: Sequence[Morpheme], index: int) -> str:
    return analysed[index].tag if index < len(analysed) else ""
