"""The correctness properties that gathering has to keep."""

from __future__ import annotations

import asyncio

import httpx
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, SearchOptions
from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext
from search_core.errors import ProviderError
from search_core.search.gathering.manager import MultiProviderSearchManager
from search_core.search.gathering.provider_client import MemoryReplyCache
from search_core.search.presenting.ledger import ledger
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from tests.search_core.answers.asking import pipeline_of
from tests.search_core.generated_videos import SEED, videos
from tests.search_core.search.gathering.scripted_providers import Clock, ScriptedProvider, result, search

ANALYZER, CONSTRUCTOR = QueryIntentAnalyzer(), QueryConstructor()
FAILURES = [status for status in SearchStatus if not status.answered and status is not SearchStatus.COOLING_DOWN]
NAMES = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]), min_size=1, unique=True)
QUERIES = st.text(min_size=1, max_size=40).filter(str.strip) | st.builds(
    lambda video, asked: CONSTRUCTOR.construct_query(ANALYZER.analyze_intent(asked, video), video).text,
    videos(),
    st.sampled_from(["이 회사 최근 실적은?", "HBM4 가격", "when is the next event?"]),
)


def found(name: str, count: int) -> tuple[SearchResult, ...]:
    return tuple(result(name, number) for number in range(1, count + 1))


broken = st.sampled_from(FAILURES).map(lambda status: ProviderError(status, f"{status} on purpose")) | st.sampled_from(
    [KeyError("bug"), ValueError("bug"), TimeoutError(), httpx.ReadError("bug"), OSError("bug")]
)


@SEED
@given(data=st.data(), names=NAMES, video=videos())
def test_property_8_results_of_all_functioning_providers_are_included(data: st.DataObject, names: list[str], video: VideoContext):
    """Feature: improved-web-search, Property 8: results of all functioning providers are included."""
    working = {name: data.draw(st.integers(1, 4) | broken, label=name) for name in names}
    providers = {
        name: ScriptedProvider(name, found(name, outcome) if isinstance(outcome, int) else outcome)
        for name, outcome in working.items()
    }
    question = Question(text="이 회사 최근 실적은?", video=video)
    report = asyncio.run(pipeline_of(*providers.values()).run(question, SearchOptions(), lambda _: None))
    replies = {reply.provider: reply for reply in report.replies}
    assert list(replies) == names
    listed = {each.url for each in (*report.results, *report.hidden)}
    assert listed == {each.url for name, outcome in working.items() if isinstance(outcome, int) for each in found(name, outcome)}
    for name, outcome in working.items():
        if isinstance(outcome, int):
            assert replies[name].results == found(name, outcome)
            assert replies[name].is_success()
        else:
            assert not replies[name].results
            assert not replies[name].status.answered


@SEED
@given(names=NAMES, failing=st.integers(0, 5), outcome=broken | st.just(()), query=QUERIES)
def test_property_10_a_failing_primary_provider_leads_to_the_others(names: list[str], failing: int, outcome: object, query: str):
    """Feature: improved-web-search, Property 10: a failing primary provider leads to the others."""
    first_well = min(failing, len(names) - 1)
    providers = {
        name: ScriptedProvider(name, outcome if position < first_well else found(name, 2)) for position, name in enumerate(names)
    }  # one provider a tier: the first is the primary
    replies = search(MultiProviderSearchManager(providers, [[name] for name in names]), query)
    assert [reply.provider for reply in replies] == names[: first_well + 1]
    assert replies[-1].results == found(names[first_well], 2)
    assert all(reply.is_degraded() for reply in replies[:-1])
    assert not any(providers[name].asked for name in names[first_well + 1 :])


@SEED
@given(
    trouble=st.sampled_from([SearchStatus.NETWORK_ERROR, SearchStatus.TIMEOUT, SearchStatus.RATE_LIMITED, SearchStatus.BLOCKED]),
    pause_s=st.none() | st.floats(0.1, 900),
    names=NAMES,
    query=QUERIES,
)
def test_property_11_network_trouble_gives_appropriate_messages_with_retry(
    trouble: SearchStatus, pause_s: float | None, names: list[str], query: str
):
    """Feature: improved-web-search, Property 11: network trouble gives appropriate messages with retry."""
    clock = Clock()
    error = ProviderError(trouble, f"the service answered {trouble}", retry_after_s=pause_s)
    providers = {name: ScriptedProvider(name, error, found(name, 1)) for name in names}
    manager = MultiProviderSearchManager(providers, [names], monotonic=clock.monotonic, now=clock.now)
    replies = search(manager, query)
    assert all("다시 시도" in line.text for line in ledger(replies))
    assert len({line.text for line in ledger(replies)}) == 1
    for reply in replies:
        assert reply.status is trouble
        assert reply.error_message == f"the service answered {trouble}"
        assert reply.retry_after_s == pause_s
        assert not reply.results
    waits = [reply.retry_after_s or 0 for reply in search(manager, query) if reply.status is SearchStatus.COOLING_DOWN]
    clock.pass_s(max(waits, default=0))
    assert all(reply.is_success() for reply in search(manager, query))


@SEED
@given(
    query=QUERIES, ttl_s=st.integers(1, 100_000), count=st.integers(1, 10), share=st.floats(0, 0.999), beyond_s=st.floats(0, 1e6)
)
def test_property_12_an_identical_query_within_the_cache_time_returns_cached_results(
    query: str, ttl_s: int, count: int, share: float, beyond_s: float
):
    """Feature: improved-web-search, Property 12: an identical query within the cache time returns cached results."""
    clock = Clock()
    provider = ScriptedProvider("alpha", found("alpha", count), found("alpha", 11 - count))
    manager = MultiProviderSearchManager(
        {"alpha": provider}, cache=MemoryReplyCache(), ttl_s=ttl_s, monotonic=clock.monotonic, now=clock.now
    )
    first = search(manager, query)[0]
    clock.pass_s(ttl_s * share)
    within = search(manager, query)[0]
    assert (within.from_cache, within.results, len(provider.asked)) == (True, first.results, 1)
    clock.pass_s(ttl_s * (1 - share) + beyond_s + 0.001)
    beyond = search(manager, query)[0]
    assert (beyond.from_cache, beyond.results, len(provider.asked)) == (False, found("alpha", 11 - count), 2)
