from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from search_core.domain import (
    STOPPED_MARKER,
    ContentChunk,
    PlanMade,
    PlanOrigin,
    ResearchEnded,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.errors import InputError
from search_core.research import ResearchService, ResearchStateError
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.research.acting import (
    ADDRESSES,
    PATIENCE_S,
    POINTS,
    QUESTION,
    REPORT,
    SUBTASKS,
    Actors,
    followed,
    until,
)

ASKED = ResearchRequest(question=QUESTION)


@pytest.fixture(scope="module")
def actors() -> Actors:
    return Actors()


@pytest.fixture(scope="module")
def opened(actors: Actors, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResearchService]:
    loop = LoopThread()
    database = Database(tmp_path_factory.mktemp("steering") / "maekrak.sqlite")
    desk = ResearchService(actors.parts(runs_at_once=2), database, loop)
    yield desk
    desk.close()
    loop.close()
    database.close()


@pytest.fixture
def desk(opened: ResearchService, actors: Actors) -> Iterator[ResearchService]:
    actors.reset()
    yield opened
    actors.release(*actors.holds)


def held(desk: ResearchService, actors: Actors, *points: str) -> ResearchRun:
    """Start a run and return it when it is held at *points*."""
    actors.holds.update(points)
    run = desk.start(ASKED)
    actors.wait_held(*points)
    return run


@pytest.mark.parametrize("point", POINTS)
def test_a_stop_takes_effect_wherever_the_run_is(desk: ResearchService, actors: Actors, point: str):
    """What is in flight ends at once, what was found and written stays, the mark is there, and the run can go on later."""
    run = held(desk, actors, point)
    before = time.monotonic()
    desk.cancel(run.id, "")
    actors.wait_idle()
    assert time.monotonic() - before < PATIENCE_S / 6
    events = followed(desk, run.id)
    kept = desk.get(run.id, "")
    assert kept.status is ResearchStatus.STOPPED
    assert isinstance(events[-1], ResearchEnded)
    assert kept.report.endswith(STOPPED_MARKER)
    if point.startswith("write"):
        written = int(point.split()[1])
        assert kept.report == f"{''.join(REPORT.split('문장')[0:1])}{_written(written)}{STOPPED_MARKER}"
        assert len(kept.sources) == 10
    if point.startswith("page"):
        assert {source.url for source in kept.sources} == set(ADDRESSES)
    if point.startswith("search"):
        assert point.removeprefix("search ") in [kept.plan[number - 1].text for number in kept.unanswered]
    assert all(subtask.state is not SubtaskState.SEARCHING for subtask in kept.plan)


def _written(pieces: int) -> str:
    return "".join(f"문장 {number}이에요 [{number}]. " for number in range(1, pieces + 1)).rstrip() + ("\n\n" if pieces else "")


@pytest.mark.parametrize("point", ["plan", f"search {SUBTASKS[1]}", f"page {ADDRESSES[4]}", "write 2"])
def test_a_finish_writes_from_what_there_is(desk: ResearchService, actors: Actors, point: str):
    """Searching and reading end at once, the report is written, and what was not answered is listed."""
    run = held(desk, actors, point)
    desk.finish(run.id, "")
    if point.startswith("write"):
        actors.release(point)
    followed(desk, run.id)
    kept = desk.get(run.id, "")
    match point.split()[0]:
        case "plan":
            assert kept.status is ResearchStatus.FINISHED_EARLY
            assert kept.sources == ()
            assert kept.unanswered == (1,)
            assert kept.report.startswith("자료를 찾기 전에")
        case "search":
            assert kept.status is ResearchStatus.FINISHED_EARLY
            assert 2 in kept.unanswered
            assert kept.plan[1].state is SubtaskState.LEFT_OUT
            assert kept.report in (REPORT, "자료를 찾기 전에 마무리해서 보고서에 쓸 내용이 없어요.")
            assert any("답하지 못한 부분이에요: 2." in line for line in kept.coverage)
        case "page":
            assert kept.status is ResearchStatus.FINISHED_EARLY
            assert kept.report == REPORT
            assert len(kept.sources) == 10
            assert next(source.read for source in kept.sources if source.url == ADDRESSES[4]) is None
        case "write":
            assert kept.status is ResearchStatus.COMPLETE
            assert kept.report == REPORT


def test_a_stop_after_a_finish_stops(desk: ResearchService, actors: Actors):
    """Who wanted a report after all may still want none."""
    run = held(desk, actors, f"page {ADDRESSES[0]}")
    actors.holds.add("write 1")
    desk.finish(run.id, "")
    actors.wait_held("write 1")
    desk.cancel(run.id, "")
    followed(desk, run.id)
    assert desk.get(run.id, "").status is ResearchStatus.STOPPED


def test_steering_an_ended_run_changes_nothing(desk: ResearchService):
    """Stopping or finishing what is over is no error; changing its plan is."""
    run = desk.start(ASKED)
    followed(desk, run.id)
    kept = desk.get(run.id, "")
    desk.cancel(run.id, "")
    desk.finish(run.id, "")
    assert desk.get(run.id, "") == kept
    with pytest.raises(ResearchStateError):
        desk.edit(run.id, "", 1, "늦은 질문")
    with pytest.raises(ResearchStateError):
        desk.agree(run.id, "")
    with pytest.raises(ResearchStateError):
        desk.resume(run.id, "")


def test_a_run_that_waits_its_turn_can_be_stopped(desk: ResearchService, actors: Actors):
    """It ends before its turn comes, without having asked anybody, while those before it go on."""
    actors.holds.add("plan")
    busy = [desk.start(ASKED) for _ in range(2)]
    actors.wait_held("plan")
    for run in busy:
        until(desk, run.id, StatusChanged, status=ResearchStatus.PLANNING)
    waiting = desk.start(ASKED)
    assert desk.get(waiting.id, "").status is ResearchStatus.QUEUED
    desk.cancel(waiting.id, "")
    events = followed(desk, waiting.id)
    assert isinstance(events[-1], ResearchEnded)
    kept = desk.get(waiting.id, "")
    assert kept.status is ResearchStatus.STOPPED
    assert kept.report == STOPPED_MARKER
    assert actors.began["plan"] == 2
    for run in busy:
        desk.cancel(run.id, "")
        followed(desk, run.id)


def test_no_more_runs_at_once_than_allowed(desk: ResearchService, actors: Actors):
    """A run waits until one before it has ended, and then is done."""
    actors.holds.add("plan")
    runs = [desk.start(ASKED) for _ in range(3)]
    for run in runs[:2]:
        until(desk, run.id, StatusChanged, status=ResearchStatus.PLANNING)
    assert desk.get(runs[2].id, "").status is ResearchStatus.QUEUED
    actors.holds.clear()
    desk.cancel(runs[0].id, "")
    followed(desk, runs[2].id)
    assert desk.get(runs[2].id, "").status is ResearchStatus.COMPLETE
    desk.cancel(runs[1].id, "")
    followed(desk, runs[1].id)


@pytest.mark.parametrize("point", [f"search {SUBTASKS[2]}", f"page {ADDRESSES[9]}", "write 3"])
def test_a_stopped_run_goes_on_from_what_it_found(desk: ResearchService, actors: Actors, point: str):
    """The new run has the same plan; searches and pages that had ended are not asked for again, and the old run stays."""
    run = held(desk, actors, point)
    if point.startswith("search"):
        for number in (1, 2, 4, 5):
            until(desk, run.id, SourcesUpdated, subtask=_done(number))
    desk.cancel(run.id, "")
    followed(desk, run.id)
    first = desk.get(run.id, "")
    finished = {url for url in ADDRESSES if any(source.url == url and source.read for source in first.sources)}
    actors.reset()
    second = desk.resume(run.id, "")
    followed(desk, second.id)
    assert desk.get(second.id, "").status is ResearchStatus.COMPLETE
    assert desk.get(second.id, "").report == REPORT
    assert [subtask.text for subtask in desk.get(second.id, "").plan] == list(SUBTASKS)
    assert second.request == replace(first.request, continues=run.id)
    assert actors.began["plan"] == 0
    searched = [text for text in SUBTASKS if actors.began[f"search {text}"]]
    assert searched == ([SUBTASKS[2]] if point.startswith("search") else [])
    assert not [url for url in finished if actors.began[f"page {url}"]]
    assert desk.get(run.id, "") == first


def _done(number: int) -> object:
    """Return what is equal to the subtask of this number once it was searched for."""

    class Done:
        def __eq__(self, other: object) -> bool:
            return other.number == number and other.state is SubtaskState.DONE

        __hash__ = None

    return Done()


def test_a_subtask_changed_while_its_search_goes_on_is_searched_for_anew(desk: ResearchService, actors: Actors):
    """Only the changed one is: its old search ends at once, the others are asked for once."""
    run = held(desk, actors, f"search {SUBTASKS[1]}")
    until(desk, run.id, SourcesUpdated, subtask=_done(1))
    desk.edit(run.id, "", 2, "인공지능 수요")
    events = followed(desk, run.id)
    kept = desk.get(run.id, "")
    assert kept.status is ResearchStatus.COMPLETE
    assert (kept.plan[1].text, kept.plan[1].origin, kept.plan[1].state) == ("인공지능 수요", PlanOrigin.USER, SubtaskState.DONE)
    assert actors.began["search 인공지능 수요"] == 1
    assert {actors.began[f"search {text}"] for text in SUBTASKS} == {1}
    assert {source.url for source in kept.sources if 2 in source.subtasks} == {"https://z.example/1", "https://z.example/2"}
    assert not [source for source in kept.sources if source.url.startswith("https://b.")]
    assert sum(isinstance(event, SourcesUpdated) for event in events) == 5


def test_a_subtask_changed_while_pages_are_read_is_searched_for_anew(desk: ResearchService, actors: Actors):
    """The sources it had are replaced by the new ones, and the list is told again."""
    run = held(desk, actors, f"page {ADDRESSES[0]}")
    until(desk, run.id, SourcesComplete)
    desk.edit(run.id, "", 5, "환율 영향")
    actors.wait_held(f"page {ADDRESSES[0]}")
    seen = []
    for _, event in desk.events(run.id, ""):
        seen.append(event)
        if sum(isinstance(each, SourcesComplete) for each in seen) == 2:
            break
    actors.release(f"page {ADDRESSES[0]}")
    followed(desk, run.id)
    kept = desk.get(run.id, "")
    assert kept.plan[4].text == "환율 영향"
    assert {source.url for source in kept.sources if 5 in source.subtasks} == {"https://z.example/1", "https://z.example/2"}
    assert all(source.read for source in kept.sources)


def test_a_plan_can_wait_for_the_user(desk: ResearchService, actors: Actors):
    """Nothing is searched before it is agreed to; changes before that take the places of what they change."""
    run = desk.start(replace(ASKED, plan_first=True))
    until(desk, run.id, StatusChanged, status=ResearchStatus.PLANNED)
    assert desk.get(run.id, "").status is ResearchStatus.PLANNED
    desk.edit(run.id, "", 1, "고쳐 쓴 첫째")
    assert desk.get(run.id, "").plan[0].text == "고쳐 쓴 첫째"
    assert not [point for point in actors.began if point.startswith("search")]
    desk.agree(run.id, "")
    events = followed(desk, run.id)
    kept = desk.get(run.id, "")
    assert kept.status is ResearchStatus.COMPLETE
    assert kept.plan[0].text == "고쳐 쓴 첫째"
    assert actors.began["search 고쳐 쓴 첫째"] == 1
    assert actors.began["plan"] == 1
    assert sum(isinstance(event, PlanMade) for event in events) == 2
    folded = run
    for event in events:
        folded = folded.after(event)
    assert folded == kept


def test_a_plan_can_be_agreed_to_with_other_parts(desk: ResearchService):
    """Parts may be left out and added; those that stay keep who made them."""
    run = desk.start(replace(ASKED, plan_first=True))
    until(desk, run.id, StatusChanged, status=ResearchStatus.PLANNED)
    for refused in ([], [f"{number}째" for number in range(6)], ["수요", " "]):
        with pytest.raises(InputError):
            desk.agree(run.id, "", refused)
    desk.agree(run.id, "", [SUBTASKS[3], "새로운 부분"])
    followed(desk, run.id)
    kept = desk.get(run.id, "")
    assert [(subtask.text, subtask.origin) for subtask in kept.plan] == [
        (SUBTASKS[3], PlanOrigin.MODEL),
        ("새로운 부분", PlanOrigin.USER),
    ]
    assert kept.status is ResearchStatus.COMPLETE


@pytest.mark.parametrize("finish", [False, True])
def test_a_plan_that_waits_can_be_stopped(desk: ResearchService, actors: Actors, finish: bool):
    """The run ends at once without a search."""
    run = desk.start(replace(ASKED, plan_first=True))
    until(desk, run.id, StatusChanged, status=ResearchStatus.PLANNED)
    (desk.finish if finish else desk.cancel)(run.id, "")
    followed(desk, run.id)
    kept = desk.get(run.id, "")
    assert kept.status is (ResearchStatus.FINISHED_EARLY if finish else ResearchStatus.STOPPED)
    assert not [point for point in actors.began if point.startswith("search")]
    assert kept.unanswered == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("finish", "told"), [(False, "계획을 세우기 전에 중지했어요."), (True, "계획을 세우기 전에 마무리했어요.")]
)
def test_what_cut_the_plan_short_is_told(desk: ResearchService, actors: Actors, finish: bool, told: str):
    """A run that was stopped while it planned does not say that it was finished."""
    run = held(desk, actors, "plan")
    (desk.finish if finish else desk.cancel)(run.id, "")
    followed(desk, run.id)
    assert desk.get(run.id, "").plan_note == told


def test_a_part_there_is_none_of_cannot_be_changed(desk: ResearchService, actors: Actors):
    """Neither can one before there is a plan, nor one to nothing."""
    run = held(desk, actors, "plan")
    with pytest.raises(ResearchStateError):
        desk.edit(run.id, "", 1, "아직 없는 부분")
    actors.holds.add(f"search {SUBTASKS[0]}")
    actors.release("plan")
    actors.wait_held(f"search {SUBTASKS[0]}")
    with pytest.raises(ResearchStateError):
        desk.edit(run.id, "", 9, "없는 부분")
    with pytest.raises(InputError):
        desk.edit(run.id, "", 1, "  ")
    desk.cancel(run.id, "")
    assert not [event for event in followed(desk, run.id) if isinstance(event, ContentChunk)]
    assert SubtaskPlanned
