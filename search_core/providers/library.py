"""The library: documents and transcripts the user has given, searched on this machine by their words and by meaning."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError, StorageError
from search_core.providers.kit.contract import DocumentIndex, SearchProvider, SearchRequest
from search_core.providers.kit.http import interleave
from search_core.providers.kit.payload import once, rank_hits
from search_core.runtime import computing

logger = logging.getLogger(__name__)

_LOOKED_AT = 3
"""For each document to return, this many are read from each list (by words, by meaning)."""
_FUSION = 5
"""The constant of reciprocal-rank fusion; small enough that the first documents by words always stay among the first ten.
Measured on a library of five Korean sets and an English one: the answer to a Korean question is among the first ten for .972 by
words and .980 by both if it is Korean, and for .07 and .81 if it is English."""
EMPTY = "내 자료가 비어 있어요. 화면에 문서를 끌어다 놓거나 `python -m search_core index 폴더`로 넣으면 함께 찾아 드려요."


class LibraryProvider(SearchProvider):
    """Asks the document index; needs neither key nor network."""

    name: ClassVar[str] = "library"
    label: ClassVar[str] = "내 자료"
    web: ClassVar[bool] = False
    cacheable: ClassVar[bool] = False
    free_to_ask_twice: ClassVar[bool] = True

    def __init__(self, index: DocumentIndex, *, samples: bool = True) -> None:
        self._index = index
        self._samples = samples

    def absent_because(self) -> str | None:
        """Return how to fill the library when it is empty."""
        return self._empty_because(samples=True)

    def cannot_answer(self, request: SearchRequest) -> str | None:
        """Return how to fill the library if it has no documents for *request*."""
        return self._empty_because(samples=request.samples)

    def fault(self) -> str:
        """Return in Korean why the library's documents cannot be counted; empty if they can."""
        try:
            self._index.count()
        except StorageError as error:
            return error.korean
        return ""

    def _empty_because(self, *, samples: bool) -> str | None:
        try:
            empty = self._index.count(samples=samples and self._samples) == 0
        except StorageError as error:
            logger.info("The library cannot be counted, asking it will show why: %s", error)
            return None
        return EMPTY if empty else None

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the best documents by the words of the question, the query and the translation, and by meaning."""
        return await asyncio.to_thread(self._search, request)

    @computing()
    def _search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        queries = dict.fromkeys(query for query in (request.question, request.query, request.translated) if query)
        samples, deep = request.samples and self._samples, _LOOKED_AT * request.limit
        try:
            same_language, other_languages = self._index.search_by_meaning(
                request.question or request.query, deep, samples=samples
            )
            limit = deep if same_language or other_languages else request.limit
            lists = [self._index.search(query, limit, samples=samples) for query in queries]
        except StorageError as error:
            raise ProviderError(
                SearchStatus.INVALID_RESPONSE, f"The library could not be read: {error}", advice=error.korean
            ) from error
        return rank_hits(_fuse(once(interleave(lists)), same_language, other_languages), self.name, request.limit)


def _fuse(*lists: Sequence[SearchResult]) -> list[SearchResult]:
    """Return the documents of *lists*, best first; each as in the list that ranks it highest."""
    scores: defaultdict[str, float] = defaultdict(float)
    highest: dict[str, tuple[int, SearchResult]] = {}
    for hits in lists:
        for rank, hit in enumerate(hits, start=1):
            scores[hit.url] += 1 / (_FUSION + rank)
            if hit.url not in highest or rank < highest[hit.url][0]:
                highest[hit.url] = (rank, hit)
    return [highest[url][1] for url in sorted(scores, key=lambda url: -scores[url])]
