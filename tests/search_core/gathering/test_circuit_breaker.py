"""The circuit breaker, in virtual time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import SearchStatus
from search_core.gathering.circuit_breaker import (
    FAILURES_TO_OPEN,
    MAX_PAUSE_S,
    PAUSE_S,
    REFUSED_PAUSE_S,
    WINDOW_S,
    CircuitBreaker,
)

DOWN = SearchStatus.NETWORK_ERROR


def fail(
    cooldown: CircuitBreaker, times: int = 1, status: SearchStatus = DOWN, retry_after_s: float | None = None, now_s: float = 0
) -> None:
    for _ in range(times):
        permit = cooldown.enter(now_s)
        assert permit is not None
        cooldown.note_failure(permit, status, retry_after_s, now_s)


def test_five_failures_in_a_row_open_it_and_one_probe_closes_it():
    """Five failures, then nobody for the pause, then exactly one of fifty, whose success lets all in again."""
    cooldown = CircuitBreaker()
    fail(cooldown, FAILURES_TO_OPEN)
    assert [cooldown.enter(second) for second in range(20)] == [None] * 20
    assert cooldown.wait_s(10) == PAUSE_S - 10
    burst = [cooldown.enter(PAUSE_S) for _ in range(50)]
    probes = [permit for permit in burst if permit is not None]
    assert len(probes) == 1
    cooldown.note_success(probes[0])
    assert all(cooldown.enter(PAUSE_S) for _ in range(50))
    assert cooldown.wait_s(PAUSE_S) == 0


def test_a_success_in_between_starts_the_count_anew():
    """Only failures in a row count."""
    cooldown = CircuitBreaker()
    fail(cooldown, FAILURES_TO_OPEN - 1)
    permit = cooldown.enter(0)
    assert permit is not None
    cooldown.note_success(permit)
    fail(cooldown, FAILURES_TO_OPEN - 1)
    assert cooldown.enter(0) is not None


def ends(cooldown: CircuitBreaker, outcomes: str, *, every_s: float = 0.0) -> str:
    """Let calls end as *outcomes* say, ``x`` for failed and ``.`` for answered, and return those that were let in."""
    let_in = ""
    for number, outcome in enumerate(outcomes):
        now_s = 100 + number * every_s
        permit = cooldown.enter(now_s)
        if permit is None:
            continue
        let_in += outcome
        if outcome == "x":
            cooldown.note_failure(permit, DOWN, None, now_s)
        else:
            cooldown.note_success(permit)
    return let_in


def test_five_failures_of_twenty_five_calls_are_all_that_get_through():
    """Of five failing calls and twenty more, the service sees five, and after the pause one of fifty."""
    cooldown = CircuitBreaker()
    assert ends(cooldown, "x" * 25) == "x" * 5
    probes = [permit for _ in range(50) if (permit := cooldown.enter(100 + PAUSE_S))]
    assert len(probes) == 1
    cooldown.note_failure(probes[0], DOWN, None, 100 + PAUSE_S)
    assert cooldown.enter(100 + PAUSE_S) is None
    assert cooldown.wait_s(100 + PAUSE_S) == 2 * PAUSE_S


@pytest.mark.parametrize(
    ("outcomes", "let_in"),
    [
        ("x.x.x.x.x.x.x.", "x.x.x.x.x.x"),  # five of ten, but the tenth was answered; then six of eleven
        (".xx.xx.xx.xx.xx.", ".xx.xx.xx.x"),  # seven of eleven
        (".......xxxx....xxxx....", ".......xxxx....xxxx...."),  # eight of nineteen
        ("xxxx.....x....", "xxxx.....x"),  # five of ten
        ("xxxx....x.....", "xxxx....x....."),  # nine are too few to judge, and what follows is answered
    ],
)
def test_half_of_the_calls_failing_opens_it(outcomes: str, let_in: str):
    """From ten calls on, a failure that makes half of them failures is the last for now."""
    assert ends(CircuitBreaker(), outcomes) == let_in


def test_only_the_last_half_minute_is_judged():
    """The same share of failures, but of calls too far apart, opens nothing."""
    assert ends(CircuitBreaker(), "x." * 20, every_s=WINDOW_S / 8) == "x." * 20
    assert ends(CircuitBreaker(), "x." * 10, every_s=WINDOW_S / 20) == "x.x.x.x.x.x"


def test_a_service_down_for_weeks_is_still_asked_now_and_then():
    """After thousands of failing probes the pause is at its bound, whether the service named pauses or not."""
    cooldown, now_s = CircuitBreaker(), 0.0
    fail(cooldown, FAILURES_TO_OPEN)
    for retry_after_s in (0.0, None) * 1500:
        now_s += MAX_PAUSE_S
        fail(cooldown, retry_after_s=retry_after_s, now_s=now_s)
    assert cooldown.wait_s(now_s) == MAX_PAUSE_S


def test_each_failing_probe_doubles_the_pause_up_to_a_bound():
    """30, 60, 120 … seconds, never more than the bound."""
    cooldown, now_s, pauses = CircuitBreaker(), 0.0, []
    fail(cooldown, FAILURES_TO_OPEN)
    for _ in range(8):
        pauses.append(cooldown.wait_s(now_s))
        now_s += pauses[-1]
        fail(cooldown, now_s=now_s)
    assert pauses[:3] == [PAUSE_S, 2 * PAUSE_S, 4 * PAUSE_S]
    assert pauses[-1] == MAX_PAUSE_S


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
    cooldown = CircuitBreaker()
    fail(cooldown, 1, status, retry_after_s)
    assert cooldown.enter(pause_s - 0.01) is None
    assert cooldown.enter(pause_s) is not None


def test_a_wrong_key_never_opens_it():
    """A pause does not help against a wrong key, and the user should see the true reason every time."""
    cooldown = CircuitBreaker()
    fail(cooldown, 20, SearchStatus.INVALID_API_KEY)
    assert cooldown.enter(0) is not None


def test_a_cancelled_call_neither_counts_nor_keeps_the_permit():
    """A cancelled probe gives its permit back, and cancelled calls do not open the breaker."""
    cooldown = CircuitBreaker()
    for _ in range(20):
        permit = cooldown.enter(0)
        assert permit is not None
        cooldown.release(permit)
    fail(cooldown, FAILURES_TO_OPEN)
    probe = cooldown.enter(PAUSE_S)
    assert probe is not None
    assert cooldown.enter(PAUSE_S) is None
    cooldown.release(probe)
    assert cooldown.enter(PAUSE_S) is not None


def test_calls_from_before_the_pause_say_nothing_about_now():
    """A straggler that succeeds or fails while it is open changes neither the pause nor the probe."""
    cooldown = CircuitBreaker()
    late_success, late_failure = cooldown.enter(0), cooldown.enter(0)
    assert late_success is not None
    assert late_failure is not None
    fail(cooldown, FAILURES_TO_OPEN)
    cooldown.note_success(late_success)
    assert cooldown.enter(1) is None
    probe = cooldown.enter(PAUSE_S)
    cooldown.note_failure(late_failure, DOWN, None, PAUSE_S)
    assert probe is not None
    cooldown.note_success(probe)
    assert cooldown.enter(PAUSE_S) is not None


def test_a_failure_seen_outside_the_probe_opens_it_for_longer():
    """When the pause is over and a call fails that went out without the permit, the service is not tried again at once."""
    cooldown = CircuitBreaker()
    fail(cooldown, FAILURES_TO_OPEN)
    probe = cooldown.enter(PAUSE_S)
    assert probe is not None
    cooldown.release(probe)
    cooldown.note_failure(cooldown.free_permit(), DOWN, None, PAUSE_S)
    assert cooldown.wait_s(PAUSE_S) == 2 * PAUSE_S


@given(st.lists(st.tuples(st.floats(0, 40), st.sampled_from(["ok", "down", "blocked", "cancel", "hold"])), max_size=60))
def test_it_always_opens_again_and_never_lets_two_probes_in(steps: list[tuple[float, str]]):
    """After any history, waiting the longest pause lets exactly one call in while the breaker is not closed."""
    cooldown, now_s, held = CircuitBreaker(), 0.0, []
    for pause_s, what in steps:
        now_s += pause_s
        permit = cooldown.enter(now_s)
        if permit is None:
            continue
        if what == "ok":
            cooldown.note_success(permit)
        elif what == "cancel":
            cooldown.release(permit)
        elif what == "hold":
            held.append(permit)
        else:
            cooldown.note_failure(permit, DOWN if what == "down" else SearchStatus.BLOCKED, None, now_s)
    for permit in held:
        cooldown.release(permit)
    now_s += MAX_PAUSE_S
    first, second = cooldown.enter(now_s), cooldown.enter(now_s)
    assert first is not None
    assert (second is None) == first.probe
