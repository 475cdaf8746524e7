from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.answers.fallback_detector import FallbackDetector
from search_core.domain.research import STOPPED_MARKER, ContentChunk, PlanOrigin, ResearchStatus
from search_core.domain.research import SubtaskState as State
from search_core.research.parts import ResearchLimits, ResearchParts
from search_core.research.planning import Planner
from search_core.research.service import ResearchService
from search_core.research.writing import ReportWriter
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer, Personality, Stream, Whole
from tests.search_core.answers.asking import scorer
from tests.search_core.research.acting import ASKED, QUESTION, SUBTASKS, Actors, completed, ended, open_research, until
from tests.search_core.research.report_material import model

PLANNED = json.dumps(SUBTASKS[:2], ensure_ascii=False)
Opens = Callable[..., AbstractContextManager[ResearchService]]


@pytest.fixture
def opens(folder: Path) -> Opens:
    """Return a function that opens a service whose model is real as far as the endpoint, and whose other parts are played."""

    def opened(
        server: LanguageModelServer | None, actors: Actors | None = None, **parts: object
    ) -> AbstractContextManager[ResearchService]:
        client = model(server.url) if server else None
        played = (actors or Actors()).parts()
        made = ResearchParts(
            plan=Planner(client, scorer()).plan,
            writer=ReportWriter(client, scorer(), FallbackDetector()),
            **{"search": played.search, "read": played.read, "limits": played.limits, **parts},
        )
        return open_research(folder / "maekrak.sqlite", made)

    return opened


def plans_and_writes(plans: Personality, writes: Personality) -> Personality:
    """Return a model that plans by one personality and writes reports by another."""

    def answer(asked: Asked) -> Whole | Stream:
        return (plans if "Decompose the question" in asked.prompt else writes)(asked)

    return answer


def test_a_model_plans_and_writes_until_it_is_stopped(server: LanguageModelServer, opens: Opens):
    """The report is the model's and cites known sources; stopping another run closes the connection and keeps its words."""
    server.answer = plans_and_writes(play.saying(PLANNED), play.honest)
    with opens(server) as service:
        run = completed(service)
        assert (run.status, run.plan_origin, run.by_model) == (ResearchStatus.COMPLETE, PlanOrigin.MODEL, True)
        assert [subtask.text for subtask in run.plan] == list(SUBTASKS[:2])
        assert {1, 2} <= set(run.cited) <= {source.number for source in run.sources}
        server.answer = plans_and_writes(play.saying(PLANNED), play.never_ending)
        run_id = service.start(ASKED).id
        until(service, run_id, ContentChunk, begins=False)
        service.cancel(run_id, "")
        assert server.left.wait(60)
        stopped = ended(service, run_id)
    assert stopped.status is ResearchStatus.STOPPED
    assert play.word(1) in stopped.report
    assert stopped.report.endswith(STOPPED_MARKER)


def test_a_page_that_never_ends_costs_its_time_alone(opens: Opens):
    """The report is written without it, and the page is listed as too slow."""
    url = "https://z.example/1"
    actors = Actors(holds={f"page {url}"})
    with opens(None, actors, limits=ResearchLimits(results_per_subtask=2, page_timeout_s=0.5)) as service:
        run = completed(service)
    assert run.status is ResearchStatus.COMPLETE
    assert {source.url: source.failure for source in run.sources if source.failure} == {url: "timeout"}


def test_a_search_that_exceeds_its_deadline_is_given_up(opens: Opens):
    """Its part has failed, and as it was the only one so has the run."""
    actors = Actors(holds={f"search {QUESTION}"})
    with opens(None, actors, limits=replace(ResearchLimits(), search_timeout_s=0.2)) as service:
        run = completed(service)
    assert run.status is ResearchStatus.FAILED
    assert [subtask.state for subtask in run.plan] == [State.FAILED]
    assert [failure.kind for failure in run.failures] == ["Search failed"]
    actors.wait_idle()
