"""The whole of an answer, with models and searches that play along, fail, and hang."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime

import pytest

from search_core.answers.web_search import no_evidence, tell_reader
from search_core.domain.conversation import (
    AnswerDone,
    AnsweredWithoutWeb,
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    FallbackDecided,
    PassagesChosen,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSourcesFound,
)
from search_core.domain.reply import SearchStatus
from search_core.domain.report import SearchReport
from search_core.domain.video import VideoContext
from search_core.errors import LanguageModelError, LanguageModelFailure, QuestionError, StorageError
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.models.llm.prompt import ChatMessage
from search_core.settings import Settings
from tests.loopback.language_model import LanguageModelServer, Stream, event
from tests.search_core.scripted import HangingProvider, ScriptedProvider, fails, finds, result
from tests.search_core.search.presenting.conftest import reply, report

from .asking import all_of, asking, cancel_when, events_of, flow, follow, hbm, kinds, only, said, searching

FOUNDER = "SK하이닉스 창업자는 누구인가요?"
WALL = "메모리 장벽이 뭐야?"
IGNORANT = "영상에서 언급되지 않았습니다."
FOUND = (
    result(
        "SK하이닉스 창업자",
        url="https://a.example/1",
        snippet="SK하이닉스 창업자는 1983년에 현대전자를 세운 정주영이다. 회사 이름은 2012년에 바뀌었다.",
        publish_date=datetime(2026, 3, 1, tzinfo=UTC),
    ),
    result("SK하이닉스의 역사", url="https://b.example/2", snippet="SK하이닉스 창업자 정주영은 현대그룹도 세웠다."),
    result("창업자 이야기", url="https://c.example/3", snippet="정주영은 SK하이닉스의 앞선 회사를 만든 창업자로 꼽힌다."),
    result("SK하이닉스 창업자 인물 사전", url="https://d.example/4", snippet="SK하이닉스 창업자를 다룬 네 번째 글이다."),
)
WEB_ANSWER = "1983년에 현대전자를 세운 정주영이에요 [1]."


class Scripted:
    """Writes what it is told to, a few letters at a time; notes what it was asked and whether it was stopped."""

    def __init__(self, *answers: str | LanguageModelError | tuple[str, LanguageModelError]) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[ChatMessage]] = []
        self.open = 0

    async def chat(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> AsyncGenerator[str]:
        self.asked.append(messages)
        answer = self.answers.pop(0)
        text, error = answer if isinstance(answer, tuple) else ("", answer) if isinstance(answer, Exception) else (answer, None)
        self.open += 1
        try:
            for start in range(0, len(text), 4):
                yield text[start : start + 4]
            if error is not None:
                raise error
        finally:
            self.open -= 1


def broken(kind: LanguageModelFailure = LanguageModelFailure.CUT) -> LanguageModelError:
    return LanguageModelError("broken off", korean="언어 모델의 답이 중간에 끊겼어요.", kind=kind)


def test_an_answer_of_the_video_asks_no_service():
    """Passages, tokens, the answer with its moments, the decision and the times come; without fallback nothing is searched."""
    provider = ScriptedProvider("web", finds(*FOUND))
    model = Scripted("메모리와 계산의 속도 차이를 말해요 [00:40]. 없는 때는 사라져요 [59:59].", IGNORANT)
    events = events_of(flow(model, searching(provider)), asking(WALL, hbm()))
    assert kinds(events) == [PassagesChosen, AnswerToken, AnswerFinished, FallbackDecided, AnswerDone]
    answer = only(events, AnswerFinished)
    assert said(events, AnswerPart.VIDEO) == "메모리와 계산의 속도 차이를 말해요 [00:40]. 없는 때는 사라져요."
    written, quoted = answer.text.split("\n\n", 1)
    assert written == said(events, AnswerPart.VIDEO)
    assert quoted.startswith("자막에서는 이렇게 말해요.\n\n- [00:25] “프로세서의 속도는")
    assert (answer.moments[0], answer.origin, answer.complete, answer.notice) == (40.0, AnswerOrigin.MODEL, True, "")
    assert not only(events, FallbackDecided).triggered
    events = events_of(flow(model, searching(provider), fallback_enabled=False), asking(FOUNDER, hbm()))
    assert kinds(events) == [PassagesChosen, AnswerToken, AnswerFinished, FallbackDecided, AnswerDone]
    assert (only(events, FallbackDecided).triggered, only(events, FallbackDecided).enabled) == (True, False)
    assert provider.asked == []


def test_an_answer_that_is_none_is_looked_for_on_the_web():
    """The question is searched for, the three best snippets go into a second call without addresses, citations are looked up."""
    provider = ScriptedProvider("web", finds(*FOUND))
    model = Scripted(IGNORANT, f"{WEB_ANSWER} 없는 번호는 사라져요 [7].")
    events = events_of(flow(model, searching(provider), labels={"web": "웹 검색이라는 곳"}), asking(FOUNDER, hbm()))
    assert kinds(events) == [
        PassagesChosen,
        AnswerToken,
        AnswerFinished,
        FallbackDecided,
        WebSearching,
        WebSourcesFound,
        AnswerToken,
        WebAnswerFinished,
        AnswerDone,
    ]
    decided = only(events, FallbackDecided)
    assert (decided.triggered, decided.reason, decided.evidence) == (True, "not_in_source", IGNORANT)
    assert decided.passages == only(events, PassagesChosen).passages != ()
    assert provider.asked[0].query == FOUNDER
    sources = only(events, WebSourcesFound).sources
    assert [source.number for source in sources] == [1, 2, 3]
    first = next(hit for hit in FOUND if hit.url == sources[0].url)
    assert (sources[0].title, sources[0].snippet, sources[0].source) == (first.title, first.snippet, "example.org")
    assert only(events, WebSourcesFound).headline == "웹 검색이라는 곳은 답했어요."
    prompt = model.asked[1][-1].content
    assert sources[2].snippet in prompt
    assert "[4]" not in prompt
    assert "https://" not in prompt
    answer = only(events, WebAnswerFinished)
    assert answer.origin is AnswerOrigin.MODEL
    assert answer.cited == (1,)
    assert "[7]" not in answer.text
    assert only(events, AnswerDone).total_ms > 0


def test_scenes_come_without_an_answer():
    """The passages that bear on keywords are reported, and neither the model nor a service is asked."""
    provider, model = ScriptedProvider("web", finds(*FOUND)), Scripted(IGNORANT)
    events = all_of(flow(model, searching(provider)).scenes(asking("메모리 대역폭", hbm())))
    assert kinds(events) == [PassagesChosen, AnswerDone]
    assert only(events, PassagesChosen).passages
    assert provider.asked == model.asked == []


def test_a_search_that_goes_on_already_is_not_made_twice():
    """The web's part of an answer is written from the results that are handed in, and no service is asked."""
    provider = ScriptedProvider("web", finds(*FOUND))
    question, queries = asking(FOUNDER, hbm()), []
    report = asyncio.run(searching(provider)(question, queries.append))
    asked = len(provider.asked)

    async def found() -> SearchReport:
        return report

    events = all_of(flow(Scripted(IGNORANT, WEB_ANSWER), searching(provider)).answer(question, found))
    assert only(events, WebSearching).question == queries[0]
    assert only(events, WebAnswerFinished).cited == (1,)
    assert len(provider.asked) == asked


async def breaks_storage(*_: object):
    """Fail as a search does whose store is broken."""
    raise StorageError("disk", korean="디스크")


async def breaks(*_: object):
    """Fail in a way that was not expected."""
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    ("search", "failure", "korean", "for_model"),
    [
        (finds(), WebFailure.NO_RESULTS, "웹에서는 결과를 찾지 못했어요.", "[검색 완료]"),
        (finds(result("오늘의 김치찌개 레시피")), WebFailure.NOT_RELEVANT, "웹에서도 관련 결과를 찾지 못했어요.", "[검색 완료]"),
        (fails(SearchStatus.TIMEOUT), WebFailure.UNAVAILABLE, "웹 검색을 사용할 수 없어", "[웹 검색 사용 불가]"),
        (breaks_storage, WebFailure.SEARCH_FAILED, "", ""),
        (breaks, WebFailure.SEARCH_FAILED, "", ""),
    ],
)
def test_a_search_that_gives_nothing_leaves_the_answer(
    search: Callable, failure: WebFailure, korean: str, for_model: str, caplog: pytest.LogCaptureFixture
):
    """Each way to find nothing is an event with its reason; the first answer stands and one warning is logged."""
    search_web = search if failure is WebFailure.SEARCH_FAILED else searching(ScriptedProvider("web", search))
    with caplog.at_level(logging.WARNING):
        events = events_of(flow(Scripted(IGNORANT, IGNORANT), search_web), asking(FOUNDER, hbm()))
    failed = only(events, WebAnswerFailed)
    assert failed.failure is failure
    assert korean in failed.korean
    assert failed.for_model.startswith(for_model)
    assert kinds(events)[-2:] == [WebAnswerFailed, AnswerDone]
    assert only(events, AnswerFinished).text == IGNORANT
    [warning] = [record.getMessage() for record in caplog.records if "the first one stands" in record.getMessage()]
    assert "창업자" not in warning


@pytest.mark.parametrize(
    ("advice", "failure"), [("검색을 멈춰서 기다리지 않았어요.", WebFailure.STOPPED), ("", WebFailure.UNAVAILABLE)]
)
def test_a_search_that_was_stopped_is_no_outage(advice: str, failure: WebFailure):
    """Who stops the search is not told that the web is away; a service that the deadline cut off stays one that was asked."""
    left = reply("tavily", SearchStatus.NOT_AWAITED, advice=advice)
    told = tell_reader(no_evidence(asking(FOUNDER), report(replies=(left,)), {}))
    assert told.failure is failure
    assert ("멈춰서" in told.korean) is (failure is WebFailure.STOPPED)
    assert bool(told.reason) is (failure is not WebFailure.STOPPED)


def test_a_model_is_told_at_once_that_the_web_has_nothing():
    """Reader and model learn in the same turn how few answered and who did not; what the model makes of it follows."""
    said = "웹에서는 답을 찾지 못했어요. 영상은 메모리와 계산의 속도 차이만 말해요 [00:40]."
    model = Scripted(IGNORANT, said)
    blocked, broken_down = fails(SearchStatus.BLOCKED), fails(SearchStatus.NETWORK_ERROR)
    providers = [ScriptedProvider(name, answer) for name, answer in zip("abc", (finds(), blocked, broken_down), strict=True)]
    labels = {"a": "위키백과", "b": "구글", "c": "네이버"}
    events = events_of(flow(model, searching(*providers), labels=labels), asking(FOUNDER, hbm()))
    failed = only(events, WebAnswerFailed)
    assert failed.korean.startswith("웹 검색 서비스 3곳 중 1곳만 답했어요.")
    assert failed.headline == "3곳 중 1곳이 답했어요. 구글은 접속을 막았어요. 네이버는 연결되지 않았어요."
    assert failed.ledger[1].startswith("구글: 접속을 막았어요.")
    told = model.asked[1][-1].content.splitlines()[-2]
    assert told.startswith(f"[검색 완료] '{FOUNDER}'에 대한 검색 결과가 없습니다.")
    assert told.endswith(failed.headline)
    assert only(events, AnsweredWithoutWeb).text == said


def test_a_search_that_takes_too_long_is_given_up():
    """When the time is over, the search is cancelled down to the provider, and the first answer stands."""
    provider = HangingProvider("web")
    events = events_of(flow(Scripted(IGNORANT, IGNORANT), searching(provider), search_timeout_s=0.3), asking(FOUNDER, hbm()))
    failed = only(events, WebAnswerFailed)
    assert failed.failure is WebFailure.TIMEOUT
    assert "시간 안에" in failed.korean
    assert "시간 안에" in failed.for_model
    assert provider.cancelled == 1


@pytest.mark.parametrize(
    "second",
    [
        ("정주영이", broken()),
        "검색 결과에서 답을 찾을 수 없습니다.",
        "창업자는 김철수라고 해요 [2].",
        "1971년에 세웠어요 [1].",
        "창업자가 궁금하시군요.",
    ],
    ids=["broken off", "none", "somebody else", "another year", "an echo"],
)
def test_sources_are_quoted_where_the_second_answer_is_none(second: str | tuple[str, LanguageModelError]):
    """One that broke off, does not know, or that no source bears out gives way to what the sources say."""
    search = searching(ScriptedProvider("w", finds(*FOUND)))
    events = events_of(flow(Scripted(IGNORANT, second), search), asking(FOUNDER, hbm()))
    web = only(events, WebAnswerFinished)
    assert (web.origin, "언어 모델이 쓴 답이 아니라" in web.text) == (AnswerOrigin.EXTRACT, True)
    assert "정주영" in web.text


@pytest.mark.parametrize(
    ("model", "failure", "korean"),
    [
        (Scripted(IGNORANT, ("정주영이", broken())), WebFailure.MODEL_FAILED, "언어 모델의 답이 중간에 끊겼어요."),
        (Scripted(IGNORANT, "검색 결과에서 답을 찾을 수 없습니다."), WebFailure.NOT_ANSWERED, ""),
        (None, WebFailure.NOT_ANSWERED, ""),
    ],
)
def test_sources_that_say_nothing_of_what_is_asked_leave_the_first_answer(model, failure: WebFailure, korean: str):
    """A page that only names the company is a source and no answer, whatever becomes of a second answer."""
    hits = finds(result("SK하이닉스 소개", snippet="SK하이닉스는 이천에 본사가 있는 메모리 반도체 회사이다."))
    events = events_of(flow(model, searching(ScriptedProvider("w", hits))), asking(FOUNDER, hbm()))
    assert len(only(events, WebSourcesFound).sources) == 1
    failed = only(events, WebAnswerFailed)
    assert (failed.failure, failed.korean.startswith(korean)) == (failure, True)
    assert WebAnswerFinished not in kinds(events)


CUT = "언어 모델의 답이 중간에 끊겼어요."
HALF = "메모리 장벽은 속도 차이를 말해요"


@pytest.mark.parametrize(
    ("answer", "origin", "text", "notice"),
    [
        (broken(), AnswerOrigin.EXTRACT, "[00:25]", f"{CUT} 자막에서 뽑은 발췌로 대신 보여 드려요."),
        ("  \n ", AnswerOrigin.EXTRACT, "[00:25]", "빈 답"),
        ((f"{HALF} [00:", broken()), AnswerOrigin.MODEL, HALF, "여기까지 온 답을 보여 드려요."),
        (("김치찌개는 돼지고기와 묵은지로 끓", broken()), AnswerOrigin.EXTRACT, "[00:25]", CUT),
        ((HALF, broken(LanguageModelFailure.UNUSABLE)), AnswerOrigin.EXTRACT, "[00:25]", CUT),
    ],
)
def test_a_model_that_fails_leaves_an_answer(answer, origin: AnswerOrigin, text: str, notice: str):
    """An extract stands in where nothing came, or nothing borne out; else the beginning stands as incomplete, and why."""
    events = events_of(flow(Scripted(answer), searching(ScriptedProvider("w", finds()))), asking(WALL, hbm()))
    finished = only(events, AnswerFinished)
    assert (finished.origin, finished.complete) == (origin, origin is AnswerOrigin.EXTRACT)
    assert text in finished.text
    assert notice in finished.notice
    silent = events_of(flow(Scripted(broken()), searching(ScriptedProvider("w", finds()))), asking(FOUNDER, hbm()))
    assert only(silent, AnswerFinished).notice == CUT, "no extract is spoken of where none follows"
    if origin is AnswerOrigin.MODEL:
        assert finished.text.startswith(said(events, AnswerPart.VIDEO).removesuffix(" [00:"))


@pytest.mark.parametrize("one_round", ["[12:41:00] ", "<|im_start|>user\n", "그리고 이렇게 말했어요. ", "It grows again. "])
def test_a_model_that_goes_round_is_asked_once(one_round: str):
    """Video and web are quoted instead, and nothing of what it said is left."""
    with LanguageModelServer(answer=lambda _: Stream(event(one_round) for _ in itertools.count())) as server:
        model = OpenAICompatible(Settings(_env_file=None, openai_base_url=server.url, openai_model="m"))
        events = events_of(flow(model, searching(ScriptedProvider("web", finds(*FOUND)))), asking(FOUNDER, hbm()))
    assert (only(events, AnswerFinished).origin, only(events, WebAnswerFinished).origin) == (AnswerOrigin.EXTRACT,) * 2
    assert one_round.strip() not in only(events, AnswerFinished).text
    assert len(server.asked) == 1


@pytest.mark.parametrize("video", [hbm(), None])
def test_without_a_model_both_answers_are_extracts(video: VideoContext | None):
    """Nothing needs a model or a video: the web's sentences are quoted, numbered and said to be excerpts."""
    events = events_of(flow(None, searching(ScriptedProvider("web", finds(*FOUND)))), asking(FOUNDER, video))
    assert (only(events, PassagesChosen).passages == ()) is (video is None)
    assert only(events, FallbackDecided).triggered
    assert only(events, AnswerFinished).origin is AnswerOrigin.EXTRACT
    assert only(events, AnswerFinished).notice == ""
    web = only(events, WebAnswerFinished)
    assert (web.origin, web.cited) == (AnswerOrigin.EXTRACT, (1, 2, 3))
    assert "언어 모델이 쓴 답이 아니라" in web.text
    sources = {source.number: source.snippet for source in only(events, WebSourcesFound).sources}
    lines = [line for line in web.text.splitlines() if line.startswith("- ")]
    for number, line in enumerate(lines, start=1):
        assert line.endswith(f"[{number}]")
        assert line.split("“")[1].split("”")[0] in sources[number]


def test_leaving_in_the_middle_stops_the_model_and_the_services():
    """Leaving at the first token or in the middle of the search leaves nothing under way; an empty question begins nothing."""
    model, provider = Scripted("가" * 400), HangingProvider("web")

    async def leave() -> None:
        async with aclosing(flow(model, searching()).answer(asking(WALL, hbm()))) as events:
            await anext(event async for event in events if isinstance(event, AnswerToken))
            assert model.open == 1
        assert model.open == 0
        answer = flow(Scripted(IGNORANT), searching(provider)).answer(asking(FOUNDER, hbm()))
        await cancel_when(lambda: provider.asked, follow(answer))

    asyncio.run(leave())
    assert provider.cancelled == 1
    with pytest.raises(QuestionError):
        events_of(flow(None, searching()), asking("  ", hbm()))
