"""What failed in a check of claims, as its events hold it."""

from __future__ import annotations

from search_core.domain import SEARCH_FAILED, ClaimsFailed
from search_core.durable_runs.attempt import words_for

NOBODY_ASKED = ClaimsFailed(
    kind=SEARCH_FAILED,
    description="No search service of the web answered for any claim. Try again, or check the network connection.",
    korean="어느 주장도 웹에서 찾아보지 못했어요(Search failed). 네트워크 연결을 확인하고 잠시 뒤에 다시 시도해 주세요.",
)


def failed_run(error: Exception) -> ClaimsFailed:
    """Return the event for a run in which something unexpected has failed; it names no claim."""
    words = words_for(
        error,
        "The claims could not be checked because of an unexpected error.",
        "확인하다가 예상하지 못한 문제가 생겼어요. 이어서 확인하면 아직 확인하지 못한 주장부터 다시 시작해요.",
    )
    return ClaimsFailed(kind=words.kind, description=words.description, korean=words.korean)
