"""What of a video is held against the web: the passages that its answer rests on."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.answering.passages import bearing, choose_passages
from search_core.answering.question_scorer import QuestionScorer
from search_core.domain import AnswerRecord, Question, Statement, TranscriptPassage


def statements_of(question: Question, answer: AnswerRecord | None, scorer: QuestionScorer) -> tuple[Statement, ...]:
    """Return the passages at the moments that *answer* cites; where it cites none, those of its passages that bear on *question*.

    Without an answer they are chosen from the video.
    Raises EmbeddingError when there is no answer and texts cannot be embedded.
    """
    if question.video is None:
        return ()
    if answer is None:
        chosen = bearing(choose_passages(scorer.asked(question), question.video, scorer))
    else:
        chosen = _cited(answer.passages, answer.moments) or bearing(answer.passages)
    in_order = sorted(chosen, key=lambda passage: passage.start_s)
    return tuple(Statement(passage.start_s, passage.end_s, passage.text) for passage in in_order)


def _cited(passages: Sequence[TranscriptPassage], moments: Sequence[float]) -> tuple[TranscriptPassage, ...]:
    """Return the passages in which *moments*, whole seconds, lie; a passage without an end in time is the one at its start."""
    return tuple(
        passage
        for passage in passages
        if any(int(passage.start_s) <= moment <= max(passage.start_s, passage.end_s) for moment in moments)
    )
