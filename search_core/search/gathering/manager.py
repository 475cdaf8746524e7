"""Asks many providers in parallel, tier by tier, under one deadline."""

from __future__ import annotations

import asyncio
import logging
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from search_core.domain.query import QueryVariant
from search_core.domain.reply import ProviderReply, SearchEvent, SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SearchProvider, SearchRequest
from search_core.runtime import Clock, utc_now
from search_core.search.gathering.aggregate import merge_wordings
from search_core.search.gathering.provider_client import (
    Limits,
    MemoryReplyCache,
    ProviderClient,
    ReplyCache,
)

logger = logging.getLogger(__name__)

MIN_TIER_S = 0.05
"""Least time left for asking a further tier; no service answers faster."""
CLEANUP_S = 0.5
"""How long a cancelled request may take to close its sockets before it is left behind."""
ASIDE_S = 2.0
"""How long other wordings may take once every service has answered the query itself."""
ProgressCallback = Callable[[str, ProviderReply | None], None]
"""Called with a provider's name and None when it is asked, and with its reply when that arrives or gets more results."""


class MultiProviderSearchManager:
    """Asks the providers of one tier in parallel, and the next tier only if earlier ones found nothing or failed.

    Every provider of a tier may answer until the search's deadline, even if others fail. Hits among the user's own documents do
    not keep the next tier from being asked: they say nothing about the web.
    """

    def __init__(
        self,
        providers: Mapping[str, SearchProvider],
        tiers: Sequence[Sequence[str]] = (),
        *,
        cache: ReplyCache | None = None,
        timeout_s: float = 10.0,
        deadline_s: float = 15.0,
        ttl_s: float = 86_400,
        monotonic: Callable[[], float] = time.monotonic,
        now: Clock = utc_now,
        record: Callable[[SearchEvent], None] = lambda _: None,
    ) -> None:
        """Take *tiers* of provider names; all others form a last tier. *ttl_s* 0 disables the cache.

        *record* is called with how each request ended; it must neither block nor raise.
        """
        listed = {name for tier in tiers for name in tier}
        rest = tuple(name for name in providers if name not in listed)
        self._tiers = tuple(
            tier for tier in (*(tuple(name for name in tier if name in providers) for tier in tiers), rest) if tier
        )
        self.deadline_s = deadline_s
        self._monotonic = monotonic
        limits = Limits(timeout_s=timeout_s, ttl_s=ttl_s, monotonic=monotonic, now=now, record=record)
        memory = MemoryReplyCache()
        self._clients = {
            name: ProviderClient(provider, _cache_for(provider, cache, memory, ttl_s), limits)
            for name, provider in providers.items()
        }

    def get_available_providers(self) -> tuple[str, ...]:
        """Return the names of configured providers in order of asking; asks none."""
        return tuple(name for tier in self._tiers for name in tier if self._clients[name].provider.is_available())

    def handle_provider_failure(self, provider: str, error: Exception) -> ProviderReply:
        """Return the reply for *error* of *provider*, and count it as a failure; an unexpected error is logged."""
        if not isinstance(error, (ProviderError, TimeoutError)):
            logger.error("Provider %s failed unexpectedly", provider, exc_info=error)
        return self._clients[provider].fail(error)

    async def search(
        self,
        query: str | SearchRequest,
        providers: Iterable[str] | None = None,
        *,
        on_progress: ProgressCallback | None = None,
        use_cache: bool = True,
        deadline_s: float | None = None,
        first: Sequence[str] = (),
        later: asyncio.Future[QueryVariant | None] | None = None,
    ) -> tuple[ProviderReply, ...]:
        """Return one reply for each provider asked, in order of asking; no failure of a provider is raised.

        *providers* restricts the search to these names; unknown and unconfigured ones get a reply that says so. A plain
        *query* is a request with defaults. *on_progress* is called on the event loop. *deadline_s* shortens the deadline.
        Providers in *first* are asked before the others, one by one. Other wordings go in parallel to providers that are
        ``free_to_ask_twice``, and are merged into one reply; *later* may add one during the search. Cancelling waits up to
        half a second for requests to close.
        """
        request = tidy_request(query if isinstance(query, SearchRequest) else SearchRequest(query=query))
        ends_s = self._monotonic() + min(self.deadline_s, deadline_s if deadline_s is not None else self.deadline_s)
        publish = _without_failing(on_progress)
        names = None if providers is None else tuple(dict.fromkeys(providers))
        tiers, replies = await asyncio.to_thread(self._plan, names, tuple(first), request)
        for reply in replies:
            if (client := self._clients.get(reply.provider)) is not None:
                client.note(reply)
            publish(reply.provider, reply)
        for tier in tiers:
            if replies and ends_s - self._monotonic() < MIN_TIER_S:
                break
            tier_replies = await self._ask_tier(tier, request, ends_s, publish, use_cache=use_cache, later=later)
            replies.extend(tier_replies)
            if any(reply.is_success() and not reply.stale and self.is_web(reply.provider) for reply in tier_replies):
                break
        return tuple(replies)

    async def probe(self, query: str) -> tuple[ProviderReply, ...]:
        """Ask every configured provider once, also those cooling down; return the replies in order of asking."""
        request = tidy_request(SearchRequest(query=query, limit=3))
        names = await asyncio.to_thread(self.get_available_providers)
        if not names:
            return ()
        ends_s = self._monotonic() + self.deadline_s
        return tuple(await self._ask_tier(names, request, ends_s, _without_failing(None), use_cache=False, insist=True))

    def takes_asides(self, providers: Iterable[str] | None) -> bool:
        """Return whether any of *providers* (None: of all) may be asked in several wordings; sends no request."""
        names = self._clients if providers is None else self._clients.keys() & set(providers)
        return any(self._clients[name].takes_asides() for name in names)

    def is_web(self, provider: str) -> bool:
        """Return whether *provider* searches the web, not the user's own documents."""
        return provider in self._clients and self._clients[provider].provider.web

    def cooldowns_s(self) -> dict[str, float]:
        """Return the remaining cooling-down seconds of each provider; 0 for active ones."""
        return {name: client.wait_s() for name, client in self._clients.items()}

    async def aclose(self) -> None:
        """Close the providers."""
        for client in self._clients.values():
            await client.provider.aclose()

    def first_asked(self, first: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the web services that a search asks first; sends no request.

        That is the first configured service of *first*, as it mostly has results, or without any the services of the first tier.
        """
        web = [name for name in self.get_available_providers() if self.is_web(name)]
        alone = [name for name in first if name in web]
        tiers = (tuple(name for name in tier if name in web) for tier in self._tiers)
        return tuple(alone[:1]) or next((tier for tier in tiers if tier), ())

    def _plan(
        self, wanted: tuple[str, ...] | None, first: tuple[str, ...], request: SearchRequest
    ) -> tuple[list[tuple[str, ...]], list[ProviderReply]]:
        """Return the providers to ask, tier by tier, and replies for chosen ones that cannot be asked."""
        because = {name: client.provider.cannot_answer(request) for name, client in self._clients.items()}
        available = {name for name, reason in because.items() if reason is None}
        chosen = available if wanted is None else available & set(wanted)
        alone = [(name,) for name in first if name in chosen]
        rest = [tuple(name for name in tier if name in chosen and name not in first) for tier in self._tiers]
        tiers = [*alone, *(tier for tier in rest if tier)]
        cannot = [name for name in wanted or () if name not in available]
        return tiers, [self._unaskable(name, request.query, because.get(name) or "") for name in cannot]

    def _unaskable(self, name: str, query: str, because: str) -> ProviderReply:
        if name not in self._clients:
            message = f"No provider is named {name!r}; known are {', '.join(self._clients)}."
            return ProviderReply(provider=name, status=SearchStatus.UNKNOWN_ERROR, query=query, error_message=message)
        provider = self._clients[name].provider
        wanting = f": {', '.join(provider.keys)} not configured" if provider.keys else ""
        return ProviderReply(
            provider=name,
            status=SearchStatus.API_KEY_MISSING,
            query=query,
            error_message=f"{name} is not set up{wanting}.",
            advice=because,
            web=provider.web,
        )

    async def _ask_tier(
        self,
        names: tuple[str, ...],
        request: SearchRequest,
        ends_s: float,
        publish: ProgressCallback,
        *,
        use_cache: bool,
        insist: bool = False,
        later: asyncio.Future[QueryVariant | None] | None = None,
    ) -> list[ProviderReply]:
        """Return the replies of *names*, asked in parallel until *ends_s* on the monotonic clock."""
        started_s = self._monotonic()
        given = {name: fit_request(request, self._clients[name].provider) for name in names}
        queries: dict[str, asyncio.Task[ProviderReply | None]] = {}
        tasks: dict[asyncio.Task[ProviderReply | None], str] = {}
        replies: dict[asyncio.Task[ProviderReply | None], ProviderReply] = {}

        def merged(name: str) -> ProviderReply:
            return merge_wordings([replies[task] for task, asked in tasks.items() if asked == name and task in replies])

        try:
            for name in names:
                asking = self._clients[name].ask(given[name], use_cache=use_cache, insist=insist)
                queries[name] = asyncio.create_task(asking, name=f"ask {name}")
                tasks |= dict.fromkeys((queries[name], *self._ask_aside(name, given[name], later, use_cache=use_cache)), name)
                publish(name, None)
            waiting = set(tasks)
            while waiting:
                if waiting.isdisjoint(queries.values()):
                    ends_s = min(ends_s, self._monotonic() + ASIDE_S)
                left_s = max(ends_s - self._monotonic(), 0)
                done, waiting = await asyncio.wait(waiting, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
                if not done:
                    break
                replies |= {task: reply for task in done if (reply := self._reply_of(task, tasks[task])) is not None}
                for name in dict.fromkeys(tasks[task] for task in done):
                    if queries[name] in replies:
                        publish(name, merged(name))
        finally:
            await _cancel(tasks)
        for name, query in queries.items():
            if query not in replies:
                took_s = self._monotonic() - started_s
                replies[query] = await self._clients[name].give_up(given[name], took_s, self.deadline_s, probe=insist)
                publish(name, merged(name))
        return [merged(name) for name in names]

    def _ask_aside(
        self, name: str, request: SearchRequest, later: asyncio.Future[QueryVariant | None] | None, *, use_cache: bool
    ) -> list[asyncio.Task[ProviderReply | None]]:
        """Start asking *name* for the other wordings of *request* and for the one that *later* brings, if *name* allows that."""
        client = self._clients[name]
        if not client.takes_asides():
            return []
        asked = {
            variant.text: request.in_other_words(variant) for variant in request.also if variant.text not in ("", request.query)
        }

        async def ask_later(brought: asyncio.Future[QueryVariant | None]) -> ProviderReply | None:
            variant = await asyncio.shield(brought)
            if variant is None or variant.text in (request.query, *asked):
                return None
            worded = fit_request(tidy_request(request.in_other_words(variant)), client.provider)
            return await client.ask(worded, use_cache=use_cache, aside=True)

        asking = [client.ask(worded, use_cache=use_cache, aside=True) for worded in asked.values()]
        waiting = [ask_later(later)] if later is not None else []
        return [asyncio.create_task(call, name=f"ask {name}") for call in (*asking, *waiting)]

    def _reply_of(self, task: asyncio.Task[ProviderReply | None], name: str) -> ProviderReply | None:
        try:
            return task.result()
        except asyncio.CancelledError:
            return self.handle_provider_failure(name, RuntimeError("the request was cancelled from elsewhere"))


async def _cancel(tasks: Mapping[asyncio.Task[ProviderReply | None], str]) -> None:
    """Cancel running *tasks* and wait for their end, at most ``CLEANUP_S``."""
    running = {task for task in tasks if not task.done()}
    for task in running:
        task.cancel()
    if running:
        _, left_behind = await asyncio.wait(running, timeout=CLEANUP_S)
        if left_behind:
            logger.error("Not cancelled in time: %s", ", ".join(sorted(tasks[task] for task in left_behind)))


def _cache_for(provider: SearchProvider, cache: ReplyCache | None, memory: MemoryReplyCache, ttl_s: float) -> ReplyCache | None:
    if not provider.cacheable or ttl_s <= 0:
        return None
    return cache if provider.storable else memory


def _without_failing(listener: ProgressCallback | None) -> ProgressCallback:
    """Return *listener* wrapped so that its failure is logged and does not end the search."""

    def publish(provider: str, reply: ProviderReply | None) -> None:
        try:
            if listener is not None:
                listener(provider, reply)
        except Exception:  # a page that is gone may raise anything
            logger.exception("The listener of a search failed")

    return publish


def tidy(query: str) -> str:
    """Return *query* normalised, so that equal questions have equal keys: NFC, single spaces, no lone surrogates."""
    return " ".join(unicodedata.normalize("NFC", query.encode("utf-8", "ignore").decode()).split())


def tidy_request(request: SearchRequest) -> SearchRequest:
    """Return *request* with normalised queries, broader ones without duplicates."""
    request = _with_queries(replace(request, question=tidy(request.question)), tidy)
    return replace(request, broader=tuple(dict.fromkeys(filter(None, request.broader))))


def fit_request(request: SearchRequest, provider: SearchProvider) -> SearchRequest:
    """Return *request* with its queries cut at spaces to *provider*'s maximum length."""
    return _with_queries(request, lambda query: _cut(query, provider.max_query_chars))


def _with_queries(request: SearchRequest, change: Callable[[str], str]) -> SearchRequest:
    def other_script(text: str | None) -> str | None:
        return change(text) if text else None

    also = tuple(
        replace(variant, text=change(variant.text), translated=other_script(variant.translated)) for variant in request.also
    )
    broader, translated = tuple(map(change, request.broader)), other_script(request.translated)
    return replace(request, query=change(request.query), translated=translated, broader=broader, also=also)


def _cut(query: str, max_chars: int) -> str:
    if len(query) <= max_chars:
        return query
    whole_words = query[: max_chars + 1].rpartition(" ")[0]
    return whole_words or query[:max_chars]
