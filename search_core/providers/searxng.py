"""SearXNG, a metasearch server the user runs.

API: https://docs.searxng.org/dev/search_api.html, read 2026-11. The server answers HTTP 200 with an empty list when all of its
engines are blocked; its ``unresponsive_engines`` distinguish that from a query without results.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.language.challenge import is_challenge
from search_core.providers.kit import SearchRequest
from search_core.providers.kit.http import HttpAnswer, HttpProvider, refusal
from search_core.providers.kit.payload import date, hit, items, keep_readable, rank_hits
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

_JSON_OFF = "SearXNG가 요청을 거절했어요. 서버의 settings.yml에서 search.formats에 json이 있는지 확인해 주세요."
MODERATE = "1"
"""Level of safe search: 0 is off, 2 is strict."""


class SearxngProvider(HttpProvider):
    """Asks the instance at SEARXNG_URL."""

    name: ClassVar[str] = "searxng"
    label: ClassVar[str] = "SearXNG"
    free_to_ask_twice: ClassVar[bool] = True

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        # SearXNG's limiter takes clients without these for robots.
        headers = {"Accept": "application/json, text/html;q=0.9, */*;q=0.1", "Accept-Language": "ko,en;q=0.8"}
        super().__init__(settings, base_url=settings.searxng_url, headers=headers, contact=settings.wikipedia_contact, now=now)

    def absent_because(self) -> str | None:
        """Return how to switch the provider on when it lacks an address."""
        return None if self._base_url else "SEARXNG_URL에 SearXNG 주소를 넣으면 쓸 수 있어요."

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
        answer = await self._client.get(f"{self._base_url}/search", params=params, classify=_classify)
        payload = answer.json()
        entries = items(payload, "results")
        if not entries:
            _raise_when_engines_are_blocked(payload)
        return rank_hits(keep_readable([self._result(entry) for entry in entries]), self.name, request.limit)

    def _result(self, entry: dict[str, Any]) -> SearchResult | None:
        published = date(entry.get("publishedDate") or entry.get("pubdate"), self._now())
        return hit(title=entry.get("title"), url=entry.get("url"), snippet=entry.get("content"), published=published)


def _classify(answer: HttpAnswer, now: datetime) -> ProviderError | None:
    if answer.status == 403 and "html" in answer.headers.get("content-type", "") and not is_challenge(answer.text()):
        message = f"{answer.host} refused (HTTP 403), as it does where json is not enabled in search.formats of settings.yml."
        return ProviderError(SearchStatus.INVALID_RESPONSE, message, advice=_JSON_OFF)
    if answer.status in (302, 303):
        return ProviderError(SearchStatus.BLOCKED, f"{answer.host} takes this client for a robot (HTTP {answer.status}).")
    return refusal(answer, now)


def _raise_when_engines_are_blocked(payload: object) -> None:
    unresponsive = payload.get("unresponsive_engines") if isinstance(payload, dict) else None
    if unresponsive and isinstance(unresponsive, list):
        message = f"The engines behind SearXNG gave nothing, {len(unresponsive)} of them are blocked."
        raise ProviderError(SearchStatus.BLOCKED, message)
