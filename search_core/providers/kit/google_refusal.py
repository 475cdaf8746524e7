"""How Google's own services say no: one error body for Custom Search and the YouTube Data API.

The body is ``{"error": {"code", "message", "status", "errors": [{"reason"}], "details": [{"reason", "metadata"}]}}``
(https://cloud.google.com/apis/design/errors, read 2026-11). A wrong key is HTTP 400, a spent quota may be 403 or 429, and a limit
for a day differs from one for a minute only in its text or its metadata.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.failures import failure, retry_after
from search_core.providers.kit.http import HttpAnswer, keyed_refusal
from search_core.providers.kit.payload import objects

_BAD_KEY = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "keyInvalid", "keyExpired"})
_NOT_ALLOWED = frozenset(
    {
        *("accessNotConfigured", "SERVICE_DISABLED", "PERMISSION_DENIED", "forbidden", "API_KEY_SERVICE_BLOCKED"),
        *("API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED", "ipRefererBlocked", "CONSUMER_SUSPENDED"),
    }
)
_SPENT = frozenset({"quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"})
_TOO_FAST = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED"})
_A_DAY = re.compile(r"per day|PerDay|\b1/d/", re.IGNORECASE)
_KEY_WORDS = re.compile(r"API key (?:not valid|not found|expired)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyAdvice:
    """Holds the advice to the user, in Korean, when a key is of no use."""

    bad_key: str
    """The service does not know the key."""
    not_allowed: str
    """The service knows the key but does not serve it."""


def google_refusal(answer: HttpAnswer, now: datetime, advice: KeyAdvice) -> ProviderError | None:
    """Return what is wrong with *answer* of a Google service, or None when nothing is; its texts quote nothing of the body."""
    if answer.status not in (400, 401, 403, 429):
        return keyed_refusal(answer, now)
    error = answer.json_object().get("error")
    error = error if isinstance(error, dict) else {}
    reasons, host, status = _reasons(error), answer.host, answer.status
    said = f"{host} said no (HTTP {status}{''.join(f', {reason}' for reason in sorted(reasons))})."
    pause_s = retry_after(answer.headers.get("retry-after"), now)
    if reasons & _BAD_KEY or _KEY_WORDS.search(_message(error)) or status == 401:
        return failure(SearchStatus.INVALID_API_KEY, f"The key is not accepted: {said}", advice=advice.bad_key)
    if reasons & _SPENT or (status == 429 and _is_daily(error)):
        return failure(SearchStatus.QUOTA_EXHAUSTED, f"The quota of the day is spent: {said}", retry_after_s=pause_s)
    if reasons & _TOO_FAST or status == 429:
        return failure(SearchStatus.RATE_LIMITED, f"There were too many requests: {said}", retry_after_s=pause_s)
    if reasons & _NOT_ALLOWED:
        return failure(SearchStatus.INVALID_API_KEY, f"The key may not be used here: {said}", advice=advice.not_allowed)
    return keyed_refusal(answer, now)


def _reasons(error: dict[str, Any]) -> set[str]:
    """Return those reasons of *error* that are known here; a text from outside that is not, is repeated nowhere."""
    named = [error.get("status"), *(entry.get("reason") for entry in objects(error.get("errors")))]
    named += [entry.get("reason") for entry in objects(error.get("details"))]
    known = _BAD_KEY | _NOT_ALLOWED | _SPENT | _TOO_FAST
    return {name for name in named if isinstance(name, str) and name in known}


def _is_daily(error: dict[str, Any]) -> bool:
    metadata = [entry.get("metadata") for entry in objects(error.get("details"))]
    limits = [value for entry in metadata if isinstance(entry, dict) for value in entry.values()]
    return any(isinstance(text, str) and _A_DAY.search(text) for text in (_message(error), *limits))


def _message(error: dict[str, Any]) -> str:
    message = error.get("message")
    return message if isinstance(message, str) else ""
