"""The manager: scope, tiers, the deadline, progress, cooling down, cancelling, and what is recorded."""

from __future__ import annotations

import asyncio
import contextlib
import logging

import pytest

from search_core.domain.query import QueryVariant, VariantOrigin
from search_core.domain.reply import ProviderReply, SearchEvent, SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError
from search_core.providers.kit.contract import SearchRequest
from search_core.search.presenting.ledger import ledger, shortest_pause, steps_to_mend
from tests.search_core.search.gathering.scripted_providers import (
    Clock,
    ScriptedProvider,
    down,
    in_event_loop,
    manager_of,
    own_library,
    result,
    run_until,
    search,
    statuses,
)

BLOCKED = ProviderError(SearchStatus.BLOCKED, "blocked", retry_after_s=600)


def hanging(name: str) -> ScriptedProvider:
    return ScriptedProvider(name, go=asyncio.Event())


def absent(name: str, reason: str = "꺼 두었어요.") -> ScriptedProvider:
    provider = ScriptedProvider(name)
    provider.absent = reason
    return provider


async def all_asked(*providers: ScriptedProvider, times: int = 1) -> None:
    await run_until(lambda: all(len(provider.asked) >= times for provider in providers))


def test_results_of_unwanted_domains_are_left_out_whatever_the_service_does():
    """A service that cannot leave domains out is filtered; nothing left is nothing found; own documents are not filtered."""
    hits = (result("a"), result("b"), result("sub.a"))
    for domains, sources in (
        ({"exclude_domains": ("a.example",)}, ["b.example"]),
        ({"exclude_domains": ("a.example", "b.example")}, []),
    ):
        (reply,) = search(manager_of(ScriptedProvider("a", hits)), **domains)
        assert [hit.source for hit in reply.results] == sources
        assert reply.status is (SearchStatus.SUCCESS if sources else SearchStatus.NO_RESULTS)
    (reply,) = search(manager_of(own_library()), exclude_domains=("library",))
    assert len(reply.results) == 1


def test_queries_are_tidied_and_cut_to_what_a_provider_takes():
    """NFC, single spaces, no lone surrogates; a query too long is cut between words; all else is handed on as it is."""
    provider = ScriptedProvider("a")
    wanted = {"fresh": True, "news": True, "exclude_domains": ("b.example",)}
    search(manager_of(provider), query=" \u1112\u1161\u11ab글\n\t 검색\ud800 ", translated="hangul  search", **wanted)
    assert (provider.asked[0].query, provider.asked[0].translated) == ("한글 검색", "hangul search")
    assert {name: getattr(provider.asked[0], name) for name in wanted} == wanted
    search(manager_of(provider), query="낱말 " * 30, broader=("낱말 " * 30, "가  나", "가 나 ", " "))
    assert provider.asked[1].query == ("낱말 " * 20).strip()
    assert provider.asked[1].broader == (("낱말 " * 20).strip(), "가 나")
    search(manager_of(provider), query="가" * 100)
    assert provider.asked[2].query == "가" * 60


def test_only_chosen_providers_are_asked_and_the_others_explained():
    """A choice limits the search; a provider that cannot be asked names what it wants; an unknown name gets a reply, too."""
    wanted, other, keyed = ScriptedProvider("wanted"), ScriptedProvider("other"), absent("keyed", "KEYED_API_KEY를 넣어 주세요.")
    keyed.keys = ("KEYED_API_KEY",)  # type: ignore[misc]
    manager = manager_of(wanted, other, keyed)
    replies = search(manager, providers=["wanted", "keyed", "unknown"])
    assert statuses(replies) == {"keyed": "api_key_missing", "unknown": "unknown_error", "wanted": "success"}
    assert replies[0].error_message == "keyed is not set up: KEYED_API_KEY not configured."
    assert replies[0].advice == "KEYED_API_KEY를 넣어 주세요."
    assert not other.asked
    assert manager.get_available_providers() == ("wanted", "other")
    assert statuses(search(manager)) == {"wanted": "success", "other": "success"}


def test_some_services_are_asked_before_all_others():
    """Each named first is asked alone; the tiers follow only where it gave nothing; a name that is not chosen is passed over."""
    a, b, c, d = ScriptedProvider("a"), ScriptedProvider("b"), ScriptedProvider("c"), ScriptedProvider("d", down())
    manager = manager_of(a, b, c, d, tiers=[["a", "b"], ["c", "d"]])
    assert statuses(search(manager, first=["d", "c"])) == {"d": "network_error", "c": "success"}
    assert statuses(search(manager, first=["d"])) == {"d": "network_error", "a": "success", "b": "success"}
    asked = len(a.asked)
    assert statuses(search(manager, providers=["b"], first=["a", "unknown"])) == {"b": "success"}
    assert len(a.asked) == asked


def test_every_error_is_typed_and_the_unexpected_is_logged(caplog: pytest.LogCaptureFixture):
    """Typed errors keep status and pause, a time-out is one, a bug is unknown_error with its traceback in the log."""
    manager = manager_of(ScriptedProvider("buggy", KeyError("boom")))
    limited = manager.handle_provider_failure("buggy", ProviderError(SearchStatus.RATE_LIMITED, "slow down", retry_after_s=9))
    assert (limited.status, limited.retry_after_s, limited.error_message) == (SearchStatus.RATE_LIMITED, 9, "slow down")
    assert manager.handle_provider_failure("buggy", TimeoutError()).status is SearchStatus.TIMEOUT
    assert not caplog.records
    (reply,) = search(manager_of(ScriptedProvider("buggy", KeyError("boom"))))
    assert (reply.status, reply.error_message) == (SearchStatus.UNKNOWN_ERROR, "KeyError in buggy")
    assert any(record.exc_info and "buggy" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("bound", ["provider", "own time", "manager", "search"])
def test_a_search_ends_in_time_with_what_there_is(bound: str):
    """The time of one call, a provider's own, the deadline of the manager and that of one search each bound what hangs.

    What hung is cancelled and named, the others' results come through, and past the deadline later tiers are not asked. A
    deadline shorter than usual is no failure of the service.
    """
    events: list[SearchEvent] = []

    async def scenario() -> None:
        slow, fast, last = hanging("slow"), ScriptedProvider("fast", ()), ScriptedProvider("last")
        slow.timeout_s = 0.01 if bound == "own time" else None
        manager = manager_of(
            *(slow, fast, last),
            tiers=[["slow", "fast"], ["last"]],
            timeout_s=0.05 if bound == "provider" else 60,
            deadline_s=1.0 if bound == "manager" else 60,
            record=events.append,
            monotonic=asyncio.get_running_loop().time,
        )
        async with asyncio.timeout(20):
            replies = await manager.search("맥락", deadline_s=1.0 if bound == "search" else None)
        late = {} if bound in ("manager", "search") else {"last": "success"}
        assert statuses(replies) == {"slow": ended, "fast": "no_results", **late}
        assert (slow.cancelled, bool(last.asked)) == (1, bool(late))

    ended = "not_awaited" if bound == "search" else "timeout"
    asyncio.run(scenario())
    assert ("slow", ended) in [(event.provider, event.status) for event in events]


@pytest.mark.parametrize(
    ("status", "told", "pause_s"),
    [
        (SearchStatus.QUOTA_EXHAUSTED, "쓸 수 있는 양을 다 썼어요. 요금제를 확인하거나 다른 검색 서비스를 켜 주세요.", None),
        (SearchStatus.RATE_LIMITED, "앞선 요청이 실패해서 잠시 쉬고 있어요. 1분 뒤 다시 시도해 주세요.", 60),
    ],
)
def test_a_spent_quota_is_spent_for_the_second_search_too(status: SearchStatus, told: str, pause_s: float | None):
    """While the service is left alone its cause is told, and nobody is sent to wait minutes for a month, until it answers."""
    clock = Clock()
    manager = manager_of(ScriptedProvider("a", ProviderError(status, "no"), (result("a"),)), clock=clock, ttl_s=0)
    search(manager)
    (resting,) = search(manager)
    (line,) = ledger([resting])
    assert (resting.status, resting.because, line.text) == (SearchStatus.COOLING_DOWN, status, told)
    assert line.reply.cause is (status if pause_s is None else resting.status)
    assert shortest_pause([line]) == pause_s
    assert bool(steps_to_mend([resting])) is (pause_s is None)
    clock.pass_s(901)
    assert search(manager)[0].is_success()


def test_progress_names_the_asked_and_their_replies():
    """Each provider appears twice, first without and then with its reply; a failing listener does not end the search."""
    steps: list[tuple[str, ProviderReply | None]] = []
    manager = manager_of(ScriptedProvider("a"), ScriptedProvider("b", down()), tiers=[["a", "b"]])
    replies = search(manager, on_progress=lambda *step: steps.append(step))
    assert steps[:2] == [("a", None), ("b", None)]
    assert dict(steps[2:]) == {reply.provider: reply for reply in replies}

    def fail(provider: str, reply: ProviderReply | None) -> None:
        raise RuntimeError("page gone")

    assert statuses(search(manager_of(ScriptedProvider("a")), on_progress=fail)) == {"a": "success"}


def test_every_request_becomes_one_event_and_one_line_of_the_log(caplog: pytest.LogCaptureFixture):
    """Answers, failures and services cooling down are recorded once each; the log has status, length and time, not the words."""
    caplog.set_level(logging.DEBUG)
    events: list[SearchEvent] = []
    clock = Clock()
    paused = ProviderError(SearchStatus.RATE_LIMITED, "too many", retry_after_s=30)
    manager = manager_of(ScriptedProvider("good"), ScriptedProvider("bad", paused), clock=clock, record=events.append, ttl_s=0)
    search(manager, "메모리 대역폭")
    search(manager, "메모리 대역폭")
    assert [(event.provider, event.status, event.result_count, event.asked) for event in events] == [
        ("good", SearchStatus.SUCCESS, 1, True),
        ("bad", SearchStatus.RATE_LIMITED, 0, True),
        ("good", SearchStatus.SUCCESS, 1, True),
        ("bad", SearchStatus.COOLING_DOWN, 0, False),
    ]
    assert events[1].error_message == "too many"
    assert {(event.query, event.timestamp, event.type) for event in events} == {("메모리 대역폭", clock.now(), "web_search")}
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("search_core")]
    assert any("provider=good status=success from_cache=False results=1 query_chars=7 latency_ms=" in line for line in lines)
    assert any("provider=bad status=rate_limited" in line for line in lines)
    assert "메모리" not in caplog.text


def gladly(name: str, *outcomes: object, go: asyncio.Event | None = None) -> ScriptedProvider:
    """Return a provider that takes several wordings."""
    provider = ScriptedProvider(name, *outcomes, go=go)
    provider.free_to_ask_twice = True  # type: ignore[misc]
    return provider


WITHOUT = QueryVariant(text=" 발열  문제", translated="heat", origin=VariantOrigin.WITHOUT_CONTEXT)
SAME = QueryVariant(text="HBM 발열", origin=VariantOrigin.MODEL)


def test_other_wordings_go_where_they_neither_cost_nor_block():
    """Such a service gets the query and each other wording by itself, the rest the query alone; each gives one reply."""
    free, metered = gladly("free", (result("free", 1),), (result("free", 2), result("free", 1))), ScriptedProvider("metered")
    steps: list[tuple[str, ProviderReply | None]] = []
    manager = manager_of(free, metered)
    about = {"question": "HBM 발열은?", "broader": ("HBM",), "also": (WITHOUT, SAME)}
    replies = search(manager, query="HBM 발열", on_progress=lambda *step: steps.append(step), **about)
    assert [(each.query, each.translated, each.question, each.broader) for each in free.asked] == [
        ("HBM 발열", None, "HBM 발열은?", ("HBM",)),
        ("발열 문제", "heat", "발열 문제", ()),
    ]
    assert [each.query for each in metered.asked] == ["HBM 발열"]
    assert [(each.provider, each.query, each.also) for each in replies] == [
        ("free", "HBM 발열", ("발열 문제",)),
        ("metered", "HBM 발열", ()),
    ]
    assert [each.url for each in replies[0].results] == ["https://free.example/1", "https://free.example/2"]
    assert [step for step in steps if step[0] == "free"][-1] == ("free", replies[0])


def test_a_wording_that_fails_costs_the_service_nothing():
    """The reply to the query stands and the service rests no sooner, but after a refusal; while it rests it gets no wording."""
    free = gladly("free", (result("free"),), down())
    manager = manager_of(free)
    for number in range(4):
        free.outcomes = [(result("free"),), down()]
        (reply,) = search(manager, query=f"HBM {number}", also=(WITHOUT,))
        assert (reply.status, reply.also) == (SearchStatus.SUCCESS, ("발열 문제",))
    assert manager.cooldowns_s() == {"free": 0}
    free.outcomes = [(result("free"),), BLOCKED]
    assert search(manager, query="HBM", also=(WITHOUT,))[0].status is SearchStatus.SUCCESS
    assert manager.cooldowns_s() == {"free": 600}
    before = len(free.asked)
    assert statuses(search(manager, query="HBM", also=(WITHOUT,))) == {"free": "cooling_down"}
    assert len(free.asked) == before


@in_event_loop
async def test_a_cancelled_search_leaves_nothing_running():
    """Cancelling reaches every request, and is over when they are."""
    providers = [ScriptedProvider(name, go=asyncio.Event()) for name in "abcde"]
    task = asyncio.create_task(manager_of(*providers).search("맥락"))
    await all_asked(*providers)
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert [provider.cancelled for provider in providers] == [1] * 5
    assert asyncio.all_tasks() == {asyncio.current_task()}


@in_event_loop
async def test_a_request_that_will_not_end_is_left_behind(caplog: pytest.LogCaptureFixture):
    """The search ends half a second after its deadline, and the log names who did not close."""
    release = asyncio.Event()

    class Stubborn(ScriptedProvider):
        async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
            while not release.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await release.wait()
            return ()

    loop = asyncio.get_running_loop()
    manager = manager_of(Stubborn("stubborn"), deadline_s=0.05, monotonic=loop.time)
    started = loop.time()
    assert statuses(await manager.search("맥락")) == {"stubborn": "timeout"}
    assert loop.time() - started < 20
    assert "Not cancelled in time: stubborn" in caplog.text
    release.set()


def test_own_documents_do_not_count_as_the_web():
    """Hits of the library settle nothing: the next tier is asked when the web of theirs failed; what has no tier comes last."""
    web, further = ScriptedProvider("web", down()), ScriptedProvider("next", ())
    replies = search(manager_of(own_library(), ScriptedProvider("extra"), web, further, tiers=[["own", "web"], ["next"]]))
    assert statuses(replies) == {"own": "success", "web": "network_error", "next": "no_results", "extra": "success"}
