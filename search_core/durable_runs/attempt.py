"""Runs handed-in work so that none of its errors ends a run."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import NamedTuple, TypeVar

from search_core.durable_runs.control import Interrupted
from search_core.errors import MaekrakError

T = TypeVar("T")


class WorkFailedError(MaekrakError):
    """Says what failed in the work of a step; ``cause`` is the error as it was raised."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(type(cause).__name__, korean=cause.korean if isinstance(cause, MaekrakError) else "")
        self.cause = cause


class FailureWords(NamedTuple):
    """A failure by its type, in one English sentence and in Korean."""

    kind: str
    description: str
    korean: str


async def attempt(work: Awaitable[T]) -> T:
    """Return what *work* gives; raises WorkFailedError for whatever fails in it, and Interrupted as it is.

    Planners, searchers, readers and writers are handed in and may raise anything; none of it may end a run.
    """
    try:
        return await work
    except Interrupted:
        raise
    except Exception as error:
        raise WorkFailedError(error) from error


def words_for(error: Exception, description: str, korean: str) -> FailureWords:
    """Return what *error* says; *description* and *korean* for an unexpected one, whose text may hold what the user asked."""
    if isinstance(error, MaekrakError):
        description, korean = str(error), error.korean
    return FailureWords(type(error).__name__, description, korean)
