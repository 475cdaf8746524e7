"""Naver: four kinds of results, dates filtered here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.providers.naver import NaverProvider
from search_core.settings import Settings
from tests.loopback.played import Answer, json_answer
from tests.loopback.services.naver import CLIENT_ID, SECRET
from tests.loopback.world import World, pages
from tests.search_core.providers.provider_calls import ask

NOON = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
"""Noon in Korea."""


def listed(*entries: dict[str, Any]) -> Answer:
    return json_answer({"lastBuildDate": "", "total": len(entries), "start": 1, "display": len(entries), "items": entries})


def entry(number: int, **fields: Any) -> dict[str, Any]:
    return {"title": f"글 {number}", "link": f"https://example.kr/{number}", "description": "본문", **fields}


def test_the_hub_is_asked_by_kind_with_the_keys_in_headers(world: World):
    """Each kind has a path of its own; the keys are in headers only."""
    ask(world, "naver", limit=7)
    sent = world.requests["naver"]
    assert {asked.path for asked in sent} == {"/search/v1/webkr", "/search/v1/encyc"}
    for asked in sent:
        assert (asked.headers["x-ncp-apigw-api-key-id"], asked.headers["x-ncp-apigw-api-key"]) == (CLIENT_ID, SECRET)
        assert asked.params == {"query": "메모리 대역폭", "display": "3" if "encyc" in asked.path else "7"}


def test_documents_and_encyclopedia_are_taken_in_turn(world: World, caplog: pytest.LogCaptureFixture):
    """At most three entries of the encyclopedia are between the documents; where one kind fails, the other counts."""
    world.play("naver", pages=pages(9))
    found = ask(world, "naver", limit=8)
    assert [result.source == "terms.naver.com" for result in found] == [False, True, False, True, False, True, False, False]
    assert [place for result in found for _, place in result.ranks] == [1, 2, 3, 4, 5, 6, 7, 8]
    world.play("naver", first=["500"])
    assert ask(world, "naver")
    assert "Naver did not answer for" in caplog.text


@pytest.mark.parametrize(("fresh", "display"), [(False, "5"), (True, "100")])
def test_news_are_asked_for_alone(world: World, fresh: bool, display: str):
    """As many as there can be are asked for where old ones are left out here."""
    ask(world, "naver", limit=5, news=True, fresh=fresh)
    (sent,) = world.requests["naver"]
    assert (sent.path.rpartition("/")[2], sent.params["sort"], sent.params["display"]) == ("news", "sim", display)


def test_news_are_those_of_the_press_with_their_time_in_korea(world: World):
    """The publisher's own address is preferred, Naver's copy replaces it when there is none, and +0900 stays."""
    copied = "https://n.news.naver.com/mnews/article/001/0000000001"
    first = entry(1, originallink="https://press.example/1", link=copied, pubDate="Fri, 20 Nov 2026 07:50:00 +0900")
    world.play("naver", answer=listed(first, entry(2, originallink="", link=copied, pubDate="no date")))
    found = ask(world, "naver", news=True)
    assert [(result.url, result.publish_date and result.publish_date.isoformat()) for result in found] == [
        ("https://press.example/1", "2026-11-20T07:50:00+09:00"),
        (copied, None),
    ]


def test_results_older_than_asked_for_are_left_out(world: World):
    """Naver has no choice of dates, so they are filtered here; without a readable date nothing is old."""
    dates = ("Sat, 21 Nov 2026 11:00:00 +0900", "Wed, 21 Oct 2026 13:00:00 +0900", "Tue, 20 Oct 2026 12:00:00 +0900", None)
    world.play("naver", answer=listed(*(entry(number, pubDate=written) for number, written in enumerate(dates))))
    for fresh, found in ((True, "013"), (False, "0123")):
        provider = NaverProvider(Settings(**world.settings()), now=lambda: NOON)
        assert "".join(result.url[-1] for result in ask(world, "naver", provider=provider, news=True, fresh=fresh)) == found


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("국내 <b>주식</b> &quot;전망&quot;", '국내 주식 "전망"'),
        ("&lt;b&gt;맥락&lt;/b&gt; A&amp;amp;B", "맥락 A&B"),
        ("&amp;quot;인용&amp;quot; 보도", '"인용" 보도'),
        ("&lt;속보&gt; 발표", "<속보> 발표"),
        ("AT&amp;T &lt;p&gt; 태그", "AT&T <p> 태그"),
    ],
)
def test_marks_go_and_text_stays(world: World, sent: str, shown: str):
    """Match marks are taken off whether they are tags or escaped tags; escaped text that is meant stays."""
    world.play("naver", answer=listed(entry(1, title=sent, description=sent)))
    found = ask(world, "naver")[0]
    assert (found.title, found.snippet) == (shown, shown)
