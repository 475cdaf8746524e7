"""What the title of a video says it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from search_core.domain import VideoContext
from search_core.korean import has_hangul
from search_core.korean.wordlist import words as word_set
from search_core.query.phrases import Phrase, phrases
from search_core.query.presence import fold, holds

_FORMS = word_set(
    """
    강연 강의 대담 토론 토크 인터뷰 발표 세미나 특강 웨비나 팟캐스트 브이로그 리뷰 뉴스 속보 단독 다큐 다큐멘터리 예고편
    하이라이트 요약 해설 라이브 생방송 풀영상 모음 영상 keynote talk lecture interview podcast episode webinar review vlog
    documentary trailer highlights live explained tutorial sees looks inside
    """
)
"""Words for the kind of video, or for what it does; they say nothing of what it is about."""
_FILE_LIKE = re.compile(
    r"[\w.+-]*_[\w.+-]*|[a-z0-9.-]+|[\w-]+\.[a-z0-9]{2,4}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{11}"
)
"""One word with an underscore or an ending, all in small Latin letters, or shaped like a video id."""
_ADDRESS = re.compile(r"(?<!\S)\S*?(?:://|www\.)\S*", re.IGNORECASE)
MAX_SEGMENTS, MAX_SPOKEN_CHARS = 20_000, 400_000
"""What a title is looked for in: more than is spoken in eight hours, and searched in some milliseconds."""


def title_of(video: VideoContext) -> str:
    """Return the title of *video*, without addresses in it, or nothing when it is only the name of a file or an id."""
    title = _ADDRESS.sub(" ", video.title).strip()
    if video.title_is_file_name or title == video.video_id or (title.isascii() and _FILE_LIKE.fullmatch(title)):
        return ""
    return title


def title_terms(video: VideoContext, names: Iterable[str]) -> tuple[str, ...]:
    """Return the noun phrases of the title of *video* in order, without those that hold one of *names*."""
    title = title_of(video)
    known = [fold(name) for name in names]
    own = [phrase for phrase in phrases(title) if not any(name and name in fold(phrase.text) for name in known)]
    telling = [phrase for phrase in own if phrase.specific and not _is_form(phrase)]
    spoken = "\n".join((video.description, *(segment.text for segment in video.transcript[:MAX_SEGMENTS])))[:MAX_SPOKEN_CHARS]
    return tuple(_narrow(phrase.text, title, spoken) for phrase in telling or own)


def is_proper(term: str) -> bool:
    """Return whether *term* is written like a Latin name of several words ("James Webb Space Telescope")."""
    words = term.split()
    return len(words) > 1 and not has_hangul(term) and all(word[0].isupper() for word in words)


def _is_form(phrase: Phrase) -> bool:
    return all(word.casefold() in _FORMS for word in phrase.text.split())


def _narrow(phrase: str, title: str, spoken: str) -> str:
    """Return the part of a Latin *phrase* that is one thing: what *spoken* says together, else the name it holds.

    English titles run names and verbs together ("James Webb Space Telescope sees").
    """
    words = phrase.split()
    if has_hangul(phrase) or len(words) < 3:
        return phrase
    if not holds(spoken, phrase):
        for run in _runs(words):
            if holds(spoken, run):
                return run
    capital = [word[0].isupper() for word in words]
    if all(capital) or not any(word[0].islower() for word in title.split()):
        return phrase
    return next(filter(is_proper, _runs(words)), phrase)


def _runs(words: Sequence[str]) -> Iterator[str]:
    """Yield the runs of two words or more, but not of all, that *words* hold, longer ones first."""
    for size in range(len(words) - 1, 1, -1):
        for start in range(len(words) - size + 1):
            yield " ".join(words[start : start + size])
