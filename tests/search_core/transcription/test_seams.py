"""Neighbouring pieces joined: nothing twice, nothing lost, no sentence cut that need not be."""

from __future__ import annotations

import random
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import TranscriptSegment
from search_core.transcription.loudness import TimeSpan
from search_core.transcription.recognised import Recognised
from search_core.transcription.seams import join

SHARED = TimeSpan(8.0, 12.0)
SYLLABLES = "가나다라마바사아자차"


def heard(*segments: tuple[float, float, str]) -> Recognised:
    return Recognised(segments=tuple(TranscriptSegment(*each) for each in segments))


def joined(left: Recognised, right: Recognised) -> list[tuple[float, float, str]]:
    return [(each.start_s, each.end_s, each.text) for each in join(left, right, cut_s=10.0, shared=SHARED).segments]


def test_a_sentence_that_the_pieces_cut_is_whole_again():
    """Its beginning is told on the left, its end on the right, the words in both once."""
    left = heard((6.0, 12.0, "정부는 이번 주에 새로운"))
    right = heard((8.0, 15.0, "이번 주에 새로운 계획을 발표했습니다."))
    assert joined(left, right) == [(6.0, 15.0, "정부는 이번 주에 새로운 계획을 발표했습니다.")]


def test_a_word_cut_in_two_is_taken_from_the_side_that_heard_it():
    """The half word at the end of the left piece gives way to the whole one on the right."""
    left = heard((6.0, 12.0, "이번 주에 새로운 계"))
    right = heard((9.0, 15.0, "새로운 계획을 발표했습니다."))
    assert [text for _, _, text in joined(left, right)] == ["이번 주에 새로운 계획을 발표했습니다."]


def test_where_they_agree_on_nothing_the_cut_decides():
    """Without a word in common, the left counts before the cut and the right behind it."""
    left = heard((7.0, 9.0, "가나다라"), (10.5, 11.5, "잘못 들은 말"))
    right = heard((8.2, 9.2, "엉뚱한 소리"), (10.5, 12.5, "마바사아"))
    assert joined(left, right) == [(7.0, 9.0, "가나다라"), (10.5, 12.5, "마바사아")]


def test_silence_on_either_side_loses_nothing():
    """A piece without words leaves the other as it is."""
    said = heard((1.0, 3.0, "하나"), (15.0, 16.0, "둘"))
    assert join(said, Recognised(), cut_s=20.0, shared=TimeSpan(18.0, 22.0)).segments == said.segments
    assert join(Recognised(), said, cut_s=0.0, shared=TimeSpan(0.0, 0.0)).segments == said.segments


def test_a_word_said_twice_is_met_where_it_was_said():
    """The left piece hears it twice and the right one the second time: by its moment it is that one, and both stay."""
    left, right = heard((8.0, 8.5, "정말로"), (9.5, 10.0, "정말로")), heard((9.5, 10.0, "정말로"), (12.0, 12.5, "그래요"))
    assert joined(left, right) == [(8.0, 8.5, "정말로"), (9.5, 10.0, "정말로"), (12.0, 12.5, "그래요")]


def test_japanese_is_joined_by_its_letters():
    """Where no spaces stand between words, letters are compared."""
    left, right = heard((6.0, 12.0, "今日は天気がいい")), heard((9.0, 15.0, "天気がいいですね"))
    assert [text for _, _, text in joined(left, right)] == ["今日は天気がいいですね"]


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
