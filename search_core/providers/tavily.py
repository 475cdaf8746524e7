"""Tavily, a search service made for language models.

API: https://docs.tavily.com/documentation/api-reference/endpoint/search (OpenAPI of 2026-08) and the package tavily-python
0.8.5, read 2026-11. That client is not used, because it reports three different limits as one error. ``include_published_date``
is in neither, yet the service accepts it; if it is ever rejected, it is no longer sent. Safe search needs an enterprise plan and
is not requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SearchRequest
from search_core.providers.kit.http import HttpAnswer, HttpProvider, Refusal
from search_core.providers.kit.payload import items

MAX_RESULTS = 20
DEPTH = "basic"
"""Costs one credit; ``advanced`` costs two."""
COUNTRIES = {"ko": "south korea"}
"""Countries whose pages Tavily should rank higher, by language, in its English names; for general searches only."""
DATES = "include_published_date"
BAD_KEY = "Tavily가 인증 키를 받아 주지 않았어요. TAVILY_API_KEY를 확인해 주세요."
SPENT = "Tavily 사용량을 다 썼어요. Tavily 요금제를 확인하거나 사용량이 다시 채워질 때까지 기다려 주세요."


class TavilyProvider(HttpProvider):
    """Asks the search endpoint with TAVILY_API_KEY; without a key it is off, as Tavily's keyless trial is never used."""

    name: ClassVar[str] = "tavily"
    label: ClassVar[str] = "Tavily"
    paid: ClassVar[bool] = True
    max_query_chars: ClassVar[int] = 400  # "Query is too long. Max query length is 400 characters."
    keys: ClassVar[tuple[str, ...]] = ("TAVILY_API_KEY",)
    address: ClassVar[str] = "tavily_base_url"
    headers: ClassVar[Mapping[str, str]] = {**HttpProvider.headers, "Authorization": "Bearer {TAVILY_API_KEY}"}
    date_field: ClassVar[str] = "published_date"
    refusals: ClassVar[tuple[Refusal, ...]] = (
        Refusal((401,), SearchStatus.INVALID_API_KEY, "does not accept the key", BAD_KEY),
        Refusal((432,), SearchStatus.QUOTA_EXHAUSTED, "has reached the limit of the plan or the key", SPENT),
        Refusal((433,), SearchStatus.QUOTA_EXHAUSTED, "has reached the limit of pay as you go", SPENT),
    )
    not_set_up: ClassVar[str] = "TAVILY_API_KEY에 Tavily 키(tvly-…)를 넣으면 쓸 수 있어요."
    _asks_for_dates = True

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return Tavily's results in its order, at most 20; its scores are not used."""
        body = self._body(request)
        url = f"{self._base_url}/search"
        answer = await self._client.post(url, json=body, classify=self._classify_but_dates if DATES in body else None)
        if answer.status != 200:
            self._asks_for_dates = False
            answer = await self._client.post(url, json=self._body(request))
        return self._ranked(items(answer.json(), "results"), request.limit)

    def _body(self, request: SearchRequest) -> dict[str, object]:
        body: dict[str, object] = {
            "query": request.query[: self.max_query_chars],
            "topic": "news" if request.news else "general",
            "search_depth": DEPTH,
            "max_results": min(request.limit, MAX_RESULTS),
        }
        if self._asks_for_dates:
            body[DATES] = True
        if not request.news and request.language in COUNTRIES:
            body["country"] = COUNTRIES[request.language]
        if request.fresh:
            body["time_range"] = "month"
        return body

    def _classify_but_dates(self, answer: HttpAnswer, now: datetime) -> ProviderError | None:
        """Return the error, but None if the date parameter was rejected, as the caller then asks again without it."""
        if answer.status in (400, 422) and DATES in answer.text():
            return None
        return self._classify(answer, now)
