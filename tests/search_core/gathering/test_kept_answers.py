"""What the manager keeps, for how long, and when it uses it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from search_core.domain import KeptReply, SearchResult, SearchStatus
from search_core.gathering import MemoryReplyCache
from search_core.provider_kit.failures import failure
from tests.search_core.gathering.scripted_providers import Clock, ScriptedProvider, down, manager_of, result, search, statuses

DAY_S = 86_400.0


class BrokenCache:
    """Fails at everything."""

    def get(self, key: str) -> KeptReply | None:
        raise OSError("disk gone")

    def put(self, key: str, status: SearchStatus, results: tuple[SearchResult, ...], ttl_s: float) -> None:
        raise OSError("disk full")


def test_an_answer_is_kept_for_its_time_and_then_asked_again(clock: Clock):
    """Within the lifetime the kept answer is used and marked; after it the provider is asked."""
    provider = ScriptedProvider("a")
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=100)
    first, again = search(manager)[0], search(manager)[0]
    assert (first.from_cache, again.from_cache, again.results) == (False, True, first.results)
    assert again.stored_at == clock.now()
    clock.pass_s(100)
    assert not search(manager)[0].from_cache
    assert len(provider.asked) == 2


def test_nothing_found_is_kept_shortly(clock: Clock):
    """An empty answer lasts five minutes at most, however long answers are kept."""
    provider = ScriptedProvider("a", ())
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=DAY_S)
    search(manager)
    clock.pass_s(299)
    assert search(manager)[0].from_cache
    clock.pass_s(1)
    assert not search(manager)[0].from_cache


def test_failures_are_not_kept(clock: Clock):
    """After a failure the next search asks again."""
    provider = ScriptedProvider("a", down(), (result("a"),))
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now))
    assert [search(manager)[0].status, search(manager)[0].status] == [SearchStatus.NETWORK_ERROR, SearchStatus.SUCCESS]


def test_another_question_language_or_setting_is_another_answer(clock: Clock):
    """Everything that changes the answer is part of the key; white space and Unicode form are not."""
    provider = ScriptedProvider("a")
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now))
    asked = [
        {"query": "맥락"},
        {"query": "맥락 찾기"},
        {"query": "맥락", "language": "en"},
        {"query": "맥락", "limit": 5},
        {"query": "맥락", "freshness": "week"},
        {"query": "맥락", "translated": "context"},
        {"query": "맥락", "broader": ("글",)},
    ]
    for options in asked:
        assert not search(manager, **options)[0].from_cache
    assert search(manager, query="  맥락\n")[0].from_cache
    assert search(manager, query="\u1106\u1162\u11a8락")[0].from_cache
    provider.cache_key = lambda: {"region": "us-en"}  # type: ignore[method-assign]
    assert not search(manager)[0].from_cache


def test_asking_anew_skips_the_kept_answer(clock: Clock):
    """Without the cache the provider is asked, and the newer answer replaces the kept one."""
    provider = ScriptedProvider("a", (result("a", 1),), (result("a", 2),))
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now))
    search(manager)
    assert search(manager, use_cache=False)[0].results == (result("a", 2),)
    assert search(manager)[0].results == (result("a", 2),)


@pytest.mark.parametrize(("age_s", "stale"), [(99, False), (100, True), (100 + DAY_S, True), (101 + DAY_S, False)])
def test_a_stale_answer_stands_in_for_a_failure_for_a_day(clock: Clock, age_s: float, stale: bool):
    """Past its lifetime an answer is used only when the request fails, marked as stale, and for a day at most."""
    provider = ScriptedProvider("a", (result("a"),), down())
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=100)
    stored_at = clock.now()
    search(manager)
    clock.pass_s(age_s)
    reply = search(manager)[0]
    assert reply.stale is stale
    if stale:
        assert (reply.status, reply.results, reply.stored_at) == (SearchStatus.SUCCESS, (result("a"),), stored_at)
        assert reply.error_message == "down"
        assert reply.is_degraded()
    elif age_s > 100:
        assert reply.status is SearchStatus.NETWORK_ERROR


def test_stale_results_do_not_stop_the_next_tier(clock: Clock):
    """A tier that only has old results failed; the next one is asked for new ones."""
    first, second = ScriptedProvider("a", (result("a"),), down()), ScriptedProvider("b")
    manager = manager_of(first, second, tiers=[["a"], ["b"]], clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=1)
    search(manager)
    clock.pass_s(2)
    replies = search(manager)
    assert [(reply.provider, reply.stale) for reply in replies] == [("a", True), ("b", False)]


def test_what_must_not_be_stored_stays_in_memory(clock: Clock):
    """A provider whose terms forbid storing never reaches the cache on disk, yet repeats are answered from memory."""

    class Disk(MemoryReplyCache):
        written = 0

        def put(self, *kept: Any) -> None:
            Disk.written += 1
            super().put(*kept)

    private = ScriptedProvider("private", storable=False)
    manager = manager_of(private, clock=clock, cache=Disk(clock.now))
    search(manager)
    assert search(manager)[0].from_cache
    assert Disk.written == 0
    search(manager_of(ScriptedProvider("open"), clock=clock, cache=Disk(clock.now)))
    assert Disk.written == 1


def test_a_lifetime_of_zero_keeps_nothing(clock: Clock):
    """With the cache turned off every search asks."""
    provider = ScriptedProvider("a", storable=False)
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=0)
    search(manager)
    assert not search(manager)[0].from_cache


def test_a_broken_cache_is_a_miss(caplog: pytest.LogCaptureFixture):
    """A cache that fails at reading and writing costs a warning, not the answer."""
    assert statuses(search(manager_of(ScriptedProvider("a"), cache=BrokenCache()))) == {"a": "success"}
    assert any("kept" in record.getMessage() for record in caplog.records)


def test_the_key_tells_nothing_about_the_query(clock: Clock):
    """What the cache sees is a hash."""

    class Seen(MemoryReplyCache):
        keys: list[str]

        def get(self, key: str) -> KeptReply | None:
            self.keys = [key]
            return super().get(key)

    cache = Seen(clock.now)
    search(manager_of(ScriptedProvider("a"), clock=clock, cache=cache), query="비밀 질문")
    assert len(cache.keys[0]) == 64
    assert int(cache.keys[0], 16)
    assert json.dumps("비밀").strip('"') not in cache.keys[0]


def test_a_cooling_service_shows_its_last_answer(clock: Clock):
    """While it is left alone, a stale answer stands in here, too."""
    provider = ScriptedProvider("a", (result("a"),), failure(SearchStatus.BLOCKED, "blocked"))
    manager = manager_of(provider, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=1)
    search(manager)
    clock.pass_s(2)
    assert search(manager)[0].stale
    reply = search(manager)[0]
    assert (reply.stale, len(provider.asked)) == (True, 2)
    assert reply.retry_after_s == pytest.approx(60)
