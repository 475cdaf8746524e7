"""Scoring results against a question and a video."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain.report import DegradedPart
from search_core.domain.result import HiddenReason, RankingOptions
from search_core.domain.video import TranscriptSegment
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.filter import RelevanceFilter, arrange, in_order, rank_candidates
from tests.search_core.search.ranking.conftest import Broken

QUESTION = "메모리 대역폭은 왜 중요한가?"


@pytest.fixture
def relevance(now):
    return RelevanceFilter(KiwiEmbedder(), now=now)


@pytest.fixture
def answers(hit):
    return hit("메모리 대역폭이란", "메모리 대역폭이 넓으면 칩이 자료를 기다리는 시간이 줄어든다.", url="https://example.org/on")


@pytest.fixture
def strays(hit):
    return hit("김치찌개", "신김치를 볶은 뒤 두부를 넣고 오래 끓인다.", url="https://example.org/off")


def test_the_default_threshold_tells_on_topic_from_off_topic(relevance, answers, strays, keynote):
    """What answers is shown by default and the rest hidden, with a question or a video alone; scoring keeps the order given."""
    scored = relevance.score([strays, answers], QUESTION)
    shown, hidden = arrange(scored.results, RankingOptions())
    assert ([result.url for result in shown], [result.url for result in hidden]) == ([answers.url], [strays.url])
    assert (scored.scorer, scored.degradations) == ("kiwi", ())
    assert [result.url for result in scored.results] == [strays.url, answers.url]
    assert [result.url for result in relevance.rank_by_relevance(scored.results)] == [answers.url, strays.url]
    assert relevance.score_relevance(answers, keynote) > 0.1 > relevance.score_relevance(strays, keynote)


def test_a_video_fills_entities_and_moment(relevance, answers, strays, keynote, hit):
    """A result on what is said at 1:00 is tied to it; nothing ties a recipe, or a transcript without times."""
    named = hit("엔비디아 실적", "엔비디아가 분기 실적을 발표했다.", url="https://example.org/named")
    on, company, recipe = relevance.score([answers, named, strays], QUESTION, keynote).results
    assert on.moment.start_s == 60
    assert "대역폭" in on.moment.text
    assert (on.entity_matches, company.entity_matches) == ((), ("엔비디아",))
    assert recipe.moment is None
    prose = replace(keynote, transcript=tuple(TranscriptSegment(0, 0, said.text) for said in keynote.transcript))
    [untimed] = relevance.score([answers], QUESTION, prose).results
    assert untimed.moment is None


def test_a_moment_is_a_whole_sentence_however_captions_cut_it(relevance, answers, keynote):
    """The sentence that bears on a result is quoted from its beginning, in a caption before it, to its end."""
    cut = [
        replace(said, start_s=said.start_s + share * 5, end_s=said.start_s + share * 5 + 5, text=text)
        for said in keynote.transcript
        for share, text in enumerate((said.text[: len(said.text) // 2], said.text[len(said.text) // 2 :]))
    ]
    [whole] = relevance.score([answers], QUESTION, keynote).results
    [found] = relevance.score([answers], QUESTION, replace(keynote, transcript=tuple(cut))).results
    assert found.moment.text.replace(" ", "") == whole.moment.text.replace(" ", "")
    assert found.moment.start_s == whole.moment.start_s


def test_captions_without_length_and_very_long_transcripts_have_moments(relevance, answers, keynote):
    """What is said at 1:00 is found there where captions only begin, and as a caption where there are too many to read."""
    begins = tuple(replace(said, end_s=said.start_s) for said in keynote.transcript)
    more = tuple(TranscriptSegment(200.0 + n, 201.0 + n, "날씨가 좋습니다. " * 40) for n in range(400))
    for transcript in (begins, (*keynote.transcript, *more)):
        [found] = relevance.score([answers], QUESTION, replace(keynote, transcript=transcript)).results
        assert (found.moment.start_s, found.moment.text) == (60, keynote.transcript[2].text)


def test_age_is_a_mark(relevance, hit):
    """Half is 30 days; no date, no mark, and the score is the same; a page dated tomorrow is of today."""
    results = relevance.score([hit(day=day) for day in ((11, 20), (10, 21), None, (12, 31))], QUESTION).results
    assert [result.parts.recency for result in results] == [1.0, pytest.approx(0.5), None, 1.0]
    assert len({result.relevance_score for result in results}) == 1


def test_terms_the_question_lacks_are_looked_for_too(relevance, hit):
    """A resolved name that the question only points at helps to find its page."""
    page = hit("엔비디아", "엔비디아 실적이 올랐다.")
    plain = relevance.score([page], "이 회사 실적은?").results[0].relevance_score
    assert relevance.score([page], "이 회사 실적은?", terms=["엔비디아", "실적"]).results[0].relevance_score > plain


def test_a_scoring_failure_is_reported_and_stood_in_for(answers, now):
    """Results stay unscored, or the fallback scores them; one degradation is written for the page, none for no results."""
    scored = RelevanceFilter(Broken(), now=now).score([answers], QUESTION)
    assert (scored.scorer, scored.results[0].relevance_score, scored.results[0].parts) == ("none", None, None)
    (degradation,) = scored.degradations
    assert (degradation.part, degradation.cause) == (DegradedPart.SCORING, "no vectors today")
    assert degradation.korean.endswith("요.")
    instead = RelevanceFilter(Broken(), now=now, fallback=KiwiEmbedder()).score([answers], QUESTION)
    assert (instead.scorer, [each.part for each in instead.degradations]) == ("kiwi", [DegradedPart.SCORING])
    assert instead.results[0].relevance_score > 0.1
    nothing = RelevanceFilter(Broken(), now=now).score([], QUESTION)
    assert (nothing.results, nothing.degradations) == ((), ())


def test_the_embedded_embedder_does_not_judge_across_scripts(relevance, hit, keynote):
    """An English page is measured by names and known words alone; its similarity to a Korean question is not measured."""
    page = hit("Why memory matters", "The bandwidth of memory limits how fast chips compute.")
    parts = relevance.score([page], "메모리 대역폭은 왜 중요한가?", keynote).results[0].parts
    assert parts.semantic_question is None
    assert parts.lexical > 0.3


def test_what_a_question_leaves_to_the_video_has_to_be_named(relevance, hit, keynote):
    """Of two pages on a price the one of the video's subject scores higher, also where the question names it."""
    on, off = hit("", "그래픽 칩의 가격은 500달러다."), hit("", "기차표의 가격은 500달러다.")
    told = [
        each.relevance_score for each in relevance.score([on, off], "가격은 얼마예요?", keynote, subject=["그래픽 칩"]).results
    ]
    named = [each.relevance_score for each in relevance.score([on, off], "그래픽 칩 가격은 얼마예요?", keynote).results]
    assert told[0] > 1.5 * told[1]
    assert named[0] > named[1]


def test_a_trained_models_similarity_is_taken_as_it_is(letters, hit, now):
    """Equal letters are a similarity of 1, whatever the words."""
    result = RelevanceFilter(letters, now=now).score([hit("listen", "")], "silent").results[0]
    assert result.parts.semantic_question == pytest.approx(1.0)
    assert result.parts.lexical == 0.0


def test_sentences_are_compared_by_words_where_no_meaning_is_seen(relevance, letters, now):
    """Words say what is near where Kiwi scores, the embedder is broken or another scorer has scored; else its meaning does."""
    sentences = ["Shares rose.", "Samsung builds a plant."]
    seeing = RelevanceFilter(letters, now=now)
    broken = RelevanceFilter(Broken(), now=now)
    for by_words in (relevance.nearness_to, broken.nearness_to, seeing.nearness_to):
        far, near = by_words("삼성 공장은 어디에 지어?", "kiwi" if by_words == relevance.nearness_to else "broken")(sentences)
        assert near > far == 0.0
    near, far = seeing.nearness_to("abc", "letters")(["abc", "xyz"])
    assert near > far


def rank(now, question, video, candidates):
    return rank_candidates(RelevanceFilter(KiwiEmbedder(), now=now), question, video, candidates)


def test_the_order_of_bare_passages_counts_nothing(now, hit):
    """Of equal texts without addresses all score the same, and keep their order."""
    same = rank(now, QUESTION, None, [(n, hit("", "메모리 대역폭이 중요하다.", url="")) for n in range(8)])
    assert [entry["id"] for entry in same] == list(range(8))
    assert len({entry["relevance_score"] for entry in same}) == 1


def test_a_search_services_list_is_trusted_whatever_the_texts_say(now, hit):
    """Among titled pages of two sites the earlier of two equals scores higher, though the good ones come last."""
    bad = [(n, hit("김치찌개", "김치찌개를 끓인다.", url=f"https://a.example.org/{n}")) for n in range(5)]
    good = [(n, hit("대역폭", "메모리 대역폭이 중요하다.", url=f"https://b.example.org/{n}")) for n in range(5, 8)]
    scores = {entry["id"]: entry["relevance_score"] for entry in rank(now, QUESTION, None, [*bad, *good])}
    assert scores[5] > scores[6] > scores[7] > scores[0]


def test_without_a_query_the_video_or_nothing_ranks(now, hit, keynote):
    """A video alone ranks and knows the moment; with neither it is zero for all, in the order given; nothing is no error."""
    candidates = [("off", hit("", "김치찌개를 끓인다.")), ("on", hit("", "이 칩은 메모리 대역폭을 두 배로 늘렸다."))]
    assert [(entry["id"], entry["moment_s"]) for entry in rank(now, "", keynote, candidates)] == [("on", 60), ("off", None)]
    unmeasured = rank(now, "", None, candidates)
    assert [(entry["id"], entry["relevance_score"]) for entry in unmeasured] == [("off", 0.0), ("on", 0.0)]
    assert rank(now, QUESTION, None, []) == []


def test_of_nearly_equal_results_the_newer_comes_first(scored_hit):
    """Within three points the date decides, then Korean, then a name of the video, then the score; four are four."""
    undated, old, new = scored_hit(0.53), scored_hit(0.52, day=(1, 5)), scored_hit(0.5, day=(11, 2))
    better, named = scored_hit(0.54, title="better"), scored_hit(0.53, title="named", names=["GTC"])
    assert in_order([undated, old, new]) == [new, old, undated]
    assert in_order([new, old, better]) == [old, better, new]
    assert in_order([undated, named, better]) == [named, better, undated]
    assert in_order([scored_hit(0.5, names=["GTC"]), better])[0] == better
    korean, foreign = scored_hit(0.5, title="대역폭"), scored_hit(0.52, title="Bandwidth", snippet="It is wide.")
    assert in_order([foreign, korean]) == [korean, foreign]
    newer = scored_hit(0.52, title="Bandwidth", snippet="Wide.", day=(11, 2))
    assert in_order([korean, newer]) == [newer, korean]


def test_the_score_decides_which_results_are_shown_and_where(scored_hit):
    """A match of 71 is not pushed out or passed by one that names somebody."""
    best, good, named = scored_hit(0.71, title="best"), scored_hit(0.62, title="good"), scored_hit(0.58, names=["엔비디아"])
    weak = scored_hit(0.4, title="weak", names=["엔비디아"])
    shown, hidden = arrange([weak, named, good, best], RankingOptions(threshold=0.35, max_results=3))
    assert shown == (best, good, named)
    assert hidden == (weak,)
    shown, hidden = arrange([weak, named, good, best], RankingOptions(threshold=0.35, max_results=1))
    assert (shown, hidden) == ((best,), (good, named, weak))


def test_own_documents_and_what_came_late_take_no_place_from_the_first_list(scored_hit):
    """Of the web and of the library each as many are shown as are wanted; late ones stand behind, as they came, then by score."""
    web = [scored_hit(value) for value in (0.6, 0.5, 0.4)]
    own = [scored_hit(value, collection="user") for value in (0.9, 0.8, 0.7)]
    late = [scored_hit(value, late=turn) for value, turn in ((0.7, 2), (0.95, 2), (0.36, 1))]
    shown, hidden = arrange([*late, *own, *web], RankingOptions(threshold=0.35, max_results=2))
    assert shown == (web[0], web[1], late[2], late[1], own[0], own[1])
    assert hidden == (late[0], web[2], own[2])


def test_hidden_results_are_ordered_by_score_and_know_why(scored_hit):
    """Those over the count stand before those below the threshold, whoever names somebody."""
    results = [scored_hit(value, names=names) for value, names in ((0.2, ["GTC"]), (0.9, []), (0.7, []), (0.3, []), (0.8, []))]
    options = RankingOptions(threshold=0.5, max_results=1)
    _, hidden = arrange(results, options)
    assert [result.relevance_score for result in hidden] == [0.8, 0.7, 0.3, 0.2]
    reasons = [options.reason_hidden(result.relevance_score) for result in hidden]
    assert reasons == [HiddenReason.OVER_COUNT] * 2 + [HiddenReason.BELOW_THRESHOLD] * 2


def test_unscored_results_are_shown_in_the_order_found(hit):
    """What could not be scored cannot be held against the threshold."""
    results = [hit(title="first"), hit(title="second")]
    shown, hidden = arrange(results, RankingOptions(threshold=0.9))
    assert ([result.title for result in shown], hidden) == (["first", "second"], ())


def test_a_blog_with_many_results_keeps_no_other_site_out(scored_hit):
    """Three of a site stand in a row; then comes what is half as likely to answer from elsewhere, and no weaker one."""
    blog = [scored_hit(0.9 - 0.05 * place, url=f"https://blog.example/{place}") for place in range(6)]
    other, weak = scored_hit(0.5, url="https://news.example/1"), scored_hit(0.2, url="https://weak.example/1")
    shown, hidden = arrange([*blog, other, weak], RankingOptions(threshold=0.05, max_results=6))
    assert shown == (*blog[:3], other, *blog[3:5])
    assert hidden == (blog[5], weak)
    assert arrange([*blog, weak], RankingOptions(threshold=0.05, max_results=6))[0] == tuple(blog)
