"""What a question leaves unsaid, read in the passage around its moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.models.embedding.host import EmbedderHost
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.context import candidates
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.things import Mention, Thing
from search_core.search.understanding.transcript_index import index_of
from search_core.search.understanding.unsaid import PlacedWord, Unsaid, drop_reader, find_unsaid, lay_out_words, use_reader

from .test_referents import LECTURE

AT_S = 34.0
"""A moment of the talk at which all of its firms have been named."""


@contextmanager
def reading(odds_of: Callable[[str], float]) -> Iterator[list[Sequence[str]]]:
    """Play a model that gives each word the log odds that *odds_of* says; give what it reads."""
    asked: list[Sequence[str]] = []

    def read(words: Sequence[str]) -> NDArray[np.float64]:
        asked.append(words)
        return np.array([odds_of(word) for word in words])

    use_reader(read)
    try:
        yield asked
    finally:
        drop_reader(read)


def test_words_are_read_in_one_order():
    """The question, the word for nothing, title, subject, what was said, the mark of the moment, what is said next."""
    words = lay_out_words("누가 만들었어?", "새 칩", "HBM4", "HBM4는 빨라요 다음은 날씨", 9)
    assert [word.text for word in words] == [
        *("누가", "만들었어?", "?", "새", "칩", "|", "HBM4", "|", "HBM4는", "빨라요", "▶", "다음은", "날씨")
    ]
    assert words[8] == PlacedWord("HBM4는", "passage", 0, 5)
    assert [word.part for word in words if word.part not in ("passage", "title", "subject")] == [
        *("question", "question", "nothing", "", "", "")
    ]


def test_of_a_long_passage_the_beginning_and_the_end_are_read():
    """Of 200 words before the moment the first 15 and the last 75 are read, of 200 behind it 25."""
    passage = " ".join(f"가{number}" for number in range(400))
    words = [word.text for word in lay_out_words("왜?", "", "", passage, passage.index("가200"))]
    assert words[4:19] == [f"가{number}" for number in range(15)]
    assert words[19:95] == ["…", *(f"가{number}" for number in range(125, 200))]
    assert words[95:] == ["▶", *(f"가{number}" for number in range(200, 225))]


def thing(text: str, *spans: tuple[int, int]) -> Thing:
    return Thing(text, [Mention(text, *span) for span in spans], {})


def test_a_thing_scores_by_all_words_that_name_it():
    """Of odds 1 (nothing), 1, 4 and 2 a firm has an eighth at its first mention, a half at its second, a quarter in the title.

    What is not among the words has the least score, -12.
    """
    said = [PlacedWord("별빛은", "passage", 0, 3), PlacedWord("별빛", "passage", 4, 6)]
    words = [PlacedWord("그", "question"), PlacedWord("?", "nothing"), *said, PlacedWord("▶"), PlacedWord("별빛", "title", 0, 2)]
    unsaid = Unsaid(words, np.log(np.array([99.0, 1.0, 1.0, 4.0, 99.0, 2.0])), {"title": "별빛"})
    assert unsaid.score(thing("별빛은", (0, 3))) == pytest.approx(log(1 / 8))
    assert unsaid.score(thing("별빛은", (0, 3), (4, 6))) == pytest.approx(log(5 / 8))
    assert unsaid.score(thing("별빛", (0, 3))) == pytest.approx(log(3 / 8))
    assert unsaid.score(thing("별빛")) == pytest.approx(log(1 / 4))
    assert unsaid.score(thing("달빛", (9, 11))) == -12.0
    assert exp(unsaid.nothing) == pytest.approx(1 / 7, rel=1e-3)


def test_what_the_title_alone_names_may_be_meant():
    """Of what only the title names that is the likeliest which is read as unsaid."""
    lines = ("안녕하세요 여러분.", "오늘은 스튜디오에 나와 있습니다.", "값이 얼마일지 다들 궁금해하시죠.")
    times = zip((0.0, 4.0, 8.0), lines, strict=True)
    video = VideoContext(
        title="달빛축제에 나온 누리온", transcript=tuple(TranscriptSegment(at, at + 4, line) for at, line in times)
    )
    for meant in ("달빛축제", "누리온"):
        with reading(lambda word, meant=meant: 12.0 * word.startswith(meant)):
            assert candidates(index_of(video), 40, "언제 나와?")[0].text == meant


def test_without_a_model_nothing_is_read(talk: VideoContext):
    """No model gives nothing, and neither does one that is not ready."""
    index = index_of(talk)
    assert find_unsaid("누구야?", index, 40) is None
    use_reader(lost := lambda _: None)
    assert find_unsaid("누구야?", index, 40) is None
    drop_reader(lost)


def test_a_question_hangs_on_its_video_as_it_is_read(talk: VideoContext):
    """What is read as leaving nothing unsaid stands alone, what is read as leaving out a firm does not."""
    question = "인증 마크는 몇 종류예요?"
    own = []
    for meant in ("?", "별빛컴퓨팅"):
        with reading(lambda word, meant=meant: 12.0 * word.startswith(meant)):
            own.append(QueryIntentAnalyzer().analyze_intent(question, talk, moment_s=AT_S).own)
    assert own[1] < 0.45 < own[0]


def test_the_model_that_ships_reads_what_was_just_said(shipped: EmbedderHost):
    """Of three firms "이 회사" is the one that is spoken of, though another is named oftener; "거기" is the town."""
    use_reader(shipped.unsaid_odds)
    try:
        meant = []
        asked = (("이 회사의 3분기 실적은?", 25.0), ("이 회사는 언제 세워졌어?", 41.0), ("거기 어떻게 가?", 51.0))
        for question, moment_s in asked:
            intent = QueryIntentAnalyzer().analyze_intent(question, LECTURE, moment_s=moment_s)
            meant.append(QueryConstructor().query_for(intent, LECTURE).referents[0].meaning)
    finally:
        drop_reader(shipped.unsaid_odds)
    assert meant == ["ASML", "칼 자이스", "벨트호번"]


def test_what_is_read_is_what_a_pointing_word_means(talk: VideoContext):
    """Of two firms the one that is read as meant is taken, and named in the query, however near the other one is."""
    for firm in ("한빛반도체", "별빛컴퓨팅"):
        with reading(lambda word, firm=firm: 12.0 * word.startswith(firm)) as asked:
            intent = QueryIntentAnalyzer().analyze_intent("이 회사 직원 몇 명이야?", talk, moment_s=AT_S)
            query = QueryConstructor().query_for(intent, talk)
        assert [each.meaning for each in query.referents] == [firm]
        assert firm in query.text
        assert asked[0][:5] == ["이", "회사", "직원", "몇", "명이야?"]
