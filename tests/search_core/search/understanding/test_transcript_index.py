"""Where in a transcript something is said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.understanding.transcript_index import TranscriptIndex
from search_core.video.subject import drop_embedder, use_embedder
from tests.search_core.video.test_subject import Failing

SAID = ("바다새는 벌레로 과자를 굽습니다.", "들꽃이라는 회사는 소 대신 콩을 씁니다.", "하늘소는 배를 만듭니다.")
TALK = VideoContext(transcript=tuple(TranscriptSegment(40 * n, 40 * n + 40, text) for n, text in enumerate(SAID)))
"""Three passages; each caption is long enough to be one."""
ENDS = [len(SAID[0]), len(SAID[0]) + 1 + len(SAID[1]), sum(map(len, SAID)) + 2]


class Placing:
    """Plays a model to which each passage is as near to any question as it is told."""

    name = "placing"

    def __init__(self, *near: float) -> None:
        self._near = dict(zip(SAID, near, strict=True))

    def embed(self, texts: Sequence[str], kind: str = "passage") -> NDArray[np.float32]:
        near = [self._near.get(text, 1.0) for text in texts]
        return np.array([[value, (1 - value**2) ** 0.5] for value in near], dtype=np.float32)


@pytest.mark.parametrize(
    ("near", "place"),
    [
        ((0.90, 0.84, 0.80), ENDS[0]),
        ((0.86, 0.84, 0.80), ENDS[0] + 8),
        ((0.80, 0.84, 0.90), ENDS[2]),
        (None, ENDS[0] + 8),
    ],
)
def test_what_a_question_describes_is_looked_for_by_meaning(near: tuple[float, ...] | None, place: int):
    """The nearest passage is meant, at its end; one that is at most .03 less near is if the words of the question are there.

    Without a model the place of the words is.
    """
    index = TranscriptIndex(TALK)
    embedder = Placing(*near) if near else None

    def current() -> Placing | None:
        return embedder

    use_embedder(current)
    try:
        assert index.place_described("곤충 과자를 파는 그 회사", ENDS[0] + 8) == place
    finally:
        drop_embedder(current)


def test_where_the_model_fails_the_words_tell(caplog: pytest.LogCaptureFixture):
    """The place of the words is taken, and the log says so without the question."""
    use_embedder(Failing)
    try:
        assert TranscriptIndex(TALK).place_described("곤충 과자를 파는 그 회사", 5) == 5
    finally:
        drop_embedder(Failing)
    assert "by words alone: the process has ended" in caplog.text
    assert "곤충" not in caplog.text
