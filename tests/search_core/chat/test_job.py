from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing

import pytest

from search_core.chat.errors import TooManyAnswersError
from search_core.chat.job import AnswerJob
from search_core.chat.jobs import MAX_KEPT_JOBS, AnswerJobs
from search_core.chat.run_answer import run_answer
from search_core.domain import AnswerEvent, Message, MessageKind, MessageState
from tests.search_core.chat.scripted_chat import ME, NOW, SOON_S, Gate, Script, token


def a_job(message_id: str = "answer", conversation_id: str = "talk") -> AnswerJob:
    """Return a job that has not begun."""
    question = Message(id=f"{message_id}?", kind=MessageKind.QUESTION, text="질문", created_at=NOW)
    answer = Message(id=message_id, kind=MessageKind.ANSWER, about=question.id, created_at=NOW)
    return AnswerJob(conversation_id, ME, answer, question)


async def followed(job: AnswerJob, after: int = 0) -> list[tuple[int, AnswerEvent]]:
    """Return all that a follower hears until the end."""
    return [numbered async for numbered in job.follow(after)]


WORDS = [token(f"말{number} ") for number in range(300)]


def test_followers_on_other_loops_hear_every_event_once_and_in_order():
    """Three loops follow one answer that a fourth thread tells; each hears all of it, numbered from 1, and its end."""
    job = a_job()
    begun = threading.Barrier(4)

    def follow() -> list[tuple[int, AnswerEvent]]:
        begun.wait(SOON_S)
        return asyncio.run(asyncio.wait_for(followed(job), SOON_S))

    with ThreadPoolExecutor(3) as pool:
        heard = [pool.submit(follow) for _ in range(3)]
        begun.wait(SOON_S)
        for word in WORDS:
            job.add_event(word)
        job.end(MessageState.COMPLETE)
        expected = list(enumerate(WORDS, start=1))
        assert [each.result(SOON_S) == expected for each in heard] == [True, True, True]
    assert job.followers == 0


@pytest.mark.parametrize(("after", "numbers"), [(-3, [1, 2, 3]), (0, [1, 2, 3]), (2, [3]), (3, []), (99, [])])
def test_a_follower_takes_up_where_it_left_off(after: int, numbers: list[int]):
    """The first *after* events are passed over, by looking and by following alike."""
    job = a_job()
    for word in WORDS[:3]:
        job.add_event(word)
    job.end(MessageState.COMPLETE)
    assert [number for number, _ in job.events(after)] == numbers
    assert [number for number, _ in asyncio.run(followed(job, after))] == numbers


def test_a_follower_who_waits_hears_what_comes_and_the_end():
    """A follower that has heard everything waits without an event, and goes on with the next."""

    async def scene() -> list[int]:
        job = a_job()
        heard: list[int] = []
        async with aclosing(job.follow()) as events:
            for word in WORDS[:3]:
                waiting = asyncio.ensure_future(anext(events))
                await asyncio.sleep(0)  # lets it begin to wait
                assert not waiting.done()
                job.add_event(word)
                heard.append((await waiting)[0])
            waiting = asyncio.ensure_future(anext(events, None))
            await asyncio.sleep(0)
            job.end(MessageState.STOPPED)
            assert await waiting is None
        return heard

    assert asyncio.run(asyncio.wait_for(scene(), SOON_S)) == [1, 2, 3]


def test_what_is_told_just_before_the_end_is_heard():
    """A follower that is busy with one event while the last one is told and the answer ends hears the last one, too."""

    async def scene() -> list[int]:
        job = a_job()
        job.add_event(WORDS[0])
        heard: list[int] = []
        async for number, _ in job.follow():
            heard.append(number)
            if number == 1:
                job.add_event(WORDS[1])
                job.end(MessageState.COMPLETE)
        return heard

    assert asyncio.run(asyncio.wait_for(scene(), SOON_S)) == [1, 2]


def test_a_follower_who_leaves_is_forgotten():
    """Closing the generator or cancelling the task that follows leaves nobody behind, and the answer goes on."""

    async def scene() -> None:
        job = a_job()
        job.add_event(WORDS[0])
        async with aclosing(job.follow()) as events:
            await anext(events)
            assert job.followers == 1
        assert job.followers == 0
        task = asyncio.create_task(followed(job))
        await asyncio.sleep(0)
        assert job.followers == 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert job.followers == 0
        job.add_event(WORDS[1])
        assert len(job.events()) == 2

    asyncio.run(asyncio.wait_for(scene(), SOON_S))


def test_a_follower_whose_loop_is_gone_does_not_disturb():
    """Telling goes on when the loop of a follower was closed under it."""
    job = a_job()
    loop = asyncio.new_event_loop()
    events = job.follow()
    job.add_event(WORDS[0])
    loop.run_until_complete(anext(events))
    loop.close()
    job.add_event(WORDS[1])
    job.end(MessageState.COMPLETE)
    assert [event for _, event in job.events()] == WORDS[:2]
    asyncio.run(events.aclose())


def test_only_the_first_end_counts():
    """An answer that has ended does not end again."""
    job = a_job()
    job.end(MessageState.STOPPED)
    job.end(MessageState.FAILED, "나중 일이에요.")
    record = job.snapshot().record
    assert record is not None
    assert (job.snapshot().state, record.error) == (MessageState.STOPPED, "")


def test_an_answer_stopped_before_it_begins_asks_nobody():
    """Stopped between its making and its beginning, an answer ends without its generator being made."""
    job, script = a_job(), Script(*WORDS)
    job.cancel()
    asyncio.run(run_answer(job, script._told, lambda: None))
    assert (job.snapshot().state, job.events(), job.wait(0)) == (MessageState.STOPPED, (), True)


def test_a_stop_after_the_end_does_not_undo_it():
    """An answer that is being stored for the last time when it is stopped stays complete and is stored."""
    job = a_job()
    stored: list[MessageState] = []

    def store() -> None:
        if job.done:
            job.cancel()
        stored.append(job.to_store().state)

    asyncio.run(run_answer(job, Script(token("하나"))._told, store))
    assert stored[-1] is MessageState.COMPLETE
    assert job.wait(0)


def test_a_store_that_breaks_for_no_known_reason_does_not_end_an_answer(caplog: pytest.LogCaptureFixture):
    """Whatever a store raises, the answer is told whole and the log has the traceback."""

    def store() -> None:
        raise ZeroDivisionError

    job = a_job()
    asyncio.run(run_answer(job, Script(token("하나"))._told, store))
    assert (job.snapshot().state, len(job.events()), job.wait(0)) == (MessageState.COMPLETE, 1, True)
    assert "ZeroDivisionError" in caplog.text


def test_a_slow_store_holds_no_answer_up():
    """While the store still writes an earlier state, the events go on; the last state is the one that is stored last."""
    job = a_job()
    writing, go_on = threading.Event(), threading.Event()
    stored: list[str] = []

    def store() -> None:
        record = job.to_store().record
        stored.append(record.text if record is not None else "")
        writing.set()
        assert go_on.wait(SOON_S)

    gate = Gate()

    def watch() -> None:
        assert writing.wait(SOON_S)
        gate.open()
        asyncio.run(asyncio.wait_for(followed(job), SOON_S))
        go_on.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    asyncio.run(run_answer(job, Script(token("하나"), gate, token(" 둘"), token(" 셋"))._told, store, every_s=0.0))
    watcher.join(SOON_S)
    assert stored[0] == "하나"
    assert stored[-1] == "하나 둘 셋"


def test_ended_jobs_are_kept_for_a_while_and_running_ones_always():
    """Past the bound the oldest settled jobs go, never one that runs or is not stored yet."""
    jobs = AnswerJobs(at_once=2)
    running, unsettled = a_job("running", "one"), a_job("unsettled", "two")
    unsettled.end(MessageState.COMPLETE)
    jobs.add(running)
    jobs.add(unsettled)
    for number in range(MAX_KEPT_JOBS + 10):
        job = a_job(f"{number}", "three")
        jobs.add(job)
        job.end(MessageState.COMPLETE)
        job.settle()
    assert jobs.get("running") is running
    assert jobs.get("unsettled") is unsettled
    assert jobs.get("11") is None
    assert jobs.get(f"{MAX_KEPT_JOBS + 9}") is not None
    assert jobs.unsettled_ids() == ("running", "unsettled")
    jobs.add(a_job("last", "four"))
    with pytest.raises(TooManyAnswersError):
        jobs.add(a_job("one too many", "five"))
