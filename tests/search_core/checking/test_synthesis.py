"""What prose is made from, of pages and of the comparison, and what stands there without a model."""

from __future__ import annotations

from search_core.answers.quotes import sentences
from search_core.answers.web_answer import CitableResults
from search_core.checking.online_check import MAX_EXCERPT_CHARS, Synthesis, add_excerpts
from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.stance import Comparison, Stance, Statement
from tests.search_core.answers.asking import NOW, asking, hbm, scorer
from tests.search_core.checking.checked import AGREES, QUESTION, SAID_AT, passage_at
from tests.search_core.scripted import result, stance_row


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
