"""Replies of all providers become one list."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.result import SearchResult
from search_core.search.gathering.aggregate import ResultAggregator, add_behind, merge_wordings


def hit(url: str, title: str = "제목", snippet: str = "", **fields) -> SearchResult:
    return SearchResult(title=title, url=url, snippet=snippet, source=fields.pop("source", ""), **fields)


def reply(provider: str, *results: SearchResult, **fields) -> ProviderReply:
    return ProviderReply(provider=provider, results=results, **{"status": SearchStatus.SUCCESS, **fields})


def test_a_page_two_services_saw_comes_once_and_first():
    """A page seen by two services names both with its places, and outranks pages one service saw."""
    merged = ResultAggregator().aggregate(
        [
            reply("wikipedia", hit("https://a.kr/1", "하나"), hit("https://a.kr/2", "둘")),
            reply("duckduckgo", hit("https://b.kr/3", "셋"), hit("https://www.a.kr/2/?utm_source=x", "둘")),
        ]
    )
    assert [result.title for result in merged] == ["둘", "하나", "셋"]
    assert merged[0].providers == ("wikipedia", "duckduckgo")
    assert merged[0].ranks == (("wikipedia", 2), ("duckduckgo", 2))
    assert merged[0].prior == 1.0
    assert merged[1].prior == pytest.approx((1 / 61) / (2 / 62))


def test_the_best_of_every_sighting_is_kept():
    """The whole title, the fullest Korean snippet, the earliest date and the plain address are kept."""
    early, late = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 5, tzinfo=UTC)
    english, korean = "A long English text with many many different words here", "한국은행이 기준금리를 그대로 두었다."
    (merged,) = ResultAggregator().aggregate(
        [
            reply("one", hit("http://m.a.kr/1", "한국은행 기준금리 ...", english, publish_date=late)),
            reply("two", hit("https://a.kr/1", "한국은행 기준금리 동결 결정", korean, publish_date=early)),
            reply("three", hit("https://a.kr/1?utm_source=z", "a.kr", "짧다", source="a.kr")),
        ]
    )
    assert (merged.title, merged.snippet) == ("한국은행 기준금리 동결 결정", korean)
    assert (merged.url, merged.source, merged.language) == ("https://a.kr/1", "a.kr", "ko")
    assert merged.publish_date == early


def test_a_story_keeps_the_words_of_one_outlet():
    """Of two copies the fuller one stands with its own address and source; both services and the earliest date are kept."""
    early, late = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 2, tzinfo=UTC)
    title, text = "한국은행 기준금리 연 3% 동결 결정했다", "금통위는 만장일치로 동결을 결정했다고 밝혔다."
    shorter = hit("https://a.kr/1", f"{title} - 가나일보", "짧은 요약", source="a.kr", publish_date=early)
    fuller = hit("https://b.kr/9", f"[속보] {title}", text, source="b.kr", publish_date=late)
    (merged,) = ResultAggregator().aggregate([reply("one", shorter), reply("two", fuller)])
    assert (merged.url, merged.source) == ("https://b.kr/9", "b.kr")
    assert (merged.providers, merged.publish_date) == (("one", "two"), early)


def test_a_service_asked_twice_votes_once():
    """A page in two lists of one service counts with its better place alone."""
    merged = ResultAggregator().aggregate(
        [
            reply("one", hit("https://a.kr/1", "하나"), hit("https://a.kr/2", "둘"), query="좁은"),
            reply("one", hit("https://a.kr/3", "셋"), hit("https://a.kr/1", "하나"), query="넓은"),
        ]
    )
    by_title = {result.title: result for result in merged}
    assert by_title["하나"].ranks == (("one", 1),)
    assert by_title["하나"].prior == by_title["셋"].prior == 1.0


def test_several_wordings_at_one_service_are_one_reply():
    """Hits stand by their best place in any list, each address once; the reply is the query's unless only another one found."""
    query = reply("a", hit("https://x.kr/1"), hit("https://x.kr/2"), hit("https://x.kr/3"), query="HBM 발열")
    other = reply("a", hit("https://x.kr/9"), hit("https://www.x.kr/1?utm_source=b"), query="발열", cut=1)
    refused = reply("a", query="방열", status=SearchStatus.RATE_LIMITED)
    resting = reply("a", query="열", status=SearchStatus.COOLING_DOWN)
    nothing = reply("a", query="HBM 발열", status=SearchStatus.NO_RESULTS)
    merged = merge_wordings([query, other, refused, resting])
    assert [each.url.removeprefix("https://x.kr/") for each in merged.results] == ["1", "9", "2", "3"]
    assert (merged.query, merged.also, merged.status, merged.cut) == ("HBM 발열", ("발열", "방열"), SearchStatus.SUCCESS, 1)
    found = merge_wordings([nothing, other])
    assert (found.query, found.also, found.status) == ("발열", ("HBM 발열",), SearchStatus.SUCCESS)
    assert merge_wordings([replace(query, stale=True), nothing]).stale
    assert merge_wordings([nothing, refused]).status is SearchStatus.NO_RESULTS
    assert merge_wordings([refused, nothing]).status is SearchStatus.RATE_LIMITED
    assert merge_wordings([query]) is query


def test_a_source_is_taken_from_the_host():
    """A result without a source is named by its host, a document keeps its own; stale results count, failures give none."""
    documents = (hit("library:x.md", "둘", source="내 문서"), hit("library:y.md", "셋"))
    merged = ResultAggregator().aggregate([reply("one", hit("https://www.a.kr/1", "하나"), *documents, stale=True)])
    assert [result.source for result in merged] == ["a.kr", "내 문서", "library:y.md"]
    assert ResultAggregator().aggregate([ProviderReply(provider="one", status=SearchStatus.TIMEOUT)]) == ()


def test_what_comes_later_adds_neither_a_page_nor_a_story_twice():
    """A page in sight learns who else saw it, a copy of its story at another address adds nothing, and a new page is new."""
    snippet = "한빛연구소가 인공 광합성 촉매의 효율을 십구 퍼센트까지 올렸다고 밝혔다."
    first = hit("https://one.example.kr/1", "한빛연구소, 인공 광합성 촉매 효율 신기록", snippet)
    copy = hit("https://two.example.kr/2", "한빛연구소, 인공 광합성 촉매 효율 신기록", f"{snippet} 수명도 늘었다.")
    again = hit("https://four.example.kr/4", "수소 경제의 길", "수소를 싸게 만드는 길을 묻는다.")
    other = hit("https://three.example.kr/3", "바다를 건너는 철새들", "철새는 가을에 남쪽으로 난다.")
    replies = [reply("a", first, again), reply("b", replace(again, url="http://four.example.kr/4"), copy, other)]
    known = ResultAggregator().aggregate(replies[:1])
    updated, new = add_behind(known, ResultAggregator().aggregate(replies))
    assert {each.url: each.providers for each in updated} == {first.url: ("a",), again.url: ("a", "b")}
    assert [each.url for each in new] == [other.url]
