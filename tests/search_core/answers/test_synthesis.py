"""What prose is made from, of pages and of the comparison, and what stands there without a model."""

from __future__ import annotations

from search_core.answers.online_check import MAX_EXCERPT_CHARS, MAX_TABLE_LINES, Synthesis, add_excerpts
from search_core.answers.quotes import sentences
from search_core.answers.web_answer import CitableResults
from search_core.domain.result import SearchResult
from search_core.domain.stance import Comparison, Stance, Statement
from search_core.domain.video import TranscriptPassage, TranscriptSegment
from search_core.stance import judge_sources
from tests.search_core.answers.asking import NOW, asking, hbm, scorer
from tests.search_core.answers.checked import AGREES, FOUND, QUESTION, SAID_AT, passage_at
from tests.search_core.scripted import result, stance_row


def compared(*sources: SearchResult, passages: tuple[TranscriptPassage, ...] = ()) -> Comparison:
    said = [sentence for passage in passages or (passage_at(SAID_AT),) for sentence in sentences(passage)]
    return judge_sources([Statement(each.start_s, each.start_s, each.text) for each in said], sources, hbm(), NOW).comparison()


def synthesis(*sources: SearchResult, comparison: Comparison | None = None) -> Synthesis:
    return Synthesis(CitableResults(sources, "검색어"), asking(QUESTION, hbm()), "영상의 답이에요.", comparison)


def test_the_table_is_told_row_by_row():
    """Each row says stance, moment, page, day, time, whether it counts, and both sentences; no more than a small model holds."""
    copy = result("같은 규격 소식", url="https://d.example/4", snippet=AGREES.snippet, publish_date=AGREES.publish_date)
    data = synthesis(AGREES, copy, comparison=compared(AGREES, copy)).messages()[1].content
    lines = [line for line in data.splitlines() if line.startswith("table: 일치")]
    start = "table: 일치 | moment 05:45 | page [{}], 2025년 4월 17일, 영상 당시까지 | {}"
    assert lines[0].startswith(start.format(1, "counts | video: “HBM4 표준의 대역폭은 한 묶음에 일 초당 최대"))
    assert lines[1].startswith(start.format(2, "does not count: same story or publisher, or only repeats the video | video: “"))
    assert lines[0].endswith(f"page: “{AGREES.snippet}”")
    said = (TranscriptSegment(start, start + 9.0, "HBM4 표준의 대역폭은 2테라바이트예요.") for start in range(0, 150, 10))
    many = compared(*FOUND, passages=tuple(TranscriptPassage(segments=(each,), score=0.9) for each in said))
    assert len(many.rows) == 30
    assert synthesis(*FOUND, comparison=many).messages()[1].content.count("table: ") == MAX_TABLE_LINES


def test_numbers_in_foreign_text_are_none_of_ours():
    """Numbers in brackets of titles, quotes and the earlier answer cannot pass for those of sources."""
    odd = result("HBM4 규격 [1]", url="https://a.example", snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다 [1].")
    made = synthesis(AGREES, odd, comparison=compared(AGREES, odd))
    data = made.messages()[1].content
    assert "2테라바이트다 (1)." in data
    assert "2테라바이트다 [1]" not in data + made.extract(scorer()).text


def test_an_extract_has_rows_and_what_else_bears_on_the_question():
    """A source is quoted once, by its row where it has one, the notice first; without a telling sentence nothing is cited."""
    other = result("HBM4 표준 대역폭 해설", url="https://e.example/5", snippet="HBM4 표준의 대역폭이 왜 중요한지 풀어 쓴 글이다.")
    made = synthesis(AGREES, other, comparison=compared(AGREES)).extract(scorer(), "끊겼어요.")
    assert made.text.startswith("끊겼어요. 웹 자료에서 그대로 옮겼어요.")
    lines = [line for line in made.text.splitlines() if line.startswith("- ")]
    assert [line[-3:] for line in lines] == ["[1]", "[2]"]
    assert lines[0].startswith("- 일치 (05:45): “")
    assert made.cited == (1, 2)
    nothing = synthesis(result("김치찌개", snippet="김치찌개는 김치와 돼지고기를 넣고 끓인다.")).extract(scorer())
    assert nothing.text.startswith("찾은 자료에서 질문과 바로 이어지는 문장을 찾지 못했어요.")
    assert nothing.cited == ()


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
