"""Google Custom Search: an engine the user has set up with Google, while Google still serves it.

API: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list (discovery document 20240821), read 2026-11. **Its
end is near**: the service is closed to new customers and ends on 2027-01-01, so this is only for users with an engine already.
100 calls a day are free; an answer has at most 10 results, without dates.

It refuses by ``{"error": {"code", "message", "status", "errors": [{"reason"}], "details": [{"reason", "metadata"}]}}``
(https://cloud.google.com/apis/design/errors, read 2026-11). A wrong key is HTTP 400, a spent quota may be 403 or 429, and a
limit for a day differs from one for a minute only in its text or its metadata.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.providers.kit.contract import SearchRequest, unreadable
from search_core.providers.kit.http import COUNTRIES, HttpProvider, Refusal
from search_core.providers.kit.payload import items
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

ENDS = datetime(2027, 1, 1, tzinfo=UTC)
OFFICIAL_URL = "https://customsearch.googleapis.com"
MAX_RESULTS = 10
_ENDING = "Google 맞춤검색은 새로 가입할 수 없고 2027년 1월 1일에 끝나요."
_BAD_KEY_ADVICE = f"인증 키를 받아 주지 않았어요. GOOGLE_CUSTOM_SEARCH_API_KEY를 확인해 주세요. {_ENDING}"
_NOT_ALLOWED_ADVICE = f"이 키로는 쓸 수 없다고 해요. Google Cloud에서 Custom Search API가 켜져 있는지 확인해 주세요. {_ENDING}"
_BAD_ENGINE = "요청을 받아 주지 않았어요. GOOGLE_CUSTOM_SEARCH_ENGINE_ID가 맞는지 확인해 주세요."
_BAD_KEY = re.compile(r"API_KEY_(?:INVALID|EXPIRED)|key(?:Invalid|Expired)|key (?:not valid|not found|expired)", re.IGNORECASE)
_NOT_ALLOWED = re.compile(r'accessNotConfigured|"forbidden"|SERVICE_DISABLED|PERMISSION_DENIED|Blocked|SUSPENDED', re.IGNORECASE)
_SPENT = re.compile(r"quotaExceeded|dailyLimit|per day|PerDay|\b1/d/", re.IGNORECASE)
_TOO_FAST = re.compile("LimitExceeded")


class GoogleProvider(HttpProvider):
    """Asks the engine GOOGLE_CUSTOM_SEARCH_ENGINE_ID."""

    name: ClassVar[str] = "google"
    label: ClassVar[str] = "Google 맞춤검색"
    paid: ClassVar[bool] = True
    keys: ClassVar[tuple[str, ...]] = ("GOOGLE_CUSTOM_SEARCH_API_KEY", "GOOGLE_CUSTOM_SEARCH_ENGINE_ID")
    address: ClassVar[str] = "google_custom_search_base_url"
    headers: ClassVar[Mapping[str, str]] = {**HttpProvider.headers, "X-Goog-Api-Key": "{GOOGLE_CUSTOM_SEARCH_API_KEY}"}
    url_field: ClassVar[str] = "link"
    snippet_field: ClassVar[str] = "snippet"
    refusals: ClassVar[tuple[Refusal, ...]] = (
        Refusal((401,), SearchStatus.INVALID_API_KEY, "does not accept the key", _BAD_KEY_ADVICE),
        Refusal((400, 403), SearchStatus.INVALID_API_KEY, "does not accept the key", _BAD_KEY_ADVICE, _BAD_KEY),
        Refusal((403, 429), SearchStatus.QUOTA_EXHAUSTED, "has no requests left today", says=_SPENT),
        Refusal((403,), SearchStatus.RATE_LIMITED, "says there were too many requests", says=_TOO_FAST),
        Refusal((403,), SearchStatus.INVALID_API_KEY, "does not allow this use of the key", _NOT_ALLOWED_ADVICE, _NOT_ALLOWED),
        Refusal((400,), SearchStatus.INVALID_RESPONSE, "does not accept the request", _BAD_ENGINE),
    )
    not_set_up: ClassVar[str] = f"GOOGLE_CUSTOM_SEARCH_API_KEY와 GOOGLE_CUSTOM_SEARCH_ENGINE_ID를 넣으면 쓸 수 있어요. {_ENDING}"

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        super().__init__(settings, now=now)
        self._engine = settings.text_of("GOOGLE_CUSTOM_SEARCH_ENGINE_ID")

    def absent_because(self) -> str | None:
        """Return that the service has ended, or the missing settings."""
        if self._base_url == OFFICIAL_URL and self._now() >= ENDS:
            return "Google 맞춤검색은 2027년 1월 1일에 끝났어요. SEARCH_PROVIDERS에서 google을 빼 주세요."
        return super().absent_because()

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the first page of the engine's results, at most 10."""
        answer = await self._client.get(f"{self._base_url}/customsearch/v1", params=self._parameters(request))
        payload = answer.json()
        entries = items(payload, "items") if _has_items(payload) else []
        return self._ranked(entries, request.limit)

    def cache_key(self) -> dict[str, str]:
        """Return the address without credentials, and the engine."""
        return {**super().cache_key(), "engine": self._engine}

    def _parameters(self, request: SearchRequest) -> dict[str, str]:
        params = {
            "q": request.query[: self.max_query_chars],
            "cx": self._engine,
            "num": str(min(request.limit, MAX_RESULTS)),
            "hl": request.language,
            "gl": COUNTRIES[request.language].lower(),
            "lr": f"lang_{request.language}",
            "safe": "active",
        }
        if request.fresh:
            params["dateRestrict"] = "m1"
        return params


def _has_items(payload: Any) -> bool:
    """Return whether *payload* lists results; raises ProviderError for any other answer."""
    if isinstance(payload, dict):
        if "items" in payload:
            return True
        if str(payload.get("kind")).startswith("customsearch#"):
            return False  # the service leaves the list out when it found nothing
    raise unreadable("The answer is none of Google Custom Search.")
