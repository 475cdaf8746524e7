"""Example questions about a video."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from search_core.domain import VideoContext
from search_core.search.query.figure_questions import figure_questions
from search_core.text.korean import has_hangul, morphemes
from search_core.text.korean.content import is_attribute
from search_core.text.korean.particles import attach
from search_core.text.korean.wordlist import words
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
    questions += [
        f"{attach(speaker, '은/는')} 누구인가?" for speaker in video.speakers if speaker.casefold() not in _OF_THE_SHOW
    ][:1]
    questions += [f"{attach(event, '은/는')} 무엇인가?" for event in video.events[:1]]
    questions += [f"{name}에 대해 뭐라고 하나?" for name in islice(_spoken_of(video), 1)]
    if not questions:
        questions = [f"{term}에 대해 뭐라고 하나?" for term in video.key_terms if _is_thing(term)][:1]
    return (*questions[: MAX_EXAMPLES - 1], VAGUE)


def _spoken_of(video: VideoContext) -> Iterator[str]:
    """Yield the organisations that *video* speaks of, and does not only mention or have in its title."""
    said = "\n".join(segment.text for segment in video.transcript).casefold()
    return (name for name in video.organizations[:_MOST_NAMES] if not said or said.count(name.casefold()) >= _SPOKEN_OF)


def _is_thing(term: str) -> bool:
    """Return whether *term* names a thing that can be talked of: no property, in Korean nouns only, in English a name."""
    if len(term) < 2 or is_attribute(term) or term.casefold() in _OF_THE_SHOW:
        return False
    if not has_hangul(term):
        return any(char.isupper() for char in term)
    return all(morpheme.tag in _NOUN_TAGS for morpheme in morphemes(term))
