"""The errors of a provider that could not ask or could not read."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from search_core.domain.reply import SearchStatus
from search_core.errors import UNTRUSTED, ProviderError, is_untrusted

MAX_RETRY_AFTER_S = 3600.0
"""A longer pause is cut, so that one odd header does not switch a service off for days."""

KOREAN = {
    SearchStatus.API_KEY_MISSING: "아직 설정되지 않아서 물어보지 못했어요. 설정을 채워 주세요.",
    SearchStatus.INVALID_API_KEY: "인증 키를 받아 주지 않았어요. 키가 맞는지 확인해 주세요.",
    SearchStatus.QUOTA_EXHAUSTED: "정해진 사용량을 다 써서 답을 받지 못했어요. 사용량이 다시 채워진 뒤에 시도해 주세요.",
    SearchStatus.RATE_LIMITED: "요청이 너무 잦다고 해요. 잠시 뒤에 다시 시도해 주세요.",
    SearchStatus.BLOCKED: "검색 서비스가 요청을 막아서 결과를 받지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    SearchStatus.NETWORK_ERROR: "연결하지 못했어요. 인터넷 연결을 확인하고 다시 시도해 주세요.",
    SearchStatus.TIMEOUT: "시간 안에 답이 오지 않았어요. 다시 시도해 주세요.",
    SearchStatus.NOT_AWAITED: "더 기다리지 않아서 답을 받지 못했어요.",
    SearchStatus.INVALID_RESPONSE: "답이 오긴 했지만 읽을 수 없었어요. 다시 시도해 주세요.",
    SearchStatus.COOLING_DOWN: "앞선 요청이 실패해서 잠시 쉬고 있어요. 조금 뒤에 다시 시도해 주세요.",
    SearchStatus.UNKNOWN_ERROR: "예상하지 못한 문제가 생겼어요. 다시 시도해 주세요.",
}
"""One sentence for the page about each way not to get an answer."""
OUT_OF_ORDER = "검색 서비스에 문제가 생겨서 답하지 못했어요. 잠시 뒤에 다시 시도해 주세요."


def failure(
    status: SearchStatus,
    message: str,
    *,
    retry_after_s: float | None = None,
    advice: str = "",
    out_of_order: bool = False,
) -> ProviderError:
    """Return the error for *status*, with its Korean sentence; *message* holds neither queries nor keys.

    *advice* is what the user can do about it at this service, a Korean sentence. *out_of_order* says that the service was reached
    and answered that it is out of order.
    """
    return ProviderError(
        status,
        message,
        korean=OUT_OF_ORDER if out_of_order else KOREAN[status],
        retry_after_s=retry_after_s,
        advice=advice,
        out_of_order=out_of_order,
    )


def unreachable(host: str, error: Exception) -> ProviderError:
    """Return the error of a connection to *host* that did not come about, for want of a network or of trust."""
    if is_untrusted(error):
        message = f"The certificate of {host} is not trusted."
        return ProviderError(SearchStatus.NETWORK_ERROR, message, korean=UNTRUSTED, advice=UNTRUSTED)
    return failure(SearchStatus.NETWORK_ERROR, f"{host} could not be reached.")


def unreadable(message: str) -> ProviderError:
    """Return the error for an answer that came but could not be read."""
    return failure(SearchStatus.INVALID_RESPONSE, message)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds a Retry-After header asks for, in [0, ``MAX_RETRY_AFTER_S``], or None when it asks nothing readable.

    RFC 9110 §10.2.3: seconds or an HTTP date; a date in the past asks for no pause.
    """
    if not value:
        return None
    value = value.strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return min(max((when - now).total_seconds(), 0.0), MAX_RETRY_AFTER_S)
    return min(seconds, MAX_RETRY_AFTER_S) if seconds >= 0 else None  # not-a-number compares false, too
