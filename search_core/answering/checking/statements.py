"""What of a video is held against the web: the passages that its answer rests on, sentence by sentence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate

from search_core.answering.comparison import Nearness, compare
from search_core.answering.passages import choose_passages, relevant_passages
from search_core.answering.question_scorer import QuestionScorer
from search_core.domain import (
    AnswerRecord,
    Comparison,
    Question,
    SearchResult,
    StanceRow,
    Statement,
    TranscriptPassage,
    VideoContext,
)


def passages_to_check(question: Question, answer: AnswerRecord | None, scorer: QuestionScorer) -> tuple[TranscriptPassage, ...]:
    """Return the passages at the moments that *answer* cites; where it cites none, those of its passages that bear on *question*.

    Without an answer they are chosen from the video. In the order in which they are said. Raises EmbeddingError when there is no
    answer and texts cannot be embedded.
    """
    if question.video is None:
        return ()
    if answer is None:
        chosen = relevant_passages(choose_passages(scorer.parse(question), question.video, scorer))
    else:
        chosen = _passages_at(answer.passages, answer.moments) or relevant_passages(answer.passages)
    return tuple(sorted(chosen, key=lambda passage: passage.start_s))


def compare_passages(
    passages: Sequence[TranscriptPassage],
    sources: Sequence[SearchResult],
    video: VideoContext,
    now: datetime,
    pages: Mapping[str, str],
    nearness: Nearness | None = None,
) -> Comparison:
    """Return how *sources* stand to what is said in *passages*; each row at the moment at which its own sentence begins."""
    statements = [Statement(passage.start_s, passage.end_s, passage.text) for passage in passages]
    compared = compare(statements, sources, video, now, pages, nearness)
    within = {passage.start_s: passage for passage in passages}
    return Comparison.of(
        (_at_its_moment(row, within[row.moment_s]) for row in compared.rows),
        unread_statements=compared.unread_statements,
        unread_sources=compared.unread_sources,
    )


def _passages_at(passages: Sequence[TranscriptPassage], moments: Sequence[float]) -> tuple[TranscriptPassage, ...]:
    """Return the passages in which one of *moments* lies; moments are whole seconds."""
    return tuple(
        passage
        for passage in passages
        if any(int(passage.start_s) <= moment <= max(passage.start_s, passage.end_s) for moment in moments)
    )


def _at_its_moment(row: StanceRow, passage: TranscriptPassage) -> StanceRow:
    texts = [" ".join(segment.text.split()) for segment in passage.segments]
    place = " ".join(texts).find(row.statement)
    if place < 0:
        return row
    begins = list(accumulate((len(text) + 1 for text in texts), initial=0))[:-1]
    return replace(row, moment_s=passage.segments[bisect_right(begins, place) - 1].start_s)
