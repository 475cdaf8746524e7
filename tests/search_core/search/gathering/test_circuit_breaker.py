"""The circuit breaker, in virtual time."""

from __future__ import annotations

import pytest

from search_core.domain.reply import SearchStatus
from search_core.search.gathering.circuit_breaker import FAILURES_TO_OPEN, MAX_PAUSE_S, PAUSE_S, REFUSED_PAUSE_S, CircuitBreaker

DOWN = SearchStatus.NETWORK_ERROR


def opened(times: int = FAILURES_TO_OPEN) -> CircuitBreaker:
    """Return a breaker after so many failures at second 0."""
    breaker = CircuitBreaker()
    for _ in range(times):
        breaker.note_failure(DOWN, None, 0)
    return breaker


def test_three_failures_in_a_row_open_it():
    """Two leave it closed; a success between them begins the count anew."""
    assert [opened(times).closed for times in (2, 3)] == [True, False]
    breaker = opened(2)
    breaker.note_success(0)
    breaker.note_failure(DOWN, None, 0)
    assert breaker.closed


def test_each_failing_trial_doubles_the_pause_up_to_a_bound():
    """30, 60, 120 … seconds, never more than the bound, even after weeks, whether the service named pauses or not."""
    breaker, now_s, pauses = opened(), 0.0, []
    for _ in range(8):
        pauses.append(breaker.wait_s(now_s))
        now_s += pauses[-1]
        assert breaker.enter(now_s)
        breaker.note_failure(DOWN, None, now_s)
    assert pauses[:3] == [PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S]
    assert pauses[-1] == MAX_PAUSE_S
    for retry_after_s in (0.0, None) * 1500:
        now_s += MAX_PAUSE_S
        breaker.note_failure(DOWN, retry_after_s, now_s)
    assert breaker.wait_s(now_s) == MAX_PAUSE_S


@pytest.mark.parametrize(
    ("status", "retry_after_s", "pause_s"),
    [
        (SearchStatus.RATE_LIMITED, None, REFUSED_PAUSE_S),
        (SearchStatus.BLOCKED, None, REFUSED_PAUSE_S),
        (SearchStatus.RATE_LIMITED, 7.0, 7.0),
        (SearchStatus.NETWORK_ERROR, 3.0, 3.0),
        (SearchStatus.RATE_LIMITED, 1e9, MAX_PAUSE_S),
        (SearchStatus.INVALID_API_KEY, None, MAX_PAUSE_S),
        (SearchStatus.QUOTA_EXHAUSTED, None, MAX_PAUSE_S),
        (SearchStatus.QUOTA_EXHAUSTED, 120.0, 120.0),
    ],
)
def test_one_failure_after_which_a_pause_helps_is_enough(status: SearchStatus, retry_after_s: float | None, pause_s: float):
    """One "too many", one block, one wrong key, one spent quota or one Retry-After opens it for its own time."""
    breaker = CircuitBreaker()
    breaker.note_failure(status, retry_after_s, 0)
    assert not breaker.enter(pause_s - 0.01)
    assert breaker.enter(pause_s)


def test_one_trial_closes_it_and_a_cancelled_one_leaves_it_to_the_next():
    """Of fifty calls after the pause one passes; cancelled, it makes room for another; its success lets all in again."""
    breaker = opened()
    assert [breaker.enter(PAUSE_S) for _ in range(50)] == [True, *[False] * 49]
    breaker.leave()
    assert breaker.enter(PAUSE_S)
    breaker.note_success(PAUSE_S)
    assert all(breaker.enter(PAUSE_S) for _ in range(50))
    assert breaker.wait_s(PAUSE_S) == 0


def test_a_call_from_before_the_pause_says_nothing_about_now():
    """A late success does not end a pause, one that was insisted on does; late failures do not shorten it."""
    breaker = opened()
    breaker.note_success(1)
    breaker.note_failure(DOWN, 2.0, 1)
    assert breaker.wait_s(10) == PAUSE_S - 10
    breaker.note_success(10, insisted=True)
    assert breaker.enter(10)
