"""One thing to be done in the browser, handed from the thread that waits to the thread that works."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from search_core.provider_kit.playwright_mcp.tab import Tab

Errand = Callable[[Tab], Awaitable[Any]]


class Job:
    """Holds an errand, its deadline and its answer; the first answer counts."""

    def __init__(self, errand: Errand, timeout_s: float) -> None:
        self.errand = errand
        self.deadline_s = time.monotonic() + timeout_s
        self.answer: Future[Any] = Future()

    @property
    def over(self) -> bool:
        """Return whether there is an answer, or no caller waits for one."""
        return self.answer.done()

    def succeed(self, found: Any) -> None:
        """Hand over what the errand brought; nothing happens when the job is over."""
        with suppress(InvalidStateError):
            self.answer.set_result(found)

    def fail(self, error: BaseException) -> None:
        """Hand over what went wrong; nothing happens when the job is over."""
        with suppress(InvalidStateError):
            self.answer.set_exception(error)
