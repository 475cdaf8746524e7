"""Asks one provider, from the cache or by a request; every failure becomes a typed reply."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol, TypeVar

from search_core.domain.reply import PROBE, SEARCH, ProviderReply, SearchEvent, SearchStatus, StoredReply
from search_core.domain.text_limits import RESULT_SNIPPET, RESULT_SOURCE, RESULT_TITLE, RESULT_URL
from search_core.errors import ProviderError, StorageError
from search_core.language.redaction import redact
from search_core.providers.kit.contract import SearchProvider, SearchRequest
from search_core.providers.kit.payload import is_within
from search_core.runtime import ASKED_BY, Recent
from search_core.search.gathering.circuit_breaker import REFUSED, CircuitBreaker

MAX_NO_RESULTS_TTL_S = 300
"""How long an answer without results is reused: short, because a matching page may appear at any moment."""
MAX_STALE = timedelta(hours=24)
"""How long past its lifetime an answer may replace a failed request (RFC 5861, stale-if-error)."""
MAX_STORED_IN_MEMORY = 200
GRACE_S = 0.25
"""Added to a provider's time limit, so that a provider that asks several services can first end by its own limit."""
MOST_OF_ITS_TIME = 0.8
"""A request that the search's deadline cut off counts as failed if it had at least this share of its own time limit."""
T = TypeVar("T")

logger = logging.getLogger(__name__)


class ReplyCache(Protocol):
    """Caches answers under opaque keys; thread-safe.

    Both methods may raise OSError, ValueError or StorageError, which counts as a miss.
    """

    def get(self, key: str) -> StoredReply | None:
        """Return the answer stored under *key*, or None."""
        ...

    def put(self, key: str, reply: StoredReply, lasts_s: float) -> None:
        """Store an answer, for *lasts_s* seconds at most."""
        ...


class MemoryReplyCache:
    """Caches answers that must not be written to disk, until the process ends."""

    def __init__(self) -> None:
        self._stored: Recent[str, StoredReply] = Recent(MAX_STORED_IN_MEMORY)

    def get(self, key: str) -> StoredReply | None:
        """Return the answer stored under *key*, or None."""
        return self._stored.get(key)

    def put(self, key: str, reply: StoredReply, lasts_s: float) -> None:  # noqa: ARG002 - memory is bounded by their number
        """Store an answer, dropping the least recently used one if necessary."""
        self._stored.put(key, reply)


def cache_key(provider: SearchProvider, request: SearchRequest) -> str:
    """Return a cache key of *request* to *provider*: a hash that reveals neither query nor secrets."""
    asked = {
        "provider": provider.name,
        "settings": provider.cache_key(),
        "query": request.query,
        "translated": request.translated,
        "broader": request.broader,
        "limit": request.limit,
        "language": request.language,
        "fresh": request.fresh,
        "news": request.news,
        "exclude_domains": request.exclude_domains,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Holds the limits of every provider, and its clocks."""

    timeout_s: float
    ttl_s: float
    monotonic: Callable[[], float]
    now: Callable[[], datetime]
    record: Callable[[SearchEvent], None]
    """Called with how each request ended; must neither block nor raise."""


class ProviderClient:
    """Asks one provider and remembers its behaviour."""

    def __init__(self, provider: SearchProvider, cache: ReplyCache | None, limits: Limits) -> None:
        self.provider = provider
        self._cache = cache
        self._limits = limits
        self._breaker = CircuitBreaker()
        self._failed: ProviderReply | None = None
        """The last failure."""
        self._reply = partial(ProviderReply, provider=provider.name, web=provider.web)

    async def ask(self, request: SearchRequest, *, use_cache: bool, insist: bool = False, aside: bool = False) -> ProviderReply:
        """Return the reply to *request*.

        *use_cache* False asks anew, though a stored answer may still replace a failure. *insist* asks a provider that is cooling
        down, too. *aside* asks in other words beside a query that is asked anyway: of its failures only refusals count.
        """
        key = cache_key(self.provider, request)
        stored = await self._read_cache(key)
        if use_cache and stored is not None and self._age(stored) < timedelta(seconds=self._ttl_s(stored.status)):
            reply = self._reply(status=stored.status, query=request.query, from_cache=True, stored_at=stored.stored_at)
            reply = limit_reply(replace(reply, results=stored.results))
            self.note(reply)
            return reply
        started_s = self._limits.monotonic()
        reply = await self._request(request, insist=insist, aside=aside)
        reply = replace(reply, query=request.query, latency_ms=(self._limits.monotonic() - started_s) * 1000)
        self.note(reply, probe=insist)
        if reply.status.answered:
            await self._store(key, reply)
            return reply
        return self._stale_if_error(reply, stored)

    def takes_asides(self) -> bool:
        """Return whether the provider may be asked in other wordings: it allows that, and is not being tested."""
        return self.provider.free_to_ask_twice and self._breaker.closed

    def wait_s(self) -> float:
        """Return the seconds of cooling-down left; 0 if it may be asked."""
        return self._breaker.wait_s(self._limits.monotonic())

    def fail(self, error: Exception, *, aside: bool = False) -> ProviderReply:
        """Return the reply for *error*, and count it towards a cooling-down as in ``ask``."""
        if isinstance(error, ProviderError):
            status, message, pause_s = error.status, redact(str(error)), error.retry_after_s
        elif isinstance(error, TimeoutError):
            status, message, pause_s = SearchStatus.TIMEOUT, f"{self.provider.name} did not answer in time.", None
        else:
            status, message, pause_s = SearchStatus.UNKNOWN_ERROR, f"{type(error).__name__} in {self.provider.name}", None
        if aside and status not in REFUSED:
            self._breaker.leave()
        else:
            self._breaker.note_failure(status, pause_s, self._limits.monotonic())
        reply = self._reply(status=status, error_message=message, retry_after_s=pause_s)
        if isinstance(error, ProviderError):
            reply = replace(reply, advice=redact(error.advice), out_of_order=error.out_of_order)
        self._failed = reply
        return reply

    async def give_up(self, request: SearchRequest, took_s: float, deadline_s: float, *, probe: bool) -> ProviderReply:
        """Return the reply to a *request* cut off by the search's deadline, or a cached one.

        The request counts as failed if it had most of its time (the provider's limit or *deadline_s*, whichever is less).
        """
        name, whole_s = self.provider.name, min(self.provider.timeout_s or self._limits.timeout_s, deadline_s)
        if took_s >= MOST_OF_ITS_TIME * whole_s:
            reply = self.fail(ProviderError(SearchStatus.TIMEOUT, f"{name} did not answer before the deadline of the search."))
        else:
            message = f"{name} was not waited for: the deadline of the search left it {took_s:.1f} s."
            reply = self._reply(status=SearchStatus.NOT_AWAITED, error_message=message)
        reply = replace(reply, query=request.query, latency_ms=took_s * 1000)
        self.note(reply, probe=probe)
        return self._stale_if_error(reply, await self._read_cache(cache_key(self.provider, request)))

    async def _request(self, request: SearchRequest, *, insist: bool, aside: bool) -> ProviderReply:
        if not (insist or self._breaker.enter(self._limits.monotonic())):
            message = f"{self.provider.name} is cooling down after a failure."
            resting = self._reply(status=SearchStatus.COOLING_DOWN, error_message=message, retry_after_s=self.wait_s())
            return resting if self._failed is None else replace(resting, because=self._failed.status, advice=self._failed.advice)
        try:
            async with asyncio.timeout((self.provider.timeout_s or self._limits.timeout_s) + GRACE_S):
                results = await self.provider.search(request)
        except (ProviderError, TimeoutError) as error:
            return self.fail(error, aside=aside)
        except Exception as error:  # whatever a provider does must not end the search of the others
            logger.exception("Provider %s failed unexpectedly", self.provider.name)
            return self.fail(error, aside=aside)
        except BaseException:
            self._breaker.leave()
            raise
        self._breaker.note_success(self._limits.monotonic(), insisted=insist)
        if self.provider.web:
            results = tuple(result for result in results if not is_within(result.url, request.exclude_domains))
        status = SearchStatus.SUCCESS if results else SearchStatus.NO_RESULTS
        return limit_reply(self._reply(status=status, results=tuple(results[: request.limit])))

    def _stale_if_error(self, reply: ProviderReply, stored: StoredReply | None) -> ProviderReply:
        """Return a young enough stored answer, marked as stale, in place of the failed *reply*."""
        if stored is None or not stored.results or self._age(stored) > timedelta(seconds=self._limits.ttl_s) + MAX_STALE:
            return reply
        reply = replace(reply, status=stored.status, from_cache=True, stale=True, stored_at=stored.stored_at)
        return limit_reply(replace(reply, results=stored.results))

    def _age(self, stored: StoredReply) -> timedelta:
        return self._limits.now() - stored.stored_at

    def _ttl_s(self, status: SearchStatus) -> float:
        return self._limits.ttl_s if status is SearchStatus.SUCCESS else min(self._limits.ttl_s, MAX_NO_RESULTS_TTL_S)

    async def _read_cache(self, key: str) -> StoredReply | None:
        return None if self._cache is None else await self._use_cache(partial(self._cache.get, key))

    async def _store(self, key: str, reply: ProviderReply) -> None:
        if self._cache is not None:
            stored = StoredReply(status=reply.status, results=reply.results, stored_at=self._limits.now())
            lasts_s = self._ttl_s(reply.status) + MAX_STALE.total_seconds()
            await self._use_cache(partial(self._cache.put, key, stored, lasts_s))

    async def _use_cache(self, work: Callable[[], T]) -> T | None:
        """Return the result of *work*, or None (a miss) if the cache is broken."""
        try:
            return await asyncio.to_thread(work)
        except (OSError, ValueError, RuntimeError, StorageError):
            logger.warning("The stored answers of %s cannot be read or written", self.provider.name, exc_info=True)
            return None

    def note(self, reply: ProviderReply, *, probe: bool = False) -> None:
        """Log a request's outcome, never its query, and add it to the event log, marked as a *probe* if it is one."""
        logger.info(
            "provider=%s status=%s from_cache=%s results=%d query_chars=%d latency_ms=%.0f",
            reply.provider,
            reply.status,
            reply.from_cache,
            len(reply.results),
            len(reply.query),
            reply.latency_ms,
        )
        self._limits.record(
            SearchEvent(
                query=reply.query,
                status=reply.status,
                result_count=len(reply.results),
                provider=reply.provider,
                latency_ms=reply.latency_ms,
                timestamp=self._limits.now(),
                error_message=reply.error_message,
                from_cache=reply.from_cache,
                type=PROBE if probe else SEARCH,
                owner=ASKED_BY.get(),
            )
        )


def limit_reply(reply: ProviderReply) -> ProviderReply:
    """Return *reply* with overlong texts cut, and how many results that affects; overlong addresses are dropped."""
    results = [result for result in reply.results if len(result.url) <= RESULT_URL.most]
    limits = {"title": RESULT_TITLE, "snippet": RESULT_SNIPPET, "source": RESULT_SOURCE}
    limited = []
    for result in results:
        texts = {name: getattr(result, name) for name in limits}
        cut = {name: text[: limits[name].most] for name, text in texts.items() if len(text) > limits[name].most}
        limited.append(replace(result, **cut) if cut else result)
    cut_results = sum(before is not after for before, after in zip(results, limited, strict=True))
    return replace(reply, results=tuple(limited), cut=cut_results + len(reply.results) - len(results))
