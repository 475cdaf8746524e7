"""The answer line of a search."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from search_core.answers.answer_line import find_answer_line, read_results
from search_core.answers.asked_values import AskedKind, asked_kind, asks_for_answer, is_keywords, values_in
from search_core.answers.reading import AskedQuestion, hold_names
from search_core.domain.report import SearchOptions, SearchReport
from search_core.domain.result import Moment, RankingOptions, SearchResult
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.filter import RelevanceFilter
from tests.search_core.answers.asking import asking, hbm, pipeline_of
from tests.search_core.scripted import ScriptedProvider, finds

DAY = datetime(2026, 11, 20, tzinfo=UTC)
ASKED = "블룸버그NEF가 조사한 2024년 배터리 팩 평균 가격은 얼마인가?"
ANSWERS = SearchResult(
    title="배터리 팩 가격 20% 하락",
    url="https://example.com/price",
    snippet="블룸버그NEF 조사에 따르면 2024년 리튬이온 배터리 팩 평균 가격은 kWh당 115달러로 전년보다 20% 내렸다. "
    "하락 폭은 2017년 이후 가장 크다.",
    source="example.com",
    publish_date=DAY,
)
SAYS_SO_TOO = replace(
    ANSWERS,
    title="배터리 가격 115달러",
    url="https://example.org/pack",
    snippet="2024년 배터리 팩 평균 가격이 115달러까지 떨어졌다고 블룸버그NEF가 밝혔다.",
    source="example.org",
)
BESIDE = SearchResult(
    title="배터리 재활용 공장",
    url="https://example.net/recycling",
    snippet="배터리 재활용 공장이 문을 열었다. 주민들은 반겼다.",
    source="example.net",
    publish_date=DAY,
)


def searched(text: str, *results: SearchResult, threshold: float = 0.35, video: bool = False) -> SearchReport:
    """Return the report of a search that found *results*, scored by words."""
    options = SearchOptions(ranking=RankingOptions(threshold=threshold))
    pipe = pipeline_of(ScriptedProvider("web", finds(*results)))
    return asyncio.run(pipe.run(asking(text, hbm() if video else None), options, lambda _: None))


def line_of(report: SearchReport):
    return find_answer_line(report, RelevanceFilter(KiwiEmbedder()))


def test_the_line_is_the_sentence_with_the_value_that_is_asked_for_as_it_stands():
    """A line is a sentence of a result letter by letter, with the result's place, source, address and moment in the video."""
    report, moment = searched(ASKED, BESIDE, ANSWERS, SAYS_SO_TOO), Moment(start_s=288.0, text="", similarity=0.6)
    line = line_of(replace(report, results=tuple(replace(each, moment=moment) for each in report.results)))
    assert line is not None
    result = report.results[line.result - 1]
    assert "115달러" in line.sentence
    assert line.sentence in f"{result.title}\n{result.snippet}"
    assert (line.source, line.url, line.moment_s) == (result.source, result.url, 288.0)


def test_there_is_no_line_where_nothing_answers():
    """Results beside the question, none, hidden ones however well they answer, and words that ask nothing give no line."""
    assert line_of(searched(ASKED, ANSWERS, SAYS_SO_TOO)) is not None
    assert line_of(searched(ASKED, ANSWERS, SAYS_SO_TOO, threshold=1.0)) is None
    assert line_of(searched(ASKED, BESIDE, threshold=0.0)) is None
    assert line_of(searched(ASKED)) is None
    assert line_of(searched("블룸버그NEF 2024년 배터리 팩 평균 가격", ANSWERS, SAYS_SO_TOO)) is None


@pytest.mark.parametrize(
    "snippet",
    [
        "배터리 팩 가격 20% 하락.",
        "블룸버그NEF가 조사한 2024년 배터리 팩 평균 가격은 얼마일까?",
        "블룸버그NEF가 조사한 2024년 배터리 팩 평균 가격.",
        "블룸버그NEF가 조사한 2019년 배터리 팩 평균 가격은 156달러였다.",
    ],
    ids=["the title", "a question", "the question again", "another year"],
)
def test_what_answers_nothing_is_no_line(snippet: str):
    """The title, a question, the words of the question and what is said of another year stand over no results."""
    assert line_of(searched(ASKED, replace(ANSWERS, snippet=snippet), threshold=0.0)) is None


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("가람제분 국수 공장은 어디에 있나요?", "가람제과 국수 공장은 나주시 송월동에 있다."),
        ("솔빛 등대 관장은 누구인가요?", "솔비군 등대 관장은 한서우 씨다."),
        ("미르로지스 직원은 몇 명인가요?", "미르항공 직원은 모두 412명이다."),
    ],
)
def test_a_name_that_begins_alike_is_another_one(asked: str, other: str):
    """Another firm's or town's sentence is no line, and the same sentence of the one that is asked about may be."""
    named = {"솔비군": "솔빛"} | {f"{asked[:2]}{kind}": asked.split()[0] for kind in ("제과", "항공")}
    right = next(other.replace(one, name) for one, name in named.items() if one in other)
    page = replace(ANSWERS, title="소식", snippet=other)
    assert line_of(searched(asked, page, threshold=0.0)) is None
    assert hold_names(asked, [other, right]) == [False, True]


def test_a_long_sentence_is_cut_between_words():
    """Of a sentence of more than 160 characters parts are read that begin and end with whole words."""
    words = [f"word{number}" for number in range(60)]
    result = SearchResult(title="A title of some length", url="", snippet=" ".join(words) + ".", source="")
    parts, _, _ = read_results([result])
    assert len(parts) > 2
    assert all(len(part.text) <= 160 for part in parts)
    assert all(word.rstrip(".") in words for part in parts for word in part.text.split())
    assert (parts[0].opens, parts[0].closes, parts[-1].opens, parts[-1].closes) == (True, False, False, True)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("배터리 팩 가격은 얼마인가?", AskedKind.NUMBER),
        ("HBM4는 언제 나와?", AskedKind.DATE),
        ("몇 년에 나왔어?", AskedKind.DATE),
        ("몇 년이나 걸렸대?", AskedKind.NUMBER),
        ("엔비디아의 창업자는 누군데?", AskedKind.PERSON),
        ("공장은 어디에 있어?", AskedKind.PLACE),
        ("왜 값이 내렸어?", AskedKind.REASON),
        ("Why did it fall?", AskedKind.REASON),
        ("값이 내렸나요?", AskedKind.TRUTH),
        ("A coach who won twice left. Which team did he lead?", AskedKind.NAME),
        ("Which country did she flee to?", AskedKind.PLACE),
    ],
)
def test_what_kind_of_answer_is_asked_for(question: str, kind: AskedKind):
    """The asking words and what stands behind them say whether a number, a date, a person, a place or a name is wanted."""
    assert asked_kind(question) is kind


@pytest.mark.parametrize(
    ("text", "asks", "keywords"),
    [
        ("삼성전자 3분기 실적", False, True),
        ("Nvidia memory roadmap 2026", False, True),
        ("이 영상 요약해 줘", False, False),
        ("Which of these is right?", False, False),
        ("배터리 팩 가격은 얼마인가", True, False),
        ("삼성전자 작년 매출 알려줘", True, False),
        ("삼성전자 CEO 누구", True, False),
        ("who founded nvidia", True, False),
    ],
)
def test_what_asks_is_told_from_keywords_and_requests(text: str, asks: bool, keywords: bool):
    """Asking words, endings and requests to tell make a question without its mark; nouns alone are keywords."""
    assert (asks_for_answer(text), is_keywords(text)) == (asks, keywords)


def test_values_are_read_by_kind():
    """Numbers come without years beside them or what the question says itself, dates and names as they stand."""
    text = "In 2024 Tesla sold 1,200 cars in Berlin."
    [number] = values_in(text, AskedKind.NUMBER)
    assert number.figure is not None
    assert (number.figure.high, text[number.start : number.end]) == (1200.0, "1,200 cars")
    assert [text[each.start : each.end].strip() for each in values_in(text, AskedKind.DATE)] == ["2024"]
    assert {each.key for each in values_in(text, AskedKind.NAME)} == {"tesla", "berlin"}
    [value] = AskedQuestion("How many of the 1,200 cars were recalled?").values_in("Of 1,200 cars 300 cars were recalled.")
    assert value.key == "item 300"
