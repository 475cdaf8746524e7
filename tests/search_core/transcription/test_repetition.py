"""Loops of a recogniser, and speech that only sounds like one."""

from __future__ import annotations

import pytest

from search_core.domain import TranscriptSegment, UncertainReason, UncertainStretch
from search_core.transcription.repetition import Loop, collapse, find_loops


def segments(*texts: str) -> list[TranscriptSegment]:
    """Return segments of two seconds each, one after another."""
    return [TranscriptSegment(2.0 * at, 2.0 * at + 2.0, text) for at, text in enumerate(texts)]


def test_the_same_segment_over_and_over_is_a_loop():
    """Five times the same sentence after a first one: told once, and the ten seconds are doubtful."""
    said = segments("시작합니다.", *["구독과 좋아요 부탁드립니다."] * 5, "끝입니다.")
    assert find_loops(said) == [Loop(1, 5, 1)]
    kept, doubts = collapse(said)
    assert [each.text for each in kept] == ["시작합니다.", "구독과 좋아요 부탁드립니다.", "끝입니다."]
    assert doubts == (UncertainStretch(2.0, 12.0, UncertainReason.REPEATED),)


def test_rounds_are_a_loop_across_and_within_segments():
    """Two sentences in turn, four times over, are told once each; inside one segment the round stands once among the rest."""
    kept, _ = collapse(segments(*["그래서 이제", "어떻게 될까요"] * 4))
    assert [each.text for each in kept] == ["그래서 이제", "어떻게 될까요"]
    kept, doubts = collapse(segments("자, " + "감사합니다. " * 8 + "다음으로 가죠."))
    assert kept[0].text == "자, 감사합니다 다음으로 가죠."
    assert doubts == (UncertainStretch(0.0, 2.0, UncertainReason.REPEATED),)


@pytest.mark.parametrize(
    "texts",
    [
        ("네.", "네.", "네.", "네.", "네."),
        ("하하하하하", "맞아요, 맞아요, 맞아요.", "네, 네, 네."),
        ("메모리가 중요합니다.", "메모리가 중요합니다.", "메모리가 중요합니다."),
        ("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",),
        ("",),
        (),
    ],
)
def test_what_people_say_is_no_loop(texts: tuple[str, ...]):
    """Assent, laughter, saying something three times and counting stay as they are."""
    said = segments(*texts)
    assert collapse(said) == (tuple(said), ())
