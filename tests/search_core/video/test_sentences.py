from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from search_core.domain.video import TranscriptSegment
from search_core.video.sentences import spoken_sentences


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


def test_english_without_signs_is_cut_where_a_judge_says():
    """It is asked for plain words, and what is written stays; where it has nothing to say the words stay together."""
    said = "The price of a ticket ROSE to three dollars, the mayor said it had not changed for eleven years"
    segments = [TranscriptSegment(0, 10, said)]
    asked: list[str] = []

    def judge(words: Sequence[str]) -> np.ndarray:
        asked.extend(words)
        return np.array([9 if word == "dollars" else -9 for word in words], dtype=np.float32)

    found = [*spoken_sentences(segments, judge)]
    assert [sentence.text for sentence in found] == [said[: said.index(" the mayor")], said[said.index("the mayor") :]]
    assert 4 < found[0].end_s <= found[1].start_s < 6
    assert asked == said.lower().replace(",", "").split()
    assert [sentence.text for sentence in spoken_sentences(segments, lambda _: None)] == [said]
    assert len([*spoken_sentences([TranscriptSegment(0, 10, f"{said}.")], judge)]) == 1


def test_a_run_that_is_too_long_is_cut_at_a_pause():
    """Of 480 letters in which no sentence ends, a tenth of a second of silence parts two captions from six."""
    starts = [0.0, 4.0, *(8.1 + 4 * number for number in range(6))]
    spoken = [TranscriptSegment(start_s, start_s + 4, "word " * 12) for start_s in starts]
    assert [len(sentence.text.split()) for sentence in spoken_sentences(spoken)] == [24, 72]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("민주당 소속이던 이 의원은. 회사에 손해를 끼쳤습니다.", ["민주당 소속이던 이 의원은 회사에 손해를 끼쳤습니다."]),
        ("시험발사 정황이 포착됐다고. 싱크탱크가 밝혔습니다.", ["시험발사 정황이 포착됐다고 싱크탱크가 밝혔습니다."]),
        ("그 이것과 구분되는 게. 지금. 있습니다.", ["그 이것과 구분되는 게 지금 있습니다."]),
        ("비가 많이 왔는데요. 내일도 옵니다.", ["비가 많이 왔는데요.", "내일도 옵니다."]),
        ("신규 확진자는 610명. 이틀째 늘었습니다.", ["신규 확진자는 610명.", "이틀째 늘었습니다."]),
        ("다른 멤버들은... 모르겠습니다.", ["다른 멤버들은...", "모르겠습니다."]),
        ("이 의원은.", ["이 의원은."]),
        (
            "이익은 15배 늘었습니다 sk하이닉스의 매출은 16조 원입니다",
            ["이익은 15배 늘었습니다", "sk하이닉스의 매출은 16조 원입니다"],
        ),
        ("[음악] >> 시작합니다. (박수) ♪♪", ["시작합니다."]),
    ],
)
def test_korean_ends_where_an_ending_or_a_sign_ends_it(said: str, expected: list[str]):
    """A full stop behind a particle or an open ending ends nothing, a last ending without one does; noises are not said."""
    assert [sentence.text for sentence in spoken_sentences([TranscriptSegment(0, 9, said)])] == expected


def test_what_goes_on_too_long_is_not_joined():
    """Two parts that together are longer than a sentence may be stay two."""
    first, second = f"{'아주 ' * 20}긴 말은.", f"{'더욱 ' * 20}깁니다."
    said = [TranscriptSegment(0, 9, first), TranscriptSegment(9, 18, second)]
    assert [sentence.text for sentence in spoken_sentences(said, longest=100)] == [first, second]
    assert len([*spoken_sentences(said)]) == 1


def test_of_some_captions_those_sentences_come_that_they_share_in():
    """Sentences that begin before the captions that are asked for, or end behind them, come whole, others not; doubts stay."""
    lines = (("하나입니다. 둘은", False), ("길어서", True), ("넷째에 끝납니다. 셋입니다.", False), ("넷입니다.", False))
    said = [TranscriptSegment(5 * n, 5 * n + 5, text, uncertain) for n, (text, uncertain) in enumerate(lines)]
    found = [*spoken_sentences(said, within=range(1, 2))]
    assert [(sentence.text, sentence.uncertain) for sentence in found] == [("둘은 길어서 넷째에 끝납니다.", True)]
