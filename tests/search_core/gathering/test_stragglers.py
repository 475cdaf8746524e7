"""Who is waited for once others have found something, and who is not."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

import pytest

from search_core.domain import ProviderReply, SearchStatus
from search_core.gathering import GatheringProgress, MultiProviderSearchManager
from search_core.gathering.stragglers import ANSWERS_REMEMBERED, LEAST_S, PHOTO_FINISH_S, Patience
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

HUNG = failure(SearchStatus.TIMEOUT, "hung")
BEHIND_S = 10 * PHOTO_FINISH_S
"""How long after the others a slow provider of these tests answers: nobody who is not waited for gets so much."""


def learnt(*answers_s: float, hangs: int = 0) -> Patience:
    patience = Patience()
    for took_s in answers_s:
        patience.learn(SearchStatus.SUCCESS, took_s, left_alone=False)
    for _ in range(hangs):
        patience.learn(SearchStatus.TIMEOUT, 10.0, left_alone=False)
    return patience


@pytest.mark.parametrize(
    ("patience", "others_s", "expected_s"),
    [
        (learnt(), 0.5, math.inf),
        (learnt(0.4, 0.4, 0.4, 0.4), 0.5, math.inf),
        (learnt(0.4, 0.4, 0.9, 0.4, 0.4), 0.5, 2.7),
        (learnt(*[0.1] * 5), 0.5, LEAST_S),
        (learnt(*[0.1] * 5), 4.0, 4.02),
        (learnt(hangs=1), 0.5, 0.52),
        (learnt(0.4, 3.0, hangs=1), 0.5, 3.0),
        (learnt(0.4, 3.0, hangs=1), 5.0, 5.02),
        (learnt(0.4, 3.0, hangs=2), 0.5, 0.52),
    ],
)
def test_patience_is_as_long_as_what_is_known_of_the_provider(patience: Patience, others_s: float, expected_s: float):
    """Unknown: for ever; well: three times the slowest answer; hung once: the slowest answer; hung again: not at all."""
    assert patience.lasts_s(others_s) == pytest.approx(expected_s)


def test_old_answers_are_forgotten():
    """A provider that has become fast again is not given the time of its bad days."""
    assert learnt(9.0, *[1.0] * ANSWERS_REMEMBERED).lasts_s(0.5) == 3.0


def test_answers_and_pauses_wipe_the_hangs_and_other_failures_do_not_count():
    """After an answer or a pause a provider is as welcome as before; being refused says nothing about hanging."""
    patience = learnt(hangs=2)
    patience.learn(SearchStatus.NETWORK_ERROR, 0.1, left_alone=False)
    assert patience.lasts_s(1.0) == 1.02
    patience.learn(SearchStatus.TIMEOUT, 10.0, left_alone=True)
    assert patience.lasts_s(1.0) == math.inf
    hung = learnt(hangs=2)
    hung.learn(SearchStatus.NO_RESULTS, 0.1, left_alone=False)
    assert hung.lasts_s(1.0) == math.inf


def hung_before(name: str, times: int, *then: Any) -> ScriptedProvider:
    return ScriptedProvider(name, *[HUNG] * times, *(then or ((result(name),),)))


def searched(manager: MultiProviderSearchManager, times: int) -> None:
    for number in range(times):
        search(manager, f"질문 {number}")


def when_replied(name: str, act: Callable[[], object], after_s: float = 0.0) -> Callable[[GatheringProgress], None]:
    """Return a listener that acts *after_s* seconds after *name* has replied."""

    def listen(step: GatheringProgress) -> None:
        if step.event == "replied" and step.provider == name:
            asyncio.get_running_loop().call_later(after_s, act)

    return listen


async def answering_behind(manager: MultiProviderSearchManager, slow: ScriptedProvider) -> tuple[ProviderReply, ...]:
    """Return the replies of a search in which *slow* answers a little after "well" has."""
    slow.go = asyncio.Event()
    async with asyncio.timeout(20):
        return await manager.search("맥락", on_progress=when_replied("well", slow.go.set, BEHIND_S))


async def hanging(manager: MultiProviderSearchManager, slow: ScriptedProvider, query: str = "맥락") -> tuple[ProviderReply, ...]:
    """Return the replies of a search in which *slow* never answers; fails when the search waits for it."""
    slow.go = asyncio.Event()
    async with asyncio.timeout(20):
        return await manager.search(query)


def waiting_long(*providers: ScriptedProvider, clock: Clock, **options: Any) -> MultiProviderSearchManager:
    return manager_of(*providers, clock=clock, timeout_s=60, deadline_s=60, **options)


@pytest.mark.parametrize("hangs", [1, 2, 4])
def test_a_provider_that_hung_the_last_time_is_not_waited_for(clock: Clock, hangs: int):
    """When the others have answered it is cancelled and says why; the next tier is not asked."""
    slow, later = hung_before("slow", hangs), ScriptedProvider("later")
    manager = waiting_long(slow, ScriptedProvider("well"), later, clock=clock, tiers=[["slow", "well"], ["later"]])
    searched(manager, hangs)
    replies = asyncio.run(hanging(manager, slow))
    assert statuses(replies) == {"slow": "timeout", "well": "success"}
    assert replies[0].error_message == "slow did not answer while the others did, and was not waited for."
    assert (slow.closed_early, later.asked) == (1, [])


def test_a_slow_provider_is_waited_for(clock: Clock):
    """One nothing is known of, and one that has always answered so far, get their time though the others have answered."""
    slow = ScriptedProvider("slow")
    manager = waiting_long(slow, ScriptedProvider("well"), clock=clock)
    assert statuses(asyncio.run(answering_behind(manager, slow))) == {"slow": "success", "well": "success"}
    slow.go = None
    searched(manager, 8)
    assert statuses(asyncio.run(answering_behind(manager, slow))) == {"slow": "success", "well": "success"}


def test_a_provider_far_beyond_its_usual_time_is_not_waited_for(clock: Clock):
    """After answers at once, one that has not answered when the others come after three seconds is given up."""
    slow, well = ScriptedProvider("slow"), ScriptedProvider("well")
    manager = waiting_long(slow, well, clock=clock)
    searched(manager, 5)

    async def scenario() -> tuple[ProviderReply, ...]:
        slow.go, well.go = asyncio.Event(), asyncio.Event()
        async with asyncio.timeout(20):
            task = asyncio.create_task(manager.search("맥락"))
            await run_until(lambda: len(slow.asked) == len(well.asked) == 6)
            clock.pass_s(3)
            well.go.set()
            return await task

    replies = asyncio.run(scenario())
    assert statuses(replies) == {"slow": "timeout", "well": "success"}
    assert replies[0].latency_ms == 3000


@pytest.mark.parametrize("other", [(), down()])
def test_nobody_is_given_up_while_nothing_was_found(clock: Clock, other: object):
    """When the others found nothing or failed, a provider that hung before is waited for all the same."""
    slow = hung_before("slow", 2)
    manager = waiting_long(slow, ScriptedProvider("well", other), clock=clock, tiers=[["slow", "well"]])
    searched(manager, 2)
    assert statuses(asyncio.run(answering_behind(manager, slow)))["slow"] == "success"


def test_the_users_own_documents_are_no_reason_to_give_up(clock: Clock):
    """A library that answers at once does not end the wait for the web."""
    slow, own = hung_before("slow", 2), ScriptedProvider("well")
    own.web = False  # type: ignore[misc]
    manager = waiting_long(slow, own, clock=clock, tiers=[["slow", "well"]])
    searched(manager, 2)
    assert statuses(asyncio.run(answering_behind(manager, slow)))["slow"] == "success"


def test_being_given_up_counts_towards_cooling_down_and_the_probe_is_waited_for(clock: Clock):
    """One hang and four times given up leave it alone; after the pause a slow answer is let in, and it is well again."""
    slow = hung_before("slow", 1)
    manager = waiting_long(slow, ScriptedProvider("well"), clock=clock)
    searched(manager, 1)
    for number in range(4):
        assert statuses(asyncio.run(hanging(manager, slow, f"맥락 {number}")))["slow"] == "timeout"
    assert statuses(search(manager))["slow"] == "cooling_down"
    clock.pass_s(30)
    for _ in range(2):
        assert statuses(asyncio.run(answering_behind(manager, slow)))["slow"] == "success"


def test_a_probe_that_is_given_up_makes_the_pause_longer(clock: Clock):
    """The request that tries a known provider again and is not waited for counts as failed, so the next comes later."""
    slow, well = ScriptedProvider("slow"), ScriptedProvider("well")
    manager = waiting_long(slow, well, clock=clock)
    searched(manager, 5)
    slow.outcomes = [HUNG]
    searched(manager, 5)
    clock.pass_s(30)

    async def scenario() -> tuple[ProviderReply, ...]:
        slow.go, well.go = asyncio.Event(), asyncio.Event()
        async with asyncio.timeout(20):
            task = asyncio.create_task(manager.search("맥락"))
            await run_until(lambda: len(slow.asked) == len(well.asked) == 11)
            clock.pass_s(3)
            well.go.set()
            return await task

    assert statuses(asyncio.run(scenario())) == {"slow": "timeout", "well": "success"}
    assert manager.waits_s() == {"slow": 60, "well": 0}


def test_the_check_the_user_asks_for_waits_for_everyone(clock: Clock):
    """Probing all providers takes the time it takes, also for those that hung."""
    slow = hung_before("slow", 2)
    manager = waiting_long(slow, ScriptedProvider("well"), clock=clock)
    searched(manager, 2)

    async def scenario() -> tuple[ProviderReply, ...]:
        slow.go = asyncio.Event()
        async with asyncio.timeout(20):
            return await manager.probe("맥락", when_replied("well", slow.go.set, BEHIND_S))

    assert statuses(asyncio.run(scenario())) == {"slow": "success", "well": "success"}
