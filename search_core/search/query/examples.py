"""Example questions about a video, some of them made of what it says: a sentence that tells one figure or day, asked for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise

from search_core.domain import TranscriptSegment, VideoContext
from search_core.text.korean import Morpheme, has_hangul, morphemes
from search_core.text.korean.content import is_attribute
from search_core.text.korean.morphemes import conjugate
from search_core.text.korean.particles import ParticlePair, attach
from search_core.text.korean.wordlist import words
from search_core.text.sentences import sentence_spans
from search_core.video import sample_questions

WITHOUT_VIDEO = ("HBM과 GDDR의 차이는?", "훈민정음 해례본은 어디에 있나?", "제임스 웹 망원경은 왜 적외선으로 보나?")
MAX_EXAMPLES = 4
_MOST_FIGURES = 2
_SPOKEN_OF = 2
_MOST_NAMES = 10
"""Organisations that are looked for in what is said."""
VAGUE = "이 영상의 내용을 더 자세히"
_OF_THE_SHOW = words(
    """
    내레이터 나레이터 내레이션 해설자 진행자 사회자 기자 앵커 리포터 아나운서 출연자 게스트 제작진 시청자 구독자 유튜버
    narrator host anchor reporter
    """
)
"""Roles that any video has; no question asks about them."""
_NOUN_TAGS = frozenset({"NNG", "NNP", "SL", "SH", "SN", "XSN", "XPN"})


@lru_cache(maxsize=16)  # pages ask at each drawing
def example_questions(video: VideoContext | None) -> tuple[str, ...]:
    """Return at most ``MAX_EXAMPLES`` Korean questions about *video*: specific ones, and a vague one that needs it.

    A sample video has its own. Others get questions for figures and days that are said, and forms that fit whatever the names
    stand for: a company as well as a museum, a fair as well as a war.
    """
    if video is None:
        return WITHOUT_VIDEO
    written = sample_questions(video.video_id) if video.sample else ()
    if written:
        return written[:MAX_EXAMPLES]
    questions = list(figure_questions(video, _MOST_FIGURES))
    questions += [f"{attach(speaker, '은/는')} 누구인가?" for speaker in islice(_announced(video), 1)]
    questions += [f"{attach(event, '은/는')} 무엇인가?" for event in video.events[:1]]
    of_words = (term for term in video.key_terms if " " in term and _is_thing(term))
    subjects = [*islice(_spoken_of(video), 1), *islice(of_words, 1)]
    if not questions and not subjects:
        subjects = [*islice(filter(_is_thing, video.key_terms), 1)]
    questions += [f"{subject}에 대해 뭐라고 하나?" for subject in subjects]
    return (*questions[: MAX_EXAMPLES - 1], VAGUE)


def _announced(video: VideoContext) -> Iterator[str]:
    """Yield the speakers whom *video* names where it says what it is; who reads or signs off news is nobody to ask about."""
    written = f"{video.title} {video.description} {video.channel}".casefold()
    return (each for each in video.speakers if each.casefold() in written and each.casefold() not in _OF_THE_SHOW)


def _spoken_of(video: VideoContext) -> Iterator[str]:
    """Yield the organisations that *video* speaks of, and does not only mention or have in its title.

    Neither its own channel is asked about, nor what any news speaks of: the police, the parliament.
    """
    said = "\n".join(segment.text for segment in video.transcript).casefold()
    channel = video.channel.casefold()
    for name in video.organizations[:_MOST_NAMES]:
        if name.casefold() not in channel and not _is_common(name) and (not said or said.count(name.casefold()) >= _SPOKEN_OF):
            yield name


def _is_common(name: str) -> bool:
    """Return whether *name* is one common noun of Korean."""
    return has_hangul(name) and [morpheme.tag for morpheme in morphemes(name)] == ["NNG"]


def _is_thing(term: str) -> bool:
    """Return whether *term* names a thing that can be talked of: no property, in Korean nouns only, in English a name."""
    if len(term) < 2 or is_attribute(term) or term.casefold() in _OF_THE_SHOW:
        return False
    if not has_hangul(term):
        return any(char.isupper() for char in term)
    return all(morpheme.tag in _NOUN_TAGS for morpheme in morphemes(term))


_LONGEST = 45
_SHORTEST = 10
"""Letters of a question that reads well on a button."""
_TRIED = 60
"""Sentences with a figure that are looked at; they are analysed."""
_CHARS = 60_000
_LONGEST_SENTENCE = 60
_NUMBER = r"\d[\d,]{0,14}+(?:\.\d{1,6}+)?(?:\s?[십백천만억조]{1,3}+(?:\s?\d[\d,]{0,6}+[십백천만억조]{1,3}+){0,3}+)?"
_BEFORE = r"(?<![\d.,A-Za-z가-힣-])(?:(?:약|총|무려)\s)?(?!\d0대\s)"
_UNITS = (
    "제곱킬로미터|세제곱미터|제곱미터|킬로미터|센티미터|밀리미터|나노미터|마이크로미터|미터|킬로그램|그램|톤|리터|퍼센트|킬로와트|메가와트|"
    "기가와트|와트|기가바이트|테라바이트|메가바이트|비트|명|곳|개국|개월|개|대|채|마리|권|편|건|가지|층|겹|세대|단계|종|배|시간|분|초|주|위"
)
_AFTER = "이|가|은|는|을|를|에|의|로|으로|쯤|이나|까지|입니다|이다|이라고|이었습니다|였습니다"
_COUNT = re.compile(rf"{_BEFORE}{_NUMBER}\s?(?P<unit>{_UNITS})(?=(?:{_AFTER})?[\s.])")
_MONEY = re.compile(rf"{_BEFORE}{_NUMBER}\s?(?:원|달러|유로|엔|위안)(?P<particle>이|가|은|는|을|를)?(?=[\s.]|입니다)")
_DAY = re.compile(r"(?<!\d)(?:(?:19|20)\d{2}년(?:\s\d{1,2}월)?(?:\s\d{1,2}일)?|\d{1,2}월\s\d{1,2}일)에(?=\s)")
_OTHER_SIGNS = re.compile(r"[?!\"'“”‘’():;…]|,(?!\d)")
_NAMED = re.compile(r"[A-Za-z][\w-]*+|(?<!\d)\d{1,3}+(?=[차세]대)")
"""Names with a number in them: HBM4, "6세대"."""
_PARTICLES: dict[str, ParticlePair] = {form: pair for pair in ("이/가", "은/는", "을/를") for form in pair.split("/")}
_STATING = words("ᆸ니다 습니다 다 ᆫ다 는다 어요 에요 예요")
_POINTING = words(
    """
    그 이 저 그것 이것 저것 그거 이거 여기 거기 저기 이곳 그곳 나 저희 제 당신 너 그들 그녀 이때 그때 앞서 아까 방금 여러분
    이런 그런 저런 각 영상 강의 강연 구독 어제 오늘 내일 모레 그제 이달 지난달 지난주 이번
    """
)
_TIMES = words("지금 작년 올해 내년 지난해 오늘 어제 내일 요즘 최근 현재 이번 다음 처음 나중 이후 이전 뒤 전 때 해 달 날")
_OF_SUBJECTS = words("은 는 이 가")
_ASKING = words("몇 얼마 언제")
_STARTS = frozenset({"NNG", "NNP", "SL", "XPN"})


def figure_questions(video: VideoContext, at_most: int) -> tuple[str, ...]:
    """Return questions for figures and days that *video* says in Korean, in the order in which they are said.

    A sentence is asked for what it tells where it stands alone: it begins with its subject, points to nothing, speaks of what
    the video is about and holds no other figure. Speech that is written without signs gives none.
    """
    about = {term.casefold() for term in (*video.key_terms, *video.organizations, *video.events, *video.speakers)}
    with_figure = (sentence for sentence in _sentences(video.transcript) if any(char.isdigit() for char in sentence))
    asked: dict[str, int] = {}
    for sentence in islice(with_figure, _TRIED):
        question = question_of(sentence)
        if question:
            asked.setdefault(question, sum(term in question.casefold() for term in about))
    best: dict[str, str] = {}
    for question in sorted((question for question, shared in asked.items() if shared), key=lambda question: -asked[question]):
        best.setdefault(question.split()[0], question)
    chosen = list(best.values())[:at_most]
    return tuple(question for question in asked if question in chosen)


def question_of(sentence: str) -> str:
    """Return the question that *sentence* answers by its one figure or day; nothing for a sentence that makes no good one."""
    if not sentence.endswith(".") or len(sentence) > _LONGEST_SENTENCE or _OTHER_SIGNS.search(sentence):
        return ""
    for pattern in (_DAY, _COUNT, _MONEY):
        asked, figures = pattern.subn(_ask, sentence)
        if figures == 1 and not any(char.isdigit() for char in _NAMED.sub("", asked)):
            return _as_question(asked.rstrip("."))
    return ""


def _ask(found: re.Match[str]) -> str:
    """Return what asks for the figure that was *found*."""
    groups = found.groupdict()
    if "unit" in groups:
        return f"몇 {groups['unit']}"
    if "particle" in groups:
        particle = groups["particle"]
        return attach("얼마", _PARTICLES[particle]) if particle else "얼마"
    return "언제"


def _as_question(statement: str) -> str:
    """Return *statement* with the ending of a question, where it stands alone and ends as one states."""
    analysed = morphemes(statement)
    if (
        len(analysed) < 3
        or analysed[-1].form not in _STATING
        or not (_stands_alone(statement, analysed) and _is_simple(analysed))
    ):
        return ""
    start = len(analysed) - 2
    while start > 0 and analysed[start].tag == "EP":
        start -= 1
    if analysed[start].tag.startswith("XS"):
        start -= 1
    closing = "나"
    if analysed[start].tag == "VCP":
        closing = "ᆫ가" if start == len(analysed) - 2 else "나"
        start -= 1  # "비트" and "이었" are spelled together
    stem = analysed[start:-1]
    if stem[-1].tag.startswith(("VA", "XSA")) and stem[-1].form not in ("있", "없"):
        closing = "은가"
    question = f"{statement[: stem[0].start]}{conjugate(stem, closing, 'EF')}?"
    return question if _SHORTEST <= len(question) <= _LONGEST else ""


def _stands_alone(statement: str, analysed: Sequence[Morpheme]) -> bool:
    """Return whether *statement* begins with its subject and points to nothing outside."""
    if analysed[0].tag not in _STARTS and not statement.startswith("우리나라"):
        return False
    if any(each.form in _POINTING and each.tag in ("NP", "MM", "NNG", "MAG") for each in analysed):
        return False
    particles = [(noun, each) for noun, each in pairwise(analysed) if each.tag.startswith("J")]
    subjects = [noun for noun, each in particles if each.tag in ("JX", "JKS") and each.form in _OF_SUBJECTS]
    return any(noun.form not in _TIMES for noun in subjects) and particles[0][1].tag != "JKO"


def _is_simple(analysed: Sequence[Morpheme]) -> bool:
    """Return whether a statement is of one clause, whose figure, asked for, belongs to its verb."""
    if any(each.tag == "EF" for each in analysed[:-1]):
        return False
    if any(ending.tag == "EC" and after.tag != "VX" for ending, after in pairwise(analysed)):
        return False
    figure = next((place for place, each in enumerate(analysed) if each.form in _ASKING), 0)
    return figure > 0 and analysed[figure - 1].tag != "ETM" and not any(each.tag == "ETM" for each in analysed[figure:])


def _sentences(transcript: Sequence[TranscriptSegment]) -> Iterator[str]:
    """Yield the sentences with a full stop of the beginning of *transcript*."""
    text, chars = [], 0
    for segment in transcript:
        text.append(" ".join(segment.text.split()))
        chars += len(text[-1])
        if chars > _CHARS:
            break
    joined = " ".join(text)
    for start, end in sentence_spans(joined):
        if joined[start:end].endswith("."):
            yield joined[start:end]
