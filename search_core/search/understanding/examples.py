"""Example questions about a video: whom it announces, which event it tells of, what it says of its subjects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

from search_core.domain import VideoContext
from search_core.text.korean import has_hangul, morphemes
from search_core.text.korean.content import is_attribute
from search_core.text.korean.particles import attach
from search_core.text.korean.wordlist import words
from search_core.video import sample_questions

WITHOUT_VIDEO = ("HBM과 GDDR의 차이는?", "훈민정음 해례본은 어디에 있나?", "제임스 웹 망원경은 왜 적외선으로 보나?")
MAX_EXAMPLES = 4
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

    A sample video has its own. Others get forms that fit whatever the names stand for: a company as well as a museum, a fair as
    well as a war. Names that only the file's name gives are not asked about.
    """
    if video is None:
        return WITHOUT_VIDEO
    written = sample_questions(video.video_id) if video.sample else ()
    if written:
        return written[:MAX_EXAMPLES]
    stated = _stated(video)
    questions = [f"{attach(speaker, '은/는')} 누구인가?" for speaker in islice(_announced(video), 1)]
    questions += [f"{attach(event, '은/는')} 무엇인가?" for event in islice(filter(stated, video.events), 1)]
    things = [term for term in video.key_terms if _is_thing(term) and stated(term)]
    subjects = [*islice(filter(stated, _spoken_of(video)), 1), *islice((term for term in things if " " in term), 1)]
    if not questions and not subjects:
        subjects = things[:1]
    questions += [f"{subject}에 대해 뭐라고 하나?" for subject in subjects]
    return (*questions[: MAX_EXAMPLES - 1], VAGUE)


def _stated(video: VideoContext) -> Callable[[str], bool]:
    """Return whether a name is from more than the name of the file that *video* was read from."""
    if not video.title_is_file_name:
        return lambda _: True
    said = "\n".join([video.description, *(segment.text for segment in video.transcript)]).casefold()
    file_name = video.title.casefold()
    return lambda name: name.casefold() not in file_name or name.casefold() in said


def _announced(video: VideoContext) -> Iterator[str]:
    """Yield the speakers whom *video* names where it says what it is; who reads or signs off news is nobody to ask about."""
    title = "" if video.title_is_file_name else video.title
    written = f"{title} {video.description} {video.channel}".casefold()
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
