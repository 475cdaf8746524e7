"""The passages that an answer rests on, and the moments of what is said in them."""

from __future__ import annotations

import pytest

from search_core.answers.quotes import sentences
from search_core.answers.web_answer import CitableResults
from search_core.checking.online_check import (
    MAX_EXCERPT_CHARS,
    MAX_STATEMENTS,
    Synthesis,
    add_excerpts,
    passages_to_check,
    statements_to_compare,
)
from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.conversation import AnswerRecord
from search_core.domain.stance import Comparison, Stance, Statement
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from tests.search_core.answers.asking import NOW, asking, hbm, scorer
from tests.search_core.checking.checked import AGREES, QUESTION, SAID_AT, passage_at
from tests.search_core.scripted import result, stance_row


def passage(start_s: float, *texts: str, score: float = 0.9) -> TranscriptPassage:
    """Return a passage whose captions take ten seconds each."""
    segments = (TranscriptSegment(start_s + 10 * place, start_s + 10 * place + 9, text) for place, text in enumerate(texts))
    return TranscriptPassage(segments=tuple(segments), score=score)


FIRST, SECOND, FAR = passage(10.5, "하나"), passage(60.0, "둘", "셋"), passage(200.0, "넷", score=0.01)
VIDEO = VideoContext(title="영상", transcript=(*FIRST.segments, *SECOND.segments, *FAR.segments))


def resting(answer: AnswerRecord | None) -> tuple[TranscriptPassage, ...]:
    return passages_to_check(asking("질문이 무엇인가요?", VIDEO), answer, scorer())


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((10.0,), (FIRST,)),
        ((79.0, 10.0), (FIRST, SECOND)),
        ((), (FIRST, SECOND)),
        ((40.0,), (FIRST, SECOND)),
    ],
)
def test_an_answer_rests_on_the_passages_it_cites(moments: tuple[float, ...], expected: tuple[TranscriptPassage, ...]):
    """Cited moments choose, in the order of the video; without one inside a passage those count that bear on the question."""
    assert resting(AnswerRecord(passages=(SECOND, FAR, FIRST), moments=moments)) == expected


def test_a_statement_begins_where_its_sentence_does():
    """Two sentences of one passage have two moments, also one that begins in the middle of a caption and goes on in the next."""
    said = passage(
        300.0,
        "한빛반도체의 세계 D램 점유율은 34퍼센트예요. 한빛반도체의 1분기",
        "매출은 12조 원이에요. 고맙습니다.",
        "한빛반도체의 직원은 3만 명이에요.",
    )
    video = VideoContext(title="한빛반도체 이야기", transcript=said.segments)
    chosen = statements_to_compare(asking("한빛반도체의 매출과 점유율과 직원 수는?", video), [said], scorer())
    assert [(each.start_s, each.text) for each in chosen] == [
        (300.0, "한빛반도체의 세계 D램 점유율은 34퍼센트예요."),
        (306.57, "한빛반도체의 1분기 매출은 12조 원이에요."),  # letter 27 of a caption of 37 letters and 9 seconds
        (320.0, "한빛반도체의 직원은 3만 명이에요."),
    ]


def test_what_says_nothing_checkable_is_no_statement():
    """Of an answer's sentences those are compared that can be right or wrong and bear on the question, at most six."""
    said = passage(
        60.0,
        "오늘은 배터리 이야기를 하겠습니다.",
        "정말 좋은 질문이에요.",
        "배터리 가격은 1년 만에 20퍼센트 내려 킬로와트시당 115달러가 되었습니다.",
        "그래서 다음 이야기가 나옵니다.",
        "저는 지난주에 김치찌개를 끓였습니다.",
    )
    video = VideoContext(title="배터리", transcript=said.segments)
    asked = asking("배터리 가격은 얼마나 내렸어?", video)
    assert [each.start_s for each in statements_to_compare(asked, [said], scorer())] == [80.0]
    assert statements_to_compare(asked, [passage(60.0, "좋아요 부탁드립니다.", "왜 그럴까요?")], scorer()) == ()
    prices = passage(0.0, *(f"배터리 가격은 {year}년에 {year - 1900}달러였습니다." for year in range(2010, 2020)))
    assert len(statements_to_compare(asked, [prices], scorer())) == MAX_STATEMENTS


def test_numbers_in_foreign_text_are_none_of_ours():
    """Numbers in brackets of titles, quotes and the earlier answer cannot pass for those of sources."""
    odd = result("HBM4 규격 [1]", url="https://a.example", snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다 [1].")
    said = [Statement(each.start_s, each.start_s, each.text) for each in sentences(passage_at(SAID_AT))]
    comparison = judge_sources(said, (AGREES, odd), hbm(), NOW).comparison()
    made = Synthesis(CitableResults((AGREES, odd), "검색어"), asking(QUESTION, hbm()), "영상의 답이에요.", comparison)
    data = made.messages()[1].content
    assert "2테라바이트다 (1)." in data
    assert "2테라바이트다 [1]" not in data + made.extract(scorer()).text


ABOUT = "HBM4 대역폭은 얼마야?"
QUOTED = "인용된 문장은 아침 산책에서 만난 이웃과 나눈 이야기를 길게 늘어놓아서 남은 자리에는 들어가지 않는다."
SOURCES = (result("하나", url="https://a.example", snippet="하나의 조각글"), result("둘", url="https://b.example", snippet="둘"))


def quoting(quote: str, source: int) -> Comparison:
    row = stance_row(stance=Stance.ADDS, source=source, quote=quote)
    return Comparison(rows=(row,))


def test_a_source_without_a_page_keeps_its_snippet():
    """Only the page that was read replaces what the search showed, and a page of blanks does not."""
    found = add_excerpts(SOURCES, {"https://a.example": "본문은 이렇게 한 문장이다.", "https://b.example": " \n"}, ABOUT, None)
    assert [source.snippet for source in found] == ["본문은 이렇게 한 문장이다.", "둘"]


def test_a_long_page_gives_what_was_quoted_and_what_is_asked_for():
    """The sentence quoted for this source and the nearest one come in page order, short; an endless sentence is cut."""
    filler = [f"{number}번째 문장은 저녁 식사로 무엇을 먹었는지를 아주 길게 늘어놓는다." for number in range(50)]
    near = "HBM4 대역폭은 초당 2테라바이트이다."
    text = "\n".join([*filler[:30], near, *filler[30:40], QUOTED, *filler[40:]])
    [one, _] = add_excerpts(SOURCES, {"https://a.example": text}, ABOUT, quoting(QUOTED, 0))
    stored = one.snippet.split("\n")
    assert len(one.snippet) <= MAX_EXCERPT_CHARS
    assert 0 < stored.index(near) < stored.index(QUOTED)
    [other, _] = add_excerpts(SOURCES, {"https://a.example": text}, ABOUT, quoting(QUOTED, 1))
    assert "인용된" not in other.snippet
    [endless, _] = add_excerpts(SOURCES, {"https://a.example": "가" * 5000}, ABOUT, None)
    assert endless.snippet == "가" * MAX_EXCERPT_CHARS
