"""A sample video, and what scores its passages."""

from __future__ import annotations

from search_core.answering.question_scorer import QuestionScorer
from search_core.domain import ConversationMemory, Question
from search_core.intent import QueryIntentAnalyzer
from search_core.query import QueryConstructor
from search_core.relevance import KiwiEmbedder, RelevanceFilter
from search_core.video import VideoContext, samples


def hbm() -> VideoContext:
    """Return the sample video about memory."""
    return next(video for video in samples() if video.video_id == "sample-hbm")


def scorer() -> QuestionScorer:
    """Return what scores by the embedded embedder."""
    return QuestionScorer(
        relevance=lambda: RelevanceFilter(KiwiEmbedder()), analyzer=QueryIntentAnalyzer(), constructor=QueryConstructor()
    )


def asking(text: str, video: VideoContext | None = None, *, earlier: tuple[str, ...] = ()) -> Question:
    """Return a question about *video*, after *earlier* ones."""
    return Question(text=text, video=video, memory=ConversationMemory.from_questions(earlier))
