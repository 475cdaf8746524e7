from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from search_core.domain import (
    ContentChunk,
    PlanMade,
    PlanOrigin,
    ReportWritten,
    ResearchEnded,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SearchStatus,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    SubtaskPlanned,
    SubtaskState,
    VideoContext,
    video_key,
)
from search_core.errors import PageFailure, PageReadError, QuestionError
from search_core.research import ResearchNotFoundError, ResearchService, ResearchStateError, ResearchUnavailableError
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.research.acting import ADDRESSES, QUESTION, REPORT, SUBTASKS, Actors, followed, until

ASKED = ResearchRequest(question=QUESTION)
FETCHES = 4


@pytest.fixture(scope="module")
def actors() -> Actors:
    return Actors()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return Database(tmp_path_factory.mktemp("research") / "maekrak.sqlite")


@pytest.fixture(scope="module")
def opened(actors: Actors, database: Database) -> Iterator[ResearchService]:
    loop = LoopThread()
    desk = ResearchService(actors.parts(fetches_at_once=FETCHES), database, loop)
    yield desk
    desk.close()
    loop.close()
    database.close()


@pytest.fixture
def desk(opened: ResearchService, actors: Actors) -> Iterator[ResearchService]:
    actors.reset()
    yield opened
    actors.release(*actors.holds)


def test_a_run_tells_its_whole_story_in_order(desk: ResearchService):
    """Plan, searches, sources, pages and report come in this order, each told once, and the fold is what is kept."""
    run = desk.start(ASKED)
    assert run.status is ResearchStatus.QUEUED
    events = followed(desk, run.id)
    assert Counter(type(event) for event in events if not isinstance(event, ContentChunk)) == {
        StatusChanged: 4,
        SubtaskPlanned: 10,
        PlanMade: 1,
        SourcesUpdated: 5,
        SourcesComplete: 1,
        SourceRead: 20,
        ReportWritten: 1,
        ResearchEnded: 1,
    }
    kinds = [type(event) for event in events]
    last = {kind: len(kinds) - 1 - kinds[::-1].index(kind) for kind in kinds}
    assert kinds.index(PlanMade) < kinds.index(SourcesUpdated) <= last[SourcesUpdated] < kinds.index(SourcesComplete)
    assert kinds.index(SourcesUpdated) < kinds.index(SourceRead) <= last[SourceRead] < kinds.index(ContentChunk)
    told = [(event.source.url, event.source.reading, event.source.read) for event in events if isinstance(event, SourceRead)]
    for url in ADDRESSES:
        assert [each[1:] for each in told if each[0] == url] == [(True, None), (False, True)]
    assert last[ContentChunk] < kinds.index(ReportWritten) < kinds.index(ResearchEnded) == len(kinds) - 1
    assert [event.status.value for event in events if isinstance(event, StatusChanged)] == [
        "planning",
        "searching",
        "reading",
        "writing",
    ]
    kept = desk.get(run.id, "")
    folded = run
    for event in events:
        folded = folded.after(event)
    assert kept == folded
    assert kept.status is ResearchStatus.COMPLETE
    assert kept.report == REPORT
    assert {source.url for source in kept.sources} == set(ADDRESSES)
    assert all(source.read for source in kept.sources)
    assert kept.unanswered == ()
    assert kept.coverage[-1] == "출처 10개 중 10개는 본문을 읽었어요."
    assert kept.metrics.total_ms > 0
    assert kept.ended_at is not None


def test_pieces_of_the_report_make_the_report(desk: ResearchService):
    """The pieces told while it is written are the report, the first of them begins it."""
    events = followed(desk, desk.start(ASKED).id)
    pieces = [event for event in events if isinstance(event, ContentChunk)]
    assert "".join(piece.text for piece in pieces) == REPORT
    assert [piece.begins for piece in pieces] == [True] + [False] * (len(pieces) - 1)


def test_pages_are_read_while_other_searches_still_go_on(desk: ResearchService, actors: Actors):
    """A page is asked for as soon as its address is known; that its reading begins and ends is told while others are searched."""
    held = f"search {SUBTASKS[4]}"
    actors.holds.add(held)
    run = desk.start(ASKED)
    actors.holds.add(f"page {ADDRESSES[0]}")
    actors.wait_held(held, f"page {ADDRESSES[0]}")
    actors.release(f"page {ADDRESSES[0]}")
    told = (event.source for _, event in desk.events(run.id, "") if isinstance(event, SourceRead))
    ended = next(source for source in told if source.url == ADDRESSES[0] and source.read)
    assert (ended.number, ended.title) == (0, "가격 전망에 관한 1번째 글")
    assert ended.url in {source.url for source in desk.get(run.id, "").opened}
    actors.release(held)
    events = followed(desk, run.id)
    first = next(place for place, event in enumerate(events) if isinstance(event, SourcesComplete))
    assert ADDRESSES[0] in {event.source.url for event in events[:first] if isinstance(event, SourceRead)}
    assert sum(isinstance(event, SourceRead) for event in events) == 20
    assert actors.began[f"page {ADDRESSES[0]}"] == 1


def test_three_of_five_searches_may_fail(desk: ResearchService, actors: Actors):
    """The run goes on with the two others, and says which parts could not be asked for."""
    for name in SUBTASKS[:3]:
        actors.fails[f"search {name}"] = SearchStatus.TIMEOUT
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.COMPLETE
    assert [subtask.state for subtask in run.plan] == [SubtaskState.FAILED] * 3 + [SubtaskState.DONE] * 2
    assert len(run.sources) == 4
    assert run.unanswered == (1, 2, 3)
    assert run.failures == ()
    assert run.report == REPORT


def test_a_search_that_breaks_is_one_that_failed(desk: ResearchService, actors: Actors):
    """An error nobody expected costs its own part only."""
    actors.fails[f"search {SUBTASKS[0]}"] = ZeroDivisionError("surprise")
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.COMPLETE
    assert run.plan[0].state is SubtaskState.FAILED


def test_when_nobody_could_be_asked_the_search_has_failed(desk: ResearchService, actors: Actors):
    """The run fails with "Search failed" and what to try; no report is written."""
    for name in SUBTASKS:
        actors.fails[f"search {name}"] = SearchStatus.NETWORK_ERROR
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.FAILED
    assert [failure.kind for failure in run.failures] == ["Search failed"]
    assert "network" in run.failures[0].description
    assert "다시 시도" in run.failures[0].korean
    assert actors.began["write"] == 0


def test_finding_nothing_is_not_failing(desk: ResearchService, actors: Actors):
    """Searches that were answered with nothing end in a report that says so, with every part unanswered."""
    for name in SUBTASKS:
        actors.fails[f"search {name}"] = SearchStatus.NO_RESULTS
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.COMPLETE
    assert run.report.startswith("찾은 자료가 없어서")
    assert run.unanswered == (1, 2, 3, 4, 5)
    assert run.failures == ()


def test_pages_that_cannot_be_read_are_passed_over(desk: ResearchService, actors: Actors):
    """Each failure stands at its source, with its reason; the report is written from the rest."""
    for url in ADDRESSES[:3]:
        actors.fails[f"page {url}"] = PageReadError(PageFailure.BLOCKED, "403", korean="막혀 있어요.")
    actors.fails[f"page {ADDRESSES[3]}"] = ZeroDivisionError("surprise")
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.COMPLETE
    failed = {source.url: source.failure for source in run.sources if source.read is False}
    assert failed == {**dict.fromkeys(ADDRESSES[:3], "blocked"), ADDRESSES[3]: "unreadable"}


def test_a_plan_that_breaks_makes_the_question_the_plan(desk: ResearchService, actors: Actors):
    """The question itself is searched for and the run goes on; a note says why, a failure tells type and description."""
    actors.fails["plan"] = ZeroDivisionError("surprise")
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.COMPLETE
    assert [(subtask.text, subtask.origin) for subtask in run.plan] == [(QUESTION, PlanOrigin.RULES)]
    assert run.plan_note
    assert [failure.kind for failure in run.failures] == ["ZeroDivisionError"]
    assert "decomposed" in run.failures[0].description


def test_a_report_that_breaks_keeps_what_was_written(desk: ResearchService, actors: Actors):
    """The run fails with type and description, and its half of a report stays."""
    actors.fails["write 2"] = ZeroDivisionError("surprise")
    run = desk.get(_done(desk), "")
    assert run.status is ResearchStatus.FAILED
    assert run.failures[0].kind == "ZeroDivisionError"
    assert run.failures[0].description
    assert run.report == "문장 1이에요 [1]. 문장 2이에요 [2]. "
    assert run.report_note
    assert len(run.sources) == 10


def test_pages_are_read_a_few_at_a_time(desk: ResearchService, actors: Actors):
    """No more than RESEARCH_FETCHES_AT_ONCE are under way, however many addresses are known."""
    actors.holds.update(f"page {url}" for url in ADDRESSES)
    run = desk.start(ASKED)
    until(desk, run.id, SourcesComplete)
    actors.release(*actors.holds)
    followed(desk, run.id)
    assert actors.at_most == FETCHES


def test_one_desk_of_a_process_is_open(desk: ResearchService, actors: Actors, tmp_path: Path):
    """A second one is refused while the first is open, and does not harm it."""
    loop = LoopThread()
    other = ResearchService(actors.parts(), Database(tmp_path / "other.sqlite"), loop)
    desk.open()
    with pytest.raises(ResearchUnavailableError):
        other.open()
    other.close()
    loop.close()
    assert desk.get(_done(desk), "").status is ResearchStatus.COMPLETE


def test_pages_are_prepared_while_others_are_read(desk: ResearchService, actors: Actors):
    """The writer sees the text of each page before the report begins, so that it begins sooner."""
    held = f"page {ADDRESSES[9]}"
    actors.holds.add(held)
    run = desk.start(ASKED)
    actors.wait_held(held)
    actors.wait(lambda: len(actors.prepared) == 9)
    actors.release(held)
    followed(desk, run.id)
    assert actors.began["write"] == 1


def test_runs_of_others_are_no_runs(desk: ResearchService):
    """Everything about a run of somebody else is answered as if it did not exist."""
    run = desk.start(replace(ASKED, owner="민지"))
    followed(desk, run.id, "민지")
    for ask in (desk.get, desk.cancel, desk.finish, desk.resume, desk.agree, desk.delete, desk.events):
        with pytest.raises(ResearchNotFoundError):
            ask(run.id, "준호")
    with pytest.raises(ResearchNotFoundError):
        desk.edit(run.id, "준호", 1, "남의 것")
    with pytest.raises(ResearchNotFoundError):
        desk.get("no-such-run", "민지")
    assert desk.get(run.id, "민지").status is ResearchStatus.COMPLETE


def test_the_history_lists_runs_by_owner_and_video(desk: ResearchService):
    """Newest first, and only those about the video that is asked for."""
    video = VideoContext(title="강연", video_id="abc")
    first = desk.start(ResearchRequest(question="첫째 질문인가요?", owner="서연", video=video))
    followed(desk, first.id, "서연")
    second = desk.start(ResearchRequest(question="둘째 질문인가요?", owner="서연"))
    followed(desk, second.id, "서연")
    entries = desk.list("서연")
    assert [entry.question for entry in entries] == ["둘째 질문인가요?", "첫째 질문인가요?"]
    assert [entry.status for entry in entries] == [ResearchStatus.COMPLETE] * 2
    assert [entry.id for entry in desk.list("서연", video_key(video))] == [first.id]
    assert desk.get(first.id, "서연").request.video == video


def test_a_run_that_goes_on_from_another_says_so_in_the_history(desk: ResearchService):
    """What the words of a video say about it is no matter."""
    video = VideoContext(title='강연 "continues": "nobody"', video_id="abc")
    first = desk.start(ResearchRequest(question="멈출 질문인가요?", owner="도윤", video=video))
    followed(desk, first.id, "도윤")
    second = desk.start(ResearchRequest(question="멈출 질문인가요?", owner="도윤", video=video, continues=first.id))
    followed(desk, second.id, "도윤")
    assert {entry.id: entry.continues for entry in desk.list("도윤")} == {first.id: "", second.id: first.id}


def test_the_runs_of_a_conversation_are_listed(desk: ResearchService):
    """Only those that were asked in it, and only to their owner."""
    run = desk.start(ResearchRequest(question="대화에서 물은 것인가요?", owner="서연", conversation_id="c-1"))
    followed(desk, run.id, "서연")
    followed(desk, desk.start(ResearchRequest(question="따로 물은 것인가요?", owner="서연")).id, "서연")
    assert [(entry.id, entry.conversation_id) for entry in desk.list("서연", conversation_id="c-1")] == [(run.id, "c-1")]
    assert desk.list("민지", conversation_id="c-1") == ()


def test_a_deleted_run_is_gone(desk: ResearchService):
    """It is in no list and cannot be opened; one that goes on cannot be deleted."""
    run = desk.start(replace(ASKED, owner="하나"))
    followed(desk, run.id, "하나")
    desk.delete(run.id, "하나")
    assert desk.list("하나") == ()
    with pytest.raises(ResearchNotFoundError):
        desk.get(run.id, "하나")


def test_a_run_that_goes_on_is_not_deleted(desk: ResearchService, actors: Actors):
    """Deleting asks for stopping first."""
    actors.holds.add("plan")
    run = desk.start(ASKED)
    actors.wait_held("plan")
    with pytest.raises(ResearchStateError):
        desk.delete(run.id, "")
    desk.cancel(run.id, "")
    followed(desk, run.id)
    desk.delete(run.id, "")


def test_an_empty_question_is_refused(desk: ResearchService):
    """Nothing is started and nothing kept."""
    with pytest.raises(QuestionError):
        desk.start(ResearchRequest(question="  ", owner="빈손"))
    assert desk.list("빈손") == ()


def test_every_follower_gets_every_event_once(desk: ResearchService, actors: Actors):
    """Several readers on loops of their own, one of them late and one from the middle, see the same numbers and events."""
    actors.holds.add("write 2")
    run = desk.start(ASKED)
    actors.wait_held("write 2")

    async def all_of(after: int) -> list[tuple[int, object]]:
        return [numbered async for numbered in desk.follow(run.id, "", after)]

    async def both() -> list[list[tuple[int, object]]]:
        first, second = asyncio.create_task(all_of(0)), asyncio.create_task(all_of(7))
        await asyncio.sleep(0)
        actors.release("write 2")
        return list(await asyncio.gather(first, second))

    first, second = asyncio.run(both())
    assert [number for number, _ in first] == list(range(1, len(first) + 1))
    assert second == first[7:]
    assert list(desk.events(run.id, "")) == first


def test_a_kept_run_reopens_when_the_streams_are_gone(desk: ResearchService, database: Database):
    """What DBOS kept may be deleted: the run is the same, and its events make it again."""
    run = desk.get(_done(desk), "")
    engine = create_engine(database.url.get_secret_value())
    with engine.begin() as connection:
        for table in ("streams", "operation_outputs", "workflow_status"):
            connection.execute(text(f"DELETE FROM {table} WHERE workflow_uuid LIKE '{run.id}%'"))
    engine.dispose()
    desk._subscriptions.clear()
    assert desk.get(run.id, "") == run
    folded = ResearchRun(id=run.id, request=run.request, created_at=run.created_at)
    for event in followed(desk, run.id):
        folded = folded.after(event)
    assert folded == run


def _done(desk: ResearchService, request: ResearchRequest = ASKED) -> str:
    """Run to the end and return the id."""
    run_id = desk.start(request).id
    followed(desk, run_id)
    return run_id
