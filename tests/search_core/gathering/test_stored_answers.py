"""What the manager stores, for how long, and when it uses it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from search_core.domain import SearchEvent, SearchResult, SearchStatus, StoredReply
from search_core.gathering import MemoryReplyCache
from search_core.provider_kit.failures import failure
from tests.search_core.gathering.scripted_providers import (
    Clock,
    ScriptedProvider,
    down,
    in_event_loop,
    manager_of,
    result,
    search,
    statuses,
)

DAY_S = 86_400.0


class BrokenCache:
    """Fails at everything."""

    def get(self, key: str) -> StoredReply | None:
        raise OSError("disk gone")

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        raise OSError("disk full")


def caching(clock: Clock, *providers: ScriptedProvider, cache: MemoryReplyCache | None = None, **options: Any):
    return manager_of(*providers, clock=clock, cache=cache or MemoryReplyCache(clock.now), **options)


def test_an_answer_is_stored_for_its_time_and_then_asked_again(clock: Clock):
    """Within the lifetime the stored answer is used and marked; after it, and with a lifetime of zero, the provider is asked."""
    provider = ScriptedProvider("a")
    manager = caching(clock, provider, ttl_s=100)
    first, again = search(manager)[0], search(manager)[0]
    assert (first.from_cache, again.from_cache, again.results) == (False, True, first.results)
    assert again.stored_at == clock.now()
    clock.pass_s(100)
    assert not search(manager)[0].from_cache
    assert len(provider.asked) == 2
    never = caching(clock, ScriptedProvider("a", storable=False), ttl_s=0)
    assert [search(never)[0].from_cache for _ in range(2)] == [False, False]


def test_nothing_found_is_stored_shortly_and_failures_not_at_all(clock: Clock):
    """An empty answer lasts five minutes at most, however long answers are stored; after a failure the next search asks again."""
    manager = caching(clock, ScriptedProvider("a", ()), ttl_s=DAY_S)
    search(manager)
    clock.pass_s(299)
    assert search(manager)[0].from_cache
    clock.pass_s(1)
    assert not search(manager)[0].from_cache
    failing = caching(clock, ScriptedProvider("a", down(), (result("a"),)))
    assert [search(failing)[0].status for _ in range(2)] == [SearchStatus.NETWORK_ERROR, SearchStatus.SUCCESS]


def test_another_question_language_or_setting_is_another_answer(clock: Clock):
    """Everything that changes the answer is part of the key; white space and Unicode form are not."""
    provider = ScriptedProvider("a")
    manager = caching(clock, provider)
    asked = [
        {"query": "맥락"},
        {"query": "맥락 찾기"},
        {"query": "맥락", "language": "en"},
        {"query": "맥락", "limit": 5},
        {"query": "맥락", "freshness": "week"},
        {"query": "맥락", "translated": "context"},
        {"query": "맥락", "broader": ("글",)},
        {"query": "맥락", "news": True},
        {"query": "맥락", "safe_search": "strict"},
        {"query": "맥락", "include_domains": ("a.example",)},
        {"query": "맥락", "exclude_domains": ("b.example",)},
    ]
    for options in asked:
        assert not search(manager, **options)[0].from_cache
    assert search(manager, query="  맥락\n")[0].from_cache
    assert search(manager, query="\u1106\u1162\u11a8락")[0].from_cache
    provider.cache_key = lambda: {"region": "us-en"}  # type: ignore[method-assign]
    assert not search(manager)[0].from_cache


def test_asking_anew_skips_the_stored_answer(clock: Clock):
    """Without the cache the provider is asked, and the newer answer replaces the stored one."""
    provider = ScriptedProvider("a", (result("a", 1),), (result("a", 2),))
    manager = caching(clock, provider)
    search(manager)
    assert search(manager, use_cache=False)[0].results == (result("a", 2),)
    assert search(manager)[0].results == (result("a", 2),)


@pytest.mark.parametrize(("age_s", "stale"), [(99, False), (100, True), (100 + DAY_S, True), (101 + DAY_S, False)])
def test_a_stale_answer_replaces_a_failure_for_a_day(clock: Clock, age_s: float, stale: bool):
    """Past its lifetime an answer is used only when the request fails, marked as stale, and for a day at most."""
    events: list[SearchEvent] = []
    manager = caching(clock, ScriptedProvider("a", (result("a"),), down()), ttl_s=100, record=events.append)
    stored_at = clock.now()
    search(manager)
    clock.pass_s(age_s)
    reply = search(manager)[0]
    assert reply.stale is stale
    if age_s < 100:
        return
    assert [(event.status, event.from_cache) for event in events] == [
        (SearchStatus.SUCCESS, False),
        (SearchStatus.NETWORK_ERROR, False),
    ]
    assert reply.error_message == "down"
    if stale:
        assert (reply.status, reply.results, reply.stored_at) == (SearchStatus.SUCCESS, (result("a"),), stored_at)
        assert reply.is_degraded()
    else:
        assert reply.status is SearchStatus.NETWORK_ERROR


def test_stale_results_do_not_stop_the_next_tier(clock: Clock):
    """A tier that only has old results failed; the next one is asked for new ones."""
    first, second = ScriptedProvider("a", (result("a"),), down()), ScriptedProvider("b")
    manager = caching(clock, first, second, tiers=[["a"], ["b"]], ttl_s=1)
    search(manager)
    clock.pass_s(2)
    assert [(reply.provider, reply.stale) for reply in search(manager)] == [("a", True), ("b", False)]


@in_event_loop
async def test_a_stale_answer_replaces_one_that_was_given_up():
    """Past the deadline of the search, too, the stored answer is shown, marked as stale, and the timeout is on the record."""
    events: list[SearchEvent] = []
    clock, go, loop = Clock(), asyncio.Event(), asyncio.get_running_loop()
    go.set()
    manager = caching(clock, ScriptedProvider("a", go=go), ttl_s=60, deadline_s=0.05, record=events.append, monotonic=loop.time)
    await manager.search("맥락")
    clock.pass_s(120)
    go.clear()
    (reply,) = await manager.search("맥락")
    assert (reply.status, reply.stale, len(reply.results)) == (SearchStatus.SUCCESS, True, 1)
    assert [event.status for event in events] == [SearchStatus.SUCCESS, SearchStatus.TIMEOUT]


def test_a_cooling_service_shows_its_last_answer(clock: Clock):
    """While a service is cooling down, its stale answer is shown, too, with the time until it is asked again."""
    provider = ScriptedProvider("a", (result("a"),), failure(SearchStatus.BLOCKED, "blocked"))
    manager = caching(clock, provider, ttl_s=1)
    search(manager)
    clock.pass_s(2)
    assert search(manager)[0].stale
    reply = search(manager)[0]
    assert (reply.stale, len(provider.asked)) == (True, 2)
    assert reply.retry_after_s == pytest.approx(60)


class Disk(MemoryReplyCache):
    """A cache whose keys can be looked at."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.keys: list[str] = []

    def put(self, key: str, *stored: Any) -> None:
        self.keys.append(key)
        super().put(key, *stored)


def test_what_must_not_be_stored_stays_in_memory(clock: Clock):
    """Answers whose terms forbid storing never reach the disk, yet repeats come from memory; keys on disk are hashes."""
    disk = Disk(clock.now)
    manager = caching(clock, ScriptedProvider("private", storable=False), cache=disk)
    search(manager)
    assert search(manager)[0].from_cache
    assert disk.keys == []
    search(caching(clock, ScriptedProvider("open"), cache=disk), query="비밀 질문")
    (key,) = disk.keys
    assert len(key) == 64
    assert int(key, 16)


def test_a_broken_cache_is_a_miss(caplog: pytest.LogCaptureFixture):
    """A cache that fails at reading and writing costs a warning, not the answer."""
    assert statuses(search(manager_of(ScriptedProvider("a"), cache=BrokenCache()))) == {"a": "success"}
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
