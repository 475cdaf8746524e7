from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from search_core.answers.chat.chat import MAX_KEPT_JOBS
from search_core.answers.chat.job import AnswerJob, Events, TooManyAnswersError, admit, run_answer
from search_core.domain.conversation import AnswerEvent, Message, MessageKind, MessageState
from search_core.job import Jobs
from tests.search_core.answers.chat.scripted_chat import ME, NOW, SOON_S, Script, finished, token

WORDS = [token(f"말{number} ") for number in range(100)]


def new_job(*events: AnswerEvent, message_id: str = "answer", conversation_id: str = "talk") -> AnswerJob:
    """Return a job that has published *events* and has not ended."""
    question = Message(id=f"{message_id}?", kind=MessageKind.QUESTION, text="질문", created_at=NOW)
    answer = Message(id=message_id, kind=MessageKind.ANSWER, about=question.id, created_at=NOW)
    job = AnswerJob(conversation_id, ME, answer, question)
    for event in events:
        job.add_event(event)
    return job


async def followed(job: AnswerJob, after: int = 0) -> list[tuple[int, AnswerEvent]]:
    """Return all that a follower receives until the end."""
    return [numbered async for numbered in job.follow(after)]


def run(scenario: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(scenario, SOON_S))


def test_followers_on_other_loops_receive_every_event_once_and_in_order():
    """Three loops follow one answer that a fourth thread publishes; each receives all of it, numbered from 1, and its end."""
    job = new_job()
    begun = threading.Barrier(4)

    def follow() -> list[tuple[int, AnswerEvent]]:
        begun.wait(SOON_S)
        return run(followed(job))

    with ThreadPoolExecutor(3) as pool:
        received = [pool.submit(follow) for _ in range(3)]
        begun.wait(SOON_S)
        for word in WORDS:
            job.add_event(word)
        job.end(MessageState.COMPLETE)
        expected = list(enumerate(WORDS, start=1))
        assert [each.result(SOON_S) == expected for each in received] == [True, True, True]
    assert job.followers == 0


def test_a_follower_begins_after_any_event():
    """The first *after* events are skipped, in a list and by following alike."""
    job = new_job(*WORDS[:3])
    job.end(MessageState.COMPLETE)
    for after, numbers in ((-3, [1, 2, 3]), (2, [3]), (99, [])):
        assert [number for number, _ in job.events(after)] == [number for number, _ in run(followed(job, after))] == numbers


def test_an_event_just_before_the_end_is_received():
    """A follower that is busy with one event while the last one and the end come receives the last one, too."""

    async def scenario() -> list[int]:
        job = new_job(WORDS[0])
        received: list[int] = []
        async for number, _ in job.follow():
            received.append(number)
            if number == 1:
                job.add_event(WORDS[1])
                job.end(MessageState.COMPLETE)
        return received

    assert run(scenario()) == [1, 2]


def test_a_stop_after_the_end_does_not_undo_it():
    """One stopped while it is stored for the last time stays complete; one stopped before it begins is not made."""
    job, script = new_job(), Script(*WORDS)
    job.cancel()
    asyncio.run(run_answer(job, script._events, lambda: None))
    assert (job.snapshot().state, job.events(), job.wait(0)) == (MessageState.STOPPED, (), True)
    job = new_job()
    stored: list[MessageState] = []

    def store() -> None:
        if job.done:
            job.cancel()
        stored.append(job.to_store().state)

    asyncio.run(run_answer(job, Script(token("하나"))._events, store))
    job.end(MessageState.FAILED, "나중 일이에요.")
    assert stored[-1] is job.snapshot().state is MessageState.COMPLETE


def test_nothing_is_stored_any_more_after_the_end():
    """An answer whose last event is a milestone leaves no task behind that goes on storing it."""

    async def events() -> Events:
        for _ in range(3):
            await asyncio.sleep(0)  # lets the task that stores begin to wait
        yield finished("하나")

    async def scenario() -> None:
        await run_answer(new_job(), events, lambda: None, every_s=SOON_S)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scenario())


def test_ended_jobs_are_forgotten_above_a_bound_and_running_ones_never():
    """Above the bound the oldest stored jobs go, never one that runs or is not stored yet; above another none is added."""
    jobs = Jobs[AnswerJob](MAX_KEPT_JOBS)
    running = new_job(message_id="running", conversation_id="one")
    unsettled = new_job(message_id="unsettled", conversation_id="two")
    unsettled.end(MessageState.COMPLETE)
    jobs.add(running)
    jobs.add(unsettled)
    for number in range(MAX_KEPT_JOBS + 10):
        job = new_job(message_id=f"{number}", conversation_id="three")
        jobs.add(job)
        job.end(MessageState.COMPLETE)
        job.mark_saved()
    assert (jobs.get("running"), jobs.get("unsettled"), jobs.get("11")) == (running, unsettled, None)
    assert jobs.get(f"{MAX_KEPT_JOBS + 9}") is not None
    last = new_job(conversation_id="four")
    admit(last, [running], 2)
    with pytest.raises(TooManyAnswersError):
        admit(last, [running, running], 2)
