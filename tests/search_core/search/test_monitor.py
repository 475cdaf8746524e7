"""The record of searches: events, states and probes, with a store on disk, in Redis, or broken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain.report import Question, SearchOptions
from search_core.domain.research import ResearchRequest
from search_core.health.report import HIDDEN_QUERY, ProviderState, hide_queries
from search_core.runtime import ASKED_BY
from search_core.search.presenting.health_text import health_export
from search_core.search.presenting.ledger import ledger
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

SERVICES = "wikipedia,searxng;duckduckgo"
QUESTION = Question(text="메모리 대역폭은 왜 중요한가?")


@pytest.fixture(autouse=True)
def _healthy(world: World):
    world.reset()


@pytest.fixture
def cores(world: World, tmp_path: Path) -> Iterator:
    """Return a function that builds cores, all on one data folder; they are closed at the end."""
    made: list[SearchCore] = []

    def build(**changes: object) -> SearchCore:
        made.append(build_core(world, tmp_path, **{"search_providers": SERVICES, "library_samples": False, **changes}))
        return made[-1]

    yield build
    for core in made:
        core.close()


def test_queries_are_shown_to_whoever_asked(cores, world: World):
    """A search, an answer and a run of research are noted with their owner; others see services, states and times of them."""
    core = cores()
    world.play("searxng", failure="403")
    ASKED_BY.set("민수")
    core.start_search(QUESTION, SearchOptions(providers=("wikipedia", "searxng"))).wait(60)
    ASKED_BY.set("")
    chat = core.chat
    chat.ask(chat.new("영희").id, "영희", "HBM4 대역폭은 얼마인가요?").wait(60)
    run = core.research.start(ResearchRequest(question="HBM4 가격은?", owner="철수")).id
    for _ in core.research.events(run, "철수"):
        pass
    report = core.health()
    asked = {name: {event.query for event in report.events if event.owner == name} for name in ("민수", "영희", "철수", "")}
    assert all(asked[name] for name in ("민수", "영희", "철수"))
    assert asked[""] == set()
    seen = hide_queries(report, "민수")
    assert {event.query for event in seen.events} == {*asked["민수"], HIDDEN_QUERY}
    assert [(event.provider, event.status, event.timestamp) for event in seen.events] == [
        (event.provider, event.status, event.timestamp) for event in report.events
    ]
    file = health_export(hide_queries(report, "박"))
    assert not any(words.encode() in file for words in (*asked, *asked["민수"], *asked["영희"], *asked["철수"]) if words)


def test_a_probe_asks_each_service_that_is_set_up_once(cores, world: World):
    """Services of all tiers reply, no search is counted, and one that is well again is asked again."""
    core = cores()
    world.play("searxng", failure="blocked")
    core.search(QUESTION)
    counted = core.health().totals.asked
    assert core.monitor.states()[1]["searxng"] is ProviderState.COOLING_DOWN
    world.play("searxng")
    replies = core.probe()
    assert {reply.provider for reply in replies} == {"wikipedia", "searxng", "duckduckgo"}
    assert all(line.text for line in ledger(replies, core.provider_labels()))
    health = core.health()
    assert (health.totals.asked, sum(event.probe for event in health.events)) == (counted, 3)
    assert core.monitor.states()[1]["searxng"] is not ProviderState.COOLING_DOWN
