"""Tavily: what is sent, what is read, and a parameter that some instances reject."""

from __future__ import annotations

import json
from typing import Any

import pytest

from search_core.domain import SearchStatus
from tests.loopback.services.tavily import KEY, refused
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import ask, provider_of, refusal_of

JSON = {"content-type": "application/json"}
REJECTED = refused(400, "Unknown parameter: include_published_date")


def results(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"answer": (200, JSON, json.dumps({"results": entries, "response_time": "0.5"}).encode())}


def sent(world: World) -> dict[str, Any]:
    """Return the body of the last request."""
    return world.requests["tavily"][-1].json


def test_a_plain_question_is_one_post_with_the_key_in_a_header(world: World):
    """The key is the bearer of the request and stands nowhere else; Korean questions prefer Korea."""
    ask(world, "tavily", "메모리 대역폭")
    (request,) = world.requests["tavily"]
    assert (request.method, request.path, request.params) == ("POST", "/search", {})
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert KEY.encode() not in request.body
    assert "x-tavily-access-mode" not in request.headers
    assert request.json == {
        "query": "메모리 대역폭",
        "topic": "general",
        "search_depth": "basic",
        "max_results": 10,
        "include_published_date": True,
        "country": "south korea",
    }


def test_news_freshness_domains_and_depth_are_passed_on(world: World):
    """News is a topic of its own, which takes no country; domains and the age of pages are Tavily's own parameters."""
    ask(
        world,
        "tavily",
        settings={"tavily_search_depth": "advanced"},
        news=True,
        freshness="week",
        include_domains=("example.kr", "example.org"),
        exclude_domains=("spam.example",),
        limit=50,
    )
    body = sent(world)
    assert (body["topic"], body["time_range"], body["search_depth"], body["max_results"]) == ("news", "week", "advanced", 20)
    assert (body["include_domains"], body["exclude_domains"]) == (["example.kr", "example.org"], ["spam.example"])
    assert "country" not in body
    ask(world, "tavily", language="en")
    assert "country" not in sent(world)


def test_what_tavily_would_refuse_is_cut(world: World):
    """At most 400 characters, 300 domains to keep to and 150 to leave out are sent."""
    many = tuple(f"site{number}.example" for number in range(400))
    ask(world, "tavily", "가나다 " * 200, include_domains=many, exclude_domains=many)
    body = sent(world)
    assert (len(body["query"]), len(body["include_domains"]), len(body["exclude_domains"])) == (400, 300, 150)


def test_results_keep_their_order_and_dates_and_not_tavilys_score(world: World):
    """Dates in the manner of e-mail are read, with their zone; a date that is none is left out; the order is Tavily's."""
    world.play(
        "tavily",
        **results(
            {
                "title": "하나 &amp; 둘",
                "url": "https://www.example.kr/a",
                "content": "조각 하나 [...] 조각 둘",
                "score": 0.1,
                "published_date": "Tue, 11 Aug 2026 17:00:00 GMT",
            },
            {"title": "Second", "url": "https://example.org/b", "content": "x", "score": 0.9, "published_date": "soon"},
            {"title": "Third", "url": "https://example.org/c", "content": None, "published_date": None},
        ),
    )
    found = ask(world, "tavily")
    assert [(r.title, r.source, r.snippet, r.relevance_score) for r in found] == [
        ("하나 & 둘", "example.kr", "조각 하나 [...] 조각 둘", None),
        ("Second", "example.org", "x", None),
        ("Third", "example.org", "", None),
    ]
    assert [r.publish_date and r.publish_date.isoformat() for r in found] == ["2026-08-11T17:00:00+00:00", None, None]


@pytest.mark.parametrize("rejection", [REJECTED, (422, JSON, b'{"detail": [{"loc": ["body", "include_published_date"]}]}')])
def test_a_rejected_parameter_for_dates_is_left_out_at_once_and_from_then_on(world: World, rejection: Any):
    """The question is asked again without it, once, and the next question does not try it."""
    world.play("tavily", first=[rejection])

    provider = provider_of("tavily", world.settings())
    assert [len(ask(world, "tavily", provider=provider)) for _ in range(2)] == [3, 3]
    assert ["include_published_date" in request.json for request in world.requests["tavily"]] == [True, False, False]


def test_a_parameter_that_stays_rejected_is_not_asked_for_ever(world: World):
    """A service that says the same without the parameter cannot be read."""
    world.play("tavily", first=[REJECTED, REJECTED])
    assert refusal_of(world, "tavily").status is SearchStatus.INVALID_RESPONSE
    assert world.times_asked("tavily") == 2
