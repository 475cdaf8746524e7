"""The played world itself: what it keeps, and that it cannot be told nonsense."""

from __future__ import annotations

import httpx
import pytest

from search_core.settings import Settings
from tests.loopback.world import PLAYED, SERVICES, World


def test_requests_are_kept_as_they_were_sent():
    """Method, path, parameters, headers and body of GET and POST can be looked at afterwards."""
    with World() as world, httpx.Client(base_url=f"{world.base_url}/searxng", trust_env=False) as client:
        client.get("/search", params={"q": "가 나", "empty": ""}, headers={"X-Thing": "1"})
        client.post("/other", json={"a": [1]})
    got, posted = world.requests["searxng"]
    assert (got.method, got.path, got.params, got.headers["x-thing"]) == ("GET", "/search", {"q": "가 나", "empty": ""}, "1")
    assert (posted.method, posted.path, posted.json) == ("POST", "/other", {"a": [1]})
    assert world.asked == [("searxng", "가 나"), ("searxng", "")]


def test_a_failure_that_cannot_be_played_is_refused():
    """A misspelt failure, or one the service has no answer for, would be a healthy service; it is an error instead."""
    with World() as world:
        with pytest.raises(ValueError, match="timeot"):
            world.play("searxng", failure="timeot")
        with pytest.raises(ValueError, match="bad-key"):
            world.play("wikipedia", first=["bad-key"])
        world.play("wikipedia", first=["500"], failure="hang")


@pytest.mark.parametrize("service", SERVICES)
def test_planted_keys_are_found_by_searching(service: str):
    """Every planted key is long, says what it is, and is what the settings hold."""
    planted = PLAYED[service].settings("http://127.0.0.1:1")
    Settings(**planted)
    for key in PLAYED[service].keys:
        assert len(key) >= 24
        assert "CANARY" in key
        assert key in planted.values()
    assert sum("CANARY" in str(value) for value in planted.values()) == len(PLAYED[service].keys)


def test_no_two_services_share_a_key():
    """A key that turns up somewhere tells whose it is."""
    keys = [key for service in PLAYED.values() for key in service.keys]
    assert len(keys) == len(set(keys))
