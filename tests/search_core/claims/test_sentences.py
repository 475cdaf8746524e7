from __future__ import annotations

from collections.abc import Callable

import pytest

from search_core.claims.sentences import spoken_sentences
from search_core.domain import TranscriptSegment


def test_a_sentence_over_two_captions_has_the_times_of_both():
    """A sentence begins where its first letter is said and ends where its last one is, also inside a caption."""
    said = tuple(
        spoken_sentences([TranscriptSegment(0, 10, "첫 문장이에요. 둘째는"), TranscriptSegment(10, 20, "여기서 끝나요.")])
    )
    assert [sentence.text for sentence in said] == ["첫 문장이에요.", "둘째는 여기서 끝나요."]
    assert said[0].start_s == 0
    assert 6 < said[1].start_s < 10 < said[1].end_s < 20


def test_automatic_captions_without_signs_are_cut_at_the_endings_of_verbs():
    """Korean without any full stop becomes sentences of its own."""
    lines = [
        "엔비디아는 지난해 매출이 두 배로 늘었습니다 그런데 주가는 오히려 떨어졌습니다 왜 그럴까요",
        "투자자들이 불안해했기 때문입니다 오늘은 이 이야기를 자세히 해 보겠습니다 먼저 숫자부터 보겠습니다",
        "작년 매출은 609억 달러였습니다 재작년에는 270억 달러였습니다 그러니까 두 배가 넘게 늘었습니다",
    ]
    said = tuple(spoken_sentences([TranscriptSegment(i * 10, i * 10 + 10, line) for i, line in enumerate(lines)]))
    texts = [sentence.text for sentence in said]
    assert "작년 매출은 609억 달러였습니다" in texts
    assert " ".join(texts) == " ".join(lines)
    assert [sentence.start_s for sentence in said] == sorted(sentence.start_s for sentence in said)


def test_english_without_signs_is_cut_at_a_pause():
    """A silence between two captions ends a sentence."""
    words = "the telescope was launched in december and it took thirty days to reach its place far from the earth"
    said = tuple(
        spoken_sentences([TranscriptSegment(0, 9, words), TranscriptSegment(12, 21, words), TranscriptSegment(24, 33, words)])
    )
    assert {0, 12, 24} <= {sentence.start_s for sentence in said}


@pytest.mark.parametrize("write", [str, str.capitalize, str.title])
def test_english_without_signs_is_cut_where_sentences_end(write: Callable[[str], str]):
    """However captions cut words and write capital letters; all words stay, and what is short or has its signs is left alone."""
    first = "the company sold forty million phones last year and most of them were made in india"
    talk = f"{first} so i want to show you how we got there thank you so much for coming today i really appreciate it"
    words = talk.split()
    lines = [write(" ".join(words[start : start + 7])) for start in range(0, len(words), 7)]
    segments = [TranscriptSegment(place, place + 1, line) for place, line in enumerate(lines * 2)]
    texts = [sentence.text for sentence in spoken_sentences(segments)]
    assert " ".join(texts) == " ".join(lines * 2)
    assert first in [text.lower() for text in texts]
    assert [sentence.text for sentence in spoken_sentences([TranscriptSegment(0, 9, talk[:120])])] == [talk[:120]]


def test_noises_are_not_said():
    """Music, applause and marks of a new speaker are left out, and captions of nothing else."""
    segments = [
        TranscriptSegment(0, 2, "[음악]"),
        TranscriptSegment(2, 5, ">> 시작합니다. (박수)"),
        TranscriptSegment(5, 6, "♪♪"),
    ]
    assert [sentence.text for sentence in spoken_sentences(segments)] == ["시작합니다."]
    assert tuple(spoken_sentences([])) == ()
