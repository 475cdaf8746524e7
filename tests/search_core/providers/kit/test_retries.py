"""Second tries: when, and after which pause; in virtual time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.failures import KOREAN, MAX_RETRY_AFTER_S, failure
from search_core.providers.kit.http import MAX_RETRY_PAUSE_S, HttpClient, pause_before_retry

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Does not wait: when nothing is ready, the time it would have waited has passed."""

    passed_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout:
            self.passed_s += timeout
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time; for code that waits on this loop alone, not on threads or servers."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.passed_s


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run *coroutine* in virtual time, which begins at 0."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(coroutine)


NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


class Service:
    """Answers every request alike, and notes the moments; ``takes_s`` long."""

    def __init__(self, status: int, after: str | None = None, *, takes_s: float = 0.0) -> None:
        self.status, self.after, self.takes_s = status, after, takes_s
        self.moments: list[float] = []

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.moments.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.takes_s)
        headers = {} if self.after is None else {"retry-after": self.after}
        return httpx.Response(self.status, headers=headers, stream=httpx.ByteStream(b""))

    def client(self, timeout_s: float = 10.0) -> HttpClient:
        return HttpClient(timeout_s=timeout_s, agent="test", now=lambda: NOW, transport=httpx.MockTransport(self))


def ask(service: Service, *, timeout_s: float = 10.0) -> ProviderError:
    async def one() -> ProviderError:
        client = service.client(timeout_s)
        try:
            with pytest.raises(ProviderError) as caught:
                await client.get("http://service.example/")
        finally:
            await client.aclose()
        return caught.value

    return run(one())


@pytest.mark.parametrize(
    ("after", "pause_s", "handed_on_s"),
    [
        ("1", 1.0, 1.0),
        ("2", 2.0, 2.0),
        ("3", None, 3.0),
        ("Sat, 21 Nov 2026 12:00:02 GMT", 2.0, 2.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0, 0.0),
        ("1e9", None, MAX_RETRY_AFTER_S),
    ],
)
def test_a_pause_that_a_limit_asks_for_is_kept_or_handed_on(after: str, pause_s: float | None, handed_on_s: float):
    """Up to two seconds the client waits exactly as long as it is asked to; more is left to the cooling down."""
    service = Service(429, after)
    assert ask(service).retry_after_s == handed_on_s
    assert len(service.moments) == (1 if pause_s is None else 2)
    if pause_s is not None:
        assert service.moments[1] - service.moments[0] == pytest.approx(pause_s)


@pytest.mark.parametrize(("status", "after"), [(429, "soon"), (429, None), (503, "1"), (503, None)])
def test_without_a_readable_pause_and_in_trouble_nothing_is_tried_again(status: int, after: str | None):
    """A limit that names no pause is final, and a service out of order is left to the breaker."""
    service = Service(status, after)
    ask(service)
    assert len(service.moments) == 1


@pytest.mark.parametrize(
    ("service", "timeout_s", "tries"),
    [
        (Service(429, "1"), 1.1, 1),
        (Service(429, "1"), 1.3, 2),
        (Service(429, "2"), 1.5, 1),
        (Service(429, "0", takes_s=0.9), 1.0, 1),
    ],
)
def test_no_second_try_without_time_for_it(service: Service, timeout_s: float, tries: int):
    """When the pause would use up the time, or the first try has, the failure itself is reported and not a timeout."""
    assert ask(service, timeout_s=timeout_s).status is SearchStatus.RATE_LIMITED
    assert len(service.moments) == tries


@given(st.floats(0, 60), st.sampled_from(list(KOREAN)), st.none() | st.floats(0, MAX_RETRY_AFTER_S))
def test_a_pause_is_never_negative_and_never_too_long(left_s: float, status: SearchStatus, asked_s: float | None):
    """For any error and any time left, a pause lies in [0, 2] seconds and ends before the time does."""
    pause_s = pause_before_retry(failure(status, "x", retry_after_s=asked_s), left_s)
    assert pause_s is None or 0 <= pause_s <= min(MAX_RETRY_PAUSE_S, left_s)
