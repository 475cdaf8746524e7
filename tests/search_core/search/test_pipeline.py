"""From a question to a report, over scripted services."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from search_core.domain.plain_json import plain_json
from search_core.domain.query import ConstructedQuery, QueryVariant, VariantOrigin, WritingOutcome
from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.result import RankingOptions, SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.job import SearchProgress
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.providers.kit.contract import SearchRequest
from search_core.search.pipeline import SearchPipeline, rearrange
from search_core.search.presenting.ledger import headline, outcome_sentence
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.query_writer import QueryWriter
from tests.search_core.answers.asking import NOW, pipeline_of
from tests.search_core.scripted import HangingProvider, ScriptedProvider, fails, finds, result

VIDEO = VideoContext(
    video_id="hbm",
    title="HBM과 메모리 대역폭",
    organizations=("SK하이닉스", "엔비디아"),
    events=("GTC 2026",),
    key_terms=("메모리", "대역폭", "HBM"),
    transcript=(
        TranscriptSegment(0, 10, "오늘은 메모리 대역폭 이야기를 합니다."),
        TranscriptSegment(10, 20, "SK하이닉스는 HBM을 만드는 회사입니다."),
    ),
    language="ko",
)
WHY = "메모리 대역폭은 왜 중요한가?"
HITS = (
    result("HBM 메모리 대역폭이 중요한 이유", snippet="HBM은 메모리 대역폭을 넓혀 가속기를 기다리지 않게 한다."),
    result("SK하이닉스 HBM4 메모리 대역폭 발표", snippet="SK하이닉스가 HBM4 메모리의 대역폭을 공개했다."),
    result("오늘의 김치찌개 레시피", snippet="돼지고기와 김치를 볶다가 물을 붓는다."),
)


def search(pipe: SearchPipeline, text: str, *, video: VideoContext | None = VIDEO, watch=lambda _: None, **options):
    return asyncio.run(pipe.run(Question(text=text, video=video), SearchOptions(**options), watch))


def test_a_question_becomes_a_report_of_shown_and_hidden_results():
    """The recipe is hidden and nothing is lost; moving the threshold shows and hides by kept scores and asks no provider."""
    provider = ScriptedProvider("a", finds(*HITS))
    report = search(pipeline_of(provider), WHY)
    assert "오늘의 김치찌개 레시피" not in [hit.title for hit in report.results]
    assert {hit.title for hit in (*report.results, *report.hidden)} == {hit.title for hit in HITS}
    assert report.scorer == KiwiEmbedder().name
    assert report.replies[0].status is SearchStatus.SUCCESS
    everything = rearrange(report, RankingOptions(threshold=0.0))
    nothing = rearrange(report, RankingOptions(threshold=1.0))
    assert (len(everything.results), len(everything.hidden)) == (3, 0)
    assert len(nothing.results) + len(nothing.hidden) == 3
    assert rearrange(nothing, report.options.ranking).results == report.results
    assert len(provider.asked) == 1


def test_what_is_asked_counts_before_what_the_video_is_about():
    """The query names the video's subject, and the page that answers without naming it is before one that only names it."""
    answers = result("방열판의 일", snippet="방열판은 칩에서 나오는 열을 식힌다.")
    on_subject = result("HBM 메모리 대역폭", snippet="HBM은 메모리 대역폭을 넓힌 메모리이다. HBM의 대역폭은 세대마다 늘었다.")
    provider = ScriptedProvider("a", finds(on_subject, answers))
    report = search(pipeline_of(provider), "열은 어떻게 식혀?", ranking=RankingOptions(threshold=0.0))
    assert "HBM" in provider.asked[-1].query
    assert provider.asked[-1].question == "열은 어떻게 식혀?"
    assert [hit.title for hit in report.results] == [answers.title, on_subject.title]


def test_only_a_vague_question_gets_something_of_the_video():
    """'이 회사' is sent as the video's company, other questions in their own words, verbatim ones as they are."""
    provider = ScriptedProvider("a", finds(*HITS))
    vague = "이 회사 최근 실적은?"
    report = search(pipeline_of(provider), vague)
    assert "SK하이닉스" in provider.asked[-1].query
    assert "실적" in provider.asked[-1].query
    assert report.intent.requires_context
    report = search(pipeline_of(provider), vague, verbatim=True)
    assert provider.asked[-1].query == vague
    assert report.constructed.verbatim
    search(pipeline_of(provider), "칩 위에 메모리를 얹은 까닭은?")
    assert provider.asked[-1].query == "칩 위 메모리 얹은 까닭"
    assert not any("얹다" in broader for broader in provider.asked[-1].broader)


def test_broader_queries_follow_when_nothing_is_found():
    """When the built query finds nothing, its fallbacks are asked, narrow to broad, until one finds something."""

    def only_broad(request):
        return HITS if len(request.query.split()) <= 2 else ()

    provider = ScriptedProvider("a", only_broad)
    report = search(pipeline_of(provider), WHY)
    assert len(provider.asked) > 1
    assert provider.asked[0].broader == report.constructed.fallback_queries
    assert all(request.broader == () for request in provider.asked[1:])
    assert report.results
    assert [reply.status for reply in report.replies][-1] is SearchStatus.SUCCESS
    assert SearchStatus.NO_RESULTS in [reply.status for reply in report.replies]


class BothWays(QueryConstructor):
    """Says of every query how else it can be worded."""

    def query_for(self, *about: object) -> ConstructedQuery:
        also = tuple(QueryVariant(text=text, origin=VariantOrigin.WITHOUT_CONTEXT) for text in ("대역폭 뜻", "SK하이닉스 뜻"))
        return replace(super().query_for(*about), also=also)


def test_other_wordings_are_asked_in_the_first_round_and_can_be_taken_away():
    """They go beside the query, not beside broader ones; what was taken away is in none; the page hears of one reply each."""
    free, other, seen = ScriptedProvider("free", finds()), ScriptedProvider("other", finds()), []
    free.free_to_ask_twice = True
    pipe = pipeline_of(free, other, constructor=BothWays(now=lambda: NOW))
    report = search(pipe, WHY, watch=seen.append)
    assert [reply.also for reply in report.replies if reply.provider == "free"][:2] == [("대역폭 뜻", "SK하이닉스 뜻"), ()]
    asked = [request.query for request in free.asked]
    assert (asked.count("대역폭 뜻"), asked.count("SK하이닉스 뜻"), len(asked)) == (1, 1, len(other.asked) + 2)
    assert sorted(seen[-1].replies, key=report.replies.index) == list(report.replies)
    report = search(pipe, WHY, without_parts=frozenset({"SK하이닉스"}))
    assert [each.text for each in report.constructed.also] == ["대역폭 뜻"]
    assert plain_json(report)["constructed"]["also"] == [{"text": "대역폭 뜻", "origin": "without_context", "translated": None}]


class Writes:
    """A language model that says one thing, once it is let."""

    def __init__(self, said: str, go: asyncio.Event | None = None) -> None:
        self.said, self.go, self.asked = said, go, 0

    async def answer_shortly(self, messages: object, *, max_tokens: int, within_s: float) -> str:
        self.asked += 1
        if self.go is not None:
            await self.go.wait()
        return self.said


def test_what_a_language_model_writes_is_asked_beside_the_query():
    """The query goes out before the model has said anything; its own goes where that is free, and stands in the report."""
    go = asyncio.Event()

    def answer(request: SearchRequest) -> tuple[SearchResult, ...]:
        go.set()
        return HITS[1:] if request.query.endswith("지연") else HITS[:1]

    free, metered, seen = ScriptedProvider("free", answer), ScriptedProvider("metered", answer), []
    free.free_to_ask_twice = True
    model = Writes('{"query": "HBM4 대역폭 지연"}', go)
    pipe = pipeline_of(free, metered, writer=QueryWriter(model, within_s=5))
    report = search(pipe, WHY, watch=seen.append)
    query = report.constructed.text
    also = [each.text for each in report.constructed.also if each.origin is not VariantOrigin.MODEL]
    assert [[request.query for request in each.asked] for each in (free, metered)] == [
        [query, *also, "HBM4 대역폭 지연"],
        [query],
    ]
    assert {reply.provider: reply.also for reply in report.replies} == {"free": (*also, "HBM4 대역폭 지연"), "metered": ()}
    assert (report.written.outcome, report.written.text) == (WritingOutcome.WRITTEN, "HBM4 대역폭 지연")
    assert report.constructed.also[len(also) :] == (QueryVariant(text="HBM4 대역폭 지연", origin=VariantOrigin.MODEL),)
    assert seen[-1].constructed == report.constructed
    assert len(seen[-1].replies) == 2
    assert {hit.title for hit in (*report.results, *report.hidden)} == {hit.title for hit in HITS}
    report = search(pipe, WHY, without_parts=frozenset({"HBM4 대역폭 지연"}))
    assert (report.written.outcome, [each.text for each in report.constructed.also]) == (WritingOutcome.TAKEN_AWAY, also)
    assert [request.query for request in free.asked][2 + len(also) :] == [query, *also]


def test_a_language_model_costs_a_search_nothing():
    """None is asked where the words are given, or nobody would be asked for its query."""
    free, metered, model = ScriptedProvider("free", finds(*HITS)), ScriptedProvider("metered", finds(*HITS)), Writes("HBM")
    free.free_to_ask_twice = True
    pipe = pipeline_of(free, metered, writer=QueryWriter(model))
    for options in ({"verbatim": True}, {"subject": "HBM"}, {"providers": ("metered",)}):
        assert search(pipe, WHY, **options).written is None
    assert model.asked == 0


def test_nobody_is_asked_more_broadly_when_nobody_could_be_asked():
    """A failure is not 'nothing found': broader queries are not tried, and the failure is in the report."""
    provider = ScriptedProvider("a", fails(SearchStatus.INVALID_API_KEY))
    report = search(pipeline_of(provider), WHY)
    assert len(provider.asked) == 1
    assert report.replies[0].status is SearchStatus.INVALID_API_KEY
    assert (report.results, report.hidden) == ((), ())


class WaitingProvider(ScriptedProvider):
    """Answers once a watcher has seen early results, or at the latest at the deadline."""

    def __init__(self, name: str, answer) -> None:
        super().__init__(name, answer, go=asyncio.Event())
        self.seen: list[SearchReport] = []

    def watch(self, progress: SearchProgress) -> None:
        if progress.report is not None:
            self.seen.append(progress.report)
            self.go.set()


def test_what_comes_later_stands_behind_what_was_shown_first():
    """Before the second service has answered there is a report of the first that names who is awaited.

    At the end its results have their places and scores, and know who else saw them; a copy of their story adds nothing.
    """
    better = result("메모리 대역폭이 중요한 이유", snippet="메모리 대역폭이 왜 중요한지 메모리 대역폭으로 답한다.")
    late = WaitingProvider("b", finds(better, HITS[0]))
    pipe = pipeline_of(ScriptedProvider("a", finds(*HITS)), late)
    report = search(pipe, WHY, watch=late.watch, early_after_s=0.0)
    early = late.seen[0]
    assert (early.waiting, early.web_unavailable, [reply.provider for reply in early.replies]) == (("b",), False, ["a"])
    assert len(early.results) + len(early.hidden) == len(HITS)
    *first, last = report.results
    scores = [(hit.url, hit.relevance_score, hit.late) for hit in early.results]
    assert [(hit.url, hit.relevance_score, hit.late) for hit in first] == scores
    assert ((last.url, last.late), report.waiting) == ((better.url, 1), ())
    seen_by = {hit.url: hit.providers for hit in first}
    assert set(seen_by[HITS[0].url]) == {"a", "b"}
    placed = rearrange(report, RankingOptions())
    assert [(hit.url, hit.late) for hit in placed.results] == [(hit.url, hit.late) for hit in report.results]


def test_documents_are_shown_at_once_and_the_web_follows():
    """The library answers before the web: its documents are told of, and the first list of the web is not late for that."""
    library, late = ScriptedProvider("a", finds(replace(HITS[0], collection="user", url="library:1"))), WaitingProvider("b", HITS)
    library.web = False
    report = search(pipeline_of(library, late), WHY, watch=late.watch, early_after_s=0.0)
    early = late.seen[0]
    assert (early.waiting, len(early.own_results), early.web_results) == (("b",), 1, ())
    assert (early.own_results, [hit.late for hit in report.web_results]) == (report.own_results, [0, 0])


def finished_early(pipe: SearchPipeline, text: str, *, after: int = 1):
    """Run a search that is asked to finish as soon as that many providers have replied."""

    async def run():
        finish = asyncio.Event()

        def watch(progress: SearchProgress) -> None:
            if len(progress.replies) >= after:
                finish.set()

        return await pipe.run(Question(text=text, video=VIDEO), SearchOptions(), watch, finish)

    return asyncio.run(run())


def test_a_search_finished_early_keeps_what_was_found_and_names_who_was_left():
    """The results of the provider that had answered are in the report; the other is cancelled and named."""
    hanging = HangingProvider("b")
    report = finished_early(pipeline_of(ScriptedProvider("a", finds(*HITS)), hanging), WHY)
    assert len(report.results) + len(report.hidden) == 3
    assert hanging.cancelled == 1
    assert [(reply.provider, reply.status) for reply in report.replies] == [
        ("a", SearchStatus.SUCCESS),
        ("b", SearchStatus.NOT_AWAITED),
    ]
    assert headline(report.replies) == "2곳 중 1곳이 답했어요. b는 검색을 멈춰서 기다리지 않았어요."
    assert not report.web_unavailable


def test_a_web_that_was_stopped_before_it_had_anything_is_neither_away_nor_empty():
    """With an own document alone no sentence speaks of the web; with nothing there is no report, but the end of the search."""
    own = ScriptedProvider("own", finds(replace(HITS[0], collection="user")))
    own.web = False
    pipe = pipeline_of(own, ScriptedProvider("a", finds()), HangingProvider("b"))
    report = finished_early(pipe, WHY, after=2)
    assert (report.web_unavailable, outcome_sentence(report)) == (False, "")
    assert [result.collection for result in (*report.results, *report.hidden)] == ["user"]
    with pytest.raises(asyncio.CancelledError):
        finished_early(pipeline_of(ScriptedProvider("a", finds()), HangingProvider("b")), "메모리 대역폭")


def test_a_news_question_asks_for_fresh_news_first_and_then_without_limit():
    """The limit is given up when the web has nothing so fresh, whatever the library has; other questions have none."""
    own, web = (
        ScriptedProvider("own", finds(HITS[0])),
        ScriptedProvider("web", lambda asked: () if asked.fresh else HITS[1:2]),
    )
    own.web = False
    report = search(pipeline_of(own, web), "SK하이닉스 오늘 발표 뉴스")
    assert [(asked.fresh, asked.news) for asked in web.asked] == [(True, True), (False, True)]
    assert len({asked.query for asked in web.asked}) == 1
    assert report.results or report.hidden
    search(pipeline_of(web), "메모리 대역폭의 뜻과 원리")
    assert [(asked.fresh, asked.news) for asked in web.asked[2:]] == [(False, False)]


class Patient(KiwiEmbedder):
    """Embeds like Kiwi, when it is let, under a name of its own."""

    name = "patient"

    def __init__(self):
        self.go_on = threading.Event()

    def embed(self, texts, kind="passage"):
        assert self.go_on.wait(60)
        return super().embed(texts, kind)


def test_words_order_results_where_the_model_takes_its_time():
    """The page gets the order by words, and no request more."""
    patient, provider = Patient(), ScriptedProvider("a", finds(HITS[0], HITS[2]))
    try:
        report = asyncio.run(_unless_stuck(pipeline_of(provider, embedder=patient), patient))
        assert (report.scorer, len(report.results) + len(report.hidden), len(provider.asked)) == ("kiwi", 2, 1)
    finally:
        patient.go_on.set()


async def _unless_stuck(pipe, patient):
    report = await pipe.run(Question(text="대역폭이 왜 중요한가요?"), SearchOptions(words_after_s=0.05), lambda _: None)
    patient.go_on.set()  # what was begun ends, as the loop waits for its threads
    return report
