"""One provider asked: what is stored, for how long, and when it is used."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from search_core.domain.reply import ProviderReply, SearchEvent, SearchStatus, StoredReply
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.search.gathering.provider_client import MemoryReplyCache, limit_reply
from tests.search_core.search.gathering.scripted_providers import (
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
FINE = SearchResult(title="가" * 300, url="https://a.example/", snippet="나" * 2_000, source="다" * 200)
LONG = SearchResult(title="가" * 301, url="https://b.example/", snippet="나" * 2_001, source="다" * 201)
LOST = SearchResult(title="a", url="https://c.example/" + "c" * 4_000, snippet="", source="")


def caching(clock: Clock, *providers: ScriptedProvider, cache: MemoryReplyCache | None = None, **options: Any):
    return manager_of(*providers, clock=clock, cache=cache or MemoryReplyCache(), **options)


def test_nothing_found_is_stored_shortly_and_failures_not_at_all():
    """An empty answer lasts five minutes at most; after a failure, or with a lifetime of zero, the next search asks again."""
    clock = Clock()
    manager = caching(clock, ScriptedProvider("a", ()), ttl_s=DAY_S)
    search(manager)
    clock.pass_s(299)
    assert search(manager)[0].from_cache
    clock.pass_s(1)
    assert not search(manager)[0].from_cache
    failing = caching(clock, ScriptedProvider("a", down(), (result("a"),)))
    assert [search(failing)[0].status for _ in range(2)] == [SearchStatus.NETWORK_ERROR, SearchStatus.SUCCESS]
    never = caching(clock, ScriptedProvider("a", storable=False), ttl_s=0)
    assert [search(never)[0].from_cache for _ in range(2)] == [False, False]


def test_another_question_language_or_setting_is_another_answer():
    """Everything that changes the answer is part of the key; white space and Unicode form are not; it may be asked anew."""
    clock = Clock()
    provider = ScriptedProvider("a", *[(result("a"),)] * 10, (result("a", 2),))
    manager = caching(clock, provider)
    changes: tuple[dict[str, Any], ...] = (
        *({}, {"query": "맥락 찾기"}, {"language": "en"}, {"limit": 5}, {"fresh": True}, {"translated": "context"}),
        *({"broader": ("글",)}, {"news": True}),
        {"exclude_domains": ("b.example",)},
    )
    for change in changes:
        assert not search(manager, **change)[0].from_cache, change
    assert search(manager, query="  맥락\n")[0].from_cache
    assert search(manager, query="\u1106\u1162\u11a8락")[0].from_cache
    provider.cache_key = lambda: {"region": "us-en"}  # type: ignore[method-assign]
    assert not search(manager)[0].from_cache
    assert search(manager, use_cache=False)[0].results == (result("a", 2),)
    assert search(manager)[0].results == (result("a", 2),)


def test_a_stale_answer_replaces_a_failure_for_a_day():
    """Past its lifetime an answer is used when the request fails or the service rests, marked as stale, and for a day at most."""
    clock = Clock()
    events: list[SearchEvent] = []
    blocked = ProviderError(SearchStatus.BLOCKED, "blocked")
    first, second = ScriptedProvider("a", (result("a"),), blocked), ScriptedProvider("b")
    manager = caching(clock, first, second, tiers=[["a"], ["b"]], ttl_s=100, record=events.append)
    stored_at = clock.now()
    search(manager)
    clock.pass_s(99)
    assert not search(manager)[0].stale
    clock.pass_s(1)
    reply, later = search(manager)  # old results do not stop the next tier
    assert (reply.status, reply.results, reply.stored_at) == (SearchStatus.SUCCESS, (result("a"),), stored_at)
    assert (reply.stale, reply.error_message, reply.is_degraded(), later.stale) == (True, "blocked", True, False)
    asked = [event.status for event in events if event.provider == "a" and not event.from_cache]
    assert asked == [SearchStatus.SUCCESS, SearchStatus.BLOCKED]
    reply = search(manager)[0]
    assert (reply.stale, reply.retry_after_s, len(first.asked)) == (True, pytest.approx(60), 2)
    clock.pass_s(DAY_S)
    assert search(manager)[0].stale
    clock.pass_s(1)
    assert not search(manager)[0].stale


class Disk(MemoryReplyCache):
    """A cache whose keys can be looked at, and that fails at everything when it is ``broken``."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[str] = []
        self.broken = False

    def get(self, key: str) -> StoredReply | None:
        if self.broken:
            raise OSError("disk gone")
        return super().get(key)

    def put(self, key: str, *stored: Any) -> None:
        if self.broken:
            raise OSError("disk full")
        self.keys.append(key)
        super().put(key, *stored)


def test_what_must_not_be_stored_stays_in_memory(caplog: pytest.LogCaptureFixture):
    """Answers whose terms forbid storing never reach the disk; keys there are hashes; a broken disk costs a warning alone."""
    clock = Clock()
    disk = Disk()
    manager = caching(clock, ScriptedProvider("private", storable=False), cache=disk)
    search(manager)
    assert search(manager)[0].from_cache
    assert disk.keys == []
    search(caching(clock, ScriptedProvider("open"), cache=disk), query="비밀 질문")
    (key,) = disk.keys
    assert len(key) == 64
    assert int(key, 16)
    disk.broken = True
    assert statuses(search(caching(clock, ScriptedProvider("a"), cache=disk))) == {"a": "success"}
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]


@in_event_loop
async def test_a_stale_answer_replaces_one_that_was_given_up():
    """Past the deadline of the search, too, the stored answer is shown, marked as stale, and the timeout is on the record."""
    events: list[SearchEvent] = []
    clock, go, loop = Clock(), asyncio.Event(), asyncio.get_running_loop()
    go.set()
    manager = caching(clock, ScriptedProvider("a", go=go), ttl_s=60, deadline_s=1.0, record=events.append, monotonic=loop.time)
    await manager.search("맥락")
    clock.pass_s(120)
    go.clear()
    (reply,) = await manager.search("맥락")
    assert (reply.status, reply.stale, len(reply.results)) == (SearchStatus.SUCCESS, True, 1)
    assert [event.status for event in events] == [SearchStatus.SUCCESS, SearchStatus.TIMEOUT]


def test_long_texts_are_cut_and_counted():
    """Each text is cut at its limit, a result with too long an address goes, and what is within the limits stays as it is."""
    reply = limit_reply(ProviderReply(provider="brave", status=SearchStatus.SUCCESS, results=(FINE, LONG, LOST)))
    fine, cut = reply.results
    assert fine is FINE
    assert (len(cut.title), len(cut.snippet), len(cut.source)) == (300, 2_000, 200)
    assert reply.cut == 2
