"""The facade: searching, answering, exporting, over played services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, SearchOptions
from search_core.domain.result import RankingOptions
from search_core.runtime import ASKED_BY
from search_core.search.presenting.ledger import headline, ledger, not_asked_line
from tests.loopback.world import World
from tests.search_core.whole_core import build_core, hbm


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
    """Its samples alone give scored results with moments of the video, which can be opened and become files."""
    options = SearchOptions(providers=("library",))
    report = shared.search(Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)), options)
    assert len(report.results) >= 3
    assert all(hit.relevance_score is not None for hit in report.results)
    assert any(hit.moment is not None for hit in report.results)
    assert (shared.scorer().state, report.scorer) == ("embedded", shared.scorer().name)
    first = report.results[0]
    document = shared.library_document(first.url)
    assert document is not None
    assert document.title == first.title
    for format_name in ("markdown", "csv", "json"):
        assert first.url in shared.export(report, format_name).decode("utf-8-sig").replace("\\", "")


def test_every_service_is_asked_and_named(shared: SearchCore, world: World):
    """All are asked at once, with a line in the ledger for each; moving the threshold asks none of them again."""
    report = shared.search(Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(shared)))
    services = ("library", "wikipedia", "searxng", "duckduckgo")
    assert {reply.provider: reply.status for reply in report.replies} == dict.fromkeys(services, SearchStatus.SUCCESS)
    assert {line.reply.provider for line in ledger(report.replies)} == set(services)
    assert "3곳" in headline(report.replies)
    assert [hit for hit in (*report.results, *report.hidden) if {"searxng", "duckduckgo"} <= set(hit.providers)]
    asked = len(world.asked)
    hidden = shared.arrange(report, RankingOptions(threshold=1.0))
    shown = shared.arrange(report, RankingOptions(threshold=0.0, max_results=100))
    assert len(world.asked) == asked
    assert hidden.results == ()
    assert {hit.url for hit in shown.results} == {hit.url for hit in (*report.results, *report.hidden)}


def test_who_was_not_asked_is_named_with_the_reason(world: World, tmp_path: Path):
    """Services of later tiers that are set up and chosen are named once an earlier tier has found something."""
    settings = {"search_providers": "library,wikipedia;searxng;duckduckgo;google", "google_custom_search_api_key": ""}
    with closing(a_core(world, tmp_path, **settings)) as core:
        report = core.search(Question(text="메모리 대역폭"))
        said = "SearXNG, DuckDuckGo에는 묻지 않았어요. 순서가 앞선 곳에서 결과를 찾았어요."
        assert (report.not_asked, not_asked_line(report, core.provider_labels())) == (("searxng", "duckduckgo"), said)
        assert core.report_json(report)["not_asked"] == ["searxng", "duckduckgo"]
        assert all(said in core.export(report, kind).decode() for kind in ("markdown", "csv"))
        chosen = core.search(Question(text="메모리 대역폭"), SearchOptions(providers=("wikipedia",)))
        assert (chosen.not_asked, not_asked_line(chosen, core.provider_labels())) == ((), "")
        world.play("wikipedia", failure="503")
        assert core.search(Question(text="다른 질문"), SearchOptions()).not_asked == ("duckduckgo",)


def test_an_identical_question_is_answered_from_what_is_kept(core: SearchCore, world: World, tmp_path: Path):
    """The second identical search asks no service, says so, and finds the same; so does another process on the same folder."""
    question = Question(text="메모리 대역폭은 왜 중요한가?", video=hbm(core))
    options = SearchOptions(providers=("searxng", "wikipedia"))
    first = core.search(question, options)
    asked = len(world.asked)
    with closing(a_core(world, tmp_path, library_samples=False)) as later:
        for again in (core.search(question, options), later.search(question, options)):
            assert {reply.from_cache for reply in again.replies} == {True}
            assert [hit.url for hit in again.results] == [hit.url for hit in first.results]
    assert len(world.asked) == asked


def test_a_deleted_search_is_gone_from_memory_too(shared: SearchCore):
    """Neither its address nor the list has a search that its owner deleted; nobody else sees or deletes it."""
    context = copy_context()
    context.run(ASKED_BY.set, "me")
    job = context.run(shared.start_search, Question(text="메모리 대역폭은 왜 중요한가?"))
    assert job.wait(30)
    assert job.report is not None
    shared.stored_searches.keep(job.id, "me", job.report)
    shared.delete_search(job.id, "another")
    assert (shared.job(job.id, "me"), shared.job(job.id, "another")) == (job, None)
    shared.delete_search(job.id, "me")
    assert shared.job(job.id, "me") is None
    assert shared.stored_searches.load(job.id, "me") is None


def test_examples_can_be_asked(shared: SearchCore):
    """Every example question of every sample video finds something in the sample library."""
    options = SearchOptions(providers=("library",), ranking=replace(shared.default_options().ranking, threshold=0.0))
    for video in (None, *shared.samples()):
        examples = shared.example_questions(video)
        assert examples
        for example in examples:
            assert shared.search(Question(text=example, video=video), options).results, example


class _Part:
    """A part of a core that notes that it was closed, and fails at that where it has a *fault*."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault, self.closed = fault, False

    def close(self) -> None:
        self.closed = True
        if self.fault is not None:
            raise self.fault


def test_closing_goes_on_through_all_parts(world: World, tmp_path: Path):
    """What a part raises when it is closed is raised, after all the others were closed, too."""
    core = a_core(world, tmp_path)
    pages, recorder = _Part(OSError("stuck")), _Part()
    real, core._parts = core._parts, replace(core._parts, pages=pages, recorder=recorder)
    with pytest.raises(OSError, match="stuck"):
        core.close()
    assert (pages.closed, recorder.closed, core._loop.closed) == (True, True, True)
    real.pages.close()
    real.recorder.close()
