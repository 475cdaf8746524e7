"""What the user wants of a run while it goes on, and how that reaches what the run is doing at the moment."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")


class CommandKind(StrEnum):
    """Names what can be asked of a run."""

    STOP = "stop"
    FINISH = "finish"
    """Write from what there is."""
    EDIT = "edit"
    """Change one subtask; its body holds ``number`` and ``text``."""
    AGREE = "agree"
    """Go on with the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command; ``number`` counts the commands of a run from 1."""

    number: int
    wish: CommandKind
    body: dict[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """Return it as ``of`` reads it again."""
        return {"number": self.number, "wish": self.wish.value, "body": self.body}

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Command:
        """Return what ``plain`` made."""
        return cls(number=plain["number"], wish=CommandKind(plain["wish"]), body=plain["body"])


class Interrupted(Exception):  # noqa: N818 - what the user wants is no error
    """Says that the user wants what was under way no longer."""


class Control:
    """Holds what is wanted of one run that this process works on; belongs to the loop that works on it."""

    def __init__(self) -> None:
        self.finish = asyncio.Event()
        """Set when nothing more is to be searched or read."""
        self.stop = asyncio.Event()
        """Set when nothing more is to be done at all."""
        self._commands: list[Command] = []
        self._news = asyncio.Event()
        self._closed = False
        self._edits: dict[int, list[asyncio.Event]] = {}

    def hear(self, commands: Iterable[Command]) -> None:
        """Take note of *commands*; those heard of before are passed over."""
        for command in commands:
            if command.number <= self.last:
                continue
            self._commands.append(command)
            self._news.set()
            if command.wish in (CommandKind.STOP, CommandKind.FINISH):
                self.finish.set()
            if command.wish is CommandKind.STOP:
                self.stop.set()
            if command.wish is CommandKind.EDIT:
                for edited in self._edits.pop(command.body["number"], []):
                    edited.set()

    @property
    def last(self) -> int:
        """Return the number of the newest command; 0 when there was none."""
        return self._commands[-1].number if self._commands else 0

    def edited(self, subtask: int, *, since: int) -> asyncio.Event:
        """Return what is set when *subtask* is changed by a command of a number above *since*."""
        event = asyncio.Event()
        if any(each.wish is CommandKind.EDIT and each.body["number"] == subtask for each in self.after(since)):
            event.set()
        else:
            self._edits.setdefault(subtask, []).append(event)
        return event

    def after(self, number: int) -> list[Command]:
        """Return the commands above *number*."""
        return [command for command in self._commands if command.number > number]

    async def next_after(self, number: int) -> list[Command]:
        """Return the commands above *number*, waiting for one; none when there will be none."""
        while not self._closed and not self.after(number):
            self._news.clear()
            await self._news.wait()
        return self.after(number)

    def close(self) -> None:
        """Let whoever waits for commands go on without."""
        self._closed = True
        self._news.set()

    def open(self) -> None:
        """Let commands be waited for again."""
        self._closed = False


async def run_until(work: Coroutine[Any, Any, T], *signals: asyncio.Event) -> T:
    """Return what *work* gives; raises Interrupted, *work* cancelled, as soon as one of *signals* is set."""
    if any(signal.is_set() for signal in signals):
        work.close()
        raise Interrupted
    task = asyncio.create_task(work)
    waiting = [asyncio.create_task(signal.wait()) for signal in signals]
    try:
        await asyncio.wait({task, *waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Interrupted
        return task.result()
    finally:
        for each in (task, *waiting):
            each.cancel()
        await asyncio.gather(task, *waiting, return_exceptions=True)
