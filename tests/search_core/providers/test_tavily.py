"""Tavily: what is sent, what is read, and a parameter that some instances reject."""

from __future__ import annotations

from typing import Any

import pytest

from search_core.domain.reply import SearchStatus
from tests.loopback.played import json_answer
from tests.loopback.services.tavily import KEY, refused
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import ask, provider_of, refusal_of, sent

REJECTED = refused(400, "Unknown parameter: include_published_date")
REJECTED_AS_LIST = json_answer({"detail": [{"loc": ["body", "include_published_date"]}]}, 422)


def test_a_plain_question_is_one_post_with_the_key_in_a_header(world: World):
    """The key is the bearer of the request and stands nowhere else; Korean questions prefer Korea."""
    request = sent(world, "tavily")
    assert (request.method, request.path, request.params) == ("POST", "/search", {})
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json == {
        "query": "메모리 대역폭",
        "topic": "general",
        "search_depth": "basic",
        "max_results": 10,
        "include_published_date": True,
        "country": "south korea",
    }
    assert "country" not in sent(world, "tavily", language="en").json


def test_what_is_asked_for_is_passed_on_up_to_what_tavily_refuses(world: World):
    """News is a topic without a country; 400 characters are the most."""
    asked = {"news": True, "fresh": True, "limit": 50}
    body = sent(world, "tavily", query="가나다 " * 200, **asked).json
    assert (body["topic"], body["time_range"], body["search_depth"], body["max_results"]) == ("news", "month", "basic", 20)
    assert len(body["query"]) == 400
    assert "country" not in body


@pytest.mark.parametrize("rejection", [REJECTED, REJECTED_AS_LIST])
def test_a_rejected_parameter_for_dates_is_left_out_at_once_and_from_then_on(world: World, rejection: Any):
    """The question is asked again without it, once, and the next one does not try it; what is still rejected is unreadable."""
    world.play("tavily", first=[rejection])
    provider = provider_of("tavily", world.settings())
    assert [len(ask(world, "tavily", provider=provider)) for _ in range(2)] == [3, 3]
    assert ["include_published_date" in request.json for request in world.requests["tavily"]] == [True, False, False]
    world.play("tavily", first=[rejection, rejection])
    assert refusal_of(world, "tavily").status is SearchStatus.INVALID_RESPONSE
    assert len(world.requests["tavily"]) == 5
