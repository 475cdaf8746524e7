"""Brave Search, an index of its own, for pages and for news.

API: https://api-dashboard.search.brave.com/app/documentation (web, news, operators, codes), read 2026-11. A wrong key is
HTTP 422. The terms of service of 2026-09-01 (read 2026-11, at second
hand) forbid storing results beyond passing use, so answers are stored in memory only.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SAFE_SEARCH, SearchRequest, retry_after, unreadable
from search_core.providers.kit.http import COUNTRIES, HttpAnswer, HttpProvider, keyed_refusal
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
    date_fields: ClassVar[tuple[str, ...]] = ("page_age",)
    not_set_up: ClassVar[str] = "BRAVE_SEARCH_API_KEY에 Brave Search API 키를 넣으면 쓸 수 있어요."

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the first page of Brave's results, at most 20 pages of the web or 50 of the news."""
        endpoint = "news" if request.news else "web"
        url = f"{self._base_url}/res/v1/{endpoint}/search"
        answer = await self._client.get(url, params=_parameters(request), classify=_classify)
        payload = answer.json()
        entries = items(payload, "results") if request.news else _web_entries(payload)
        return self._ranked(entries, request.limit)


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
    """Return the entries of a web search; Brave leaves the list out when it found nothing."""
    if isinstance(payload, dict) and payload.get("web") is None and payload.get("type") == "search":
        return []
    return items(payload, "web", "results")


def _classify(answer: HttpAnswer, now: datetime) -> ProviderError | None:
    status, host = answer.status, answer.host
    if status not in (404, 422, 429):
        error = keyed_refusal(answer, now)
        return _bad_key(answer) if error is not None and error.status is SearchStatus.INVALID_API_KEY else error
    if status == 429:
        return _limit(answer, now)
    if "SUBSCRIPTION_" in answer.text():
        return _bad_key(answer)
    if status == 422:
        return unreadable(f"{host} does not accept a parameter of the request (HTTP 422).")
    return keyed_refusal(answer, now)


def _bad_key(answer: HttpAnswer) -> ProviderError:
    message = f"{answer.host} does not accept the key (HTTP {answer.status})."
    return ProviderError(SearchStatus.INVALID_API_KEY, message, advice=BAD_KEY)


def _limit(answer: HttpAnswer, now: datetime) -> ProviderError:
    """Return the error of the exceeded limit, per second or per month, with the time it ends."""
    spent = "QUOTA_LIMITED" in answer.text()
    of_second, _, of_month = answer.headers.get("x-ratelimit-reset", "").partition(",")
    pause_s = retry_after(answer.headers.get("retry-after") or (of_month if spent else of_second), now)
    if spent:
        message = f"The requests of the month at {answer.host} are spent (HTTP 429)."
        return ProviderError(SearchStatus.QUOTA_EXHAUSTED, message, retry_after_s=pause_s, advice=SPENT)
    message = f"{answer.host} says there were too many requests (HTTP 429)."
    return ProviderError(SearchStatus.RATE_LIMITED, message, retry_after_s=pause_s)
