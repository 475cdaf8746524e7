"""What failed in a run, as its events hold it: by type, in one English sentence without the question, and in Korean."""

from __future__ import annotations

from search_core.domain import SEARCH_FAILED, ResearchFailed
from search_core.durable_runs.attempt import words_for

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
    words = words_for(error, description, korean)
    return ResearchFailed(kind=words.kind, description=words.description, korean=words.korean)
