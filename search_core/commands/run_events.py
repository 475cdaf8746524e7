"""The events of a long run, as a command prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

EventT = TypeVar("EventT")


def events_until_interrupted(events: Callable[[int], Iterator[tuple[int, EventT]]], stop: Callable[[], None]) -> Iterator[EventT]:
    """Yield what *events* gives after a number, from 0; an interrupt stops the run, and its last events follow."""
    number = 0
    try:
        for number, event in events(0):  # noqa: B007  an interrupt asks for the number
            yield event
    except KeyboardInterrupt:
        stop()
        for _, event in events(number):
            yield event
