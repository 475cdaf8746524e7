"""What a search may ask for, who settles it, what is recorded of it, and asking everybody once."""

from __future__ import annotations

import asyncio
import logging

from search_core.domain import SearchEvent, SearchStatus
from search_core.gathering import GatheringProgress, MemoryReplyCache
from search_core.provider_kit.failures import failure
from tests.search_core.gathering.scripted_providers import Clock, ScriptedProvider, down, manager_of, result, search, statuses


def test_parameters_reach_the_provider():
    """News, domains, freshness and safe search are handed on as they are."""
    told = ScriptedProvider("a")
    search(
        manager_of(told),
        freshness="week",
        news=True,
        include_domains=("a.example",),
        exclude_domains=("b.example",),
        safe_search="strict",
    )
    asked = told.asked[0]
    assert (asked.freshness, asked.news, asked.safe_search) == ("week", True, "strict")
    assert (asked.include_domains, asked.exclude_domains) == (("a.example",), ("b.example",))


def test_results_of_other_domains_are_left_out_whatever_the_service_does():
    """A service that cannot search within domains is filtered; nothing left is nothing found."""
    told = ScriptedProvider("a", (result("a"), result("b"), result("sub.a")))
    (reply,) = search(manager_of(told), include_domains=("a.example",))
    assert [hit.source for hit in reply.results] == ["a.example", "sub.a.example"]
    (reply,) = search(manager_of(told), exclude_domains=("a.example",))
    assert [hit.source for hit in reply.results] == ["b.example"]
    (reply,) = search(manager_of(told), include_domains=("elsewhere.example",))
    assert reply.status is SearchStatus.NO_RESULTS


def test_own_documents_are_not_filtered_by_domains():
    """The domains speak of the web, not of what the user has given."""
    own = ScriptedProvider("own", (result("own"),))
    own.web = False  # type: ignore[misc]
    (reply,) = search(manager_of(own), include_domains=("elsewhere.example",))
    assert len(reply.results) == 1


def test_own_documents_do_not_stand_in_for_the_web():
    """Hits of the library settle nothing: when the web of a tier failed, the next tier is asked."""
    own, web, next_web = ScriptedProvider("own"), ScriptedProvider("web", down()), ScriptedProvider("next")
    own.web = False  # type: ignore[misc]
    replies = search(manager_of(own, web, next_web, tiers=[["own", "web"], ["next"]]))
    assert statuses(replies) == {"own": "success", "web": "network_error", "next": "success"}


def test_every_request_becomes_one_event():
    """Answers, failures, kept answers and services left alone are recorded, each once, with what the page needs."""
    events: list[SearchEvent] = []
    clock = Clock()
    paused = failure(SearchStatus.RATE_LIMITED, "too many", retry_after_s=30)
    manager = manager_of(ScriptedProvider("good"), ScriptedProvider("bad", paused), clock=clock, record=events.append, ttl_s=0)
    search(manager, "메모리 대역폭")
    search(manager, "메모리 대역폭")
    assert [(event.provider, event.status, event.result_count) for event in events] == [
        ("good", SearchStatus.SUCCESS, 1),
        ("bad", SearchStatus.RATE_LIMITED, 0),
        ("good", SearchStatus.SUCCESS, 1),
        ("bad", SearchStatus.COOLING_DOWN, 0),
    ]
    assert events[1].error_message == "too many"
    assert {event.query for event in events} == {"메모리 대역폭"}
    assert all(event.timestamp == clock.now() and event.type == "web_search" for event in events)
    assert [event.asked for event in events] == [True, True, True, False]


def test_a_service_past_the_deadline_is_recorded_as_timeout():
    """What the manager gave up is an event, too."""
    events: list[SearchEvent] = []

    async def scenario() -> None:
        manager = manager_of(ScriptedProvider("slow", go=asyncio.Event()), deadline_s=0.05, record=events.append)
        await manager.search("맥락")

    asyncio.run(scenario())
    assert [(event.provider, event.status) for event in events] == [("slow", SearchStatus.TIMEOUT)]


def test_the_log_tells_the_length_of_the_query_and_not_the_query(caplog):
    """Each request is logged with provider, status and time; the words asked are not."""
    caplog.set_level(logging.DEBUG)
    search(manager_of(ScriptedProvider("good")), "메모리 대역폭")
    assert "provider=good status=success from_cache=False results=1 query_chars=7" in caplog.text
    assert "메모리" not in caplog.text


def test_a_service_that_is_not_set_up_says_what_it_wants():
    """Asked for by name without its key, a provider names the setting, and its Korean sentence is the advice."""
    absent = ScriptedProvider("keyed")
    absent.keys = ("KEYED_API_KEY",)  # type: ignore[misc]
    absent.absent = "KEYED_API_KEY를 넣어 주세요."
    (reply,) = search(manager_of(absent), providers=["keyed"])
    assert reply.status is SearchStatus.API_KEY_MISSING
    assert reply.error_message == "keyed is not set up: KEYED_API_KEY not configured."
    assert reply.advice == "KEYED_API_KEY를 넣어 주세요."


def test_a_probe_asks_everybody_once_also_those_left_alone():
    """Whatever tier they are in, and in spite of a pause; a good answer ends the pause."""
    paused = failure(SearchStatus.BLOCKED, "blocked", retry_after_s=600)
    first, second, absent = (
        ScriptedProvider("first", paused, (result("first"),)),
        ScriptedProvider("second"),
        ScriptedProvider("absent"),
    )
    absent.absent = "꺼 두었어요."
    manager = manager_of(first, second, absent, tiers=[["first"], ["second"], ["absent"]])
    heard: list[GatheringProgress] = []

    async def scenario() -> None:
        await manager.search("맥락")
        assert manager.waits_s()["first"] == 600
        replies = await manager.probe("위키백과", heard.append)
        assert statuses(replies) == {"first": "success", "second": "success"}
        assert manager.waits_s() == {"first": 0, "second": 0, "absent": 0}

    asyncio.run(scenario())
    assert sorted(event.provider for event in heard if event.event == "replied") == ["first", "second"]
    assert absent.asked == []


def test_a_probe_of_nobody_is_empty():
    """Without a service that is set up there is nobody to ask."""
    absent = ScriptedProvider("absent")
    absent.absent = "꺼 두었어요."
    assert asyncio.run(manager_of(absent).probe("맥락")) == ()


def test_a_failed_probe_does_not_wake_a_service_left_alone():
    """The pause goes on, and an ordinary search leaves the service alone."""
    paused = failure(SearchStatus.BLOCKED, "blocked", retry_after_s=600)
    told = ScriptedProvider("a", paused)
    manager = manager_of(told)

    async def scenario() -> None:
        await manager.search("맥락")
        await manager.probe("맥락")
        (reply,) = await manager.search("맥락")
        assert reply.status is SearchStatus.COOLING_DOWN

    asyncio.run(scenario())
    assert len(told.asked) == 2


def test_a_provider_with_a_time_of_its_own_is_held_to_it():
    """A provider's own time stands in for the general one, shorter or longer."""

    async def scenario() -> None:
        slow = ScriptedProvider("slow", go=asyncio.Event())
        slow.timeout_s = 0.01
        (reply,) = await manager_of(slow, timeout_s=60, deadline_s=60).search("맥락")
        assert reply.status is SearchStatus.TIMEOUT

    asyncio.run(scenario())


def test_a_kept_answer_that_stands_in_does_not_hide_the_failed_request():
    """The reply is the stale answer; the record holds the request that failed."""
    events: list[SearchEvent] = []
    clock = Clock()
    told = ScriptedProvider("a", (result("a"),), down())
    manager = manager_of(told, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=60, record=events.append)

    async def scenario() -> None:
        await manager.search("맥락")
        clock.pass_s(120)
        (reply,) = await manager.search("맥락")
        assert reply.stale

    asyncio.run(scenario())
    assert [(event.status, event.from_cache) for event in events] == [
        (SearchStatus.SUCCESS, False),
        (SearchStatus.NETWORK_ERROR, False),
    ]


def test_a_kept_answer_stands_in_for_one_that_was_given_up():
    """Past the deadline of the search, too, what was kept is shown, marked as stale, and the timeout is on the record."""
    events: list[SearchEvent] = []
    clock = Clock()

    async def scenario() -> None:
        go = asyncio.Event()
        go.set()
        told = ScriptedProvider("a", go=go)
        manager = manager_of(
            told, clock=clock, cache=MemoryReplyCache(clock.now), ttl_s=60, deadline_s=0.05, record=events.append
        )
        await manager.search("맥락")
        clock.pass_s(120)
        go.clear()
        (reply,) = await manager.search("맥락")
        assert (reply.status, reply.stale, len(reply.results)) == (SearchStatus.SUCCESS, True, 1)

    asyncio.run(scenario())
    assert [event.status for event in events] == [SearchStatus.SUCCESS, SearchStatus.TIMEOUT]


def test_some_services_are_asked_before_all_others():
    """Each named first is asked alone, in that order; the tiers follow only where it gave nothing, without asking it again."""
    a, b, c, d = ScriptedProvider("a"), ScriptedProvider("b"), ScriptedProvider("c"), ScriptedProvider("d", down())
    manager = manager_of(a, b, c, d, tiers=[["a", "b"], ["c", "d"]])
    assert statuses(search(manager, first=["d", "c"])) == {"d": "network_error", "c": "success"}
    assert statuses(search(manager, first=["d"])) == {"d": "network_error", "a": "success", "b": "success"}


def test_a_service_named_first_that_is_not_chosen_is_not_asked():
    """The choice of services stands above their order; an unknown name is passed over."""
    a, b = ScriptedProvider("a"), ScriptedProvider("b")
    assert statuses(search(manager_of(a, b), providers=["b"], first=["a", "nobody"])) == {"b": "success"}
    assert a.asked == []
