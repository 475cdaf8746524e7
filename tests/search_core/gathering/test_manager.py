"""The manager: tiers, deadline, cache, sharing, cooling down, cancelling."""

from __future__ import annotations

import asyncio
import logging

import pytest

from search_core.domain import SearchStatus
from search_core.gathering import GatheringProgress, MemoryReplyCache, MultiProviderSearchManager
from search_core.provider_kit.failures import failure
from tests.search_core.gathering.scripted_providers import (
    Clock,
    ScriptedProvider,
    down,
    manager_of,
    result,
    run_until,
    search,
    statuses,
)

DAY_S = 86_400.0


# tiers


def test_the_next_tier_is_asked_only_when_the_first_gave_nothing():
    """Results end it; nothing found and failures go on."""
    for outcome, asked in [((result("a"),), 0), ((), 1), (down(), 1)]:
        first, second = ScriptedProvider("a", outcome), ScriptedProvider("b")
        replies = search(manager_of(first, second, tiers=[["a"], ["b"]]))
        assert len(second.asked) == asked
        assert [reply.provider for reply in replies] == ["a", "b"][: asked + 1]


def test_one_tier_is_asked_in_parallel():
    """All providers of a tier are under way before the first has answered."""

    async def scenario() -> None:
        go = asyncio.Event()
        providers = [ScriptedProvider(name, go=go) for name in "abc"]
        task = asyncio.create_task(manager_of(*providers, tiers=[["a", "b", "c"]]).search("맥락"))
        await run_until(lambda: all(provider.asked for provider in providers))
        assert not task.done()
        go.set()
        assert statuses(await task) == dict.fromkeys("abc", "success")

    asyncio.run(scenario())


def test_providers_in_no_tier_come_last():
    """A provider nobody put into a tier is still asked when the others gave nothing."""
    replies = search(manager_of(ScriptedProvider("extra"), ScriptedProvider("main", ()), tiers=[["main"]]))
    assert [reply.provider for reply in replies] == ["main", "extra"]


def test_chosen_providers_only_are_asked_and_the_others_explained():
    """A choice limits the search; who cannot be asked says so instead of staying away silently."""
    wanted, other, absent = ScriptedProvider("wanted"), ScriptedProvider("other"), ScriptedProvider("absent")
    absent.absent = "주소가 없어요."
    manager = manager_of(wanted, other, absent)
    replies = search(manager, providers=["wanted", "absent", "nobody"])
    assert statuses(replies) == {"absent": "api_key_missing", "nobody": "unknown_error", "wanted": "success"}
    assert not other.asked
    assert manager.get_available_providers() == ("wanted", "other")
    assert statuses(search(manager)) == {"wanted": "success", "other": "success"}


# failures


def test_an_unexpected_exception_is_typed_and_logged_with_its_traceback(caplog: pytest.LogCaptureFixture):
    """A bug in one provider becomes unknown_error, visible in the log, and the others' results stay."""
    replies = search(manager_of(ScriptedProvider("buggy", KeyError("boom")), ScriptedProvider("fine"), tiers=[["buggy", "fine"]]))
    assert statuses(replies) == {"buggy": "unknown_error", "fine": "success"}
    assert replies[0].error_message == "KeyError in buggy"
    assert any(record.exc_info and "buggy" in record.getMessage() for record in caplog.records)


def test_a_provider_that_never_answers_times_out_and_is_cancelled():
    """The time of one call bounds it; the others' results come through."""

    async def scenario() -> None:
        slow, fast = ScriptedProvider("slow", go=asyncio.Event()), ScriptedProvider("fast")
        manager = MultiProviderSearchManager({"slow": slow, "fast": fast}, timeout_s=0.05, deadline_s=60)
        started = asyncio.get_running_loop().time()
        replies = await manager.search("맥락")
        assert asyncio.get_running_loop().time() - started < 5
        assert statuses(replies) == {"slow": "timeout", "fast": "success"}
        assert slow.closed_early == 1

    asyncio.run(scenario())


def test_the_deadline_ends_a_search_with_what_there_is():
    """At the deadline the late ones are cancelled and named, and later tiers are not asked."""

    async def scenario() -> None:
        slow, fast, last = ScriptedProvider("slow", go=asyncio.Event()), ScriptedProvider("fast", ()), ScriptedProvider("last")
        providers = {provider.name: provider for provider in (slow, fast, last)}
        manager = MultiProviderSearchManager(providers, [["slow", "fast"], ["last"]], timeout_s=60, deadline_s=0.05)
        replies = await manager.search("맥락")
        assert statuses(replies) == {"slow": "timeout", "fast": "no_results"}
        assert slow.closed_early == 1
        assert not last.asked

    asyncio.run(scenario())


def test_a_provider_with_a_time_of_its_own_has_it_whatever_hung_before():
    """The browser is asked after a tier that hung to the deadline, and may take longer than that deadline had been."""

    async def scenario() -> None:
        go = asyncio.Event()
        slow, skipped, browser = (
            ScriptedProvider("slow", go=asyncio.Event()),
            ScriptedProvider("skipped"),
            ScriptedProvider("browser", go=go),
        )
        browser.timeout_s = 30.0
        providers = {provider.name: provider for provider in (slow, skipped, browser)}
        manager = MultiProviderSearchManager(providers, [["slow"], ["skipped"], ["browser"]], timeout_s=60, deadline_s=0.05)
        assert 30.05 < manager.longest_s < 31.05
        search = asyncio.create_task(manager.search("맥락"))
        await run_until(lambda: bool(browser.asked))
        asyncio.get_running_loop().call_later(0.1, go.set)
        assert statuses(await search) == {"slow": "timeout", "browser": "success"}
        assert not skipped.asked

    asyncio.run(scenario())


def test_a_probe_gives_a_provider_its_own_time():
    """Asking everybody once waits for the browser longer than a search may take."""

    async def scenario() -> None:
        go = asyncio.Event()
        browser = ScriptedProvider("browser", go=go)
        browser.timeout_s = 30.0
        manager = MultiProviderSearchManager({"browser": browser}, timeout_s=60, deadline_s=0.05)
        probe = asyncio.create_task(manager.probe("맥락"))
        await run_until(lambda: bool(browser.asked))
        asyncio.get_running_loop().call_later(0.1, go.set)
        assert statuses(await probe) == {"browser": "success"}

    asyncio.run(scenario())


def test_a_shorter_deadline_can_be_given_for_one_search():
    """The caller's remaining time counts when it is shorter."""

    async def scenario() -> None:
        slow = ScriptedProvider("slow", go=asyncio.Event())
        manager = MultiProviderSearchManager({"slow": slow}, timeout_s=60, deadline_s=60)
        started = asyncio.get_running_loop().time()
        replies = await manager.search("맥락", deadline_s=0.05)
        assert asyncio.get_running_loop().time() - started < 2
        assert statuses(replies) == {"slow": "timeout"}

    asyncio.run(scenario())


def test_handle_provider_failure_types_every_error(caplog: pytest.LogCaptureFixture):
    """Typed errors keep status and pause; a time-out is one; anything else is unknown and logged."""
    manager = manager_of(ScriptedProvider("a"))
    limited = manager.handle_provider_failure("a", failure(SearchStatus.RATE_LIMITED, "slow down", retry_after_s=9))
    assert (limited.status, limited.retry_after_s, limited.error_message) == (SearchStatus.RATE_LIMITED, 9, "slow down")
    assert manager.handle_provider_failure("a", TimeoutError()).status is SearchStatus.TIMEOUT
    assert not caplog.records
    assert manager.handle_provider_failure("a", ZeroDivisionError()).status is SearchStatus.UNKNOWN_ERROR
    assert caplog.records


# progress


def test_progress_tells_who_was_asked_and_what_came_back():
    """Each provider is told of twice, first without and then with its reply; a failing listener does not end the search."""
    heard: list[GatheringProgress] = []
    replies = search(
        manager_of(ScriptedProvider("a"), ScriptedProvider("b", down()), tiers=[["a", "b"]]), on_progress=heard.append
    )
    assert [(step.event, step.provider) for step in heard[:2]] == [("asked", "a"), ("asked", "b")]
    assert {step.provider: step.reply for step in heard[2:]} == {reply.provider: reply for reply in replies}

    def broken(progress: GatheringProgress) -> None:
        raise RuntimeError("page gone")

    assert statuses(search(manager_of(ScriptedProvider("a")), on_progress=broken)) == {"a": "success"}


# the request


def test_queries_are_tidied_and_cut_to_what_a_provider_takes():
    """NFC, single spaces, no lone surrogates; a query too long is cut between words."""
    provider = ScriptedProvider("a")
    search(manager_of(provider), query=" \u1112\u1161\u11ab글\n\t 검색\ud800 ", translated="hangul  search")
    assert (provider.asked[0].query, provider.asked[0].translated) == ("한글 검색", "hangul search")
    search(manager_of(provider), query="낱말 " * 30, broader=("낱말 " * 30, "가  나", "가 나 ", " "))
    assert provider.asked[1].query == ("낱말 " * 20).strip()
    assert provider.asked[1].broader == (("낱말 " * 20).strip(), "가 나")
    search(manager_of(provider), query="가" * 100)
    assert provider.asked[2].query == "가" * 60


def test_nothing_of_the_query_is_logged(caplog: pytest.LogCaptureFixture):
    """Each request is logged with provider, status, length and time, without its words."""
    caplog.set_level(logging.DEBUG)
    search(manager_of(ScriptedProvider("a"), ScriptedProvider("b", down()), tiers=[["a", "b"]]), query="비밀스러운 질문")
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("search_core")]
    assert any("provider=a status=success" in line and "query_chars=8" in line and "latency_ms=" in line for line in lines)
    assert any("provider=b status=network_error" in line for line in lines)
    assert "비밀" not in caplog.text


# sharing, cooling down, cancelling


def test_two_hundred_equal_searches_at_once_are_one_request_to_each_provider(clock: Clock):
    """Everyone gets the answers of the requests under way, from all five providers."""

    async def scenario() -> None:
        go = asyncio.Event()
        providers = [ScriptedProvider(name, go=go) for name in "abcde"]
        manager = manager_of(*providers, clock=clock, cache=MemoryReplyCache(clock.now))
        tasks = [asyncio.create_task(manager.search("맥락")) for _ in range(200)]
        await _asked(*providers)
        go.set()
        searches = await asyncio.gather(*tasks)
        assert [len(provider.asked) for provider in providers] == [1] * 5
        assert all([reply.results for reply in replies] == [(result(name),) for name in "abcde"] for replies in searches)

    asyncio.run(scenario())


def test_cancelling_a_search_cancels_every_request_and_waits_for_it(clock: Clock):
    """After cancelling nothing of the search is left running, and within half a second."""

    async def scenario() -> None:
        go = asyncio.Event()
        providers = [ScriptedProvider(name, go=go) for name in "abc"]
        task = asyncio.create_task(manager_of(*providers).search("맥락"))
        await _asked(*providers)
        task.cancel()
        started = asyncio.get_running_loop().time()
        await asyncio.wait({task})
        assert task.cancelled()
        assert asyncio.get_running_loop().time() - started < 0.5
        assert [provider.closed_early for provider in providers] == [1, 1, 1]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scenario())


def test_a_failing_service_cools_down_and_comes_back(clock: Clock):
    """After five failures it is left alone with the waiting time told; after the pause one request finds it well."""
    provider = ScriptedProvider("a", *[down() for _ in range(5)], (result("a"),))
    manager = manager_of(provider, clock=clock)
    for _ in range(5):
        assert search(manager)[0].status is SearchStatus.NETWORK_ERROR
    reply = search(manager)[0]
    assert (reply.status, reply.retry_after_s, len(provider.asked)) == (SearchStatus.COOLING_DOWN, 30, 5)
    clock.pass_s(30)
    assert search(manager)[0].status is SearchStatus.SUCCESS


def test_cancelled_searches_do_not_count_as_failures(clock: Clock):
    """However often the user cancels, the service is asked the next time."""

    async def scenario() -> None:
        provider = ScriptedProvider("a", go=asyncio.Event())
        manager = manager_of(provider, clock=clock)
        for number in range(10):
            task = asyncio.create_task(manager.search(f"질문 {number}"))
            await run_until(lambda number=number: len(provider.asked) > number)
            task.cancel()
            await asyncio.wait({task})
        provider.go.set()
        assert statuses(await manager.search("맥락")) == {"a": "success"}

    asyncio.run(scenario())


def test_a_cancelled_probe_gives_its_permit_back(clock: Clock):
    """When the one request that tries a cooling service is cancelled, the next search may try."""

    async def scenario() -> None:
        provider = ScriptedProvider("a", *[down() for _ in range(5)], (result("a"),))
        manager = manager_of(provider, clock=clock)
        for _ in range(5):
            await manager.search("맥락")
        clock.pass_s(30)
        provider.go = asyncio.Event()
        probe = asyncio.create_task(manager.search("맥락"))
        await run_until(lambda: len(provider.asked) == 6)
        assert statuses(await manager.search("다른 질문")) == {"a": "cooling_down"}
        probe.cancel()
        await asyncio.wait({probe})
        provider.go.set()
        assert statuses(await manager.search("맥락")) == {"a": "success"}

    asyncio.run(scenario())


async def _asked(*providers: ScriptedProvider) -> None:
    await run_until(lambda: all(provider.asked for provider in providers))
