"""Properties of ranking that hold for any results."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain import RankingOptions, SearchResult, TranscriptSegment, VideoContext
from search_core.embedding import KiwiEmbedder
from search_core.ranking import RelevanceFilter, arrange

VIDEO = VideoContext(
    title="새 그래픽 칩 발표",
    speakers=("젠슨 황",),
    organizations=("엔비디아",),
    events=("GTC",),
    transcript=(TranscriptSegment(0, 5, "메모리 대역폭을 두 배로 늘렸습니다."),),
)
NOW = datetime(2026, 11, 20, tzinfo=UTC)
FILTER = RelevanceFilter(KiwiEmbedder(), now=lambda: NOW)

unit = st.floats(0, 1)
dates = st.none() | st.datetimes(NOW.replace(year=2000, tzinfo=None), NOW.replace(tzinfo=None), timezones=st.just(UTC))
words = st.sampled_from(
    ["엔비디아", "젠슨 황", "메모리", "대역폭", "날씨", "김치찌개", "NVIDIA", "chip", "2026", "…", "<b>", "는", ""]
)
texts = st.lists(words, max_size=6).map(" ".join) | st.text(max_size=40)
raw_results = st.lists(
    st.builds(
        SearchResult,
        title=texts,
        url=st.integers(0, 9).map("https://example.org/{}".format),
        snippet=texts,
        source=st.just("example.org"),
        publish_date=dates,
    ),
    max_size=6,
)
scored_results = st.lists(
    st.builds(
        SearchResult,
        title=st.just("제목"),
        url=st.integers(0, 99).map("https://example.org/{}".format),
        snippet=st.just("내용"),
        source=st.just("example.org"),
        publish_date=dates,
        relevance_score=unit,
        entity_matches=st.sampled_from([(), ("엔비디아",), ("젠슨 황", "GTC")]),
    ),
    max_size=12,
)
options = st.builds(RankingOptions, threshold=unit, entity_first=st.booleans(), max_results=st.integers(1, 15))


@settings(max_examples=30, deadline=None)
@given(scored_results, options)
def test_every_shown_result_reaches_the_threshold(results, chosen):
    """Feature: improved-web-search, Property 2: every returned result is at or above the threshold."""
    shown, hidden = arrange(results, chosen)
    assert all(result.relevance_score >= chosen.threshold for result in shown)
    assert len(shown) <= chosen.max_results
    assert sorted(result.url for result in (*shown, *hidden)) == sorted(result.url for result in results)
    assert FILTER.filter_results(shown, chosen.threshold) == list(shown)


@settings(max_examples=20, deadline=None)
@given(raw_results, texts, st.sampled_from([None, VIDEO]), st.booleans())
def test_every_result_gets_a_score(results, question, video, fresh):
    """Feature: improved-web-search, Property 6: every result gets a relevance score."""
    scored = FILTER.score(results, question, video, freshness_matters=fresh)
    assert len(scored.results) == len(results)
    assert all(0.0 <= result.relevance_score <= 1.0 for result in scored.results)
    assert all(result.parts is not None for result in scored.results)
    assert all(0.0 <= FILTER.score_relevance(result, VIDEO) <= 1.0 for result in results)


@settings(max_examples=20, deadline=None)
@given(raw_results, texts)
def test_results_naming_the_videos_entities_rank_above_the_others(results, question):
    """Feature: improved-web-search, Property 7: results with video-specific entities rank above those without."""
    named = SearchResult(title="엔비디아", url="https://example.org/named", snippet="새 소식", source="example.org")
    ranked = FILTER.rank_by_relevance(FILTER.score([*results, named], question, VIDEO).results)
    matches = [bool(result.entity_matches) for result in ranked]
    assert matches == sorted(matches, reverse=True)
    assert next(result for result in ranked if result.url == named.url).entity_matches


@settings(max_examples=30, deadline=None)
@given(scored_results, options)
def test_results_are_ordered_by_relevance_then_date(results, chosen):
    """Feature: improved-web-search, Property 9: ordered by relevance, newer first when equal."""
    shown, _ = arrange(results, chosen)
    for earlier, later in pairwise(shown):
        if chosen.entity_first and bool(earlier.entity_matches) != bool(later.entity_matches):
            assert earlier.entity_matches
            continue
        assert earlier.relevance_score >= later.relevance_score
        if earlier.relevance_score == later.relevance_score and later.publish_date is not None:
            assert earlier.publish_date is not None
            assert earlier.publish_date >= later.publish_date
