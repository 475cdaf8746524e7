"""Stores answers between searches."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from search_core.domain import SearchResult, SearchStatus, StoredReply
from search_core.provider_kit import SearchProvider, SearchRequest
from search_core.recent import Recent
from search_core.runtime import Clock

MAX_NO_RESULTS_TTL_S = 300
"""An answer without results is stored shortly only: the page may be written right now."""
MAX_STALE = timedelta(hours=24)
"""How long past its lifetime an answer may replace a failed request (RFC 5861, stale-if-error)."""
MAX_STORED_IN_MEMORY = 500


class ReplyCache(Protocol):
    """Stores answers under opaque keys; safe to use from any thread.

    Both methods may raise OSError, ValueError or StorageError, which counts as a miss.
    """

    def get(self, key: str) -> StoredReply | None:
        """Return the answer stored under *key*, fresh or not, or None."""
        ...

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        """Store an answer, fresh for *ttl_s* seconds from now."""
        ...


class MemoryReplyCache:
    """Stores answers that must not be written to disk, until the process ends."""

    def __init__(self, now: Clock, size: int = MAX_STORED_IN_MEMORY) -> None:
        self._now = now
        self._stored: Recent[str, tuple[StoredReply, datetime]] = Recent(size)

    def get(self, key: str) -> StoredReply | None:
        """Return the answer stored under *key*, fresh or not, or None."""
        if (found := self._stored.get(key)) is None:
            return None
        stored, fresh_until = found
        return replace(stored, fresh=self._now() < fresh_until)

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        """Store an answer, fresh for *ttl_s* seconds from now; the one used longest ago makes room."""
        now = self._now()
        stored = StoredReply(status=status, results=results, stored_at=now, fresh=True)
        self._stored.put(key, (stored, now + timedelta(seconds=ttl_s)))


def cache_key(provider: SearchProvider, request: SearchRequest) -> str:
    """Return the key of *request* to *provider*: a hash that reveals nothing of the query and holds no secret."""
    asked = {
        "provider": provider.name,
        "settings": provider.cache_key(),
        "query": request.query,
        "translated": request.translated,
        "broader": request.broader,
        "limit": request.limit,
        "language": request.language,
        "freshness": request.freshness,
        "news": request.news,
        "domains": [request.include_domains, request.exclude_domains],
        "safe_search": request.safe_search,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
