"""What was recognised, put in order, with its doubts."""

from __future__ import annotations

import math

import pytest

from search_core.domain import RecognizedSegment, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.speech.cutting import TimeSpan
from search_core.speech.recognised import Recognised, put_in_order, read_segments


def read(*segments: RecognizedSegment, silences: tuple[TimeSpan, ...] = (), speech: tuple[TimeSpan, ...] = ()) -> Recognised:
    return read_segments(segments, silences=silences, speech=speech, unheard_s=5.0)


def said(*texts: str) -> list[RecognizedSegment]:
    """Return segments of two seconds each, one after another."""
    return [RecognizedSegment(2.0 * at, 2.0 * at + 2.0, text) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("start_s", "end_s"), [(500.0, 501.0), (math.nan, 4.0), (4.0, math.inf), (-50.0, -49.0), (4.0, 3.0), (0.5, 0.9)]
)
def test_a_wrong_moment_makes_all_unusable(start_s: float, end_s: float):
    """Beyond the sound, before the segment in front, no number: none of the moments is taken."""
    heard = [RecognizedSegment(1.0, 3.0, "하나"), RecognizedSegment(start_s, end_s, "둘"), RecognizedSegment(6.0, 8.0, "셋")]
    assert put_in_order(heard, 10.0) is None


def test_moments_that_are_all_the_same_are_none():
    """A server that tells 0 for each tells nothing; a single segment may begin at 0."""
    assert put_in_order([RecognizedSegment(0.0, 0.0, "하나"), RecognizedSegment(0.0, 0.0, "둘")], 10.0) is None
    assert put_in_order([RecognizedSegment(0.0, 4.0, "하나")], 10.0) == (RecognizedSegment(0.0, 4.0, "하나"),)


def test_overlapping_segments_end_where_the_next_begins():
    """An end beyond the next beginning or the sound is cut, a beginning just before it is 0, and nothing else is changed."""
    heard = [RecognizedSegment(-0.5, 5.0, "하나"), RecognizedSegment(3.0, 10.5, "둘", unlikely=True)]
    assert put_in_order(heard, 10.0) == (RecognizedSegment(0.0, 3.0, "하나"), RecognizedSegment(3.0, 10.0, "둘", unlikely=True))


def test_words_that_the_recogniser_gives_little_probability_are_doubtful():
    """What the recogniser calls unlikely is marked, and nothing beside it."""
    found = read(
        RecognizedSegment(0.0, 2.0, "하나"), RecognizedSegment(2.0, 4.0, "둘", unlikely=True), RecognizedSegment(4.0, 6.0, "셋")
    )
    assert found.doubts == (UncertainStretch(2.0, 4.0, UncertainReason.UNLIKELY),)


def test_the_same_segment_over_and_over_is_told_once():
    """Five times the same sentence after a first one: told once, and the ten seconds are doubtful."""
    found = read(*said("시작합니다.", *["구독과 좋아요 부탁드립니다."] * 5, "끝입니다."))
    assert [each.text for each in found.segments] == ["시작합니다.", "구독과 좋아요 부탁드립니다.", "끝입니다."]
    assert found.doubts == (UncertainStretch(2.0, 12.0, UncertainReason.REPEATED),)


@pytest.mark.parametrize("texts", [("네.", "네.", "네.", "네.", "네."), ("메모리가 중요합니다.",) * 3, ("",), ()])
def test_what_people_say_is_no_loop(texts: tuple[str, ...]):
    """Assent and saying something three times stay as they are."""
    found = read(*said(*texts))
    assert ([each.text for each in found.segments], found.doubts) == (list(texts), ())


def test_words_in_silence_and_speech_without_words_are_doubtful():
    """A segment within a silence; of what is speech, the stretches of more than five seconds that no segment covers."""
    found = read(
        RecognizedSegment(1.0, 4.0, "하나"),
        RecognizedSegment(7.0, 8.0, "둘"),
        silences=(TimeSpan(6.0, 9.0),),
        speech=(TimeSpan(0.0, 5.0), TimeSpan(10.0, 15.0), TimeSpan(20.0, 26.0)),
    )
    assert found.doubts == (
        UncertainStretch(7.0, 8.0, UncertainReason.SILENCE),
        UncertainStretch(20.0, 26.0, UncertainReason.UNHEARD),
    )


def test_pieces_follow_each_other_on_one_clock():
    """What was heard later is put behind, with the language that was heard first."""
    first, second = read(*said("하나")), read(RecognizedSegment(0.0, 2.0, "둘", unlikely=True))
    whole = first.then(Recognised(language="ko")).then(second.shift(600.0))
    assert whole == Recognised(
        segments=(TranscriptSegment(0.0, 2.0, "하나"), TranscriptSegment(600.0, 602.0, "둘")),
        doubts=(UncertainStretch(600.0, 602.0, UncertainReason.UNLIKELY),),
        language="ko",
    )
