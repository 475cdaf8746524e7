"""Ranking candidates for scripts."""

from __future__ import annotations

from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.filter import RelevanceFilter, rank_candidates

QUESTION = "메모리 대역폭은 왜 중요한가?"


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
