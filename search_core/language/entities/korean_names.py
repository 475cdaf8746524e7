"""Persons and organisations in Korean text, by Kiwi's morphemes, titles, surnames and endings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_core.language import word_set
from search_core.language.entities.cues import (
    AFTER_NAME,
    COMMON_SURNAMES,
    EVENT_ENDINGS,
    LONG_SURNAMES,
    ORG_BEFORE,
    ORG_ENDINGS,
    SURNAMES,
    TAIL_SET,
    TITLES,
    WEAK_ORG_ENDINGS,
    is_place,
    looks_like_place,
)
from search_core.language.entities.gazetteer import Entity, EntityKind, fold_name, known_by_name, known_in
from search_core.language.korean import Morpheme, morphemes

GIVEN_NAMES = word_set(
    """
    가브리엘 개리 게리 고든 그레고리 그레이스 그레타 글렌 글로리아 나다니엘 나오미 나탈리 나탈리아 네이선 네이트 노라 노아
    니콜 니콜라 니콜라스 니콜라이 닉 닐 닐스 다니엘 다리오 다이애나 다이앤 대니 대니얼 댄 더글러스 데니스 데릭 데미 데미스
    데보라 데이브 데이비드 덴젤 도널드 도날드 도로시 도미니크 돈 드루 드미트리 디에고 딕 딜런 라이언 라파엘 란디 랄프 랜디
    랜스 러셀 레슬리 레오 레오나르도 레이 레이몬드 레이첼 로널드 로날드 로라 로런 로렌 로렌스 로렌조 로버트 로베르토 로빈
    로빈슨 로저 로즈 론 롭 루이 루이스 루시 루카 루카스 루크 루퍼트 리 리사 리암 리오넬 리즈 리차드 리처드 린다 린지
    마가렛 마거릿 마고 마누엘 마돈나 마르코 마르코스 마르크 마르타 마리 마리아 마리오 마릴린 마우리시오 마이크 마이클
    마커스 마크 마틴 마티아스 막스 매기 매들린 매슈 매튜 매트 맥스 멀린다 메건 메리 멜 멜라니 모건 모니카 모하메드
    무하마드 미겔 미구엘 미란다 미셸 미첼 미하엘 미하일 믹 밀라 밥 버나드 버락 버트 베네딕트 베르나르 베른트 베벌리 벤
    벤자민 벤저민 벨라 보리스 볼프강 브라이언 브래드 브래들리 브랜든 브렛 브루노 브루스 브리트니 블라디미르 블레이크
    비비안 비올라 빅터 빅토르 빅토리아 빈센트 빈스 빌 빌리 사라 사만다 사무엘 사이먼 사티아 산드라 산티아고 살바도르 새라
    새뮤얼 샌드라 샐리 샘 샤를 샤를리즈 샤론 샬럿 션 세드릭 세라 세르게이 세르지오 세바스찬 셀레나 소피 소피아 숀 수잔
    수전 순다르 스칼렛 스캇 스콧 스탠 스탠리 스테이시 스테판 스테파니 스티브 스티븐 스펜서 시고니 시드니 시몬 시빌 신디
    실베스터 실비아 아널드 아놀드 아니타 아담 아만다 아돌프 아론 아르센 아메드 아브라함 아서 아이작 아흐메드 안나 안나벨
    안드레 안드레아 안드레이 안드레스 안젤라 안젤리나 안토니 안토니오 안톤 알 알랭 알랜 알레한드로 알렉 알렉산더
    알렉산드로 알렉스 알리 알리시아 알버트 알베르토 알베르트 알폰소 알프레드 앙겔라 앙투안 애나 애덤 애런 애슐리 앤 앤드루
    앤드류 앤디 앤서니 앤소니 앨 앨런 앨리스 앨버트 앨프리드 야닉 야스퍼 얀 어니스트 어밀리아 에단 에드 에드가 에드거
    에드먼드 에드워드 에드윈 에디 에르네스토 에런 에릭 에마 에마뉘엘 에미 에밀리 에바 에이드리언 에이미 에이브러햄 엘런
    엘렌 엘론 엘리 엘리너 엘리자 엘리자베스 엠마 오드리 오랜도 오스카 오스틴 오웬 오토 오프라 올가 올리버 올리비아
    올리비에 요한 우디 우마 울리히 워런 월터 웨슬리 웨인 위노나 위르겐 윈스턴 윌 윌리엄 윌슨 유진 이네스 이고르 이반 이브
    이사벨 이사벨라 이안 이언 일론 일리야 자비에르 자크 잔 장 재닛 재러드 재스민 잭 잭슨 저스틴 제냐 제니퍼 제니 제라드
    제라르 제러미 제레미 제롬 제리 제시 제시카 제이 제이미 제이콥 제이슨 제인 제임스 제프 제프리 젠슨 조 조나단 조너선
    조니 조던 조르주 조세 조셉 조슈아 조시 조쉬 조앤 조엘 조지 조지프 존 존스 주디 주드 주세페 줄리 줄리아 줄리아나 줄리안
    줄리언 줄리엣 쥘리 쥘리엣 지나 지네딘 지미 진 찰리 찰스 채닝 척 체 칼 칼리 캐리 캐롤 캐머런 캐서린 캐시 캐슬린 케네스
    케니 케빈 케이트 케이티 케이시 켄 켈리 코너 코리 콜린 쿠엔틴 크리스 크리스찬 크리스티나 크리스티안 크리스티아누
    크리스틴 크리스토퍼 클라라 클라우디오 클라우스 클라이브 클레어 클로드 클로이 클린트 키아누 키라 키스 키이라 킴 킴벌리
    타일러 타이거 태미 테드 테레사 테렌스 테리 테일러 토드 토니 토마스 토머스 토미 톰 트래비스 트로이 티나 티모시 팀
    파멜라 파블로 파비오 파울 팻 패트리샤 패트리시아 패트릭 페넬로페 페데리코 페드로 페르난도 펠리페 폴 프란체스카
    프란체스코 프란시스 프란시스코 프란츠 프랑수아 프랑크 프랜시스 프랭크 프랭클린 프레드 프레드릭 프리드리히 피에르 피터
    필 필립 하비에르 하워드 하이디 한나 한스 할리 해럴드 해롤드 해리 해리슨 헤더 헤르만 헨리 헬렌 호르헤 호세 후안 휴 휴고
    히스 힐러리 로드리고 데얀 페르난두 주앙 누노 조제 루벤 엔리케 이케르 디디에 티에리 올레 라르스 에리크 요나스 요제프
    카를 카를로스 카를로 카메론 겐지 기요시 다카시 다케시 마코토 미츠코 미사키 사토시 신지 신조 아키라 아이코 요시히코
    유키 이치로 준이치로 준지 켄지 타카시 하루키 하야오 히데오 히로시 히로유키 웨이 샤오밍 즈이 이머우
    """
)
"""Given names of the English, European and Japanese kinds."""

ALSO_WORDS = word_set(
    """
    돈 키스 칼 팀 알 론 딕 닐 장 조 진 잔 리 코너 레이 로즈 제이 올레 윌 벨라 마리 이브 루이 호세 앨 폴 밥 척 휴 즈이 고든
    에바 유키 신지
    """
)
"""Given names that are everyday words or syllables too; they count only before another name."""


_NAME_TAGS = frozenset({"NNP", "NNG", "SL", "SH", "XPN", "XSN", "XR", "MM", "SN"})
_START_TAGS = frozenset({"NNP", "NNG", "SL", "SH", "XPN", "XR", "MM"})
_HANGUL = re.compile(r"[가-힣]+")
_HANGUL_NAME = re.compile(r"[가-힣]+(?: [가-힣]+)*")
_TITLES_LONGEST_FIRST = tuple(sorted(TITLES, key=len, reverse=True))
_ENDINGS_LONGEST_FIRST = tuple(sorted(ORG_ENDINGS, key=len, reverse=True))
_TITLE_AFTER = re.compile(rf" ?(?:전 |현 |前 |[가-힣]{{1,4}}(?=[가-힣]))?(?:{'|'.join(_TITLES_LONGEST_FIRST)}){AFTER_NAME}")
_EVENT_ENDINGS = tuple(sorted(EVENT_ENDINGS, key=len, reverse=True))
_ANY_ENDING = (*_EVENT_ENDINGS, *_ENDINGS_LONGEST_FIRST)
_GLUED = ("에게", "이가", "이는", "이의", "이랑", "이도", *"의가이은는을를도와과랑로만야")


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A run of noun morphemes without a gap: ``text == source[start:end]``."""

    text: str
    start: int
    end: int
    tokens: tuple[Morpheme, ...]

    @property
    def proper(self) -> bool:
        """Return whether it contains a proper noun, a Latin word or Chinese characters."""
        return any(token.tag in ("NNP", "SL", "SH") for token in self.tokens)


def korean_names(text: str) -> list[Entity]:
    """Return persons, organisations and events that can be recognised by the Korean morphemes of *text*."""
    if not _HANGUL.search(text):
        return []
    stretches = list(_stretches(text, morphemes(text)))
    entities: list[Entity] = []
    for index, stretch in enumerate(stretches):
        before = stretches[index - 1] if index and _is_one_space_apart(text, stretches[index - 1], stretch) else None
        after = (
            stretches[index + 1]
            if index + 1 < len(stretches) and _is_one_space_apart(text, stretch, stretches[index + 1])
            else None
        )
        entity = (
            _introduced_organisation(stretch, before)
            or full_foreign_name(text, stretch, after)
            or _organisation(stretch)
            or _person(text, stretch)
        )
        if entity is not None:
            entities.append(entity)
    return entities


def _stretches(text: str, analysed: Sequence[Morpheme]) -> Iterator[TokenSpan]:
    index = 0
    while index < len(analysed):
        if analysed[index].tag not in _START_TAGS:
            index += 1
            continue
        end = index + 1
        while end < len(analysed) and analysed[end].tag in _NAME_TAGS and analysed[end].start == analysed[end - 1].end:
            end += 1
        start_at, end_at = analysed[index].start, analysed[end - 1].end
        yield TokenSpan(text[start_at:end_at], start_at, end_at, tuple(analysed[index:end]))
        index = end


def _is_one_space_apart(text: str, left: TokenSpan, right: TokenSpan) -> bool:
    return text[left.end : right.start] == " "


def _organisation(stretch: TokenSpan) -> Entity | None:
    word = stretch.text
    if not word.endswith(_ANY_ENDING):  # most words, at a fraction of the loops' time
        return None
    for ending in _EVENT_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1 and stretch.proper:
            return Entity(word, EntityKind.EVENT, stretch.start, stretch.end)
    for ending in _ENDINGS_LONGEST_FIRST:
        if not word.endswith(ending) or word == ending:
            continue
        if len(ending) == 1 and len(word) < (3 if ending == "대" else 4):
            continue
        if ending in WEAK_ORG_ENDINGS and not (stretch.proper and len(stretch.text) - len(ending) >= 2):
            return None  # a common noun, or nothing, stands before it
        return Entity(word, EntityKind.ORGANIZATION, stretch.start, stretch.end)
    return None


def _introduced_organisation(stretch: TokenSpan, before: TokenSpan | None) -> Entity | None:
    """Return the name after a noun such as 기업 or 걸그룹."""
    if (
        before is None
        or before.text not in ORG_BEFORE
        or not (stretch.proper or stretch.tokens[0].unknown)
        or is_place(stretch.text)
    ):
        return None
    return Entity(stretch.text, EntityKind.ORGANIZATION, stretch.start, stretch.end)


def _person(text: str, stretch: TokenSpan) -> Entity | None:
    word, title_inside = _without_title(stretch)
    titled = title_inside or _TITLE_AFTER.match(text, stretch.end) is not None
    end = stretch.start + len(word)
    if not _HANGUL_NAME.fullmatch(word) or is_place(word):
        return None
    if titled and _may_be_titled(word, stretch):
        return Entity(word, EntityKind.PERSON, stretch.start, end)
    if not title_inside and not _end_of_word(text, stretch.end):
        return None
    if stretch.tokens[0].unknown and not title_inside and len(stretch.tokens) == 1:
        word = text[stretch.start : _end_of_word(text, stretch.end)]
    for name in (word, *_strip_particles(word, stretch)):
        if _is_person(name, stretch, whole=not title_inside):
            return Entity(name, EntityKind.PERSON, stretch.start, stretch.start + len(name))
    return None


def _without_title(stretch: TokenSpan) -> tuple[str, bool]:
    word = stretch.text
    if (len(stretch.tokens) > 1 or len(word) > 3) and word.endswith(_TITLES_LONGEST_FIRST):
        for title in _TITLES_LONGEST_FIRST:
            if word.endswith(title) and len(word) > len(title):
                return word[: -len(title)], True
    return word, False


def _may_be_titled(word: str, stretch: TokenSpan) -> bool:
    first = stretch.tokens[0]
    if len(word) == 1:
        return word in COMMON_SURNAMES and first.tag == "NNP"
    if len(word) in (2, 3) and word[0] in SURNAMES and (first.tag == "NNP" or first.unknown):
        return True
    if len(word) in (2, 3) and word[0] in SURNAMES and len(stretch.tokens) > 1 and len(first.form) == 1 and first.tag != "MM":
        return True
    return (first.tag == "NNP" or first.unknown) and len(stretch.tokens) <= 2 and not looks_like_place(word)


def _strip_particles(word: str, stretch: TokenSpan) -> Iterator[str]:
    """Yield *word* without a particle that the analyser took for part of an unknown name."""
    if len(stretch.tokens) == 1 and stretch.tokens[0].unknown:
        for particle in _GLUED:
            if word.endswith(particle) and len(word) - len(particle) in (3, 4):
                yield word[: -len(particle)]


def _is_person(name: str, stretch: TokenSpan, *, whole: bool) -> bool:
    if is_place(name) or looks_like_place(name):
        return False
    first = stretch.tokens[0]
    proper = first.tag == "NNP" or first.unknown
    if len(name) == 3 and name[0] in SURNAMES and " " not in name:
        return proper
    if len(name) == 4 and name.startswith(LONG_SURNAMES):
        return True
    if " " in name:
        return first.tag == "NNP" and whole and name.split(" ")[0] in GIVEN_NAMES
    if name in GIVEN_NAMES and name not in ALSO_WORDS and len(stretch.tokens) == 1:
        return True
    guessed = first.unknown and first.tag == "NNP" and len(stretch.tokens) == 1
    return whole and guessed and len(name) >= 3 and not _holds_noun(name)


def _holds_noun(word: str) -> bool:
    """Return whether *word* alone reads as several words with a common noun: "발효종"."""
    parts = morphemes(word)
    return len(parts) > 1 and any(part.tag == "NNG" and len(part.form) > 1 and not part.unknown for part in parts)


def full_foreign_name(text: str, stretch: TokenSpan, after: TokenSpan | None) -> Entity | None:
    """Return a transcribed foreign name of two words ("수전 라이스"): with a known first name, or two unknown proper nouns."""
    if after is None or not (_HANGUL_NAME.fullmatch(stretch.text) and _HANGUL_NAME.fullmatch(after.text)):
        return None
    first, last = stretch.text, after.text
    if is_place(first) or is_place(last) or len(last) > 6 or last in TITLES or first in TITLES:
        return None
    if _organisation(stretch) or (fold_name(first) in known_by_name() and first not in GIVEN_NAMES) or _organisation(after):
        return None
    if len(last) == 3 and last[0] in SURNAMES and first not in GIVEN_NAMES:
        return None
    if any(entity.kind is EntityKind.ORGANIZATION for entity in known_in(f"{first} {last}")):
        return None  # its particle was read as part of it: "폭스바겐도 노스볼트에"
    own = all(token.tag == "NNP" or token.unknown for token in (stretch.tokens[0], after.tokens[0]))
    single = len(after.tokens) == 1 or after.tokens[0].tag == "NNP"
    given = (
        first in GIVEN_NAMES
        and single
        and (after.tokens[0].tag == "NNP" or after.tokens[0].unknown or (len(last) >= 2 and first in GIVEN_NAMES))
    )
    unknown = own and len(stretch.tokens) == len(after.tokens) == 1 and len(first) >= 2 and first[0] not in SURNAMES
    if given or unknown:
        end = _end_of_word(text, after.end)
        return Entity(text[stretch.start : end], EntityKind.PERSON, stretch.start, end) if end else None
    return None


def _end_of_word(text: str, end: int) -> int:
    """Return the end of the name at *end*, one further if the analyser cut its last syllable; 0 if no particle follows."""
    rest = _HANGUL.match(text, end)
    if rest is None or rest.group() in TAIL_SET or _TITLE_AFTER.match(text, end):
        return end
    return end + 1 if rest.group()[1:] in TAIL_SET else 0
