"""Which providers are waited for once others have found something."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from search_core.domain import ProviderReply, SearchEvent, SearchStatus
from search_core.providers.kit.failures import failure
from search_core.search.gathering import MultiProviderSearchManager
from search_core.search.gathering.manager import ANSWERS_REMEMBERED, CUTS_IN_A_ROW, LEAST_S, Patience
from tests.search_core.search.gathering.scripted_providers import (
    Clock,
    ScriptedProvider,
    down,
    manager_of,
    own_library,
    result,
    search,
    statuses,
)

HUNG = failure(SearchStatus.TIMEOUT, "hung")
NOT_AWAITED = ("not_awaited", "slow had not answered when others had, and was not waited for.")


def learnt(*answers_s: float, hangs: int = 0, cuts: int = 0) -> Patience:
    patience = Patience()
    ended = [(SearchStatus.SUCCESS, took_s) for took_s in answers_s]
    for status, took_s in [*ended, *[(SearchStatus.TIMEOUT, 10.0)] * hangs, *[(SearchStatus.NOT_AWAITED, 1.0)] * cuts]:
        patience.learn(status, took_s, cooling_down=False)
    return patience


@pytest.mark.parametrize(
    ("patience", "expected_s"),
    [
        (learnt(), math.inf),
        (learnt(0.4, 0.4, 0.4, 0.4), math.inf),
        (learnt(0.4, 0.4, 0.9, 0.4, 0.4), 1.2),
        (learnt(0.1, 0.1, 0.1, 0.1, 3.0), 3.0),
        (learnt(*[0.1] * 5), LEAST_S),
        (learnt(hangs=1), LEAST_S),
        (learnt(0.3, 0.3, 3.0, hangs=1), LEAST_S),
        (learnt(0.4, 3.0, hangs=1), 5.1),
        (learnt(9.0, *[1.0] * ANSWERS_REMEMBERED), 3.0),  # the bad day is forgotten
        (learnt(*[0.1] * 5, cuts=CUTS_IN_A_ROW - 1), LEAST_S),
        (learnt(*[0.1] * 5, cuts=CUTS_IN_A_ROW), math.inf),
        (learnt(hangs=1, cuts=CUTS_IN_A_ROW), math.inf),
        (learnt(hangs=2, cuts=2 * CUTS_IN_A_ROW - 1), LEAST_S),
        (learnt(hangs=2, cuts=2 * CUTS_IN_A_ROW), math.inf),
    ],
)
def test_patience_is_as_long_as_what_is_known_of_the_provider(patience: Patience, expected_s: float):
    """Unknown: for ever; known: three times its median, a second at least, its slowest answer while well; cut often: for ever."""
    assert patience.lasts_s() == pytest.approx(expected_s)


def test_answers_and_pauses_wipe_a_hang_and_other_failures_do_not_count():
    """After an answer or a pause a provider is as welcome as before; being refused says nothing about hanging."""
    for status, cooling_down, expected_s in (
        (SearchStatus.NETWORK_ERROR, False, LEAST_S),
        (SearchStatus.TIMEOUT, True, math.inf),
        (SearchStatus.NO_RESULTS, False, math.inf),
    ):
        patience = learnt(hangs=1)
        patience.learn(status, 0.1, cooling_down=cooling_down)
        assert patience.lasts_s() == expected_s


def hung_before(name: str, times: int) -> ScriptedProvider:
    """Return a provider that hung in *times* searches, in each of them twice, and then answers."""
    return ScriptedProvider(name, *[HUNG] * 2 * times, (result(name),))


def searched(manager: MultiProviderSearchManager, times: int) -> None:
    for number in range(times):
        search(manager, f"질문 {number}")


def test_a_provider_is_waited_for_as_long_as_it_usually_takes(clock: Clock):
    """One nothing is known of, as slow as it has been, or that hung once has its time; far beyond it it is given up."""
    slow = ScriptedProvider("slow")
    manager = waiting_long(slow, ScriptedProvider("well"), clock=clock, ttl_s=0)
    for _ in range(6):
        assert statuses(asyncio.run(others_first(manager, slow, clock, 4))) == {"slow": "success", "well": "success"}
    quick = ScriptedProvider("slow")
    manager = waiting_long(quick, ScriptedProvider("well"), clock=clock)
    searched(manager, 5)
    replies = asyncio.run(others_first(manager, quick, clock, 3, hangs=True))
    assert statuses(replies) == {"slow": "not_awaited", "well": "success"}
    assert replies[0].latency_ms == 3000
    hung = hung_before("slow", 1)
    manager = waiting_long(hung, ScriptedProvider("well"), clock=clock)
    searched(manager, 1)
    assert statuses(asyncio.run(others_first(manager, hung, clock, 0.3))) == {"slow": "success", "well": "success"}


async def others_first(
    manager: MultiProviderSearchManager,
    slow: ScriptedProvider,
    clock: Clock,
    behind_s: float,
    *,
    hangs: bool = False,
    query: str = "맥락",
    probe: bool = False,
) -> tuple[ProviderReply, ...]:
    """Return the replies of a search in which *slow* answers *behind_s* seconds after "well", or *hangs* even then."""
    slow.go = asyncio.Event()

    def listen(provider: str, reply: ProviderReply | None) -> None:
        if reply is not None and provider == "well":
            clock.pass_s(behind_s)
            if not hangs:
                asyncio.get_running_loop().call_later(0.05 if probe else 0, slow.go.set)

    async with asyncio.timeout(20):
        return await (manager.probe(query, listen) if probe else manager.search(query, on_progress=listen))


def waiting_long(*providers: ScriptedProvider, clock: Clock, **options: Any) -> MultiProviderSearchManager:
    return manager_of(*providers, clock=clock, timeout_s=60, deadline_s=60, **options)


def test_what_is_not_waited_for_counts_for_nobody(clock: Clock):
    """A provider that hung is cut after a second, says so, and neither cools down nor counts as a failure.

    The next tier is not asked; after a number of cuts in a row it gets all its time.
    """
    events: list[SearchEvent] = []
    slow, later = hung_before("slow", 1), ScriptedProvider("later")
    manager = waiting_long(
        slow, ScriptedProvider("well"), later, clock=clock, tiers=[["slow", "well"], ["later"]], record=events.append
    )
    searched(manager, 1)
    cuts = 2 * CUTS_IN_A_ROW  # it hung twice
    for number in range(cuts):
        replies = asyncio.run(others_first(manager, slow, clock, 1.01, hangs=True, query=f"맥락 {number}"))
        assert [(str(reply.status), reply.error_message) for reply in replies] == [NOT_AWAITED, ("success", None)]
    assert (slow.closed_early, later.asked) == (cuts, [])
    of_slow = [event for event in events if event.provider == "slow"]
    assert [(str(event.status), event.asked) for event in of_slow] == [("timeout", True)] * 2 + [("not_awaited", False)] * cuts
    assert manager.cooldowns_s()["slow"] == 0
    assert statuses(asyncio.run(others_first(manager, slow, clock, 30))) == {"slow": "success", "well": "success"}


@pytest.mark.parametrize("other", [ScriptedProvider("well", ()), ScriptedProvider("well", down()), own_library("well")])
def test_a_hanging_provider_is_waited_for_while_the_web_gave_nothing(clock: Clock, other: ScriptedProvider):
    """Where the others found nothing, failed or are own documents, one that hung before gets its time."""
    slow = hung_before("slow", 2)
    manager = waiting_long(slow, other, clock=clock, tiers=[["slow", "well"]])
    searched(manager, 2)
    assert statuses(asyncio.run(others_first(manager, slow, clock, 5)))["slow"] == "success"


def test_a_probe_waits_for_every_provider(clock: Clock):
    """Probing all providers takes the time it takes, also for those that hung."""
    slow = hung_before("slow", 2)
    manager = waiting_long(slow, ScriptedProvider("well"), clock=clock)
    searched(manager, 2)
    assert statuses(asyncio.run(others_first(manager, slow, clock, 5, probe=True)))["slow"] == "success"


def test_a_trial_after_a_pause_that_is_not_waited_for_changes_nothing(clock: Clock):
    """The request that tries a known provider again and is cut neither ends nor lengthens the pause; the next one tries."""
    slow = ScriptedProvider("slow")
    manager = waiting_long(slow, ScriptedProvider("well"), clock=clock)
    searched(manager, 5)
    slow.outcomes = [down()] * 5 + [(result("slow"),)]
    searched(manager, 5)
    assert manager.cooldowns_s() == {"slow": 30, "well": 0}
    clock.pass_s(30)
    assert statuses(asyncio.run(others_first(manager, slow, clock, 3, hangs=True)))["slow"] == "not_awaited"
    assert manager.cooldowns_s() == {"slow": 0, "well": 0}
    assert statuses(asyncio.run(others_first(manager, slow, clock, 0.1)))["slow"] == "success"
