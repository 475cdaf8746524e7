"""Naver, the Korean web: web documents, the encyclopedia and news.

API: https://api.ncloud-docs.com/docs/en/naverapihub-search (NAVER API HUB), terms of 2026-07-31, read 2026-11. Keys of the old
developer centre, which gives none any more, are unknown to it. The terms want results shown unaltered and restrict keeping them,
so answers are never written to disk. The API cannot filter by date; that is done here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.providers.kit.contract import MONTH, SearchRequest
from search_core.providers.kit.http import HttpProvider, Refusal, ask_several
from search_core.providers.kit.payload import MAX_TEXT_CHARS, date, hit, items, keep_readable, rank_hits, web_url

MAX_RESULTS = 100
MAX_ENTRIES_OF_ENCYCLOPEDIA = 3
"""A few entries explain a word; more would crowd out the documents."""

_WRITTEN_TWICE = re.compile(r"&lt;/?b&gt;|&amp;(?:quot|amp|lt|gt|apos|#\d+);")
"""Marks of a text whose tags are escaped along with the rest, as web documents have them."""
_SPENT = re.compile(r'"errorCode"\s*:\s*"400"')
_NOT_ALLOWED = re.compile(r'"errorCode"\s*:\s*"210"')
_BAD_KEY = (
    "인증 키를 받아 주지 않았어요. NAVER_CLIENT_ID와 NAVER_CLIENT_SECRET을 확인해 주세요. "
    "예전 개발자 센터의 키는 쓸 수 없으니 NAVER API HUB에서 받아 주세요."
)
_NOT_FOR_SEARCH = "이 키로는 검색할 수 없다고 해요. 네이버의 애플리케이션 설정에서 검색 API 사용 설정을 확인해 주세요."


class NaverProvider(HttpProvider):
    """Asks Naver for news, or for documents and the encyclopedia."""

    name: ClassVar[str] = "naver"
    label: ClassVar[str] = "네이버"
    storable: ClassVar[bool] = False
    keys: ClassVar[tuple[str, ...]] = ("NAVER_CLIENT_ID", "NAVER_CLIENT_SECRET")
    address: ClassVar[str] = "naver_base_url"
    headers: ClassVar[Mapping[str, str]] = {
        **HttpProvider.headers,
        "X-NCP-APIGW-API-KEY-ID": "{NAVER_CLIENT_ID}",
        "X-NCP-APIGW-API-KEY": "{NAVER_CLIENT_SECRET}",
    }
    refusals: ClassVar[tuple[Refusal, ...]] = (
        Refusal((429,), SearchStatus.QUOTA_EXHAUSTED, "has no requests left", says=_SPENT),
        Refusal((403,), SearchStatus.INVALID_API_KEY, "does not let the key search", _NOT_FOR_SEARCH),
        Refusal((401,), SearchStatus.INVALID_API_KEY, "does not let the key search", _NOT_FOR_SEARCH, _NOT_ALLOWED),
        Refusal((401,), SearchStatus.INVALID_API_KEY, "does not accept the key", _BAD_KEY),
    )
    not_set_up: ClassVar[str] = "NAVER_CLIENT_ID와 NAVER_CLIENT_SECRET을 넣으면 쓸 수 있어요."

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the interleaved results of the kinds that fit *request*; one successful kind is enough."""
        kinds = ("news",) if request.news else ("webkr", "encyc")
        requests = {kind: self._read_results(kind, request) for kind in kinds}
        return rank_hits(await ask_several("Naver", requests), self.name, request.limit)

    async def _read_results(self, kind: str, request: SearchRequest) -> tuple[SearchResult, ...]:
        most = MAX_ENTRIES_OF_ENCYCLOPEDIA if kind == "encyc" else MAX_RESULTS
        params = {"query": request.query, "display": str(MAX_RESULTS if request.fresh else min(request.limit, most))}
        if kind == "news":
            params["sort"] = "sim"
        answer = await self._client.get(f"{self._base_url}/search/v1/{kind}", params=params)
        results = keep_readable([self._result(entry) for entry in items(answer.json(), "items")])
        if request.fresh:  # an undated one may be
            earliest = self._now() - MONTH
            results = tuple(result for result in results if result.publish_date is None or result.publish_date >= earliest)
        return results[:most]

    def _result(self, entry: dict[str, Any]) -> SearchResult | None:
        original = entry.get("originallink")
        return hit(
            title=_unescape_once(entry.get("title")),
            url=original if web_url(original) else entry.get("link"),
            snippet=_unescape_once(entry.get("description")),
            published=date(entry.get("pubDate"), self._now()),
        )


def _unescape_once(value: object) -> object:
    """Return *value* with one layer of double escaping removed."""
    if not isinstance(value, str):
        return value
    value = value[:MAX_TEXT_CHARS]
    return html.unescape(value) if _WRITTEN_TWICE.search(value) else value
