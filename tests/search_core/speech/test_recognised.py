"""What was recognised, put right: moments, loops, seams."""

from __future__ import annotations

import math
import random
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import RecognizedSegment, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.speech.cutting import TimeSpan
from search_core.speech.recognised import Loop, Recognised, collapse, find_loops, join, mend_moments

SHARED = TimeSpan(8.0, 12.0)
SYLLABLES = "가나다라마바사아자차"


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


def test_words_that_the_recogniser_gives_little_probability_are_doubtful():
    """Below a mean logarithm of -1 a segment is unlikely, wherever its moments come from; at -1 and without one it is not."""
    heard = [
        RecognizedSegment(0.0, 2.0, "하나", -1.0),
        RecognizedSegment(2.0, 4.0, "둘", -1.01),
        RecognizedSegment(99.0, 99.0, "셋", -2.0),
        RecognizedSegment(6.0, 8.0, "넷"),
    ]
    _, doubts = mend_moments(heard, 8.0)
    unlikely = [(each.start_s, each.end_s) for each in doubts if each.reason is UncertainReason.UNLIKELY]
    assert unlikely == [(2.0, 4.0), (4.0, 6.0)]


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


def heard(*segments: tuple[float, float, str]) -> Recognised:
    return Recognised(segments=tuple(TranscriptSegment(*each) for each in segments))


JOINED = {
    "a sentence that the pieces cut": (
        heard((6.0, 12.0, "정부는 이번 주에 새로운")),
        heard((8.0, 15.0, "이번 주에 새로운 계획을 발표했습니다.")),
        [(6.0, 15.0, "정부는 이번 주에 새로운 계획을 발표했습니다.")],
    ),
    "a word cut in two, told by the side that heard it": (
        heard((6.0, 12.0, "이번 주에 새로운 계")),
        heard((9.0, 15.0, "새로운 계획을 발표했습니다.")),
        [(6.0, 15.0, "이번 주에 새로운 계획을 발표했습니다.")],
    ),
    "nothing in common: the left counts before the cut, the right behind it": (
        heard((7.0, 9.0, "가나다라"), (10.5, 11.5, "잘못 들은 말")),
        heard((8.2, 9.2, "엉뚱한 소리"), (10.5, 12.5, "마바사아")),
        [(7.0, 9.0, "가나다라"), (10.5, 12.5, "마바사아")],
    ),
    "a word said twice, met where it was said": (
        heard((8.0, 8.5, "정말로"), (9.5, 10.0, "정말로")),
        heard((9.5, 10.0, "정말로"), (12.0, 12.5, "그래요")),
        [(8.0, 8.5, "정말로"), (9.5, 10.0, "정말로"), (12.0, 12.5, "그래요")],
    ),
    "no spaces between words: letters are compared": (
        heard((6.0, 12.0, "今日は天気がいい")),
        heard((9.0, 15.0, "天気がいいですね")),
        [(6.0, 15.0, "今日は天気がいいですね")],
    ),
    "silence on the right": (heard((1.0, 3.0, "하나")), heard(), [(1.0, 3.0, "하나")]),
    "silence on the left": (heard(), heard((15.0, 16.0, "둘")), [(15.0, 16.0, "둘")]),
}


@pytest.mark.parametrize("case", JOINED)
def test_two_pieces_are_told_as_one(case: str):
    """What both heard is told once, with the moments of the whole, and nothing of either is lost."""
    left, right, whole = JOINED[case]
    found = join(left, right, cut_s=10.0, shared=SHARED).segments
    assert [(each.start_s, each.end_s, each.text) for each in found] == whole


@given(
    st.lists(st.tuples(st.integers(1, 8), st.floats(0.3, 4.0)), min_size=1, max_size=12),
    st.floats(6.0, 40.0),
    st.randoms(use_true_random=False),
)
def test_whatever_is_cut_comes_together_again(sentences: list[tuple[int, float]], cut_s: float, rng: random.Random):
    """Sentences of any length, pauses and a cut anywhere: two pieces that hear well give each word once, in order."""
    words: list[tuple[float, float, str, int]] = []
    now_s = 0.0
    for number, (count, pause_s) in enumerate(sentences):
        for _ in range(count):
            length_s = rng.uniform(0.2, 0.6)
            words.append((now_s, now_s + length_s, SYLLABLES[len(words) // 10] + SYLLABLES[len(words) % 10] + "말", number))
            now_s += length_s + 0.05
        now_s += pause_s
    left, right = heard_between(words, 0.0, cut_s + 2.0), heard_between(words, cut_s - 2.0, now_s)
    whole = join(left, right, cut_s=cut_s, shared=TimeSpan(cut_s - 2.0, cut_s + 2.0))
    assert " ".join(each.text for each in whole.segments).split() == [text for _, _, text, _ in words]
    starts = [each.start_s for each in whole.segments]
    assert starts == sorted(starts)


def heard_between(words: list[tuple[float, float, str, int]], from_s: float, to_s: float) -> Recognised:
    """Return what a piece between two moments tells: the words that lie in it whole, a segment for each sentence."""
    segments = []
    for _, group in groupby((word for word in words if word[0] >= from_s and word[1] <= to_s), key=lambda word: word[3]):
        told = list(group)
        segments.append((told[0][0], told[-1][1], " ".join(text for _, _, text, _ in told)))
    return heard(*segments)
