"""What a recogniser returned, put in order, with its doubts."""

from __future__ import annotations

import math

import pytest

from search_core.domain.transcription import RecognizedPiece
from search_core.domain.video import TranscriptSegment
from search_core.errors import LanguageModelError
from search_core.speech.recogniser import read_piece


def read(*segments: TranscriptSegment, length_s: float = 30.0, speech: tuple[tuple[float, float], ...] = ()):
    return read_piece(RecognizedPiece(segments=segments, speech=speech), 600.0, 600.0 + length_s)


def said(*texts: str) -> list[TranscriptSegment]:
    """Return segments of two seconds each, one after another."""
    return [TranscriptSegment(2.0 * at, 2.0 * at + 2.0, text) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("start_s", "end_s"), [(500.0, 501.0), (math.nan, 4.0), (4.0, math.inf), (-50.0, -49.0), (4.0, 3.0), (0.5, 0.9)]
)
def test_a_wrong_moment_makes_all_unusable(start_s: float, end_s: float):
    """Beyond the sound, before the segment in front, no number: nothing is taken."""
    with pytest.raises(LanguageModelError):
        read(TranscriptSegment(1.0, 3.0, "하나"), TranscriptSegment(start_s, end_s, "둘"), TranscriptSegment(6.0, 8.0, "셋"))


def test_moments_that_are_all_the_same_are_none():
    """A server that tells 0 for each tells nothing; a single segment may begin at 0."""
    with pytest.raises(LanguageModelError):
        read(TranscriptSegment(0.0, 0.0, "하나"), TranscriptSegment(0.0, 0.0, "둘"))
    assert read(TranscriptSegment(0.0, 4.0, "하나"))[0] == (TranscriptSegment(600.0, 604.0, "하나"),)


def test_overlapping_segments_end_where_the_next_begins():
    """An end beyond the next beginning or the sound is cut, a beginning just before it is 0, and doubts stay."""
    heard, _ = read(TranscriptSegment(-0.5, 5.0, "하나"), TranscriptSegment(3.0, 10.5, "둘", uncertain=True), length_s=10.0)
    assert heard == (TranscriptSegment(600.0, 603.0, "하나"), TranscriptSegment(603.0, 610.0, "둘", uncertain=True))


def test_the_same_segment_over_and_over_is_told_once():
    """Five times the same sentence after a first one: told once, over ten seconds, and doubtful."""
    found, _ = read(*said("시작합니다.", *["구독과 좋아요 부탁드립니다."] * 5, "끝입니다."))
    assert [each.text for each in found] == ["시작합니다.", "구독과 좋아요 부탁드립니다.", "끝입니다."]
    assert [each.uncertain for each in found] == [False, True, False]
    assert (found[1].start_s, found[1].end_s) == (602.0, 612.0)


@pytest.mark.parametrize("texts", [("네.", "네.", "네.", "네.", "네."), ("메모리가 중요합니다.",) * 3, ("",), ()])
def test_what_people_say_is_no_loop(texts: tuple[str, ...]):
    """Assent and saying something three times stay as they are."""
    assert [(each.text, each.uncertain) for each in read(*said(*texts))[0]] == [(text, False) for text in texts]


def test_speech_without_words_is_told():
    """Of what is speech, more than five seconds that no segment covers; of any sound, more than a minute."""
    segments = TranscriptSegment(1.0, 4.0, "하나"), TranscriptSegment(70.0, 72.0, "둘")
    speech = ((0.0, 5.0), (10.0, 15.0), (20.0, 26.0))
    assert read(*segments, length_s=100.0, speech=speech)[1] == ((610.0, 626.0),)
    assert read(*segments, length_s=100.0)[1] == ((604.0, 670.0),)


def test_sentences_that_are_lost_one_after_another_are_told_together():
    """Four stretches of two seconds between the same two segments are one place; two of them are what any recogniser skips."""
    segments = TranscriptSegment(0.0, 4.0, "하나"), TranscriptSegment(30.0, 34.0, "둘")
    speech = (0.0, 4.0), (8.0, 10.0), (13.0, 15.0), (18.0, 20.0), (23.0, 25.0), (30.0, 34.0), (37.0, 39.0), (41.0, 43.0)
    assert read(*segments, length_s=50.0, speech=speech)[1] == ((608.0, 625.0),)
