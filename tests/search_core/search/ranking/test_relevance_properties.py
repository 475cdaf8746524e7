"""Properties of ranking that hold for any results."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain.result import Rank, RankingOptions, SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.filter import RelevanceFilter, arrange
from tests.search_core.generated_videos import NOW, ORGANIZATIONS, SEED, results_for, videos

VIDEO = VideoContext(
    title="새 그래픽 칩 발표",
    speakers=("젠슨 황",),
    organizations=("엔비디아",),
    events=("GTC",),
    transcript=(TranscriptSegment(0, 5, "메모리 대역폭을 두 배로 늘렸습니다."),),
)
FILTER = RelevanceFilter(KiwiEmbedder(), now=lambda: NOW)

unit = st.floats(0, 1)
texts = st.lists(st.sampled_from(["엔비디아", "젠슨 황", "메모리", "날씨", "chip", "…"]), max_size=6).map(" ".join) | st.text(
    max_size=40
)
raw_results = st.lists(results_for(VIDEO, scored=False), max_size=6)
options = st.builds(RankingOptions, threshold=unit, max_results=st.integers(1, 15))
in_videos = videos().flatmap(lambda video: st.tuples(st.just(video), st.lists(results_for(video), max_size=6)))
unscored_in_videos = videos().flatmap(
    lambda video: st.tuples(st.just(video), st.lists(results_for(video, scored=False), max_size=4))
)


@SEED
@given(in_videos, options)
def test_every_shown_result_reaches_the_threshold(found, chosen):
    """Feature: improved-web-search, Property 2: every returned result is at or above the threshold."""
    _, results = found
    shown, hidden = arrange(results, chosen)
    assert all(result.relevance_score >= chosen.threshold for result in shown)
    assert len(shown) <= chosen.max_results
    assert sorted(result.url for result in (*shown, *hidden)) == sorted(result.url for result in results)
    assert FILTER.filter_results(shown, chosen.threshold) == list(shown)


@SEED
@given(unscored_in_videos, texts, st.booleans())
def test_every_result_gets_a_score(found, question, with_video):
    """Feature: improved-web-search, Property 6: every result gets a relevance score."""
    video, results = found
    scored = FILTER.score(results, question, video if with_video else None)
    assert len(scored.results) == len(results)
    assert all(0.0 <= result.relevance_score <= 1.0 for result in scored.results)
    assert all(result.parts is not None for result in scored.results)
    assert all(0.0 <= FILTER.score_relevance(result, video) <= 1.0 for result in results)


@SEED
@given(unscored_in_videos, texts)
def test_of_equal_results_those_that_name_the_videos_entities_come_first(found, question):
    """Of equal results of one day and language the one that names somebody of the video is first.

    Feature: improved-web-search, Property 7: results that match entities come first
    """
    video, results = found
    scored = FILTER.score(results, question, video).results
    even = [replace(result, title="한국어 제목", relevance_score=0.5, publish_date=None) for result in scored]
    matches = [bool(result.entity_matches) for result in FILTER.rank_by_relevance(even)]
    assert matches == sorted(matches, reverse=True)
    written = [
        any(name in f"{each.title} {each.snippet}".split() for name in ORGANIZATIONS if name in video.organizations)
        for each in results
    ]
    assert all(result.entity_matches for result, names_one in zip(scored, written, strict=True) if names_one)


@SEED
@given(in_videos, options)
def test_results_are_ordered_by_relevance_then_date(found, chosen):
    """Feature: improved-web-search, Property 9: nobody is placed before who is over three points better; of equals the newer."""
    shown, _ = arrange(found[1], chosen)
    for place, earlier in enumerate(shown):
        assert all(earlier.relevance_score >= later.relevance_score - 0.03 - 1e-9 for later in shown[place:])
    for earlier, later in pairwise(shown):
        if earlier.relevance_score == later.relevance_score and later.publish_date is not None:
            assert earlier.publish_date is not None
            assert earlier.publish_date.date() >= later.publish_date.date()


@settings(max_examples=25, deadline=None)
@given(raw_results, raw_results, texts, st.sampled_from([None, VIDEO]), st.integers(1, 30), st.integers(1, 30))
def test_a_score_stays_whoever_else_answered(results, others, question, video, place, another):
    """The same text and question differ by five points at most, whatever else was found and whichever services gave it."""
    alone = [replace(result, ranks=(Rank("a", place),), prior=1.0) for result in results]
    among = [replace(result, ranks=(Rank("b", another), Rank("c", 1)), prior=0.2) for result in results]
    bare = FILTER.score([*others, *results], question, video).results[len(others) :]
    for scored in (FILTER.score(alone, question, video).results, FILTER.score([*among, *others], question, video).results):
        assert all(abs(one.relevance_score - other.relevance_score) <= 0.05 for one, other in zip(scored, bare, strict=False))


def test_what_means_nothing_is_answered_by_nothing():
    """A question of unknown words scores 0 with every text that holds none of them, and is found where one does."""
    hits = [
        SearchResult(title="메모리 장벽", url=url, snippet=text, source="")
        for url, text in (("a", "칩은 빠르다."), ("b", "ASDF"))
    ]
    assert [result.relevance_score > 0 for result in FILTER.score(hits, "asdf qwer", VIDEO).results] == [False, True]
