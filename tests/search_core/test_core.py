"""The facade: searching, answering, exporting, over played services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain import (
    AnswerDone,
    AnswerFinished,
    AnswerToken,
    FallbackDecided,
    PassagesChosen,
    Question,
    RankingOptions,
    SearchOptions,
    SearchStatus,
    WebSearching,
    WebSourcesFound,
)
from search_core.errors import InputError, QuestionError, VideoReadError
from tests.loopback.language_model import LanguageModelServer, never_ending
from tests.loopback.world import World
from tests.search_core.whole_core import build_core, hbm

SPOKEN = "1\n00:00:01,000 --> 00:00:02,000\n안녕하세요, 메모리 이야기입니다.\n"


@pytest.fixture(autouse=True)
def _healthy(world: World):
    world.reset()


def a_core(world: World, folder: Path, **changes: object) -> SearchCore:
    return build_core(world, folder, **{"search_providers": "library,wikipedia,searxng,duckduckgo", **changes})


@pytest.fixture(scope="module")
def shared(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchCore]:
    """Run one core for tests in which all services are well and are asked anew."""
    with closing(a_core(world, tmp_path_factory.mktemp("core"), web_search_cache_ttl=0)) as core:
        yield core


@pytest.fixture
def core(world: World, tmp_path: Path) -> Iterator[SearchCore]:
    with closing(a_core(world, tmp_path, library_samples=False)) as core:
        yield core


def test_a_fresh_machine_finds_something(shared: SearchCore):
    """On its samples alone, a question about a sample video gets scored Korean results with moments of the video."""
    options = SearchOptions(providers=("library",))
    report = shared.search(Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)), options)
    assert len(report.results) >= 3
    assert all(hit.relevance_score is not None for hit in report.results)
    assert any(hit.moment is not None for hit in report.results)
    assert "대역폭" in report.results[0].title + report.results[0].snippet


def test_every_service_is_asked_and_named(shared: SearchCore, world: World):
    """Library, Wikipedia, SearXNG and DuckDuckGo are asked at once; the ledger has a line for each."""
    report = shared.search(Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)))
    assert {reply.provider: reply.status for reply in report.replies} == dict.fromkeys(
        ("library", "wikipedia", "searxng", "duckduckgo"), SearchStatus.SUCCESS
    )
    assert {line.provider for line in shared.ledger(report)} == {"library", "wikipedia", "searxng", "duckduckgo"}
    assert "3곳" in shared.headline(report)
    seen_twice = [hit for hit in (*report.results, *report.hidden) if {"searxng", "duckduckgo"} <= set(hit.providers)]
    assert seen_twice


def test_who_was_not_asked_is_named_with_the_reason(world: World, tmp_path: Path):
    """Services of later tiers that are set up and chosen are named once an earlier tier has found something."""
    settings = {"search_providers": "library,wikipedia;searxng;duckduckgo;google", "google_custom_search_api_key": ""}
    with closing(a_core(world, tmp_path, **settings)) as core:
        report = core.search(Question(text="메모리 대역폭"))
        said = "SearXNG, DuckDuckGo에는 묻지 않았어요. 순서가 앞선 곳에서 결과를 찾았어요."
        assert (report.not_asked, core.not_asked(report)) == (("searxng", "duckduckgo"), said)
        assert core.report_json(report)["not_asked"] == ["searxng", "duckduckgo"]
        assert all(said in core.export(report, kind).data.decode() for kind in ("markdown", "csv"))
        chosen = core.search(Question(text="메모리 대역폭"), SearchOptions(providers=("wikipedia",)))
        assert (chosen.not_asked, core.not_asked(chosen)) == ((), "")
        world.play("wikipedia", failure="503")
        assert core.search(Question(text="다른 질문"), SearchOptions()).not_asked == ("duckduckgo",)


def test_a_failing_service_is_named_and_the_others_answer(core: SearchCore, world: World):
    """A blocked DuckDuckGo is 'blocked', not 'nothing found', and the other results are shown."""
    world.play("duckduckgo", failure="blocked")
    report = core.search(Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(core)))
    statuses = {reply.provider: reply.status for reply in report.replies}
    assert statuses["duckduckgo"] is SearchStatus.BLOCKED
    assert report.results


def test_an_identical_question_is_answered_from_what_is_kept(core: SearchCore, world: World):
    """The second identical search asks no service on the network and says its answers are kept ones."""
    question = Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(core))
    first = core.search(question)
    asked = len(world.asked)
    second = core.search(question)
    assert len(world.asked) == asked
    assert {reply.from_cache for reply in second.replies if reply.provider != "library"} == {True}
    assert [hit.url for hit in second.results] == [hit.url for hit in first.results]


def test_a_kept_answer_survives_the_process(world: World, tmp_path: Path):
    """A new core over the same folder answers an identical question from disk."""
    question = Question(text="훈민정음은 누가 만들었나?")
    options = SearchOptions(providers=("searxng",))
    for _ in range(2):
        core = a_core(world, tmp_path)
        report = core.search(question, options)
        core.close()
    assert report.replies[0].from_cache
    assert world.times_asked("searxng") == 1


def test_a_started_search_can_be_read_and_stopped(core: SearchCore, world: World):
    """A search under way says whom it waits for; cancelling it ends it at once and closes its requests."""
    world.play("wikipedia", failure="hang")
    core.warm_up()
    job = core.start_search(Question(text="메모리 대역폭은 왜 중요한가?"), SearchOptions(providers=("wikipedia",)))
    assert core.job(job.id) is job
    while "wikipedia" not in job.snapshot().waiting:
        assert not job.wait(0.01)
    job.cancel()
    assert job.wait(1)
    assert job.snapshot().phase == "cancelled"


def test_a_deleted_search_is_gone_from_memory_too(shared: SearchCore):
    """Neither its address nor the lab has a search that its owner deleted."""
    job = shared.start_search(Question(text="메모리 대역폭은 왜 중요한가?"))
    assert job.wait(30)
    assert job.report is not None
    shared.stored_searches.keep(job.id, "me", job.report)
    assert shared.delete_searches([job.id], "me") == 1
    assert shared.job(job.id) is None
    assert shared.stored_searches.load([job.id], "me") == ()


def test_moving_the_threshold_asks_nobody(shared: SearchCore, world: World):
    """``arrange`` hides and shows the same results without another request."""
    report = shared.search(Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)))
    asked = len(world.asked)
    hidden = shared.arrange(report, RankingOptions(threshold=1.0))
    shown = shared.arrange(report, RankingOptions(threshold=0.0, max_results=100))
    assert len(world.asked) == asked
    assert hidden.results == ()
    assert {hit.url for hit in shown.results} == {hit.url for hit in (*report.results, *report.hidden)}


def test_an_empty_question_and_an_unknown_service_are_refused(shared: SearchCore, world: World):
    """Input that cannot be used is refused before anybody is asked, whether waited for or started."""
    for search in (shared.search, shared.start_search):
        with pytest.raises(QuestionError):
            search(Question(text=" \n "))
        with pytest.raises(InputError, match="altavista"):
            search(Question(text="질문"), SearchOptions(providers=("altavista",)))
    assert world.asked == []


def test_providers_tell_why_they_are_off(world: World, tmp_path: Path):
    """SearXNG without its address is listed as off by choice, with a Korean reason."""
    core = a_core(world, tmp_path, searxng_url="")
    (searxng,) = [info for info in core.providers() if info.name == "searxng"]
    core.close()
    assert not searxng.available
    assert searxng.absent_because


def test_the_embedded_scorer_is_named(shared: SearchCore):
    """With EMBEDDING_MODEL=kiwi the scorer at work is the embedded one, and the report names it."""
    assert shared.scorer().state == "embedded"
    report = shared.search(Question(text="메모리 대역폭"), SearchOptions(providers=("library",)))
    assert report.scorer == shared.scorer().name


def test_a_report_becomes_files(shared: SearchCore):
    """Each export format holds the first result's title and address."""
    report = shared.search(
        Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)), SearchOptions(providers=("library",))
    )
    for format_name in ("markdown", "csv", "json"):
        text = shared.export(report, format_name).data.decode("utf-8-sig")
        assert report.results[0].url in text.replace("\\", "")


def test_a_library_result_can_be_opened(shared: SearchCore):
    """The address of a library result leads to its document."""
    report = shared.search(
        Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)), SearchOptions(providers=("library",))
    )
    document = shared.library_document(report.results[0].url)
    assert document is not None
    assert document.title == report.results[0].title


def test_examples_can_be_asked(shared: SearchCore):
    """Every example question of every sample video finds something in the sample library."""
    options = SearchOptions(providers=("library",), ranking=replace(shared.default_options().ranking, threshold=0.0))
    for video in (None, *shared.samples()):
        examples = shared.example_questions(video)
        assert examples
        for example in examples:
            assert shared.search(Question(text=example, video=video), options).results, example


def test_a_video_file_and_its_errors(shared: SearchCore):
    """An uploaded subtitle file becomes a video; a binary one is refused in Korean."""
    video = shared.start_reading_file("talk.srt", SPOKEN.encode()).result()
    assert video.transcript[0].text == "안녕하세요, 메모리 이야기입니다."
    with pytest.raises(VideoReadError) as caught:
        shared.start_reading_file("talk.srt", bytes(range(256)) * 10).result()
    assert caught.value.korean


def test_an_answer_from_the_video_needs_nobody(shared: SearchCore, world: World):
    """Without a model, a question that the video answers is answered in quotes from it, and no service is asked."""
    events = list(shared.answer(Question(text="메모리 장벽이 뭐야?", video=hbm(shared))))
    [answer] = [event for event in events if isinstance(event, AnswerFinished)]
    assert "[00:36]" in answer.text
    assert isinstance(events[0], PassagesChosen)
    assert isinstance(events[-1], AnswerDone)
    assert world.asked == []


def test_what_the_video_does_not_say_is_looked_for(shared: SearchCore, world: World):
    """A question past the video is searched for like any other, and the sources are told."""
    events = list(shared.answer(Question(text="SK하이닉스 창업자는 누구인가요?", video=hbm(shared))))
    assert any(isinstance(event, WebSearching) for event in events)
    assert any(isinstance(event, WebSourcesFound) for event in events)
    assert world.asked


def test_the_fallback_can_be_switched_off(world: World, tmp_path: Path):
    """WEB_SEARCH_FALLBACK_ENABLED=false leaves the answer as it is and asks nobody."""
    with closing(a_core(world, tmp_path, web_search_fallback_enabled=False)) as core:
        events = list(core.answer(Question(text="SK하이닉스 창업자는 누구인가요?", video=hbm(core))))
    [decided] = [event for event in events if isinstance(event, FallbackDecided)]
    assert (decided.triggered, decided.enabled) == (True, False)
    assert not any(isinstance(event, WebSearching) for event in events)
    assert world.asked == []


def test_a_model_streams_and_is_let_go_when_nobody_listens(world: World, tmp_path: Path):
    """Tokens of an endpoint arrive while it talks; closing the stream closes its connection."""
    with LanguageModelServer(never_ending) as endpoint:
        settings = {"openai_base_url": endpoint.url, "openai_model": "m", "openai_api_key": "any"}
        with closing(a_core(world, tmp_path, **settings)) as core:
            with closing(core.answer(Question(text="메모리 장벽이 뭐야?", video=hbm(core)))) as events:
                assert any(isinstance(event, AnswerToken) for event in events)
            assert endpoint.left.wait(30)


def test_an_empty_question_is_not_answered(shared: SearchCore):
    """The error comes when the answer is asked for, not when it is read."""
    with pytest.raises(QuestionError):
        shared.answer(Question(text=" "))
