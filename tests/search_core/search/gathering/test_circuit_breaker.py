"""The circuit breaker, in virtual time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import SearchStatus
from search_core.search.gathering.circuit_breaker import (
    FAILURES_TO_OPEN,
    MAX_PAUSE_S,
    PAUSE_S,
    REFUSED_PAUSE_S,
    WINDOW_S,
    CircuitBreaker,
    Permit,
)

DOWN = SearchStatus.NETWORK_ERROR


def fail(
    breaker: CircuitBreaker, times: int = 1, status: SearchStatus = DOWN, retry_after_s: float | None = None, now_s: float = 0
) -> None:
    for _ in range(times):
        breaker.note_failure(entered(breaker, now_s), status, retry_after_s, now_s)


def ends(breaker: CircuitBreaker, outcomes: str, *, every_s: float = 0.0) -> str:
    """Let calls end as *outcomes* say, ``x`` for failed and ``.`` for answered, and return those that were let in."""
    let_in = ""
    for number, outcome in enumerate(outcomes):
        now_s = 100 + number * every_s
        permit = breaker.enter(now_s)
        if permit is None:
            continue
        let_in += outcome
        if outcome == "x":
            breaker.note_failure(permit, DOWN, None, now_s)
        else:
            breaker.note_success(permit)
    return let_in


@pytest.mark.parametrize(
    ("outcomes", "every_s", "let_in"),
    [
        ("x" * 25, 0, "x" * 5),
        ("xxxx.xxxx", 0, "xxxx.xxxx"),  # a success in between starts the count anew
        ("x.x.x.x.x.x.x.", 0, "x.x.x.x.x.x"),  # five of ten, but the tenth was answered; then six of eleven
        (".......xxxx....xxxx....", 0, ".......xxxx....xxxx...."),  # eight of nineteen
        ("xxxx.....x....", 0, "xxxx.....x"),  # five of ten
        ("xxxx....x.....", 0, "xxxx....x....."),  # nine are too few to judge, and what follows is answered
        ("x." * 20, WINDOW_S / 8, "x." * 20),  # only the last half minute is judged
        ("x." * 10, WINDOW_S / 20, "x.x.x.x.x.x"),
    ],
)
def test_five_failures_in_a_row_or_half_of_the_calls_open_it(outcomes: str, every_s: float, let_in: str):
    """Five failures in a row are the last for now, and from ten calls on one that makes half of them failures."""
    assert ends(CircuitBreaker(), outcomes, every_s=every_s) == let_in


def test_each_failing_probe_doubles_the_pause_up_to_a_bound():
    """30, 60, 120 … seconds, never more than the bound, even after weeks, whether the service named pauses or not."""
    breaker, now_s, pauses = CircuitBreaker(), 0.0, []
    fail(breaker, FAILURES_TO_OPEN)
    for _ in range(8):
        pauses.append(breaker.wait_s(now_s))
        now_s += pauses[-1]
        fail(breaker, now_s=now_s)
    assert pauses[:3] == [PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S]
    assert pauses[-1] == MAX_PAUSE_S
    for retry_after_s in (0.0, None) * 1500:
        now_s += MAX_PAUSE_S
        fail(breaker, retry_after_s=retry_after_s, now_s=now_s)
    assert breaker.wait_s(now_s) == MAX_PAUSE_S


@pytest.mark.parametrize(
    ("status", "retry_after_s", "pause_s"),
    [
        (SearchStatus.RATE_LIMITED, None, REFUSED_PAUSE_S),
        (SearchStatus.BLOCKED, None, REFUSED_PAUSE_S),
        (SearchStatus.RATE_LIMITED, 7.0, 7.0),
        (SearchStatus.NETWORK_ERROR, 3.0, 3.0),
        (SearchStatus.RATE_LIMITED, 1e9, MAX_PAUSE_S),
    ],
)
def test_a_service_that_asks_for_a_pause_gets_it_at_once(status: SearchStatus, retry_after_s: float | None, pause_s: float):
    """One "too many", one block or one Retry-After is enough."""
    breaker = CircuitBreaker()
    fail(breaker, 1, status, retry_after_s)
    assert breaker.enter(pause_s - 0.01) is None
    assert breaker.enter(pause_s) is not None


def test_a_cancelled_call_neither_counts_nor_keeps_the_permit():
    """A cancelled probe gives its permit back, and neither cancelled calls nor wrong keys open the breaker."""
    breaker = CircuitBreaker()
    for _ in range(20):
        breaker.release(entered(breaker))
    fail(breaker, 20, SearchStatus.INVALID_API_KEY)
    assert breaker.wait_s(0) == 0
    fail(breaker, FAILURES_TO_OPEN)
    probe = entered(breaker, PAUSE_S)
    assert breaker.enter(PAUSE_S) is None
    breaker.release(probe)
    assert breaker.enter(PAUSE_S) is not None


def test_one_probe_closes_it_and_calls_from_before_the_pause_say_nothing():
    """Of fifty calls after the pause one passes, and its success lets all in again; stragglers change neither pause nor probe."""
    breaker = CircuitBreaker()
    late_success, late_failure = entered(breaker), entered(breaker)
    fail(breaker, FAILURES_TO_OPEN)
    breaker.note_success(late_success)
    assert breaker.enter(1) is None
    assert breaker.wait_s(10) == PAUSE_S - 10
    (probe,) = [permit for _ in range(50) if (permit := breaker.enter(PAUSE_S)) is not None]
    breaker.note_failure(late_failure, DOWN, None, PAUSE_S)
    breaker.note_success(probe)
    assert all(breaker.enter(PAUSE_S) for _ in range(50))
    assert breaker.wait_s(PAUSE_S) == 0


def test_a_failure_seen_outside_the_probe_opens_it_for_longer():
    """When the pause is over and a call fails that went out without the permit, the service is not tried again at once."""
    breaker = CircuitBreaker()
    fail(breaker, FAILURES_TO_OPEN)
    breaker.release(entered(breaker, PAUSE_S))
    breaker.note_failure(breaker.free_permit(), DOWN, None, PAUSE_S)
    assert breaker.wait_s(PAUSE_S) == 2 * PAUSE_S


@given(st.lists(st.tuples(st.floats(0, 40), st.sampled_from(["ok", "down", "blocked", "cancel", "hold"])), max_size=60))
def test_it_always_opens_again_and_never_lets_two_probes_in(steps: list[tuple[float, str]]):
    """After any history, waiting the longest pause lets exactly one call in while the breaker is not closed."""
    breaker, now_s, held = CircuitBreaker(), 0.0, []
    for pause_s, what in steps:
        now_s += pause_s
        permit = breaker.enter(now_s)
        if permit is None:
            continue
        if what == "ok":
            breaker.note_success(permit)
        elif what == "cancel":
            breaker.release(permit)
        elif what == "hold":
            held.append(permit)
        else:
            breaker.note_failure(permit, DOWN if what == "down" else SearchStatus.BLOCKED, None, now_s)
    for permit in held:
        breaker.release(permit)
    now_s += MAX_PAUSE_S
    first, second = breaker.enter(now_s), breaker.enter(now_s)
    assert first is not None
    assert (second is None) == first.probe


def entered(breaker: CircuitBreaker, now_s: float = 0) -> Permit:
    permit = breaker.enter(now_s)
    assert permit is not None
    return permit
