"""Finds the text around a moment of a video, and the places of words in its transcript."""

from __future__ import annotations

import bisect
import logging
import math
import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from search_core.domain.video import TranscriptPassage, VideoContext
from search_core.errors import EmbeddingError
from search_core.language.entities import translate_name
from search_core.language.korean import has_hangul
from search_core.language.vectors import Embedder, Vectors
from search_core.runtime import in_turns
from search_core.search.understanding.phrases import holds
from search_core.video.discovery import tellers
from search_core.video.passages import passages_of
from search_core.video.subject import current_embedder, names_programme, subject_of, title_of

logger = logging.getLogger(__name__)

_CLICKED_S, _ONE_LINE_S = 0.5, 15.0
"""A moment within this many seconds of a caption's start is a click on its line, if the caption is at most this long."""
_KOREAN_RATE, _LATIN_RATE = 6.0, 15.0
"""Characters spoken in a second, where a transcript has no times."""
_SLICE_CHARS = 100_000
_MAX_HITS = 200
"""Most places of a word that are looked up; a word said more often does not help to find a place."""
_NEAR = 150
"""Distance in characters within which words count as one passage."""
_NEARER = 0.03
"""How much nearer in meaning another passage must be than the one in which the words of a description are said."""
_ONE_SUBJECT, _MANY_SUBJECTS = 0.66, 0.5
"""How evenly main terms are spread (1: over all parts) in a talk on one subject, and in a programme of several stories."""
_PARTS = 10

REPORTS = re.compile(r"\s?(?:기자|앵커|특파원|캐스터|아나운서|리포터)")
"""Words after a news reporter's name."""
SIGN_OFF = re.compile(
    r"(?:뉴스|방송|[A-Za-z]{3})\s?[가-힣]{2,4}(?:입니다|이었습니다|였습니다)[.\s]"
    r"|에서 [가-힣]{2,4}[이가] 전해 ?드(?:렸습|립)니다[.\s]"
)
"""Ends the story of a reporter: "KBS 뉴스 김채린입니다.", "부산에서 김채린이 전해드렸습니다."."""
_HANDS_OVER = re.compile(
    r"[가-힣]{2,4}\s?(?:기자|특파원)(?:입니다|의 보도|가 (?:보도|취재|전해|전합|알아|다녀|살펴|정리)|,? (?:전해|나와|어서))"
)
"""Words with which a presenter gives the word to a reporter: the sentences before it say what the story is about."""
_LEAD_S, _REPORT_S, _SHORT_S = 25.0, 180.0, 60.0
"""Longest lead of a story, longest story that a reporter tells, and longest one that the presenter alone tells, in seconds."""
_SEVERAL = 0.5
"""From this likelihood on a video counts as one of several stories."""
_SEVERAL_REPORTS = 3
"""A video with as many different sign-offs has several stories, however evenly its terms are spread."""


class TranscriptIndex:
    """An index of the words of one video."""

    def __init__(self, video: VideoContext) -> None:
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
        self._vectors: dict[str, Vectors] = {}
        """Of the passages, by the name of the embedder."""

    @cached_property
    def rate(self) -> float:
        """Return the number of characters spoken in a second."""
        end_s = self.video.transcript[-1].end_s if self.video.transcript else 0.0
        if end_s > 0:
            return min(30.0, max(2.0, len(self.text) / end_s))
        return _KOREAN_RATE if has_hangul(self.text[:2_000]) else _LATIN_RATE

    def position_at(self, moment_s: float | None) -> int | None:
        """Return the position in ``text`` at *moment_s*; None without a moment, or for a video without times.

        Within a caption the position is in proportion to the time. At the very beginning of a caption it is the caption's end,
        because a visitor who clicks a line has read it.
        """
        if moment_s is None or not self.text or not self.video.timed:
            return None
        place = bisect.bisect_right(self.video.transcript, moment_s, key=lambda segment: segment.start_s) - 1
        if place < 0:
            return 0
        segment = self.video.transcript[place]
        long_s, into_s = segment.end_s - segment.start_s, moment_s - segment.start_s
        clicked = into_s < _CLICKED_S and long_s < _ONE_LINE_S
        share = 1.0 if clicked or long_s <= 0 else min(1.0, into_s / long_s)
        return self._starts[place] + round(len(segment.text) * share)

    def places(self, term: str) -> tuple[int, ...]:
        """Return the positions of *term* in ``text``, in either script, at most 200; Latin words only as whole ones."""
        positions = self._said.get(term)
        if positions is None:
            other = translate_name(term)
            positions = tuple(sorted({*self._places(term), *(self._places(other) if other else ())}))
            self._said[term] = positions
        return positions

    def _places(self, term: str) -> Iterable[int]:
        folded = term.lower()
        positions: list[int] = []
        for begin in in_turns(range(0, len(self._folded), _SLICE_CHARS)):  # one search of all would hold up other threads
            end = begin + _SLICE_CHARS + len(folded) - 1
            at = self._folded.find(folded, begin, end)
            while at >= 0 and len(positions) < _MAX_HITS:
                if has_hangul(folded) or self._stands_alone(at, at + len(folded)):
                    positions.append(at)
                at = self._folded.find(folded, at + len(folded), end)
        return positions

    def _stands_alone(self, start: int, end: int) -> bool:
        around = self._folded[max(0, start - 1) : start] + self._folded[end : end + 1]
        return not any(letter.isascii() and letter.isalnum() for letter in around)

    def says(self, term: str) -> bool:
        """Return whether title, description or transcript contain *term*."""
        return bool(self.places(term)) or holds(f"{self.title}\n{self.video.description}", term)

    def bearing(self, terms: Sequence[tuple[str, float]]) -> int | None:
        """Return the position of the passage with most of *terms*, which are given with weights.

        None if no term is said, or each is said too often to tell.
        """
        hits = [(place, weight, term) for term, weight in terms for place in self.places(term)]
        if not hits or len(hits) >= _MAX_HITS * len(terms):
            return None
        hits.sort()

        def near(place: int) -> dict[str, tuple[float, int]]:
            first, last = bisect.bisect_left(hits, (place - _NEAR,)), bisect.bisect_right(hits, (place + _NEAR,))
            nearest: dict[str, tuple[float, int]] = {}
            for other, weight, term in hits[first:last]:
                nearest[term] = max(nearest.get(term, (0.0, 0)), (weight * math.exp(-abs(other - place) / _NEAR), other))
            return nearest

        best = max((near(place) for place, _, _ in hits), key=lambda nearest: sum(worth for worth, _ in nearest.values()))
        return max(place for _, place in best.values())

    def place_described(self, description: str, said: int | None) -> int | None:
        """Return the place of the passage nearest in meaning to *description*, its end unless *said* is in it.

        *said*, the place of its words, is returned if its passage is about as near, or without a model.
        """
        embedder = current_embedder()
        if embedder is None or not self._passage_ends:
            return said
        try:
            near = self._vectors_by(embedder) @ embedder.embed([description], "query")[0]
        except EmbeddingError as error:
            logger.warning("What a question describes is found by words alone: %s", error)
            return said
        holding = len(near) if said is None else bisect.bisect_left(self._passage_ends, said)
        near[holding : holding + 1] += _NEARER
        best = int(near.argmax())
        return said if best == holding else self._passage_ends[best]

    @cached_property
    def _passages(self) -> tuple[TranscriptPassage, ...]:
        return passages_of(self.video.transcript)

    @cached_property
    def _passage_ends(self) -> list[int]:
        """Return the end of each passage in ``text``, in order."""
        placed = zip(self.video.transcript, self._starts, strict=True)
        ends = {id(segment): start + len(segment.text) for segment, start in placed}
        return [ends[id(passage.segments[-1])] for passage in self._passages]

    def _vectors_by(self, embedder: Embedder) -> Vectors:
        if embedder.name not in self._vectors:
            self._vectors[embedder.name] = embedder.embed([passage.text for passage in self._passages])
        return self._vectors[embedder.name]

    def stretch(self, centre: int, before_s: float, after_s: float) -> tuple[str, int]:
        """Return the text around *centre* and its start; it begins with its story's lead and ends where a reporter signs off."""
        lead = self.lead_at(centre) or (centre, centre)
        start = max(0, min(lead[0], centre - round(before_s * self.rate)))
        end = min(len(self.text), centre + round(after_s * self.rate))
        for sign_off in SIGN_OFF.finditer(self.text, start, end):
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

    def lead_at(self, centre: int) -> tuple[int, int] | None:
        """Return the start and end of the lead of the news story at *centre*: what the presenter says before the report.

        None where nobody signs off before *centre* and no reporter is announced.
        """
        earliest = max(0, centre - round(_REPORT_S * self.rate))
        opens = max((found.end() for found in SIGN_OFF.finditer(self.text, earliest, centre)), default=None)
        handed_over = [found.start() for found in _HANDS_OVER.finditer(self.text, opens or earliest, centre)]
        longest = round(_LEAD_S * self.rate)
        if handed_over:
            return max(opens or 0, handed_over[-1] - longest), handed_over[-1]
        if opens is None or centre - opens > round(_SHORT_S * self.rate):
            return None
        return opens, opens + longest

    @cached_property
    def _of_the_show(self) -> tuple[str, ...]:
        """Return names that no question is about: reporters, and the channel unless it is a firm that presents itself."""
        return (*(() if self.presents_itself else (self.video.channel,)), *tellers(self.text))

    @cached_property
    def presents_itself(self) -> bool:
        """Return whether the channel is a firm that talks about itself, rather than a broadcaster."""
        channel = self.video.channel
        return holds(self.title, channel) and bool(self.places(channel)) and not SIGN_OFF.search(self.text)

    def tells(self, name: str) -> bool:
        """Return whether *name* is a reporter or presenter of the video (with a title or without), or its channel."""
        told_by = any(name in teller for teller in self._of_the_show) or not {*name.split()}.isdisjoint(self._of_the_show)
        return told_by or any(map(names_programme, name.split()))

    @cached_property
    def stories(self) -> float:
        """Return how likely the video has several stories, like a news programme, in [0, 1].

        It has if three reporters sign off, or if each of its main terms is said in a few parts only.
        """
        if len({*SIGN_OFF.findall(self.text)}) >= _SEVERAL_REPORTS:
            return 1.0
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

    @property
    def has_several_stories(self) -> bool:
        """Return whether the video is taken for one of several stories, so that title and subject are not those of all."""
        return self.stories >= _SEVERAL


@lru_cache(maxsize=8)
def index_of(video: VideoContext) -> TranscriptIndex:
    """Return the index of *video*, cached while it is recent."""
    return TranscriptIndex(video)
