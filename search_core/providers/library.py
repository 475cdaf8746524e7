"""The library: documents and transcripts the user has given, searched on this machine."""

from __future__ import annotations

import asyncio
import logging
from typing import ClassVar

from search_core.domain import SearchResult, SearchStatus
from search_core.errors import ProviderError, StorageError
from search_core.provider_kit import DocumentIndex, SearchProvider, SearchRequest
from search_core.provider_kit.payload import rank_hits
from search_core.provider_kit.several import interleave

logger = logging.getLogger(__name__)

EMPTY = "내 자료가 비어 있어요. `python -m search_core index 폴더`로 문서를 넣으면 함께 찾아 드려요."


class LibraryProvider(SearchProvider):
    """Asks the document index; needs neither key nor network."""

    name: ClassVar[str] = "library"
    label: ClassVar[str] = "내 자료"
    web: ClassVar[bool] = False
    cacheable: ClassVar[bool] = False

    def __init__(self, index: DocumentIndex, *, samples: bool = True) -> None:
        """Ask *index*; *samples* False never lets documents answer that ship with the app, though they were indexed once."""
        self._index = index
        self._samples = samples

    def absent_because(self) -> str | None:
        """Return how to fill the library when it is empty."""
        return self._empty_because(samples=True)

    def cannot_answer(self, request: SearchRequest) -> str | None:
        """Return how to fill the library when it holds nothing that may answer *request*."""
        return self._empty_because(samples=request.samples)

    def fault(self) -> str:
        """Return why the library cannot be read, as far as counting its documents tells."""
        try:
            self._index.count()
        except StorageError as error:
            return error.korean
        return ""

    def _empty_because(self, *, samples: bool) -> str | None:
        try:
            empty = self._index.count(samples=samples and self._samples) == 0
        except StorageError as error:
            logger.info("The library cannot be counted, asking it will tell why: %s", error)
            return None
        return EMPTY if empty else None

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the best documents for the query and for its translation, taken in turn."""
        return await asyncio.to_thread(self._search, request)

    def _search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        queries = dict.fromkeys(query for query in (request.query, request.translated) if query)
        try:
            samples = request.samples and self._samples
            lists = [self._index.search(query, request.limit, samples=samples) for query in queries]
        except StorageError as error:
            raise ProviderError(
                SearchStatus.INVALID_RESPONSE, f"The library could not be read: {error}", korean=error.korean, advice=error.korean
            ) from error
        return rank_hits(interleave(lists), self.name, request.limit)
