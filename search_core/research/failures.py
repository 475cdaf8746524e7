"""What failed in a run, as its events hold it: by type, in one English sentence without the question, and in Korean."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from search_core.domain import SEARCH_FAILED, ResearchFailed
from search_core.errors import MaekrakError
from search_core.research.control import Interrupted

T = TypeVar("T")

NOBODY_ASKED = ResearchFailed(
    kind=SEARCH_FAILED,
    description="No search service of the web answered for any part of the plan. Try again, or check the network connection.",
    korean="검색에 실패했어요(Search failed). 네트워크 연결을 확인하고 잠시 뒤에 다시 시도해 주세요. "
    "기다리기 어려우면 내 자료만으로 조사할 수 있어요.",
)
NO_LIBRARY = ResearchFailed(
    kind="Library failed",
    description="The library could not be searched. See that SEARCH_PROVIDERS names it and that its file can be read.",
    korean="내 자료를 찾아보지 못했어요. 설정에서 내 자료(library)가 켜져 있는지 확인해 주세요.",
)


class StepFailedError(MaekrakError):
    """Says what failed in the work of a step; ``cause`` is the error as it was raised."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(type(cause).__name__, korean=cause.korean if isinstance(cause, MaekrakError) else "")
        self.cause = cause


async def attempt(work: Awaitable[T]) -> T:
    """Return what *work* gives; raises StepFailedError for whatever fails in it, and Interrupted as it is.

    Planners, searchers, readers and writers are handed in and may raise anything; none of it may end a run.
    """
    try:
        return await work
    except Interrupted:
        raise
    except Exception as error:
        raise StepFailedError(error) from error


def failed_plan(error: Exception) -> ResearchFailed:
    """Return the event for a plan that could not be made."""
    return _failure(
        error,
        "The question could not be decomposed because of an unexpected error.",
        "질문을 나누다가 예상하지 못한 문제가 생겼어요. 질문을 그대로 조사해요.",
    )


def failed_report(error: Exception) -> ResearchFailed:
    """Return the event for a report that could not be written."""
    return _failure(
        error,
        "The report could not be written because of an unexpected error.",
        "보고서를 쓰다가 예상하지 못한 문제가 생겼어요. 이어서 조사하면 여기까지 찾은 자료로 다시 쓸 수 있어요.",
    )


def _failure(error: Exception, description: str, korean: str) -> ResearchFailed:
    """Return the event for *error*; the text of an unexpected one is left out, as it may hold the question."""
    if isinstance(error, MaekrakError):
        description, korean = str(error), error.korean
    return ResearchFailed(kind=type(error).__name__, description=description, korean=korean)
