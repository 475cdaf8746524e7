"""One list of sources from several searches."""

from __future__ import annotations

from search_core.domain.research import ResearchSource
from search_core.domain.result import Moment
from search_core.research.sources import by_domain, domain_counts, merge_sources

from .report_material import result, source

STORY = "한빛전자가 새 메모리 공장을 충주에 짓기로 하고 내년 3월에 첫 삽을 뜬다고 밝혔다. 투자는 3조원이다."


def numbers_and_titles(sources: tuple[ResearchSource, ...]) -> list[tuple[int, str]]:
    return [(each.number, each.title) for each in sources]


def test_a_page_of_two_searches_stands_once():
    """One page under two addresses, or one story of two outlets, is one source with all that was found of it, the best first."""
    far, near = (Moment(start_s=at, text="여기서 말해요", similarity=alike) for at, alike in ((10, 0.4), (75, 0.9)))
    found = {
        1: [result("한빛전자 매출", "https://www.a.example/1?utm_source=x", relevance_score=0.4, moment=far)],
        2: [result("다른 글", "https://b.example/2", relevance_score=0.5)],
        3: [result("한빛전자 매출", "http://m.a.example/1", relevance_score=0.9, moment=near)],
    }
    merged = merge_sources(found)
    assert numbers_and_titles(merged) == [(1, "한빛전자 매출"), (2, "다른 글")]
    assert merged[0].subtasks == (1, 3)
    assert merged[0].relevance_score == 0.9
    assert merged[0].moment == near
    assert merged[0].domain == "a.example"
    assert merged[1].subtasks == (2,)
    assert merged[1].moment is None
    copies = {n: [result("한빛전자 충주에 새 공장 짓는다", f"https://{n}.example/1", snippet=STORY)] for n in (1, 2)}
    [only] = merge_sources(copies)
    assert only.subtasks == (1, 2)
    assert merge_sources({1: [], 2: []}) == ()


def test_the_list_is_sorted_by_relevance():
    """The most relevant source is number 1, whichever subtask found it; one without a score comes last."""
    found = {
        1: [result("둘째", "https://a.example/1", relevance_score=0.6), result("끝", "https://b.example/1")],
        2: [result("첫째", "https://c.example/1", relevance_score=0.7)],
    }
    assert numbers_and_titles(merge_sources(found)) == [(1, "첫째"), (2, "둘째"), (3, "끝")]


def test_sources_are_grouped_by_domain():
    """Groups are in the order of their best source, counts put the largest first."""
    sources = (source(1, "가", "", domain="a.example"), *(source(n, "나", "", domain="b.example") for n in (2, 3)))
    grouped = [(domain, [each.number for each in own]) for domain, own in by_domain(sources).items()]
    assert grouped == [("a.example", [1]), ("b.example", [2, 3])]
    assert list(domain_counts(sources).items()) == [("b.example", 2), ("a.example", 1)]
