"""A transcript in passages."""

from __future__ import annotations

from search_core.domain.video import TranscriptSegment
from search_core.video.passages import passages_of


def test_segments_are_gathered_to_about_45_seconds():
    """Ten segments of ten seconds make passages of four, four and two; untimed text is cut by length, and silence is left out."""
    segments = [TranscriptSegment(10 * n, 10 * n + 10, f"말 {n}") for n in range(10)]
    passages = passages_of(segments)
    assert [len(passage.segments) for passage in passages] == [4, 4, 2]
    assert [passage.start_s for passage in passages] == [0, 40, 80]
    assert passages[2].text == "말 8 말 9"
    untimed = passages_of([TranscriptSegment(0, 0, "가" * 250) for _ in range(5)])
    assert [len(passage.segments) for passage in untimed] == [2, 2, 1]
    assert passages_of([TranscriptSegment(0, 1, " "), TranscriptSegment(1, 2, "")]) == ()
