"""What a video can add to a query, and which of it is near a question."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from search_core.domain import PartOrigin, QueryPart, VideoContext
from search_core.runtime import in_turns
from search_core.search.query.phrases import fold, holds, phrases
from search_core.text.entities import EntityMatcher
from search_core.text.korean import has_hangul
from search_core.text.korean.wordlist import words as word_set

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
MAX_ELEMENT_CHARS = 60
"""Longer names are sentences; they would crowd out the question."""
_MANY_MENTIONS = 20
_SLICE_CHARS = 100_000
_MAX_TERM_HITS = 200
"""A word said more often than this is near everything."""
NAMED = (PartOrigin.SPEAKER, PartOrigin.ORGANIZATION, PartOrigin.EVENT)


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
    telling = [each for each in own if each.specific and not all(word.casefold() in _FORMS for word in each.text.split())]
    spoken = "\n".join((video.description, *(segment.text for segment in video.transcript[:MAX_SEGMENTS])))[:MAX_SPOKEN_CHARS]
    return tuple(_narrow(phrase.text, title, spoken) for phrase in telling or own)


def is_proper(term: str) -> bool:
    """Return whether *term* is written like a Latin name of several words ("James Webb Space Telescope")."""
    words = term.split()
    return len(words) > 1 and not has_hangul(term) and all(word[0].isupper() for word in words)


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


@dataclass(frozen=True, slots=True)
class ContextElement:
    """One thing the video can add to a query."""

    text: str
    origin: PartOrigin
    mentions: tuple[int, ...]
    """Positions of the transcript segments that hold it, in order."""
    in_title: bool
    rank: int
    """Position in the list the video gives, from 0."""

    @property
    def salience(self) -> float:
        """Return how much the video is about it, in [0, 1]."""
        frequency = min(1.0, math.log1p(len(self.mentions)) / math.log1p(_MANY_MENTIONS))
        named = 0.3 * (self.origin is PartOrigin.TITLE and is_proper(self.text))  # titles name in full what is said in short
        return min(1.0, 0.45 * frequency + 0.4 * self.in_title + 0.15 / (1 + self.rank) + named)


def query_parts(elements: Iterable[ContextElement]) -> tuple[QueryPart, ...]:
    """Return *elements* as parts of a query."""
    return tuple(QueryPart(element.text, element.origin) for element in elements)


class VideoIndex:
    """Knows the elements of one video and where its transcript speaks of what."""

    def __init__(self, video: VideoContext) -> None:
        self.video = video
        starts, pieces, length = [], [], 0
        for segment in video.transcript:
            starts.append(length)
            pieces.append(segment.text.casefold())
            length += len(pieces[-1]) + 1
        self._starts = starts
        self._text = "\n".join(pieces)
        self._title = title_of(video)
        self.elements = tuple(self._elements())

    def held_in(self, text: str) -> tuple[ContextElement, ...]:
        """Return the elements that *text* holds as written or in the other script ("엔비디아", "NVIDIA")."""
        folded, found = fold(text), set(self._matcher.find_in(text))
        return tuple(
            element
            for element in self.elements
            if element.text in found or (fold(element.text) in folded and holds(text, element.text))
        )

    @cached_property
    def _matcher(self) -> EntityMatcher:
        return EntityMatcher(element.text for element in self.elements)

    def by_salience(self, *origins: PartOrigin) -> tuple[ContextElement, ...]:
        """Return the elements of these origins, most salient first."""
        wanted = origins or NAMED
        return tuple(sorted((e for e in self.elements if e.origin in wanted), key=lambda e: (-e.salience, e.rank)))

    def topic(self) -> tuple[ContextElement, ...]:
        """Return what the video is about: its title's first phrases, else its key terms."""
        return self.by_salience(PartOrigin.TITLE) or self.by_salience(PartOrigin.TRANSCRIPT)

    def beside(self, element: ContextElement, head: str) -> bool:
        """Return whether title, description or transcript write *head* right after the element ("박하늘 감독")."""
        pattern = re.compile(rf"{re.escape(element.text.casefold())}\s*{re.escape(head.casefold())}")
        return any(pattern.search(text) for text in (self._title.casefold(), self.video.description.casefold(), self._text))

    def places(self, term: str) -> list[int]:
        """Return the segments that hold *term*, in order, each once."""
        found: list[int] = []
        wanted = term.casefold()
        stem = wanted[:-1] if wanted.endswith("다") and len(wanted) > 2 else wanted
        at = self._find(stem, 0)
        while at >= 0 and len(found) < _MAX_TERM_HITS:
            place = bisect.bisect_right(self._starts, at) - 1
            if not found or found[-1] != place:
                found.append(place)
            at = self._find(stem, at + len(stem))
        return found

    def _find(self, stem: str, start: int) -> int:
        """Return where *stem* stands next from *start* on, or -1; a search in all of a long text would hold up other threads."""
        for begin in in_turns(range(start, len(self._text), _SLICE_CHARS)):
            at = self._text.find(stem, begin, begin + _SLICE_CHARS + len(stem) - 1)
            if at >= 0:
                return at
        return -1

    def _elements(self) -> Iterable[ContextElement]:
        video, taken = self.video, [""]
        for origin, names in (
            (PartOrigin.SPEAKER, video.speakers),
            (PartOrigin.ORGANIZATION, video.organizations),
            (PartOrigin.EVENT, video.events),
            (PartOrigin.TITLE, title_terms(video, (*video.speakers, *video.organizations, *video.events))),
            (PartOrigin.TRANSCRIPT, video.key_terms),
        ):
            for rank, name in enumerate(names):
                text = " ".join(name.split())
                folded = fold(text)
                if folded in taken or len(text) > MAX_ELEMENT_CHARS:
                    continue
                taken.append(folded)
                in_title = origin is PartOrigin.TITLE or holds(self._title, text)
                yield ContextElement(text, origin, tuple(self.places(text)), in_title, rank)


@lru_cache(maxsize=8)
def index_of(video: VideoContext) -> VideoIndex:
    """Return the index of *video*, built once while it is among the latest."""
    return VideoIndex(video)
