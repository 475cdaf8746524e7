"""Asks one provider: from the stored answer, or by a request that may fail in any way and still ends in a typed reply."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from search_core.domain import ProviderReply, SearchEvent, SearchResult, SearchStatus, StoredReply
from search_core.domain.reply import PROBE, SEARCH
from search_core.domain.text_limits import RESULT_SNIPPET, RESULT_SOURCE, RESULT_TITLE, RESULT_URL
from search_core.errors import ProviderError, StorageError
from search_core.providers.kit import SearchProvider, SearchRequest
from search_core.providers.kit.failures import failure
from search_core.recent import Recent
from search_core.runtime import ASKED_BY, Clock
from search_core.search.gathering.circuit_breaker import CircuitBreaker, Permit
from search_core.text.redaction import redact

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

    def __init__(self, now: Clock) -> None:
        self._now = now
        self._stored: Recent[str, tuple[StoredReply, datetime]] = Recent(MAX_STORED_IN_MEMORY)

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
        "exclude_domains": request.exclude_domains,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()


logger = logging.getLogger(__name__)

CLEANUP_S = 0.5
"""How long a cancelled request may take to close its sockets before it is left behind."""
T = TypeVar("T")

GRACE_S = 0.25
"""Providers bound their own requests by the same time; the grace lets one that asks several services end with what it has."""
MOST_OF_ITS_TIME = 0.8
"""Share of its time after which a request that the deadline of its search ended has failed; clocks and planning take some."""
OUT_OF_TIME = "검색 시간이 다 되어 더 기다리지 않았어요."


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Shares a running request between callers; it is cancelled when the last of them is. One event loop only."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    async def join(self, key: str, start: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the request under *key*, starting it by *start* when none is under way."""
        flight = self._flights.get(key)
        if flight is None or flight.task.done():
            flight = self._flights[key] = _Flight(asyncio.create_task(start()))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if flight.waiting == 0:
                if self._flights.get(key) is flight:
                    del self._flights[key]
                await cancel_tasks({flight.task})


async def cancel_tasks(tasks: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    """Cancel those of *tasks* that still run and return those that have not ended ``CLEANUP_S`` later."""
    running = {task for task in tasks if not task.done()}
    for task in running:
        task.cancel()
    if not running:
        return set()
    _, left_behind = await asyncio.wait(running, timeout=CLEANUP_S)
    return left_behind


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Holds what every provider is held to, and the clocks it is measured by."""

    timeout_s: float
    ttl_s: float
    monotonic: Callable[[], float]
    now: Callable[[], datetime]
    record: Callable[[SearchEvent], None]
    """Called with how each request ended; must neither block nor raise."""


class ProviderClient:
    """Asks one provider and remembers how it behaves."""

    def __init__(self, provider: SearchProvider, cache: ReplyCache | None, limits: Limits) -> None:
        self.provider = provider
        self._cache = cache
        self._limits = limits
        self._breaker = CircuitBreaker()
        self._reply = partial(ProviderReply, provider=provider.name, web=provider.web)
        self._flights: SingleFlight[ProviderReply] = SingleFlight()
        self._probe_over = asyncio.Event()
        """Set when the request has ended that tries the provider after a pause; a new one for each."""

    async def ask(self, request: SearchRequest, *, use_cache: bool, insist: bool = False) -> ProviderReply:
        """Return the reply to *request*; callers with the same request at the same time share one.

        *use_cache* False asks anew, though a stored answer may still replace a failure. *insist* asks a provider that is cooling
        down, too.
        """
        started_s = self._limits.monotonic()
        key = cache_key(self.provider, request)
        reply = await self._flights.join(
            f"{key}:{use_cache}:{insist}", lambda: self._answer(key, request, use_cache=use_cache, insist=insist)
        )
        return replace(reply, latency_ms=(self._limits.monotonic() - started_s) * 1000)

    def wait_s(self) -> float:
        """Return for how many more seconds the provider is cooling down; 0 when it is asked."""
        return self._breaker.wait_s(self._limits.monotonic())

    def fail(self, error: Exception, *, query: str = "", permit: Permit | None = None) -> ProviderReply:
        """Return the reply that *error* amounts to, and count it towards the provider's cooling down."""
        if isinstance(error, ProviderError):
            status, message, pause_s = error.status, redact(str(error)), error.retry_after_s
        elif isinstance(error, TimeoutError):
            status, message, pause_s = SearchStatus.TIMEOUT, f"{self.provider.name} did not answer in time.", None
        else:
            status, message, pause_s = SearchStatus.UNKNOWN_ERROR, f"{type(error).__name__} in {self.provider.name}", None
        self._breaker.note_failure(permit or self._breaker.free_permit(), status, pause_s, self._limits.monotonic())
        reply = self._reply(status=status, query=query, error_message=message, retry_after_s=pause_s)
        if isinstance(error, ProviderError):
            return replace(reply, advice=redact(error.advice), out_of_order=error.out_of_order)
        return reply

    async def _answer(self, key: str, request: SearchRequest, *, use_cache: bool, insist: bool) -> ProviderReply:
        stored = await self._read_cache(key)
        if use_cache and stored is not None and stored.fresh:
            reply = self._reply(status=stored.status, query=request.query, from_cache=True, stored_at=stored.stored_at)
            reply = limit_reply(replace(reply, results=stored.results))
            self.note(reply)
            return reply
        reply = await self._request(request, insist=insist)
        self.note(reply, probe=insist)
        if reply.status.answered:
            await self._store(key, reply)
            return reply
        return self._stale_if_error(reply, stored)

    async def give_up(
        self, request: SearchRequest, took_s: float, *, outrun: bool, deadline_s: float, probe: bool, retried: bool
    ) -> ProviderReply:
        """Return the reply to *request* that was given up after *took_s* seconds; a stored answer may replace it.

        *outrun* says that others had answered, *retried* that the provider had timed out before. Ended before its time is over,
        which *deadline_s* bounds too, the request is no failure of the provider and counts nowhere.
        """
        name, whole_s = self.provider.name, min(self.provider.timeout_s or self._limits.timeout_s, deadline_s)
        if outrun:
            reply = self._reply(
                status=SearchStatus.NOT_AWAITED, error_message=f"{name} had not answered when others had, and was not waited for."
            )
        elif self._breaker.probing:
            reply = self._resting()
        elif took_s >= MOST_OF_ITS_TIME * whole_s:
            reply = self.fail(failure(SearchStatus.TIMEOUT, f"{name} did not answer before the deadline of the search."))
        else:
            message = f"{name} was not waited for: the deadline of the search left it {took_s:.1f} s."
            reply = self._reply(status=SearchStatus.NOT_AWAITED, error_message=message, advice=OUT_OF_TIME)
        reply = replace(reply, query=request.query, latency_ms=took_s * 1000)
        self.note(reply, probe=probe)
        if retried:
            message = f"{name} did not answer in time, nor within {took_s:.1f} s when asked again."
            reply = replace(reply, status=SearchStatus.TIMEOUT, error_message=message, advice="", retried=True)
        return self._stale_if_error(reply, await self._read_cache(cache_key(self.provider, request)))

    def _stale_if_error(self, reply: ProviderReply, stored: StoredReply | None) -> ProviderReply:
        """Return the stored answer instead of the failed *reply*, marked as stale, where there is one young enough."""
        if stored is None or not self._may_serve_stale(stored):
            return reply
        reply = replace(reply, status=stored.status, from_cache=True, stale=True, stored_at=stored.stored_at)
        return limit_reply(replace(reply, results=stored.results))

    async def _request(self, request: SearchRequest, *, insist: bool) -> ProviderReply:
        permit = self._breaker.enter(self._limits.monotonic()) or (self._breaker.free_permit() if insist else None)
        while permit is None and self._breaker.probing:
            await self._probe_over.wait()
            permit = self._breaker.enter(self._limits.monotonic())
        if permit is None:
            return replace(self._resting(), query=request.query)
        over = asyncio.Event()
        if permit.probe:
            self._probe_over = over
        started_s = self._limits.monotonic()
        try:
            reply = await self._send(request, permit)
        finally:
            over.set()
        return replace(reply, latency_ms=(self._limits.monotonic() - started_s) * 1000)

    def _resting(self) -> ProviderReply:
        return self._reply(
            status=SearchStatus.COOLING_DOWN,
            error_message=f"{self.provider.name} is cooling down after a failure.",
            retry_after_s=self.wait_s(),
        )

    async def _send(self, request: SearchRequest, permit: Permit) -> ProviderReply:
        try:
            async with asyncio.timeout((self.provider.timeout_s or self._limits.timeout_s) + GRACE_S):
                results = await self.provider.search(request)
        except (ProviderError, TimeoutError) as error:
            return self.fail(error, query=request.query, permit=permit)
        except Exception as error:  # whatever a provider does must not end the search of the others
            logger.exception("Provider %s failed unexpectedly", self.provider.name)
            return self.fail(error, query=request.query, permit=permit)
        except BaseException:
            self._breaker.release(permit)
            raise
        self._breaker.note_success(permit)
        if self.provider.web:
            results = tuple(result for result in results if request.allows(result.url))
        status = SearchStatus.SUCCESS if results else SearchStatus.NO_RESULTS
        return limit_reply(self._reply(status=status, query=request.query, results=tuple(results[: request.limit])))

    def _may_serve_stale(self, stored: StoredReply) -> bool:
        age = self._limits.now() - stored.stored_at
        return stored.status is SearchStatus.SUCCESS and age <= timedelta(seconds=self._limits.ttl_s) + MAX_STALE

    async def _read_cache(self, key: str) -> StoredReply | None:
        return None if self._cache is None else await self._use_cache(partial(self._cache.get, key))

    async def _store(self, key: str, reply: ProviderReply) -> None:
        if self._cache is None:
            return
        found = reply.status is SearchStatus.SUCCESS
        ttl_s = self._limits.ttl_s if found else min(self._limits.ttl_s, MAX_NO_RESULTS_TTL_S)
        await self._use_cache(partial(self._cache.put, key, reply.status, reply.results, ttl_s))

    async def _use_cache(self, work: Callable[[], T]) -> T | None:
        """Return what *work* returns, None where the cache is broken, which is a miss."""
        try:
            return await asyncio.to_thread(work)
        except (OSError, ValueError, RuntimeError, StorageError):
            logger.warning("The stored answers of %s cannot be read or written", self.provider.name, exc_info=True)
            return None

    def note(self, reply: ProviderReply, *, probe: bool = False) -> None:
        """Log how one request went, never what was asked, and hand it to the event log, there as a *probe* where it is one."""
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
    """Return *reply* with texts that are too long cut, and how many results have one; a result with too long an address goes."""
    known = [result for result in reply.results if len(result.url) <= RESULT_URL.most]
    limited = tuple(map(_limit, known))
    cut = sum(before is not after for before, after in zip(known, limited, strict=True))
    return replace(reply, results=limited, cut=cut + len(reply.results) - len(known))


def _limit(result: SearchResult) -> SearchResult:
    limits = {"title": RESULT_TITLE, "snippet": RESULT_SNIPPET, "source": RESULT_SOURCE}
    cut = {name: getattr(result, name)[: limit.most] for name, limit in limits.items() if len(getattr(result, name)) > limit.most}
    return replace(result, **cut) if cut else result
