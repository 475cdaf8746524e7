"""Example questions about a video: what it says, and what there is on its subjects."""

from __future__ import annotations

from functools import lru_cache

from search_core.domain.video import VideoContext
from search_core.video import sample_questions
from search_core.video.subject import subject_of

WITHOUT_VIDEO = ("HBM과 GDDR의 차이는?", "훈민정음 해례본은 어디에 있나?", "제임스 웹 망원경은 왜 적외선으로 보나?")
MAX_EXAMPLES = 4
OF_WHOLE = "이 영상은 무슨 내용이야?"
_FORMS = ("{} 최근 소식은?", "{}에 대해 더 알려줘", "{} 관련 자료를 찾아줘")


@lru_cache(maxsize=16)  # pages ask at each drawing
def example_questions(video: VideoContext | None) -> tuple[str, ...]:
    """Return at most ``MAX_EXAMPLES`` Korean questions about *video*: on the whole of it, and on its subjects.

    A sample video has its own.
    """
    if video is None:
        return WITHOUT_VIDEO
    written = sample_questions(video.video_id) if video.sample else ()
    asked = (form.format(subject) for form, subject in zip(_FORMS, subject_of(video), strict=False))
    return written[:MAX_EXAMPLES] or (OF_WHOLE, *asked)
