"""Which results an answer rests on."""

from __future__ import annotations

from search_core.answers.web_answer import Evidence
from search_core.domain import ConstructedQuery, Question, SearchOptions, SearchReport
from tests.search_core.scripted import result


def test_the_score_alone_decides_what_an_answer_rests_on():
    """Results that name somebody of the video stand first in the list; who answers best is asked first all the same."""
    named = [
        result(f"현대차 소식 {number}", url=f"https://a.example/{number}", relevance_score=0.5, entity_matches=("현대차",))
        for number in range(3)
    ]
    best = result("LG에너지솔루션 3분기 영업이익", url="https://b.example/", relevance_score=0.75)
    report = SearchReport(
        question=Question(text="LG에너지솔루션 영업이익은?"),
        options=SearchOptions(),
        intent=None,
        constructed=ConstructedQuery(text="영업이익", parts=()),
        replies=(),
        results=(*named, best),
        hidden=(),
        scorer="kiwi",
    )
    assert [each.url for each in Evidence.of(report, at_most=3).results] == [
        "https://b.example/",
        "https://a.example/0",
        "https://a.example/1",
    ]
