from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

import pytest

from search_core.domain import (
    STOPPED_MARKER,
    ContentChunk,
    PlanOrigin,
    Question,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SearchOptions,
    SearchReport,
)
from search_core.domain import SubtaskState as State
from search_core.errors import PageFailure, PageReadError
from search_core.reading.page_reader import ReadPage
from search_core.research import Planner, ReportWriter, ResearchLimits, ResearchParts, ResearchService
from search_core.research.own_documents import SNIPPETS_ONLY
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer, Personality, Stream, Whole
from tests.search_core.answering.asking import pipeline_of, scorer
from tests.search_core.research.acting import QUESTION, SUBTASKS, Actors, followed, until
from tests.search_core.research.report_material import model
from tests.search_core.scripted import HangingProvider, ScriptedProvider, finds, result

ASKED = ResearchRequest(question=QUESTION)
PLANNED = json.dumps(SUBTASKS[:2], ensure_ascii=False)
Opened = Callable[..., AbstractContextManager[ResearchService]]


@pytest.fixture
def server() -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(tmp_path_factory.mktemp("real") / "maekrak.sqlite")
    yield database
    database.close()


@pytest.fixture
def opened(database: Database) -> Opened:
    """Return what opens a desk whose model is real as far as the endpoint; searches and pages are played unless given."""

    @contextmanager
    def desk(server: LanguageModelServer | None, actors: Actors, **parts: object) -> Iterator[ResearchService]:
        loop = LoopThread()
        talking = model(server.url) if server else None
        played = actors.parts()
        made = ResearchParts(
            plan=Planner(talking, scorer()).plan,
            writer=ReportWriter(talking, scorer()),
            **{"search": played.search, "read": played.read, "limits": played.limits, **parts},
        )
        opened = ResearchService(made, database, loop)
        try:
            yield opened
        finally:
            opened.close()
            loop.close()

    return desk


def planning_then(writes: Personality) -> Personality:
    """Return a model that plans two parts, and writes reports by another personality."""

    def answer(asked: Asked) -> Whole | Stream:
        return (play.saying(PLANNED) if "Decompose the question" in asked.prompt else writes)(asked)

    return answer


def ended(desk: ResearchService) -> ResearchRun:
    run = desk.start(ASKED)
    followed(desk, run.id)
    return desk.get(run.id, "")


def test_a_model_plans_and_writes(server: LanguageModelServer, opened: Opened):
    """The report is the model's, its pieces come as it talks, and every number it cites is a source."""
    server.answer = planning_then(play.saying("## 요약\n\n본문이 실렸어요 [1]. 다른 곳에도 실렸어요 [2]."))
    with opened(server, Actors()) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert run.plan_origin is PlanOrigin.MODEL
    assert [subtask.text for subtask in run.plan] == list(SUBTASKS[:2])
    assert run.by_model
    assert set(run.cited) <= {source.number for source in run.sources}


def test_a_model_that_dies_over_the_plan_costs_the_plan_only(server: LanguageModelServer, opened: Opened):
    """Rules plan in its place and the run goes on; the failure is told by type and description."""

    def answer(asked: Asked) -> Whole | Stream:
        return (play.dying(3) if "Decompose the question" in asked.prompt else play.saying("실렸어요 [1]."))(asked)

    server.answer = answer
    with opened(server, Actors()) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert run.plan_origin is PlanOrigin.RULES
    assert run.plan_note
    assert [failure.kind for failure in run.failures] == ["LanguageModelError"]
    assert run.failures[0].description
    assert run.failures[0].korean


def test_a_model_that_dies_over_the_report_leaves_an_extract(server: LanguageModelServer, opened: Opened):
    """What it wrote is continued by quotations; the failure is told by type and description."""
    server.answer = planning_then(play.dying(12, "앞부분만 썼어요 그리고 끊겨요 여기서"))
    with opened(server, Actors()) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert [failure.kind for failure in run.failures] == ["LanguageModelError"]
    assert run.failures[0].description
    assert "앞부분만 썼어요" in run.report
    assert "이 페이지의 본문이에요" in run.report
    assert run.cited
    assert run.report_note


def test_when_no_page_can_be_read_the_report_rests_on_snippets(server: LanguageModelServer, opened: Opened):
    """The report says so, and the run is complete."""
    server.answer = planning_then(play.saying("요약에 나와요 [1]."))

    async def read(_: str) -> ReadPage:
        raise PageReadError(PageFailure.BLOCKED, "403", korean="막혀 있어요.")

    with opened(server, Actors(), read=read) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert {source.read for source in run.sources} == {False}
    assert run.report.startswith(SNIPPETS_ONLY)
    assert run.report_note


def test_without_a_model_the_report_is_an_extract(opened: Opened):
    """Plan by rules, quotations for a report, no error."""
    with opened(None, Actors()) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert run.by_model is False
    assert "이 페이지의 본문이에요" in run.report
    assert run.failures == ()


def test_a_stop_closes_the_connection_to_the_model(server: LanguageModelServer, opened: Opened):
    """The model hears no more of it; what it had said is the report, with the mark."""
    server.answer = planning_then(play.never_ending)
    with opened(server, Actors()) as desk:
        run = desk.start(ASKED)
        until(desk, run.id, ContentChunk, begins=False)
        desk.cancel(run.id, "")
        assert server.left.wait(60)
        followed(desk, run.id)
        kept = desk.get(run.id, "")
    assert kept.status is ResearchStatus.STOPPED
    assert "말말" in kept.report
    assert kept.report.endswith(STOPPED_MARKER)


def test_a_service_that_never_answers_costs_its_deadline(opened: Opened):
    """The search ends with what the others found when its time is up; nobody waits for the silent one."""
    silent = HangingProvider("silent")
    quick = ScriptedProvider("quick", finds(result(f"{QUESTION} 답", url="https://q.example/1", snippet=QUESTION)))
    pipeline = pipeline_of(silent, quick, deadline_s=0.3)

    async def search(text: str, _: ResearchRequest) -> SearchReport:
        return await pipeline.run(Question(text=text), SearchOptions(), lambda _: None)

    with opened(None, Actors(), search=search) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert [source.url for source in run.sources] == ["https://q.example/1"]
    assert silent.cancelled >= 1


def test_a_search_that_does_not_keep_its_deadline_is_given_up(opened: Opened):
    """Its part has failed, and when it was the only one so has the run; nothing waits for ever."""
    actors = Actors(holds={f"search {QUESTION}"})
    limits = replace(ResearchLimits(), search_timeout_s=0.2)
    with opened(None, actors, limits=limits) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.FAILED
    assert [subtask.state for subtask in run.plan] == [State.FAILED]
    assert [failure.kind for failure in run.failures] == ["Search failed"]
    actors.wait_idle()
