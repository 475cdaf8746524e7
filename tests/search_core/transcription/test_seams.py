"""Neighbouring pieces joined: nothing twice, nothing lost, no sentence cut that need not be."""

from __future__ import annotations

from search_core.domain import TranscriptSegment
from search_core.transcription.loudness import Stretch
from search_core.transcription.recognised import Recognised
from search_core.transcription.seams import join

SHARED = Stretch(8.0, 12.0)


def heard(*segments: tuple[float, float, str]) -> Recognised:
    return Recognised(segments=tuple(TranscriptSegment(*each) for each in segments))


def joined(left: Recognised, right: Recognised) -> list[tuple[float, float, str]]:
    return [(each.start_s, each.end_s, each.text) for each in join(left, right, cut_s=10.0, shared=SHARED).segments]


def test_a_sentence_both_tell_stands_once():
    """What lies in the shared sound as a whole is told by one side."""
    sentence = (8.5, 11.0, "전기 요금이 오릅니다.")
    assert joined(heard((1.0, 4.0, "안녕하세요."), sentence), heard(sentence, (14.0, 16.0, "다음입니다."))) == [
        (1.0, 4.0, "안녕하세요."),
        sentence,
        (14.0, 16.0, "다음입니다."),
    ]


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
    assert join(said, Recognised(), cut_s=20.0, shared=Stretch(18.0, 22.0)).segments == said.segments
    assert join(Recognised(), said, cut_s=0.0, shared=Stretch(0.0, 0.0)).segments == said.segments


def test_japanese_is_joined_by_its_letters():
    """Where no spaces stand between words, letters are compared."""
    left, right = heard((6.0, 12.0, "今日は天気がいい")), heard((9.0, 15.0, "天気がいいですね"))
    assert [text for _, _, text in joined(left, right)] == ["今日は天気がいいですね"]
