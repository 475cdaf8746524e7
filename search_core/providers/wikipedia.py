"""Wikipedia, in several languages at once.

API: https://api.wikimedia.org/wiki/Core_REST_API/Reference/Search (``/w/rest.php/v1/search/page``), read 2026-11. The date of the
last revision is no publish date, so results have none. The full-text search wants every word of a query, so a wiki that finds
nothing is asked broader queries, one after the other.
"""

from __future__ import annotations

import asyncio
import logging
from typing import ClassVar
from urllib.parse import quote

from search_core.domain.result import SearchResult
from search_core.language.korean import has_hangul
from search_core.providers.kit.contract import SearchRequest
from search_core.providers.kit.http import HttpProvider, ask_several
from search_core.providers.kit.payload import hit, items, keep_readable, rank_hits, text

logger = logging.getLogger(__name__)

LANGUAGES = ("ko", "en")
"""Languages of the Wikipedias that are asked, best first: the users' language, and the largest."""
MAX_BROADER = 2
"""Broader queries to ask a wiki that finds nothing; after three empty answers it has no page on the subject."""


class WikipediaProvider(HttpProvider):
    """Asks the Wikipedia of the question's language for the query, and others for its part in their script."""

    name: ClassVar[str] = "wikipedia"
    label: ClassVar[str] = "위키백과"
    free_to_ask_twice: ClassVar[bool] = True
    address: ClassVar[str] = "wikipedia_base_url"
    names_contact: ClassVar[bool] = True
    max_query_chars: ClassVar[int] = 300  # CirrusSearch refuses longer ones

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the interleaved pages of all languages; one successful language is enough."""
        requests = {language: self._read_results(language, request) for language in LANGUAGES}
        return rank_hits(await ask_several("Wikipedia", requests), self.name, request.limit)

    async def _read_results(self, language: str, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the results of the first query that finds any, as far as time allows."""
        ends_s = asyncio.get_running_loop().time() + self._timeout_s
        query, *broader = _queries(language, request)
        pages = await self._pages(language, query, request.limit)
        try:
            async with asyncio.timeout_at(ends_s):
                for query in broader:
                    if pages:
                        break
                    pages = await self._pages(language, query, request.limit)
        except TimeoutError:
            logger.info("No time was left for broader queries to Wikipedia in %s", language)
        return pages

    async def _pages(self, language: str, query: str, limit: int) -> tuple[SearchResult, ...]:
        base = self._base_url.replace("{language}", language)
        answer = await self._client.get(
            f"{base}/w/rest.php/v1/search/page",
            params={"q": query[: self.max_query_chars], "limit": str(min(limit, 100))},
        )
        return keep_readable([_page(entry, base, language) for entry in items(answer.json(), "pages")])


def _queries(language: str, request: SearchRequest) -> list[str]:
    """Return the queries for the wiki of *language*, narrow to broad, at least one.

    Wikis in other languages than Korean get queries with Hangul only if there are no other queries.
    """
    query, translated = request.query, request.translated
    if language != "ko":
        first = translated if translated and not has_hangul(translated) else _without_hangul(query)
        queries = [broader for broader in (first, *request.broader) if broader and not has_hangul(broader)] or [query]
    elif translated and has_hangul(translated) and request.language != "ko":
        queries = [translated, *request.broader]
    else:
        queries = [query, *(broader for broader in request.broader if broader != translated or has_hangul(broader))]
    by_words: dict[frozenset[str], str] = {}
    for query in queries:
        by_words.setdefault(frozenset(query.casefold().split()), query)
    return list(by_words.values())[: MAX_BROADER + 1]


def _without_hangul(query: str) -> str:
    """Return the words of *query* without Hangul, if a name is among them; common words alone would find any page."""
    words = [word for word in query.split() if not has_hangul(word)]
    return " ".join(words) if len(words) == len(query.split()) or any(word != word.lower() for word in words) else ""


def _page(entry: dict[str, object], base: str, language: str) -> SearchResult | None:
    key = entry.get("key") or entry.get("title")
    if not isinstance(key, str):
        return None
    address = f"{base}/wiki/{quote(key.replace(' ', '_'), safe='/:,()', errors='replace')}"
    description, excerpt = text(entry.get("description")), text(entry.get("excerpt"))
    snippet = " · ".join(part for part in (description, excerpt) if part)
    return hit(title=entry.get("title"), url=address, snippet=snippet, language=language)
