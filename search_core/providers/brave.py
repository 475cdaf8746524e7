"""Brave Search, an index of its own, for pages and for news.

API: https://api-dashboard.search.brave.com/app/documentation (web, news, operators, codes), read 2026-11. A wrong key is
HTTP 422. The terms of service of 2026-09-01 (read 2026-11, at second
hand) forbid storing results beyond passing use, so answers are stored in memory only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SAFE_SEARCH, SearchRequest, retry_after
from search_core.providers.kit.http import COUNTRIES, HttpAnswer, HttpProvider, Refusal
from search_core.providers.kit.payload import items

MAX_WORDS = 50
MAX_WEB_RESULTS = 20
MAX_NEWS_RESULTS = 50
BAD_KEY = "Brave가 인증 키를 받아 주지 않았어요. BRAVE_SEARCH_API_KEY를 확인해 주세요."
SPENT = "이번 달 Brave 검색 사용량을 다 썼어요. Brave 요금제를 확인하거나 다음 달까지 기다려 주세요."


class BraveProvider(HttpProvider):
    """Asks the web or the news endpoint with BRAVE_SEARCH_API_KEY."""

    name: ClassVar[str] = "brave"
    label: ClassVar[str] = "Brave 검색"
    paid: ClassVar[bool] = True
    max_query_chars: ClassVar[int] = 400
    storable: ClassVar[bool] = False
    keys: ClassVar[tuple[str, ...]] = ("BRAVE_SEARCH_API_KEY",)
    address: ClassVar[str] = "brave_base_url"
    headers: ClassVar[Mapping[str, str]] = {**HttpProvider.headers, "X-Subscription-Token": "{BRAVE_SEARCH_API_KEY}"}
    snippet_field: ClassVar[str] = "description"
    date_field: ClassVar[str] = "page_age"
    refusals: ClassVar[tuple[Refusal, ...]] = (
        Refusal((401,), SearchStatus.INVALID_API_KEY, "does not accept the key", BAD_KEY),
        Refusal((404, 422), SearchStatus.INVALID_API_KEY, "does not accept the key", BAD_KEY, says=re.compile("SUBSCRIPTION_")),
        Refusal((429,), SearchStatus.QUOTA_EXHAUSTED, "has no requests left this month", SPENT, says=re.compile("QUOTA_LIMITED")),
    )
    not_set_up: ClassVar[str] = "BRAVE_SEARCH_API_KEY에 Brave Search API 키를 넣으면 쓸 수 있어요."

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the first page of Brave's results, at most 20 pages of the web or 50 of the news."""
        endpoint = "news" if request.news else "web"
        url = f"{self._base_url}/res/v1/{endpoint}/search"
        answer = await self._client.get(url, params=_parameters(request))
        payload = answer.json()
        entries = items(payload, "results") if request.news else _web_entries(payload)
        return self._ranked(entries, request.limit)

    def _classify(self, answer: HttpAnswer, now: datetime) -> ProviderError | None:
        """Return the error, for a rate limit with the pause until the limit (of a second or a month) ends."""
        error = super()._classify(answer, now)
        if error is not None and answer.status == 429 and error.retry_after_s is None:
            of_second, _, of_month = answer.headers.get("x-ratelimit-reset", "").partition(",")
            error.retry_after_s = retry_after(of_month if error.status is SearchStatus.QUOTA_EXHAUSTED else of_second, now)
        return error


def _parameters(request: SearchRequest) -> dict[str, str]:
    language, country = request.language, COUNTRIES[request.language]
    params = {
        "q": " ".join(request.query.split()[:MAX_WORDS])[: BraveProvider.max_query_chars],
        "count": str(min(request.limit, MAX_NEWS_RESULTS if request.news else MAX_WEB_RESULTS)),
        "country": country,
        "search_lang": language,
        "ui_lang": f"{language}-{country}",
        "safesearch": SAFE_SEARCH,
        "spellcheck": "false",  # else Brave may search for other words than the page shows
    }
    if not request.news:
        params |= {"result_filter": "web", "text_decorations": "false"}
    if request.fresh:
        params["freshness"] = "pm"
    return params


def _web_entries(payload: object) -> list[dict[str, object]]:
    """Return the entries of a web search; none if Brave found nothing, and so sends no list."""
    if isinstance(payload, dict) and payload.get("web") is None and payload.get("type") == "search":
        return []
    return items(payload, "web", "results")
