"""Example questions about a video: what it says of its subjects."""

from __future__ import annotations

from functools import lru_cache

from search_core.domain import VideoContext
from search_core.video import sample_questions
from search_core.video.subject import subject_of

WITHOUT_VIDEO = ("HBM과 GDDR의 차이는?", "훈민정음 해례본은 어디에 있나?", "제임스 웹 망원경은 왜 적외선으로 보나?")
MAX_EXAMPLES = 4
VAGUE = "이 영상의 내용을 더 자세히"


@lru_cache(maxsize=16)  # pages ask at each drawing
def example_questions(video: VideoContext | None) -> tuple[str, ...]:
    """Return at most ``MAX_EXAMPLES`` Korean questions about *video*: on its subjects, and a vague one that needs it.

    A sample video has its own.
    """
    if video is None:
        return WITHOUT_VIDEO
    written = sample_questions(video.video_id) if video.sample else ()
    asked = (f"{subject}에 대해 뭐라고 하나?" for subject in subject_of(video)[: MAX_EXAMPLES - 1])
    return written[:MAX_EXAMPLES] or (*asked, VAGUE)
