"""SearXNG, a metasearch server the user runs.

API: https://docs.searxng.org/dev/search_api.html, read 2026-11. The server answers HTTP 200 with an empty list when all of its
engines are blocked; its ``unresponsive_engines`` distinguish that from a query without results.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SearchRequest
from search_core.providers.kit.http import HttpProvider, Refusal
from search_core.providers.kit.payload import items

_JSON_OFF = "SearXNG가 요청을 거절했어요. 서버의 settings.yml에서 search.formats에 json이 있는지 확인해 주세요."
MODERATE = "1"
"""Level of safe search: 0 is off, 2 is strict."""


class SearxngProvider(HttpProvider):
    """Asks the instance at SEARXNG_URL."""

    name: ClassVar[str] = "searxng"
    label: ClassVar[str] = "SearXNG"
    free_to_ask_twice: ClassVar[bool] = True
    address: ClassVar[str] = "searxng_url"
    headers: ClassVar[Mapping[str, str]] = {  # SearXNG's limiter takes clients without these for robots
        "Accept": "application/json, text/html;q=0.9, */*;q=0.1",
        "Accept-Language": "ko,en;q=0.8",
    }
    names_contact: ClassVar[bool] = True
    not_set_up: ClassVar[str] = "SEARXNG_URL에 SearXNG 주소를 넣으면 쓸 수 있어요."
    refusals: ClassVar[tuple[Refusal, ...]] = (
        Refusal(
            (403,),
            SearchStatus.INVALID_RESPONSE,
            "refused: json is not enabled in search.formats",
            _JSON_OFF,
            says=re.compile("<h1>"),
        ),
        Refusal((302, 303), SearchStatus.BLOCKED, "takes this client for a robot"),
    )
    date_field: ClassVar[str] = "publishedDate"

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the instance's results in its order."""
        params = {
            "q": request.query[: self.max_query_chars],
            "format": "json",
            "language": request.language,
            "categories": "general,news" if request.news else "general",
            "safesearch": MODERATE,
        }
        if request.fresh:
            params["time_range"] = "month"
        answer = await self._client.get(f"{self._base_url}/search", params=params)
        payload = answer.json()
        entries = items(payload, "results")
        blocked = payload.get("unresponsive_engines")
        if not entries and blocked and isinstance(blocked, list):
            message = f"The engines behind SearXNG gave nothing, {len(blocked)} of them are blocked."
            raise ProviderError(SearchStatus.BLOCKED, message)
        return self._ranked(entries, request.limit)
