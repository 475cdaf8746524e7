"""A search under way, and the registry of searches."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

import pytest

from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.errors import MaekrakError, QuestionError
from search_core.job import SearchJob, SearchProgress, take_turn
from tests.search_core.search.presenting.conftest import report


def started() -> tuple[SearchJob, Future[SearchReport]]:
    job, future = SearchJob(Question(text="질문"), SearchOptions()), Future()
    job.follow(future)
    return job, future


def test_a_failed_search_holds_its_error(caplog):
    """An error of ours is for the page to show; a bug becomes a Korean sentence, and its traceback is in the log."""
    job, future = started()
    error = QuestionError("The question is empty.", korean="질문을 적어 주세요.")
    future.set_exception(error)
    assert (job.error, job.report, job.snapshot().phase) == (error, None, "failed")
    broken, future = started()
    future.set_exception(ZeroDivisionError("division by zero"))
    assert broken.done
    assert broken.error is not None
    assert "예상하지 못한" in broken.error.korean
    assert "ZeroDivisionError" in caplog.text


def test_a_search_is_cancelled_or_asked_to_finish():
    """Cancelling ends the job with neither report nor error; ``finish`` is handed on to the search, which makes its report."""
    job, _ = started()
    job.cancel()
    assert (job.done, job.report, job.error, job.snapshot().phase) == (True, None, None, "cancelled")
    job, future, asked = SearchJob(Question(text="질문"), SearchOptions()), Future(), []
    job.follow(future, lambda: asked.append("finish"))
    job.finish()
    assert (asked, job.done) == (["finish"], False)
    future.set_result(report())
    assert (job.done, job.error, job.snapshot().phase) == (True, None, "done")
    assert job.report is not None


def test_results_are_had_before_their_summaries_are_written():
    """What waits for results has them as soon as they are scored, and an error where the search failed or was stopped."""
    job, future = started()
    scored = replace(report(), scorer="scored")
    job.note(SearchProgress(phase="summarizing", report=replace(report(), waiting=("tavily",))))  # was in sight early
    job.note(SearchProgress(phase="summarizing", report=scored))
    assert asyncio.run(job.results()) is scored
    future.set_result(report())
    assert asyncio.run(job.results()) is scored
    whole, future = started()
    future.set_result(scored)
    assert asyncio.run(whole.results()) is scored
    stopped, _ = started()
    stopped.cancel()
    with pytest.raises(MaekrakError):
        asyncio.run(stopped.results())


def test_progress_after_the_end_is_dropped():
    """A late report of progress does not bring an ended search back to life."""
    job, future = started()
    job.note(SearchProgress(phase="asking", waiting=("wikipedia",)))
    assert job.snapshot().waiting == ("wikipedia",)
    future.set_result(report())
    job.note(SearchProgress(phase="asking", waiting=("wikipedia",)))
    assert (job.snapshot().phase, job.snapshot().waiting) == ("done", ())


def test_so_many_go_on_at_once_and_the_others_wait_their_turn():
    """Whoever waits is told so and begins in order; who leaves the queue holds nobody up, and never begins."""

    async def go() -> tuple[list[int], list[int]]:
        turns, begun, waiting, gate = asyncio.Semaphore(2), list[int](), list[int](), asyncio.Event()

        async def work(number: int) -> int:
            begun.append(number)
            await gate.wait()
            return number

        tasks = [asyncio.create_task(take_turn(turns, work(number), partial(waiting.append, number))) for number in range(5)]
        await asyncio.sleep(0)
        assert (begun, waiting) == ([0, 1], [2, 3, 4])
        tasks[2].cancel()
        gate.set()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        return begun, [each for each in ended if isinstance(each, int)]

    assert asyncio.run(go()) == ([0, 1, 3, 4], [0, 1, 3, 4])
