"""The panel says where the transcript is from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import TranscriptOrigin, TranscriptSegment
from tests.app.core_double import HOSTILE, YOUTUBE


def opened(visit, **changes):
    here = visit()
    here.core.opened = replace(YOUTUBE, **changes)
    here.at.text_input(key="video-url").set_value("https://www.youtube.com/watch?v=dQw4w9WgXcQ")
    next(button for button in here.at.button if button.label == "열기").click()
    here.look()
    return here


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (TranscriptOrigin.AUTOMATIC, "자동 자막 · 영어"),
        (TranscriptOrigin.TRANSLATED, "기계 번역 자막 · 영어"),
        (TranscriptOrigin.UNKNOWN, "만든 방법을 모르는 자막 · 영어"),
    ],
)
def test_the_panel_says_where_the_transcript_is_from(visit, origin: TranscriptOrigin, words: str):
    """The words stand above the transcript of every video."""
    assert words in opened(visit, transcript_origin=origin).texts()


def test_the_name_of_a_model_is_no_markup(visit):
    """What a file says is its model is shown as it is."""
    here = opened(visit, transcript_origin=TranscriptOrigin.RECOGNITION, transcript_model=HOSTILE)
    captions = [caption.value for caption in here.at.caption if caption.value.startswith("음성 인식")]
    assert len(captions) == 1
    assert "![x](" not in captions[0]


def test_uncertain_lines_are_marked(visit):
    """A line that nobody may have said has its mark, the others have none."""
    spoken = (TranscriptSegment(0, 1, "네"), TranscriptSegment(1, 2, "감사합니다", uncertain=True))
    here = opened(visit, transcript=spoken)
    marked = [button.label for button in here.at.button if "음성 인식 불확실" in button.label]
    assert [("감사합니다" in label, "네" in label) for label in marked] == [(True, False)]


def test_prose_without_times_has_no_moments(visit):
    """Lines of pasted text are read, not clicked: no time stands before them."""
    here = opened(
        visit, transcript=(TranscriptSegment(0, 0, "매출이 늘었습니다."), TranscriptSegment(0, 0, "이익도 늘었습니다."))
    )
    assert "매출이 늘었습니다. 이익도 늘었습니다." in here.texts()
    assert "00:00" not in here.texts()
