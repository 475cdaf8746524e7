from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain.reply import SearchStatus
from search_core.domain.research import (
    STOPPED_MARKER,
    PlanMade,
    PlanOrigin,
    ResearchEnded,
    ResearchRun,
    ResearchStatus,
    SourceRead,
    SourcesUpdated,
    StatusChanged,
    SubtaskState,
)
from search_core.errors import InputError
from search_core.research.service import ResearchService
from tests.search_core.research.acting import ADDRESSES, ASKED, PIECES, REPORT, SUBTASKS, Actors, ended, folded, followed, until


def held(service: ResearchService, actors: Actors, *points: str) -> ResearchRun:
    """Start a run and return it when it is held at *points*."""
    actors.holds.update(points)
    run = service.start(ASKED)
    actors.wait_held(*points)
    return run


def halted(service: ResearchService, run: ResearchRun, *, finish: bool = False) -> ResearchRun:
    """Stop or finish a run and return it when it has ended."""
    (service.finish if finish else service.cancel)(run.id, "")
    assert isinstance(followed(service, run.id)[-1], ResearchEnded)
    return service.get(run.id, "")


def planned(service: ResearchService) -> ResearchRun:
    """Return a run that waits with its plan."""
    run = service.start(replace(ASKED, plan_first=True))
    until(service, run.id, StatusChanged, status=ResearchStatus.PLANNED)
    return run


def wait_searched(service: ResearchService, run: ResearchRun, number: int) -> None:
    """Return when the search for a subtask has ended."""
    updates = (event for _, event in service.events(run.id, "") if isinstance(event, SourcesUpdated))
    assert any(event.subtask.number == number for event in updates)


def searches(actors: Actors) -> list[str]:
    return [point for point in actors.began if point.startswith("search")]


@pytest.mark.parametrize("point", ["plan", f"search {SUBTASKS[4]}", f"page {ADDRESSES[4]}", "write 4"])
def test_a_stop_takes_effect_wherever_the_run_is(service: ResearchService, actors: Actors, point: str):
    """What is under way is cancelled, what was found and written stays, and the report ends with the marker."""
    run = held(service, actors, point)
    service.cancel(run.id, "")
    actors.wait_idle()
    stored = halted(service, run)
    assert stored.status is ResearchStatus.STOPPED
    assert stored.report.endswith(STOPPED_MARKER)
    assert all(subtask.state is not SubtaskState.SEARCHING for subtask in stored.plan)
    if point == "plan":
        assert stored.plan_note == "계획을 세우기 전에 중지했어요."
    elif point.startswith("search"):
        assert SUBTASKS[4] in [stored.plan[number - 1].text for number in stored.unanswered]
    else:
        assert {source.url for source in stored.sources} == set(ADDRESSES)
    if point == "write 4":
        assert stored.report == f"{''.join(PIECES[:4]).rstrip()}\n\n{STOPPED_MARKER}"


def test_a_finish_before_reading_writes_from_what_there_is(service: ResearchService, actors: Actors):
    """The plan or search under way ends at once; what was not searched for is unanswered, without a source nothing is written."""
    stored = halted(service, held(service, actors, "plan"), finish=True)
    assert (stored.status, stored.sources, stored.unanswered) == (ResearchStatus.FINISHED_EARLY, (), (1,))
    assert stored.report.startswith("자료를 찾기 전에")
    actors.reset()
    run = held(service, actors, f"search {SUBTASKS[1]}")
    wait_searched(service, run, 1)
    stored = halted(service, run, finish=True)
    assert (stored.status, stored.report) == (ResearchStatus.FINISHED_EARLY, REPORT)
    assert 2 in stored.unanswered
    assert stored.plan[1].state is SubtaskState.LEFT_OUT


def test_a_finish_while_reading_or_writing_writes_the_report(service: ResearchService, actors: Actors):
    """A page under way is left unread, but its time counts; a report under way is written to its end, or stopped after all."""
    run = held(service, actors, f"page {ADDRESSES[4]}")
    read = (event for _, event in service.events(run.id, "") if isinstance(event, SourceRead) and event.source.read)
    for _ in ADDRESSES[1:]:
        next(read)
    actors.ahead_s = 100.0
    stored = halted(service, run, finish=True)
    assert 100_000 <= stored.metrics.scrape_duration_ms < 200_000
    assert (stored.status, stored.report, len(stored.sources)) == (ResearchStatus.FINISHED_EARLY, REPORT, 10)
    assert next(source.read for source in stored.sources if source.url == ADDRESSES[4]) is None
    for stops, status in ((False, ResearchStatus.COMPLETE), (True, ResearchStatus.STOPPED)):
        actors.reset()
        run = held(service, actors, "write 2")
        service.finish(run.id, "")
        if stops:
            service.cancel(run.id, "")
        else:
            actors.release("write 2")
        assert halted(service, run, finish=True).status is status


def test_a_queued_run_begins_after_another_or_is_stopped(service: ResearchService, actors: Actors):
    """While two runs go on others wait; one can be stopped without a call, the next begins when a run has ended."""
    busy = [held(service, actors, "plan") for _ in range(2)]
    for run in busy:
        until(service, run.id, StatusChanged, status=ResearchStatus.PLANNING)
    waiting, stopped = service.start(ASKED), service.start(ASKED)
    stored = halted(service, stopped)
    assert (stored.status, stored.report, actors.began["plan"]) == (ResearchStatus.STOPPED, STOPPED_MARKER, 2)
    assert service.get(waiting.id, "").status is ResearchStatus.QUEUED
    actors.holds.clear()
    halted(service, busy[0])
    assert ended(service, waiting.id).status is ResearchStatus.COMPLETE
    halted(service, busy[1])


@pytest.mark.parametrize("point", [f"search {SUBTASKS[2]}", f"page {ADDRESSES[9]}"])
def test_a_stopped_run_goes_on_from_what_it_found(service: ResearchService, actors: Actors, point: str):
    """The plan is the same, and what had ended is not asked for again, what had failed is; its events follow the first ones."""
    failed = {f"search {SUBTASKS[0]}": SearchStatus.TIMEOUT, f"search {SUBTASKS[3]}": ConnectionError("away")}
    actors.fails.update(failed)
    run = held(service, actors, point)
    if point.startswith("search"):
        for number in (1, 2, 4, 5):
            wait_searched(service, run, number)
    first = halted(service, run)
    told = followed(service, run.id)
    read = {source.url for source in first.sources if source.read}
    actors.reset()
    resumed = service.resume(run.id, "")
    assert (resumed.id, resumed.status) == (run.id, ResearchStatus.QUEUED)
    events = followed(service, run.id)
    second = service.get(run.id, "")
    assert (second.status, second.report, second.failures) == (ResearchStatus.COMPLETE, REPORT, ())
    assert [subtask.text for subtask in second.plan] == list(SUBTASKS)
    assert (events[: len(told)], folded(run, events[len(told) :])) == (told, second)
    assert actors.began["plan"] == 0
    assert sorted(searches(actors)) == sorted({*failed, point} if point.startswith("search") else failed)
    assert not [url for url in read if actors.began[f"page {url}"]]
    assert [entry.status for entry in service.list("") if entry.id == run.id] == [ResearchStatus.COMPLETE]


def test_a_plan_can_wait_for_the_user(service: ResearchService, actors: Actors):
    """No search is made before the plan is agreed to; it is made once."""
    run = planned(service)
    assert service.get(run.id, "").status is ResearchStatus.PLANNED
    assert searches(actors) == []
    service.agree(run.id, "")
    events = followed(service, run.id)
    stored = service.get(run.id, "")
    assert stored.status is ResearchStatus.COMPLETE
    assert actors.began["plan"] == 1
    assert sum(isinstance(event, PlanMade) for event in events) == 2
    assert folded(run, events) == stored


def test_a_plan_can_be_agreed_to_with_other_parts(service: ResearchService):
    """Parts may be left out and added; those that stay keep their origin; none, six and an empty part are refused."""
    stopped = halted(service, planned(service))
    assert (stopped.status, stopped.unanswered) == (ResearchStatus.STOPPED, (1, 2, 3, 4, 5))
    run = planned(service)
    for refused in ([], [f"{number}째" for number in range(6)], ["수요", " "]):
        with pytest.raises(InputError):
            service.agree(run.id, "", refused)
    service.agree(run.id, "", [SUBTASKS[3], "새로운 부분"])
    stored = ended(service, run.id)
    assert [(subtask.text, subtask.origin) for subtask in stored.plan] == [
        (SUBTASKS[3], PlanOrigin.MODEL),
        ("새로운 부분", PlanOrigin.USER),
    ]
    assert stored.status is ResearchStatus.COMPLETE
