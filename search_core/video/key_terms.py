"""The salient words of a video that are not names, and the words too common to say what it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from search_core.text.korean import Morpheme, has_hangul, morphemes_of, normalize

_KOREAN = """
것 거 수 때 등 점 말 일 곳 뒤 앞 중 전 후 안 밖 위 아래 정도 경우 때문 이유 까닭 부분 사람 시간
오늘 내일 어제 지금 이번 다음 처음 마지막 생각 이야기 얘기 영상 여러분 우리 저희 자신 모두 정말 진짜 사실
문제 방법 이것 그것 저것 여기 거기 저기 무엇 누구 어디 언제 하나 가지 번째 개 명 년 월 시 분 초 만 억
조 원 달러 퍼센트 구독 좋아요 알림 설정 댓글 채널 링크 시청 감사 인사 안녕 소개 설명 정리 내용 관련 대해
통해 위해 보통 이상 이하 최근 현재 당시 동안 상황 모습 필요 가능 시작 결과 과정 의미 느낌 관심 기자 앵커
뉴스 보도 예 네 음 어 아 맥락 샘플 그때 이때 쪽 편 데 듯 줄 바 적 탓 뿐 대로 만큼 채 김 씨 님 분들
얼마 자체 다음번 이제 요즘 한번 약간 조금 그다음 크기 모양 종류 이름 사용 이용 확인 진행 이후 이전 자리
차이 전체 일부 나머지 그거 이거 저거 뭐 걸 게 건 그게 이게 저게 친구 아이 정보 제가 여기서 해당 모든
결론 대부분 가운데 사이
"""
_ENGLISH = """
a an the and or but if then else of to in on at by for with from into onto over under about as is are was were be been
being am do does did done have has had having will would shall should can could may might must not no nor so too very
just only also even still yet this that these those it its he him his she her they them their we us our you your i me my
mine who whom whose which what when where why how all any both each few more most other some such own same than there
here out up down off again once because while until between through during before after above below s t re ve ll d m don
doesn didn isn aren wasn weren won wouldn couldn shouldn get got gets getting go goes going gone went come comes came
make makes made making take takes took let lets say says said see sees saw seen look looks looking know knows known
think thinks thought want wants like likes one two three four five six seven eight nine ten first second third last next
new now well really actually thing things something anything everything nothing way ways lot lots much many little bit
kind sort okay ok yeah yes hey hi hello welcome thank thanks please right back good great big time times day days year
years people video videos today part point example case sample subscribe channel follow link links www http https com
every around without within always never maybe perhaps another since though although whether use used using uses put
puts give gives given tell tells told talk talking show shows shown start starts started end ends ended call called work
works working need needs needed mean means able far long cause it's that's there's what's let's i'm you're we're they're
don't doesn't didn't can't won't isn't aren't i'll we'll you'll i've we've you've applause music laughter gonna wanna
he's she's they've here's where's who's how's you'd we'd they'd i'd haven't hasn't ever ago whole possible fact
"""
KOREAN_COMMON = frozenset(_KOREAN.split())
ENGLISH_COMMON = frozenset(_ENGLISH.split())
"""In lower case, with plain apostrophes."""
_WEIGHTS = (12.0, 4.0, 1.0)
"""What one mention in title, description and transcript counts: a title says in five words what a transcript says in many."""
_CAPS = (1, 3, 60)
_JOINED = frozenset({"NNG", "NNP", "SL", "SH", "XSN", "XPN"})
_LEAST_MENTIONS = 2
_LONGEST = 4
_COMPOUND_BONUS = (0.0, 1.0, 1.6, 1.7, 1.8)  # by number of words: words that keep company say more than each alone
_ABSORBED = 0.6  # a word that is mostly inside a longer chosen term adds nothing
_LATIN = re.compile(r"[^\W\d_](?:[\w+#'’-]*[\w+#])?")
_PLURAL_SUFFIX = "들"
_PLURAL = re.compile(r"[a-z]{2}[b-hj-rtv-z]s$")  # apps, mirrors, waves; not glass, bus, analysis


def key_terms(sources: Sequence[Iterable[str]], names: Iterable[str], limit: int) -> tuple[str, ...]:
    """Return the salient words and short compounds of title, description and transcript, best first.

    *sources* are the texts of the three, in that order. Words of *names* are left out.
    """
    named = {part for name in names for part in (_key(name), *(_key(word) for word in name.split()))}
    mentions: Counter[str] = Counter()
    scores: dict[str, float] = {}
    written: dict[str, str] = {}
    for weight, cap, texts in zip(_WEIGHTS, _CAPS, sources, strict=True):
        counts: Counter[str] = Counter()
        for term in _candidates(texts):
            key = _key(term)
            if key not in named and not _all_named(term, named):
                counts[key] += 1
                written.setdefault(key, term)
        for key, count in counts.items():
            mentions[key] += count
            scores[key] = (
                scores.get(key, 0.0) + weight * min(count, cap) * _COMPOUND_BONUS[min(len(written[key].split()), _LONGEST)]
            )
    least = _LEAST_MENTIONS if sum(mentions.values()) > limit * 4 else 1
    ranked = [key for key in sorted(scores, key=lambda key: -scores[key]) if mentions[key] >= least]
    return tuple(written[key] for key in _without_parts(ranked, mentions, limit))


def _without_parts(ranked: list[str], mentions: Counter[str], limit: int) -> list[str]:
    """Return the best terms, without those that are mostly said inside a better one, or that only add a word to it."""
    chosen: list[str] = []
    for key in ranked:
        inside = [other for other in chosen if _holds(other, key)]
        around = [other for other in chosen if _holds(key, other)]
        if any(mentions[other] >= _ABSORBED * mentions[key] for other in inside):
            continue
        if any(mentions[key] < _ABSORBED * mentions[other] for other in around):
            continue
        chosen.append(key)
        if len(chosen) == limit:
            break
    return chosen


def _holds(longer: str, shorter: str) -> bool:
    return longer != shorter and f" {shorter} " in f" {longer} "


def _key(term: str) -> str:
    """Return what a term is counted under: lower case, English plurals with their singular."""
    folded = term.casefold()
    return folded[:-1] if _PLURAL.search(folded) else folded


def _all_named(term: str, named: set[str]) -> bool:
    return all(_key(word) in named for word in term.split())


def _candidates(texts: Iterable[str]) -> Iterator[str]:
    """Yield each run of up to ``_LONGEST`` content words that stand together."""
    normal = [normalize(text) for text in texts]
    korean = [text for text in normal if has_hangul(text)]
    runs = [run for text, analysed in zip(korean, morphemes_of(korean), strict=True) for run in _korean_runs(text, analysed)]
    runs += [run for text in normal if not has_hangul(text) for run in _latin_runs(text)]
    for run in runs:
        for size in range(1, _LONGEST + 1):
            for start in range(len(run) - size + 1):
                words = run[start : start + size]
                if all(len(word) > 1 for word in words):
                    yield " ".join(words)


def _korean_runs(text: str, analysed: Sequence[Morpheme]) -> Iterator[list[str]]:
    """Yield the runs of nouns that follow each other, as words: morphemes written together stay together."""
    run: list[str] = []
    end = -1
    for morpheme in analysed:
        piece = text[morpheme.start : morpheme.end]
        if run and piece == _PLURAL_SUFFIX and morpheme.start == end:
            end = morpheme.end
            continue
        if morpheme.tag not in _JOINED or _is_common(piece):
            yield run
            run = []
        elif run and morpheme.start == end:
            run[-1] += piece
        elif run and not text[end : morpheme.start].strip(" "):
            run.append(piece)
        else:
            yield run
            run = [piece]
        end = morpheme.end
    yield run


def _latin_runs(text: str) -> Iterator[list[str]]:
    """Yield the runs of words between signs and common words."""
    run: list[str] = []
    end = 0
    for found in _LATIN.finditer(text):
        if text[end : found.start()].strip(" ") or _is_common(found[0]):
            yield run
            run = []
        if not _is_common(found[0]):
            run.append(found[0])
        end = found.end()
    yield run


def _is_common(word: str) -> bool:
    return word in KOREAN_COMMON or word.casefold().replace("’", "'") in ENGLISH_COMMON
