"""Moments that recognisers tell, put right."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import RecognizedSegment, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.transcription.moments import mend_moments


@pytest.mark.parametrize(
    ("start_s", "end_s"), [(500.0, 501.0), (math.nan, 4.0), (4.0, math.inf), (-50.0, -49.0), (4.0, 3.0), (9.5, 9.9)]
)
def test_a_wrong_moment_gives_way_to_its_neighbours(start_s: float, end_s: float):
    """Between two segments that are right, the wrong one takes the time they leave, and is doubtful."""
    heard = [RecognizedSegment(1.0, 3.0, "하나"), RecognizedSegment(start_s, end_s, "둘"), RecognizedSegment(6.0, 8.0, "셋")]
    segments, doubts = mend_moments(heard, 10.0)
    assert segments[1] == TranscriptSegment(3.0, 6.0, "둘")
    assert doubts == (UncertainStretch(3.0, 6.0, UncertainReason.MOMENTS),)


def test_several_wrong_ones_share_the_time_by_their_letters():
    """Two letters get twice the time of one."""
    heard = [RecognizedSegment(0.0, 1.0, "하나"), RecognizedSegment(99.0, 99.0, "가나"), RecognizedSegment(99.0, 99.0, "다")]
    segments, _ = mend_moments(heard, 10.0)
    assert segments[1:] == (TranscriptSegment(1.0, 7.0, "가나"), TranscriptSegment(7.0, 10.0, "다"))


def test_overlapping_segments_end_where_the_next_begins():
    """An end beyond the next beginning is cut, and nothing else is changed."""
    heard = [RecognizedSegment(0.0, 5.0, "하나"), RecognizedSegment(3.0, 6.0, "둘")]
    assert mend_moments(heard, 10.0) == ((TranscriptSegment(0.0, 3.0, "하나"), TranscriptSegment(3.0, 6.0, "둘")), ())


@given(
    st.lists(st.tuples(st.floats(), st.floats(), st.text("가나다 ", min_size=1, max_size=5)), max_size=12),
    st.floats(min_value=0.5, max_value=600.0),
)
def test_whatever_is_told_comes_out_in_order(told: list[tuple[float, float, str]], length_s: float):
    """Every text is there once, in its order, with finite beginnings that never go back."""
    segments, _ = mend_moments([RecognizedSegment(*each) for each in told], length_s)
    assert [each.text for each in segments] == [text for _, _, text in told]
    starts = [each.start_s for each in segments]
    assert starts == sorted(starts)
    assert all(math.isfinite(each.end_s) and each.start_s >= 0.0 for each in segments)
    assert all(each.end_s > each.start_s for each in segments)
