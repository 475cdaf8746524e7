from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from search_core.answers.fallback_detector import FallbackDetector
from search_core.domain.research import STOPPED_MARKER, ContentChunk, PlanOrigin, ResearchStatus
from search_core.research.planning import Planner
from search_core.research.writing import ReportWriter
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer, Personality, Stream, Whole
from tests.search_core.answers.asking import scorer
from tests.search_core.research.acting import ADDRESSES, ASKED, REPORT, SUBTASKS, Actors, completed, ended, open_research, until
from tests.search_core.research.report_material import model

PLANNED = json.dumps(SUBTASKS[:2], ensure_ascii=False)


def plans_and_writes(plans: Personality, writes: Personality) -> Personality:
    """Return a model that plans by one personality and writes reports by another."""

    def answer(asked: Asked) -> Whole | Stream:
        return (plans if "Decompose the question" in asked.prompt else writes)(asked)

    return answer


def test_a_model_plans_and_writes_until_it_is_stopped(server: LanguageModelServer, folder: Path):
    """The report is the model's and cites known sources; stopping another run closes the connection and keeps its words."""
    server.answer = plans_and_writes(play.saying(PLANNED), play.honest)
    client = model(server.url)
    written = {"plan": Planner(client, scorer()).plan, "writer": ReportWriter(client, scorer(), FallbackDetector())}
    with open_research(folder / "maekrak.sqlite", replace(Actors().parts(), **written)) as service:
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


def test_what_never_ends_costs_its_own_part(tmp_path: Path):
    """A search and a page are given up after their time, and named; the report is written without them."""
    held = f"search {SUBTASKS[1]}", f"page {ADDRESSES[0]}"
    actors = Actors(holds=set(held))
    limits = {"search_timeout_s": 3.0, "page_timeout_s": 3.0}
    with open_research(tmp_path / "maekrak.sqlite", actors.parts(**limits)) as service:
        run = completed(service)
    assert (run.status, run.report, run.unanswered) == (ResearchStatus.COMPLETE, REPORT, (2,))
    assert {source.url: source.failure for source in run.sources if source.failure} == {ADDRESSES[0]: "timeout"}
    actors.wait_idle()
