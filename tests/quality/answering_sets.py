"""Viewers' questions about videos and when these answer them: for learning which sentences answer, and for measuring it.

Written for this project (``data/answering_sentences``), about the videos of ``viewer_sets``. Where a video says what answers is
given in seconds, so that no text of it stands here and it may be cut into other sentences. About a quarter of the questions ask
what would fit the subject and is not said; the news and talks were read to their end for that, of WWDC videos the part that is
asked about, the rest searched for the words.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from search_core.domain.video import VideoContext
from search_core.video.sentences import SpokenSentence
from tests.quality.scope import ALL, Scope
from tests.quality.sets import read_rows
from tests.quality.viewer_sets import is_written, video_of

Spans = tuple[tuple[float, float], ...]
"""Whence and until when something is said, in seconds."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question about a video, and when the video answers it."""

    video_name: str
    moment_s: float | None
    text: str
    essential: Spans
    """What is said in any of these answers by itself, or comes nearest to it; empty where the video has no answer."""
    helpful: Spans
    """What is worth reading besides: what the answer is about, or more of it."""
    answer: str
    kind: str
    """One of value, time, person, place, reason, how, what, yesno and whole."""
    mood: str
    """One of plain, casual, word, typo and english."""

    @property
    def video(self) -> VideoContext:
        """Return the video that is asked about, as it is opened."""
        return video_of(self.video_name)

    @property
    def kept_aside(self) -> bool:
        """Return whether this is measured by and not learnt from; what is asked of a third of the videos is, in any language."""
        return zlib.crc32(self.video_name.removesuffix(":ko").removesuffix(":en").encode()) % 3 == 0


def answered_questions(scope: Scope = ALL) -> list[AnsweredQuestion]:
    """Return the questions of *scope*."""
    return [
        AnsweredQuestion(
            row["video"],
            row.get("moment_s"),
            row["question"],
            tuple((start_s, end_s) for start_s, end_s in row["essential"]),
            tuple((start_s, end_s) for start_s, end_s in row["helpful"]),
            row.get("answer", ""),
            row["kind"],
            row["mood"],
        )
        for row in read_rows("answering_sentences")
        if scope.reads_development or is_written(row["video"])
    ]


def said_within(spans: Spans, sentences: Sequence[SpokenSentence]) -> list[int]:
    """Return which of *sentences* are said in *spans*: those that share more than half of the shorter of the two with one."""
    return [
        place
        for place, sentence in enumerate(sentences)
        if any(
            _shared(sentence, start_s, end_s) > min(sentence.end_s - sentence.start_s, end_s - start_s) / 2
            for start_s, end_s in spans
        )
    ]


def _shared(sentence: SpokenSentence, start_s: float, end_s: float) -> float:
    return min(sentence.end_s, end_s) - max(sentence.start_s, start_s)
