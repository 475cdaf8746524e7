"""Users' commands to a run, and how its work ends: done, interrupted or failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from search_core.errors import MaekrakError
from search_core.runtime import wait_or_finish

T = TypeVar("T")


class CommandKind(StrEnum):
    """Names the commands for runs."""

    STOP = "stop"
    FINISH = "finish"
    """End with the findings so far."""
    GO_ON = "agree"
    """Go on, in runs that wait for the user or have ended before they were complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command; ``number`` counts the commands of a run from 1."""

    number: int
    kind: CommandKind


class CancelledByUser(Exception):  # noqa: N818 - what the user wants is no error
    """Raised when the user cancels the current work."""


class WorkFailedError(MaekrakError):
    """Says what failed in a step; ``cause`` is the original error."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(type(cause).__name__, korean=cause.korean if isinstance(cause, MaekrakError) else "")
        self.cause = cause


class Control:
    """Holds the commands for one run in this process; belongs to the run's loop."""

    def __init__(self) -> None:
        self.finish = asyncio.Event()
        """Set when nothing more is to be searched or read."""
        self.stop = asyncio.Event()
        """Set when nothing more is to be done at all."""
        self._commands: list[Command] = []
        self._arrived = asyncio.Event()
        self._closed = False

    def receive(self, commands: Iterable[Command]) -> None:
        """Record *commands*, except known ones."""
        for command in commands:
            if command.number <= self.last:
                continue
            self._commands.append(command)
            self._arrived.set()
            if command.kind in (CommandKind.STOP, CommandKind.FINISH):
                self.finish.set()
            if command.kind is CommandKind.STOP:
                self.stop.set()

    @property
    def last(self) -> int:
        """Return the number of the newest command; 0 when there was none."""
        return self._commands[-1].number if self._commands else 0

    def after(self, number: int) -> list[Command]:
        """Return the commands above *number*."""
        return [command for command in self._commands if command.number > number]

    async def wait_after(self, number: int) -> list[Command]:
        """Wait for commands above *number* and return them; none once the control is closed."""
        while not self._closed and not self.after(number):
            self._arrived.clear()
            await self._arrived.wait()
        return self.after(number)

    def close(self) -> None:
        """End the wait for commands."""
        self._closed = True
        self._arrived.set()

    def open(self) -> None:
        """Allow waiting for commands again."""
        self._closed = False


async def run_until(work: Coroutine[Any, Any, T], *signals: asyncio.Event) -> T:
    """Return the result of *work*; once one of *signals* is set, cancel it and raise CancelledByUser."""
    if any(signal.is_set() for signal in signals):
        work.close()
        raise CancelledByUser
    task = asyncio.create_task(work)
    await wait_or_finish(task, *signals)
    if task.cancelled():
        raise CancelledByUser
    return task.result()


async def attempt(work: Awaitable[T]) -> T:
    """Return the result of *work*; raises WorkFailedError for its errors, except CancelledByUser.

    Planners, searchers, readers and writers are handed in and may raise anything; none of it may end a run.
    """
    try:
        return await work
    except CancelledByUser:
        raise
    except Exception as error:
        raise WorkFailedError(error) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """The fields that all step outcomes have; ``start_step`` sets the times, in seconds since 1970."""

    interrupted: bool = False
    """True if the user cancelled the step's work."""
    begun: float = 0.0
    ended: float = 0.0

    @property
    def duration_ms(self) -> float:
        """Return the duration of the step."""
        return (self.ended - self.begun) * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginOutcome(StepOutcome):
    """Whether a workflow is to continue, and the commands given before it began."""

    go_on: bool
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandsOutcome(StepOutcome):
    """New commands; none once the control is closed."""

    commands: tuple[Command, ...] = ()
