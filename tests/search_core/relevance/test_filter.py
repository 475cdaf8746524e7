"""Scoring results against a question and a video."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from search_core.domain import DegradedPart, RankingOptions, TranscriptSegment
from search_core.errors import EmbeddingError
from search_core.relevance import TRAINED, KiwiEmbedder, RelevanceFilter, arrange
from search_core.relevance.calibration import probe_text

QUESTION = "메모리 대역폭은 왜 중요한가?"


class Broken:
    name = "broken"
    label = "고장"
    reach = TRAINED

    def embed(self, texts, kind="passage"):
        raise EmbeddingError("no vectors today", korean="벡터를 만들지 못했어요.")


@pytest.fixture
def relevance(now):
    return RelevanceFilter(KiwiEmbedder(), now=now)


@pytest.fixture
def answers(hit):
    return hit("메모리 대역폭이란", "메모리 대역폭이 넓으면 칩이 자료를 기다리는 시간이 줄어든다.", url="https://example.org/on")


@pytest.fixture
def strays(hit):
    return hit("김치찌개", "신김치를 볶은 뒤 두부를 넣고 오래 끓인다.", url="https://example.org/off")


def test_the_default_threshold_tells_on_topic_from_off_topic(relevance, answers, strays):
    """What answers is shown by default, what does not is hidden."""
    scored = relevance.score([strays, answers], QUESTION)
    shown, hidden = arrange(scored.results, RankingOptions())
    assert ([result.url for result in shown], [result.url for result in hidden]) == ([answers.url], [strays.url])
    assert (scored.scorer, scored.degradations) == ("kiwi", ())


def test_results_come_back_in_the_order_given(relevance, answers, strays):
    """Scoring does not order; ordering is another step."""
    scored = relevance.score([strays, answers], QUESTION).results
    assert [result.url for result in scored] == [strays.url, answers.url]
    assert [result.url for result in relevance.rank_by_relevance(scored)] == [answers.url, strays.url]


def test_a_video_fills_its_parts_entities_and_moment(relevance, answers, keynote, hit):
    """A result on what is said at 1:00 is tied to that segment; one that names the company says so."""
    named = hit("엔비디아 실적", "엔비디아가 분기 실적을 발표했다.", url="https://example.org/named")
    on, company = relevance.score([answers, named], QUESTION, keynote).results
    assert on.moment.start_s == 60
    assert "대역폭" in on.moment.text
    assert on.parts.semantic_video > 0.35
    assert (on.entity_matches, on.parts.entity) == ((), 0.0)
    assert (company.entity_matches, company.parts.entity) == (("엔비디아",), 0.5)


def test_prose_without_times_has_no_moment(relevance, answers, keynote):
    """What nobody says when is not placed at the beginning of a video."""
    prose = replace(keynote, transcript=tuple(TranscriptSegment(0, 0, said.text) for said in keynote.transcript))
    on = relevance.score([answers], QUESTION, prose).results[0]
    assert on.parts.semantic_video > 0
    assert on.moment is None


def test_an_unrelated_result_has_no_moment(relevance, strays, keynote):
    """No passage is near a recipe."""
    assert relevance.score([strays], QUESTION, keynote).results[0].moment is None


def test_without_a_video_its_parts_are_not_measured(relevance, answers):
    """Not measured is None, not zero."""
    parts = relevance.score([answers], QUESTION).results[0].parts
    assert (parts.semantic_video, parts.entity, parts.recency, parts.agreement) == (None, None, None, None)


def test_a_video_alone_scores_too(relevance, answers, strays, keynote):
    """Without a question results are held against what the video is about."""
    assert relevance.score_relevance(answers, keynote) > 0.3 > relevance.score_relevance(strays, keynote)


def test_recency_is_counted_from_the_newest_result(relevance, hit):
    """The newest result has 1, one 90 days older half; an undated one has none."""
    new, old, undated = hit(day=(10, 1)), hit(day=(7, 3)), hit()
    parts = [result.parts.recency for result in relevance.score([new, old, undated], QUESTION).results]
    assert parts == [1.0, pytest.approx(0.5), None]


def test_news_age_faster_and_are_counted_from_now(relevance, hit):
    """Thirty days before now is half, for news."""
    result = relevance.score([hit(day=(10, 21))], QUESTION, freshness_matters=True).results[0]
    assert result.parts.recency == pytest.approx(0.5)


def test_age_hardly_counts_for_background_questions(relevance, hit):
    """The newest result has .6 and one 90 days older .5, so that the order of two equals is still the newer first."""
    parts = [r.parts.recency for r in relevance.score([hit(day=(10, 1)), hit(day=(7, 3))], QUESTION, timeless=True).results]
    assert parts == [pytest.approx(0.6), pytest.approx(0.5)]


def test_a_date_in_the_future_counts_as_now(relevance, hit):
    """A page dated tomorrow neither gains nor ages the others."""
    future = hit(publish_date=datetime(2030, 1, 1, tzinfo=UTC))
    now = hit(publish_date=datetime(2026, 11, 20, tzinfo=UTC))
    assert [r.parts.recency for r in relevance.score([future, now], QUESTION).results] == [1.0, 1.0]


def test_sightings_by_providers_become_agreement(relevance, hit):
    """The prior of the merge is kept as a part, where there is one."""
    seen, bare = hit(ranks=(("a", 1),), prior=0.8), hit(prior=0.8)
    assert [r.parts.agreement for r in relevance.score([seen, bare], QUESTION).results] == [0.8, None]


def test_terms_the_question_lacks_are_looked_for_too(relevance, hit):
    """A resolved name that the question only points at helps to find its page."""
    page = hit("엔비디아", "엔비디아 실적이 올랐다.")
    plain = relevance.score([page], "이 회사 실적은?").results[0].relevance_score
    assert relevance.score([page], "이 회사 실적은?", terms=["엔비디아", "실적"]).results[0].relevance_score > plain


def test_a_scoring_failure_leaves_results_unscored_and_says_so(answers, now):
    """Unscored results and one degradation, in words for the page."""
    scored = RelevanceFilter(Broken(), now=now).score([answers], QUESTION)
    assert (scored.scorer, scored.results[0].relevance_score, scored.results[0].parts) == ("none", None, None)
    (degradation,) = scored.degradations
    assert degradation.part is DegradedPart.SCORING
    assert degradation.cause == "no vectors today"
    assert degradation.korean.endswith("요.")


def test_a_fallback_scores_in_place_of_a_failed_embedder(answers, now):
    """The embedded embedder steps in, and the page is told."""
    scored = RelevanceFilter(Broken(), now=now, fallback=KiwiEmbedder()).score([answers], QUESTION)
    assert scored.scorer == "kiwi"
    assert scored.results[0].relevance_score > 0.35
    assert [degradation.part for degradation in scored.degradations] == [DegradedPart.SCORING]


def test_no_results_need_no_embedder(now):
    """An empty list is scored by nobody and fails nowhere."""
    scored = RelevanceFilter(Broken(), now=now).score([], QUESTION)
    assert (scored.results, scored.degradations) == ((), ())


def test_a_video_is_embedded_once(letters, hit, keynote, now):
    """The second search about a video embeds only its results and its question, with any filter."""
    RelevanceFilter(letters, now=now).score([hit()], QUESTION, keynote)
    letters.asked.clear()
    RelevanceFilter(letters, now=now).score([hit()], QUESTION, keynote)
    asked = [texts for texts, _ in letters.asked if texts != (probe_text(),)]
    assert sorted(map(len, asked)) == [1, 1]


def test_questions_are_embedded_as_queries(letters, hit, now):
    """Models that tell questions from passages are told which is which."""
    RelevanceFilter(letters, now=now).score([hit("abc", "def")], "abc")
    assert letters.asked[0] == (("abc def",), "passage")
    assert (("abc",), "query") in letters.asked


def test_the_embedded_embedder_does_not_judge_across_scripts(relevance, hit, keynote):
    """An English page is measured by names and known words alone; its similarity to a Korean video is not measured."""
    page = hit("Why memory matters", "The bandwidth of memory limits how fast chips compute.")
    result = relevance.score([page], "메모리 대역폭은 왜 중요한가?", keynote).results[0]
    assert result.parts.semantic_video is None
    assert (result.parts.semantic_question, result.parts.meaning_share) == (None, 0.0)
    assert result.relevance_score == pytest.approx(0.6 * result.parts.lexical / 0.7)
    assert result.parts.lexical > 0.35


def test_a_trained_models_similarity_is_taken_as_it_is(letters, hit, now):
    """Equal letters are a similarity of 1, whatever the words."""
    result = RelevanceFilter(letters, now=now).score([hit("listen", "")], "silent").results[0]
    assert result.parts.semantic_question == pytest.approx(1.0)
    assert result.parts.lexical == 0.0


def test_filtering_keeps_what_reaches_the_threshold(relevance, scored_hit, hit):
    """At the threshold is in, below is out, unscored is out."""
    at, below, unscored = scored_hit(0.5), scored_hit(0.49), hit()
    assert relevance.filter_results([at, below, unscored], 0.5) == [at]


def test_scores_are_floats_that_json_can_write(relevance, answers, keynote):
    """No numpy number leaks into a result."""
    result = relevance.score([answers], QUESTION, keynote).results[0]
    values = [result.relevance_score, result.parts.semantic_video, result.parts.semantic_question, result.moment.similarity]
    assert not any(isinstance(value, np.generic) for value in values)


def test_a_model_of_another_size_under_the_same_name_embeds_the_video_anew(letters, hit, keynote, now):
    """What was kept of the video in vectors of another length is not held against the results."""

    class Shorter:
        name = letters.name
        reach = TRAINED

        def embed(self, texts, kind="passage"):
            return letters.embed(texts, kind)[:, :5]

    RelevanceFilter(Shorter(), now=now).score([hit()], QUESTION, keynote)
    scored = RelevanceFilter(letters, now=now).score([hit()], QUESTION, keynote)
    assert scored.degradations == ()
    assert scored.results[0].relevance_score is not None


def test_sentences_are_compared_by_meaning_only_where_the_embedder_sees_it(relevance, letters, now):
    """Kiwi sees none across languages, an embedder that fails tells none; neither is an error."""
    assert relevance.nearness_to("질문", "kiwi")(["A sentence."]) is None
    assert RelevanceFilter(Broken(), now=now).nearness_to("질문", "broken")(["A sentence."]) is None
    near, far = RelevanceFilter(letters, now=now).nearness_to("abc", "letters")(["abc", "xyz"])
    assert near > far


def test_sentences_are_not_compared_where_another_scorer_has_scored(letters, now):
    """Words scored because the model would have kept the page waiting."""
    assert RelevanceFilter(letters, now=now).nearness_to("abc", "kiwi") is None
