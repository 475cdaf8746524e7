"""Where a video says what: the text around a moment, where words are said, and what is spoken of there."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from search_core.domain import VideoContext
from search_core.runtime import in_turns
from search_core.search.understanding.phrases import fold, holds
from search_core.text.entities import Entity, find_entities, translate_name
from search_core.text.korean import has_hangul
from search_core.text.words import stem
from search_core.video.discovery import tellers
from search_core.video.subject import COMMON, Term, rank_terms, runs_of, subject_of, telling_of, title_of

_BEFORE_S, _AFTER_S = 240.0, 120.0
"""Around a place a story may fill so much."""
_CLICKED_S, _ONE_LINE_S = 0.5, 15.0
"""A moment this near to the start of a caption is that of a line clicked; longer captions hold more than one."""
_KOREAN_RATE, _LATIN_RATE = 6.0, 15.0
"""Characters spoken in a second, where a transcript has no times."""
_SLICE_CHARS = 100_000
_MAX_HITS = 200
"""A word said more often than this is near everything."""
_BLOCK_S = 30.0
_LEAST_WORDS = 12
_ONE_SUBJECT, _MANY_SUBJECTS = 0.66, 0.5
"""How evenly the terms of a talk on one subject are spread over it, and those of a programme of several stories."""
_PARTS = 10
_PIECE = re.compile(r"(?<=[.?!])\s+|\n")

REPORTS = re.compile(r"\s?(?:기자|앵커|특파원|캐스터|아나운서|리포터)")
"""Behind the name of who tells the news."""
_SIGN_OFF = re.compile(r"(?:뉴스|[A-Za-z]{3})\s?[가-힣]{2,4}(?:입니다|이었습니다|였습니다)[.\s]")
"""Ends the story of a reporter: "KBS 뉴스 김채린입니다."."""


class TranscriptIndex:
    """Knows the words of one video by their places."""

    def __init__(self, video: VideoContext) -> None:
        """Read *video*; nothing is analysed before it is asked for."""
        self.video = video
        self.title = title_of(video)
        starts, length = [], 0
        for segment in video.transcript:
            starts.append(length)
            length += len(segment.text) + 1
        self.about = subject_of(video)
        self._starts = starts
        self.text = "\n".join(segment.text for segment in video.transcript)
        folded = self.text.lower()
        self._folded = folded if len(folded) == len(self.text) else self.text
        self._said: dict[str, tuple[int, ...]] = {}

    @cached_property
    def rate(self) -> float:
        """Return how many characters are spoken in a second."""
        end_s = self.video.transcript[-1].end_s if self.video.transcript else 0.0
        if end_s > 0:
            return min(30.0, max(2.0, len(self.text) / end_s))
        return _KOREAN_RATE if has_hangul(self.text[:2_000]) else _LATIN_RATE

    @cached_property
    def is_timed(self) -> bool:
        """Return whether the video says when things are said."""
        return bool(self.text) and self.video.timed

    def position_at(self, moment_s: float) -> int:
        """Return where in ``text`` the video is at *moment_s*; within a caption in proportion to its time.

        At its very beginning it is where the caption ends: whoever clicks a line has read it.
        """
        place = bisect.bisect_right(self.video.transcript, moment_s, key=lambda segment: segment.start_s) - 1
        if place < 0:
            return 0
        segment = self.video.transcript[place]
        long_s, into_s = segment.end_s - segment.start_s, moment_s - segment.start_s
        clicked = into_s < _CLICKED_S and long_s < _ONE_LINE_S
        share = 1.0 if clicked or long_s <= 0 else min(1.0, into_s / long_s)
        return self._starts[place] + round(len(segment.text) * share)

    def places(self, term: str) -> tuple[int, ...]:
        """Return where in ``text`` *term* is said, in either script, at most 200 of them; Latin words only as whole ones."""
        found = self._said.get(term)
        if found is None:
            other = translate_name(term)
            found = tuple(sorted({*self._places(term), *(self._places(other) if other else ())}))
            self._said[term] = found
        return found

    def _places(self, term: str) -> Iterable[int]:
        wanted = term.lower()
        found: list[int] = []
        for begin in in_turns(range(0, len(self._folded), _SLICE_CHARS)):  # one search of all would hold up other threads
            end = begin + _SLICE_CHARS + len(wanted) - 1
            at = self._folded.find(wanted, begin, end)
            while at >= 0 and len(found) < _MAX_HITS:
                if has_hangul(wanted) or self._stands_alone(at, at + len(wanted)):
                    found.append(at)
                at = self._folded.find(wanted, at + len(wanted), end)
        return found

    def _stands_alone(self, start: int, end: int) -> bool:
        around = self._folded[max(0, start - 1) : start] + self._folded[end : end + 1]
        return not any(letter.isascii() and letter.isalnum() for letter in around)

    def distances(self, term: str, centre: int) -> tuple[float, float]:
        """Return how many seconds before and behind *centre* the nearest mention of *term* is; infinite where there is none."""
        places = self.places(term)
        at = bisect.bisect_right(places, centre)
        before = (centre - places[at - 1]) / self.rate if at else math.inf
        after = (places[at] - centre) / self.rate if at < len(places) else math.inf
        return before, after

    def lead(self, term: str, centre: int) -> float:
        """Return how many seconds into the story at *centre* *term* is first said; infinite where it is not."""
        start, end = self.story_at(centre)
        places = self.places(term)
        first = bisect.bisect_left(places, start)
        return (places[first] - start) / self.rate if first < len(places) and places[first] < end else math.inf

    def says(self, term: str) -> bool:
        """Return whether title, description or transcript hold *term*."""
        return bool(self.places(term)) or holds(f"{self.title}\n{self.video.description}", term)

    def bearing(self, terms: Sequence[tuple[str, float]]) -> int | None:
        """Return the place that says most of *terms*, given with their weights; None where none is said, or all is everywhere."""
        hits = [(place, weight, term) for term, weight in terms for place in self.places(term)]
        if not hits or len(hits) >= _MAX_HITS * len(terms):
            return None
        hits.sort()

        def worth(place: int) -> float:
            near: dict[str, float] = {}
            for other, weight, term in hits[bisect.bisect_left(hits, (place - 150,)) : bisect.bisect_right(hits, (place + 150,))]:
                near[term] = max(near.get(term, 0.0), weight * math.exp(-abs(other - place) / 150))
            return sum(near.values())

        return max((place for place, _, _ in hits), key=worth)

    def stretch(self, centre: int, before_s: float = _BEFORE_S, after_s: float = _AFTER_S) -> tuple[str, int]:
        """Return the text around *centre*, cut at white space and where a reporter signs off, and where it begins."""
        start = max(0, centre - round(before_s * self.rate))
        end = min(len(self.text), centre + round(after_s * self.rate))
        for sign_off in _SIGN_OFF.finditer(self.text, start, end):
            if sign_off.end() <= centre:
                start = sign_off.end()
            else:
                end = sign_off.end()
                break
        while start > 0 and not self.text[start - 1].isspace() and start < centre:
            start += 1
        while end < len(self.text) and not self.text[end].isspace():
            end += 1
        return self.text[start:end], start

    @lru_cache(maxsize=64)  # noqa: B019  an index lives among the latest eight
    def story_at(self, centre: int) -> tuple[int, int]:
        """Return where the story at *centre* begins and ends: at a sign-off, and where no word goes on from what was said before.

        That is TextTiling (Hearst 1997) with blocks of half a minute.
        """
        text, start = self.stretch(centre)
        pieces = list(_pieces(text))
        said = [
            {stem(word) for run in runs_of(text[begin:end]) for word in run if telling_of(word) >= COMMON}
            for begin, end in pieces
        ]
        block = _BLOCK_S * self.rate
        first, last = 0, len(text)
        for place in range(1, len(pieces)):
            at = pieces[place][0]
            before = [said[i] for i in range(place) if at - pieces[i][1] < block]
            after = [said[i] for i in range(place, len(pieces)) if pieces[i][0] - at < block]
            enough = sum(map(len, before)) + sum(map(len, after)) >= _LEAST_WORDS
            if enough and set().union(*before).isdisjoint(set().union(*after)):
                if at <= centre - start:
                    first = at
                else:
                    last = at
                    break
        return start + first, start + last

    @lru_cache(maxsize=64)  # noqa: B019  an index lives among the latest eight
    def terms_around(self, centre: int, fade_s: float) -> tuple[Term, ...]:
        """Return what is spoken of around *centre*; after *fade_s* a mention counts a third of one at the place itself."""
        start, end = self.story_at(centre)
        text = self.text[start:end]
        pieces, counts = [], []
        for begin, stop in _pieces(text):
            pieces.append(text[begin:stop])
            away = max(0.0, start + begin - centre, centre - start - stop)
            counts.append(math.exp(-away / (fade_s * self.rate)))
        return rank_terms(pieces, counts=counts, left_out=self._of_the_show)

    @lru_cache(maxsize=64)  # noqa: B019  an index lives among the latest eight
    def names_around(self, centre: int) -> Mapping[str, Entity]:
        """Return the names said in the story at *centre* by ``fold``, without those of who reports it."""
        start, end = self.story_at(centre)
        text = self.text[start:end].replace("\n", " ")
        return {
            fold(entity.text): entity
            for entity in find_entities(text)
            if not REPORTS.match(text, entity.end) and not any(entity.text in name for name in self._of_the_show)
        }

    @cached_property
    def _of_the_show(self) -> tuple[str, ...]:
        return (self.video.channel, *tellers(self.text))

    @cached_property
    def stories(self) -> float:
        """Return how far the video is a programme of several stories, in [0, 1]: its chief terms stand in few parts of it."""
        evenly, weights = 0.0, 0.0
        for rank, term in enumerate((*self.about, *self.video.key_terms)):
            places = self.places(term)
            if len(places) > 1:
                parts = len({place * _PARTS // len(self.text) for place in places})
                weight = 1 / (3 + rank)
                evenly += weight * parts / min(len(places), _PARTS)
                weights += weight
        spread = evenly / weights if weights else _ONE_SUBJECT
        return min(1.0, max(0.0, (_ONE_SUBJECT - spread) / (_ONE_SUBJECT - _MANY_SUBJECTS)))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences, or the captions, of *text* stand."""
    at = 0
    for gap in (*_PIECE.finditer(text), None):
        end = gap.start() if gap else len(text)
        if text[at:end].strip():
            yield at, end
        at = gap.end() if gap else end


@lru_cache(maxsize=8)
def index_of(video: VideoContext) -> TranscriptIndex:
    """Return the index of *video*, built once while it is among the latest."""
    return TranscriptIndex(video)
