"""YouTube's own search for videos.

API: https://developers.google.com/youtube/v3/docs/search/list (discovery document 2026-11-04), read 2026-11. ``search.list`` has
a quota of its own, 100 calls a day, filled up at midnight Pacific time. The terms allow to keep data for 30 days; stored answers
stay for two at most. Results are ordered by relevance, also for news: by date, whatever holds one of the words would come first.
"""

from __future__ import annotations

from datetime import UTC
from functools import partial
from typing import Any, ClassVar

from search_core.domain import SearchResult
from search_core.providers.kit import SAFE_SEARCH, SearchRequest
from search_core.providers.kit.google_refusal import KeyAdvice, google_refusal
from search_core.providers.kit.http_provider import COUNTRIES, KeyedHttpProvider
from search_core.providers.kit.payload import date, hit, items, keep_readable, rank_hits
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings
from search_core.video.address import watch_url, youtube_video_id

MAX_RESULTS = 50
ADVICE = KeyAdvice(
    bad_key="인증 키를 받아 주지 않았어요. YOUTUBE_API_KEY를 확인해 주세요.",
    not_allowed="이 키로는 쓸 수 없다고 해요. "
    "Google Cloud에서 YouTube Data API v3가 켜져 있는지, 키 제한에 걸리지 않는지 확인해 주세요.",
)
_REFUSAL = partial(google_refusal, advice=ADVICE)


class YouTubeProvider(KeyedHttpProvider):
    """Asks the YouTube Data API for videos."""

    name: ClassVar[str] = "youtube"
    label: ClassVar[str] = "YouTube 동영상"
    keys: ClassVar[tuple[str, ...]] = ("YOUTUBE_API_KEY",)
    without_key: ClassVar[str] = "YOUTUBE_API_KEY에 YouTube Data API 키를 넣으면 쓸 수 있어요."

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        key_headers = {"X-Goog-Api-Key": settings.text_of("YOUTUBE_API_KEY")}
        super().__init__(settings, base_url=settings.youtube_data_base_url, key_headers=key_headers, now=now)

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the most relevant videos, at most 50."""
        answer = await self._client.get(f"{self._base_url}/search", params=self._parameters(request), classify=_REFUSAL)
        entries = items(answer.json(), "items")
        return rank_hits(keep_readable([self._result(entry) for entry in entries]), self.name, request.limit)

    def _parameters(self, request: SearchRequest) -> dict[str, str]:
        params = {
            "part": "snippet",
            "type": "video",
            "q": request.query,
            "maxResults": str(min(request.limit, MAX_RESULTS)),
            "relevanceLanguage": request.language,
            "regionCode": COUNTRIES[request.language],
            "safeSearch": SAFE_SEARCH,
        }
        if (earliest := request.earliest(self._now())) is not None:
            params["publishedAfter"] = f"{earliest.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        return params

    def _result(self, entry: dict[str, Any]) -> SearchResult | None:
        identity, snippet = entry.get("id"), entry.get("snippet")
        video_id = identity.get("videoId") if isinstance(identity, dict) else None
        if not isinstance(video_id, str) or not isinstance(snippet, dict):
            return None
        address = watch_url(video_id)
        if youtube_video_id(address) != video_id:
            return None
        parts = [part for name in ("channelTitle", "description") if isinstance(part := snippet.get(name), str) and part.strip()]
        return hit(
            title=snippet.get("title"),
            url=address,
            snippet=" · ".join(parts),
            published=date(snippet.get("publishedAt"), self._now()),
        )
