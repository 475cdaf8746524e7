"""The whole of a check, with searches, pages and models that play along, fail, and hang."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime

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
from search_core.checking.web_check import read_pages
from search_core.domain.conversation import (
    AnswerDone,
    AnswerEvent,
    AnswerOrigin,
    AnswerPart,
    AnswerRecord,
    AnswerToken,
    CheckRequest,
    PagesRead,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSourcesFound,
)
from search_core.domain.reply import SearchStatus
from search_core.domain.stance import Comparison, Judge, Stance, Statement
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.errors import PageFailure, QuestionError
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.reading.html import ReadPage
from search_core.settings import Settings
from tests.loopback import language_model as play
from tests.loopback.language_model import LanguageModelServer
from tests.search_core.answers.asking import NOW, asking, cancel_when, follow, hbm, kinds, only, said, scorer, web_search
from tests.search_core.checking.checked import (
    AGREES,
    CHANGED,
    CONTRADICTS,
    FOUND,
    QUESTION,
    SAID_AT,
    Pages,
    answered,
    check_with,
    events_of,
    passage_at,
    record_of,
    request,
)
from tests.search_core.scripted import HangingProvider, ScriptedProvider, fails, finds, result, stance_row

UNAVAILABLE = "웹 검색을 사용할 수 없어 영상 기반 답변만 표시합니다"
ROOM_S = 30.0


@pytest.fixture(scope="module")
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        yield server


@pytest.fixture
def model(endpoint: LanguageModelServer) -> OpenAICompatible:
    endpoint.asked.clear()
    endpoint.left.clear()
    endpoint.answer = play.honest
    return OpenAICompatible(Settings(openai_base_url=endpoint.url, openai_api_key=play.KEY, openai_model="m"))


def rows_of(events: list[AnswerEvent]) -> dict[str, tuple[Stance, float]]:
    """Return the stance and the moment of each source that decides a statement, by its address."""
    sources = only(events, WebSourcesFound).sources
    rows = only(events, StancesCompared).comparison.rows
    return {sources[row.source].url: (row.stance, row.moment_s) for row in rows if row.stance is not Stance.CANNOT_TELL}


def test_an_answer_is_held_against_the_web(model: OpenAICompatible, endpoint: LanguageModelServer):
    """Query to times come in order and make the record; the model is given answer, day, pages and table, and no address."""
    text = "머리말이에요. HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트라고 JEDEC이 밝혔다."
    events = events_of(check_with(model, pages=Pages({AGREES.url: text})), request())
    assert kinds(events) == [
        WebSearching,
        WebSourcesFound,
        PagesRead,
        StancesCompared,
        AnswerToken,
        WebAnswerFinished,
        AnswerDone,
    ]
    assert rows_of(events) == {
        AGREES.url: (Stance.AGREE, SAID_AT),
        CONTRADICTS.url: (Stance.CONTRADICTS, SAID_AT),
        CHANGED.url: (Stance.CHANGED, SAID_AT),
    }
    compared = only(events, StancesCompared)
    assert "영상의 발언 2개를 서로 독립된 출처 3곳과 비교했어요. 상충 1개, 확인 불가 1개예요." in compared.summary
    assert [row.stance for row in compared.comparison.rows if row.after_video] == [Stance.CHANGED]
    finished = only(events, WebAnswerFinished)
    assert (finished.origin, finished.cited) == (AnswerOrigin.MODEL, (1, 2, 3))
    assert finished.text == said(events, AnswerPart.WEB)
    record = record_of(events)
    assert [source.number for source in record.sources] == [1, 2, 3]
    assert (record.headline, len(record.ledger)) == ("web은 답했어요.", 1)
    assert {page.failure for page in record.pages} == {"", PageFailure.NETWORK}
    assert (record.comparison, record.summary) == (compared.comparison, compared.summary)
    assert (record.web_origin, record.failure, record.text) == (AnswerOrigin.MODEL, None, "")
    assert record.done == only(events, AnswerDone)
    assert record.done.total_ms > 0
    prompt = endpoint.asked[0].prompt
    assert "the answer so far: 초당 최대 2테라바이트예요 [05:45]." in prompt
    assert "video published: 2026-03-02" in prompt
    assert "머리말이에요." in prompt
    assert prompt.count("\ntable: ") == 4
    assert "https://" not in prompt


@pytest.mark.parametrize(
    ("question", "subject", "answered_by_video", "query"),
    [
        (QUESTION, None, True, "HBM4 표준 대역폭"),
        (QUESTION, "마이크론", True, "마이크론 HBM4 표준 대역폭"),
        ("이 영상 내용 확인해 줘", None, True, "엔비디아 내용 HBM AI 가속기"),
        ("가을에 은행나무 나뭇잎은 왜 노래지나?", None, False, "가을 은행나무 나뭇잎 노래진다"),
    ],
)
def test_a_check_searches_for_the_question(question: str, subject: str | None, answered_by_video: bool, query: str):
    """The query is that of the question in its video, behind a subject that is given; of another matter it has its own words."""
    provider = ScriptedProvider("web", finds(*FOUND))
    check = check_with(search=web_search(provider), subject_of=lambda *_: "엔비디아")
    asked = request(question=asking(question, hbm()), subject=subject)
    events = events_of(check, asked if answered_by_video else replace(asked, answer=None))
    assert only(events, WebSearching).question == provider.asked[0].query == query


IN_OTHER_WORDS = result(
    "메모리 규격",
    url="https://d.example/4",
    snippet="HBM4 표준을 보면 묶음 하나의 대역폭이 최대 2TB, 곧 1초에 영화 400편이다.",
    publish_date=datetime(2025, 4, 17, tzinfo=UTC),
)


def test_a_language_model_judges_what_is_open(model: OpenAICompatible, endpoint: LanguageModelServer):
    """Its row goes into the prompt of the prose, and the summary says what it took; where it fails, that rules decide."""
    endpoint.answer = play.judging(
        lambda row: [{"stance": "bears_out", "source_quote": row.texts[0], "video_quote": row.statement}]
    )
    search = web_search(ScriptedProvider("web", finds(IN_OTHER_WORDS)))
    events = events_of(check_with(model, search, judge=model), request())
    compared = only(events, StancesCompared)
    rows = [(row.stance, row.judge) for row in compared.comparison.rows]
    assert rows == [(Stance.AGREE, Judge.LANGUAGE_MODEL), (Stance.CANNOT_TELL, Judge.RULES)], "what nobody decides stands last"
    assert re.search(r"언어 모델에 1번 물어 약 [\d,]+토큰을 썼어요\.", compared.summary)
    judged, written = endpoint.asked
    assert ("response_format" in judged.body, "response_format" in written.body) == (True, False)
    assert "table: 일치" in written.prompt
    endpoint.answer = play.REFUSALS["bad key"]
    events = events_of(
        check_with(None, web_search(ScriptedProvider("web", finds(AGREES, IN_OTHER_WORDS))), judge=model), request()
    )
    assert rows_of(events) == {AGREES.url: (Stance.AGREE, SAID_AT)}
    assert "언어 모델이 판단하지 못해서" in only(events, StancesCompared).summary


def test_without_a_model_the_web_is_quoted():
    """The telling sentence of each source, said to be an extract; the paragraph above is not repeated."""
    events = events_of(check_with(), request())
    finished = only(events, WebAnswerFinished)
    assert (finished.origin, finished.cited) == (AnswerOrigin.EXTRACT, (1, 2, 3))
    assert finished.text == said(events, AnswerPart.WEB)
    assert "언어 모델이 쓴 글이 아니라 발췌예요." in finished.text
    assert only(events, StancesCompared).summary not in finished.text
    numbers = {source.url: source.number for source in only(events, WebSourcesFound).sources}
    assert [line for line in finished.text.splitlines() if line.startswith("- ")] == [
        f"- “{source.snippet}” (example.org) [{numbers[source.url]}]" for source in (AGREES, CHANGED, CONTRADICTS)
    ]


@pytest.mark.parametrize("after", [0, 50])
def test_a_dying_model_is_stood_in_for_by_an_extract(after: int, model: OpenAICompatible, endpoint: LanguageModelServer):
    """Whenever the connection breaks, sources and stances stand and the sources are quoted instead, with a word on why."""
    endpoint.answer = play.dying(after)
    events = events_of(check_with(model), request())
    finished = only(events, WebAnswerFinished)
    assert finished.origin is AnswerOrigin.EXTRACT
    assert "웹 자료에서 뽑은 발췌로 대신 보여 드려요." in finished.text.splitlines()[0]
    assert f"“{CONTRADICTS.snippet}”" in finished.text
    assert only(events, StancesCompared).comparison.rows
    assert said(events, AnswerPart.WEB) == ("가" * after or finished.text)
    assert record_of(events).web_text == finished.text


async def breaks(*_: object, **_named: object):
    """Fail in a way that was not expected."""
    raise RuntimeError("broken")


def from_service(found: Callable) -> Callable:
    """Return a search of one service that answers *found*."""
    return web_search(ScriptedProvider("web", found))


@pytest.mark.parametrize(
    ("search", "failure", "korean"),
    [
        (from_service(finds()), WebFailure.NO_RESULTS, "웹에서 관련 자료를 찾지 못했어요"),
        (from_service(finds(result("오늘의 김치찌개 레시피"))), WebFailure.NOT_RELEVANT, "질문과 관련이 적어"),
        (from_service(fails(SearchStatus.NETWORK_ERROR)), WebFailure.UNAVAILABLE, UNAVAILABLE),
        (web_search(), WebFailure.UNAVAILABLE, UNAVAILABLE),
        (breaks, WebFailure.SEARCH_FAILED, UNAVAILABLE),
    ],
)
def test_each_way_to_find_nothing_has_its_reason(
    search: Callable, failure: WebFailure, korean: str, caplog: pytest.LogCaptureFixture
):
    """Nothing found, nothing that fits, no service and a broken search differ; no model is asked, and one warning is logged."""
    with caplog.at_level(logging.WARNING):
        events = events_of(check_with(search=search), request())
    assert kinds(events) == [WebSearching, WebAnswerFailed, AnswerDone]
    failed = only(events, WebAnswerFailed)
    assert failed.failure is failure
    assert korean in failed.korean
    [warning] = [each.getMessage() for each in caplog.records if "could not be checked online" in each.getMessage()]
    assert "HBM4" not in warning


@pytest.mark.parametrize(
    "asked",
    [
        request(AnswerRecord(text="잘 모르겠습니다."), question=asking(QUESTION)),
        request(AnswerRecord(text="영상에서 언급되지 않았습니다.", web_text="웹에 따르면 초당 2테라바이트예요 [1].")),
        replace(request(), answer=None),
    ],
)
def test_a_check_speaks_of_the_video_only_where_the_answer_is_of_it(asked: CheckRequest):
    """Without a video or an answer, and under an answer from the web, no answer from the video is said to be shown."""
    for found in (finds(), fails(SearchStatus.NETWORK_ERROR)):
        assert "영상" not in only(events_of(check_with(search=from_service(found)), asked), WebAnswerFailed).korean


def test_pages_that_retell_the_video_do_not_count():
    """A page that prints the transcript proves nothing: alone it adds nothing, beside others it is neither counted nor cited."""
    about = "HBM4 표준의 대역폭과 세대를 차례로 다룬 강연을 받아 적었습니다."
    retold = result("강연 받아쓰기", url="https://r.example/t", snippet=about)
    pages = Pages({retold.url: " ".join(segment.text for segment in hbm().transcript[32:40])})
    events = events_of(check_with(search=from_service(finds(AGREES, retold)), pages=pages), request())
    numbers = {source.url: source.number for source in only(events, WebSourcesFound).sources}
    assert "영상 쪽에서 냈거나 영상을 옮긴 1곳은 세지 않았어요." in only(events, StancesCompared).summary
    assert only(events, WebAnswerFinished).cited == (numbers[AGREES.url],)
    events = events_of(check_with(search=from_service(finds(retold)), pages=pages), request())
    assert only(events, StancesCompared).comparison.adds_nothing
    assert "독립된 자료를 찾지 못했어요" in only(events, StancesCompared).summary
    assert only(events, WebAnswerFinished).cited == ()


def test_an_answer_without_moments_rests_on_the_passages_that_bear_on_it():
    """Without moments or an answer the video is compared; an answer that rests on no passage, and no video, get no table."""
    for resting in (answered(), None):
        events = events_of(check_with(), CheckRequest(question=asking(QUESTION, hbm()), answer=resting))
        assert rows_of(events)[AGREES.url] == (Stance.AGREE, SAID_AT)
    nothing_said = request(AnswerRecord(text="영상에서 언급되지 않았습니다."))
    for asked in (nothing_said, replace(nothing_said, question=asking(QUESTION))):
        events = events_of(check_with(), asked)
        assert (StancesCompared in kinds(events), bool(only(events, WebAnswerFinished).cited)) == (False, True)
    with pytest.raises(QuestionError):
        events_of(check_with(), request(text=" "))


def test_a_model_cannot_invent_sources(model: OpenAICompatible, endpoint: LanguageModelServer):
    """Numbers of no source go; a sentence that its source does not bear out, that had no other, or with a new value is marked."""
    uncited = "영상도 초당 최대 2테라바이트라고 해요. 값은 9,999억 원이에요."
    endpoint.answer = play.saying(f"HBM4 표준의 대역폭은 77테라바이트예요 [1]. 그림도 있어요 [99]. {uncited}")
    finished = only(events_of(check_with(model), request()), WebAnswerFinished)
    assert finished.text == f"HBM4 표준의 대역폭은 77테라바이트예요 [1]. 그림도 있어요. {uncited}"
    assert finished.cited == (1,)
    marked = [finished.text[start:end] for start, end in finished.unsupported]
    assert marked == ["HBM4 표준의 대역폭은 77테라바이트예요 [1].", "그림도 있어요.", "값은 9,999억 원이에요."]


def test_leaving_stops_services_pages_and_the_model(model: OpenAICompatible, endpoint: LanguageModelServer):
    """A cancelled task leaves no request and no page under way; a reader who leaves an endless model closes its stream."""

    async def leave() -> None:
        provider = HangingProvider("web")
        await cancel_when(lambda: provider.asked, follow(check_with(search=web_search(provider)).check(request())))
        assert provider.cancelled == 1
        pages = Pages(dict.fromkeys((AGREES.url, CONTRADICTS.url, CHANGED.url)))
        await cancel_when(pages.hanging.is_set, follow(check_with(pages=pages, reading_timeout_s=ROOM_S).check(request())))
        assert (len(pages.asked), pages.open) == (3, 0)
        endpoint.answer = play.never_ending
        async with aclosing(check_with(model).check(request())) as events:
            await anext(event async for event in events if isinstance(event, AnswerToken))

    asyncio.run(leave())
    assert endpoint.left.wait(ROOM_S)


PAGE = "https://a.example"


def test_no_page_is_lost_to_the_start_of_what_reads_it():
    """The time for pages begins when their reader is there; without pages nobody waits for it."""
    order: list[str] = []

    class Waiting(Pages):
        async def read(self, url: str) -> ReadPage:
            order.append("page")
            return await super().read(url)

    pages = Waiting({PAGE: "글"})
    found = asyncio.run(read_pages({1: PAGE}, pages.read, 0.5, lambda: order.append("reader")))
    assert (order, type(found[1])) == (["reader", "page"], ReadPage)
    assert asyncio.run(read_pages({}, pages.read, 0.5, lambda: order.append("reader"))) == {}
    assert len(order) == 2


def test_a_page_that_breaks_is_unreadable():
    """An error that was not foreseen costs its page alone."""
    pages = Pages({PAGE: RuntimeError("odd"), f"{PAGE}/2": "글"})
    found = asyncio.run(read_pages({1: PAGE, 2: f"{PAGE}/2"}, pages.read, 30))
    assert (found[1], type(found[2])) == (PageFailure.UNREADABLE, ReadPage)


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
    assert [(each.moment_s, each.text) for each in chosen] == [
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
    assert [each.moment_s for each in statements_to_compare(asked, [said], scorer())] == [80.0]
    assert statements_to_compare(asked, [passage(60.0, "좋아요 부탁드립니다.", "왜 그럴까요?")], scorer()) == ()
    prices = passage(0.0, *(f"배터리 가격은 {year}년에 {year - 1900}달러였습니다." for year in range(2010, 2020)))
    assert len(statements_to_compare(asked, [prices], scorer())) == MAX_STATEMENTS


def test_numbers_in_foreign_text_are_none_of_ours():
    """Numbers in brackets of titles, quotes and the earlier answer cannot pass for those of sources."""
    odd = result("HBM4 규격 [1]", url="https://a.example", snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다 [1].")
    said = [Statement(each.start_s, each.text) for each in sentences(passage_at(SAID_AT))]
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
