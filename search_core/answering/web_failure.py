"""Why the web gave no answer, told to the page, to the log and to a language model; found nothing is not could not ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from search_core.domain import ProviderReply, Question, SearchReport, SearchStatus, WebAnswerFailed, WebFailure, web_answered
from search_core.presenting import ResultFormatter

_SEARCH = "search"
_KOREAN = MappingProxyType(
    {
        WebFailure.NO_RESULTS: "웹에서 찾은 결과가 없어 영상 기반 답변만 표시합니다.",
        WebFailure.NOT_RELEVANT: "웹에서 찾은 결과가 모두 질문과 관련이 적어 영상 기반 답변만 표시합니다.",
        WebFailure.UNAVAILABLE: "웹 검색을 사용할 수 없어 영상 기반 답변만 표시합니다.",
        WebFailure.TIMEOUT: "웹 검색이 시간 안에 끝나지 않아 영상 기반 답변만 표시합니다.",
        WebFailure.SEARCH_FAILED: "웹 검색에 문제가 생겨 영상 기반 답변만 표시합니다.",
        WebFailure.MODEL_FAILED: "웹 검색 결과로 답을 쓰지 못해 영상 기반 답변만 표시합니다.",
        WebFailure.NOT_ANSWERED: "웹 검색 결과에도 답이 없어 영상 기반 답변만 표시합니다.",
    }
)

_BESIDE = MappingProxyType(
    {
        WebFailure.NO_RESULTS: "웹에서는 결과를 찾지 못했어요.",
        WebFailure.NOT_RELEVANT: "웹에서 찾은 결과는 모두 질문과 관련이 적어요.",
        WebFailure.UNAVAILABLE: "웹 검색을 사용할 수 없어 웹의 답은 보여 드리지 못해요.",
        WebFailure.TIMEOUT: "웹 검색이 시간 안에 끝나지 않아 웹의 답은 보여 드리지 못해요.",
        WebFailure.SEARCH_FAILED: "웹 검색에 문제가 생겨 웹의 답은 보여 드리지 못해요.",
        WebFailure.MODEL_FAILED: "웹 검색 결과로 답을 쓰지 못했어요.",
        WebFailure.NOT_ANSWERED: "웹 검색 결과에도 답이 없어요.",
    }
)

_OF_CHECK = MappingProxyType(
    {
        WebFailure.NO_RESULTS: "웹에서 관련 자료를 찾지 못했어요. 영상 기반 답변은 그대로 두었어요.",
        WebFailure.NOT_RELEVANT: "웹에서 찾은 자료가 모두 질문과 관련이 적어 견주지 않았어요. 영상 기반 답변은 그대로 두었어요.",
    }
)
_OF_CHECK_BESIDE = MappingProxyType(
    {
        WebFailure.NO_RESULTS: "웹에서 관련 자료를 찾지 못했어요.",
        WebFailure.NOT_RELEVANT: "웹에서 찾은 자료가 모두 질문과 관련이 적어 견주지 않았어요.",
    }
)
_UNCHECKED = "웹 검색을 사용할 수 없어 확인하지 못했어요."


def failed(failure: WebFailure, cause: str, *, why: str = "", for_model: str = "", reason: str = "") -> WebAnswerFailed:
    """Return the event that tells of *failure*; *why* is a Korean sentence that goes before the one on what it means."""
    korean = f"{why} {_KOREAN[failure]}".strip()
    return WebAnswerFailed(failure=failure, cause=cause, korean=korean, for_model=for_model, reason=reason)


def nothing_found(question: Question, report: SearchReport, labels: Mapping[str, str]) -> WebAnswerFailed:
    """Return the event for a *report* without results of the web an answer could rest on; own documents do not count."""
    replies = [reply for reply in report.replies if reply.web]
    formatter = ResultFormatter(now=report.created_at, labels=labels)
    for_model = formatter.format_korean_response((), query=question.text, replies=replies, for_model=True)
    if not web_answered(replies):
        statuses = ", ".join(f"{reply.provider}: {reply.status}" for reply in replies) or "there was none to ask"
        cause = f"No search service of the web could be asked ({statuses})."
        event = failed(WebFailure.UNAVAILABLE, cause, for_model=for_model, reason=formatter.unavailable(replies))
        pauses = [reply.retry_after_s for reply in replies if reply.retry_after_s is not None]
        return replace(event, retry_after_s=min(pauses, default=None))
    if any(reply.results for reply in replies):
        return failed(WebFailure.NOT_RELEVANT, "All results are below the threshold or say nothing.", for_model=for_model)
    return failed(WebFailure.NO_RESULTS, "The search services found nothing.", for_model=for_model)


def could_not_search(question: Question, failure: WebFailure, cause: str) -> WebAnswerFailed:
    """Return the event for a search that gave no report at all."""
    status = SearchStatus.TIMEOUT if failure is WebFailure.TIMEOUT else SearchStatus.UNKNOWN_ERROR
    replies = (ProviderReply(provider=_SEARCH, status=status),)
    formatter = ResultFormatter(labels={_SEARCH: "웹 검색"})
    for_model = formatter.format_korean_response((), query=question.text, replies=replies, for_model=True)
    return failed(failure, cause, for_model=for_model, reason=formatter.unavailable(replies))


def beside(event: WebAnswerFailed) -> WebAnswerFailed:
    """Return *event* in words that hold where an answer from the video is not all that is shown, or there is no video."""
    return replace(event, korean=event.korean.replace(_KOREAN[event.failure], _BESIDE[event.failure]))


def of_check(event: WebAnswerFailed, *, video_alone: bool = True) -> WebAnswerFailed:
    """Return *event* in the words of a check: whatever kept the web from being asked, the reader is told the same.

    *video_alone* says that there is a video, and that what is checked comes from nowhere else.
    """
    if video_alone:
        return replace(event, korean=_OF_CHECK.get(event.failure, _KOREAN[WebFailure.UNAVAILABLE]))
    return replace(event, korean=_OF_CHECK_BESIDE.get(event.failure, _UNCHECKED))
