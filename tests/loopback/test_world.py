"""The played world itself: its keys can be found, and it cannot be asked for a failure that it does not play."""

from __future__ import annotations

import pytest

from search_core.settings import Settings
from tests.loopback.world import PLAYED, World


def test_a_failure_that_cannot_be_played_is_refused():
    """A misspelt failure, or one the service has no answer for, would be a healthy service; it is an error instead."""
    with World() as world:
        with pytest.raises(ValueError, match="timeot"):
            world.play("searxng", failure="timeot")
        with pytest.raises(ValueError, match="bad-key"):
            world.play("wikipedia", first=["bad-key"])
        world.play("wikipedia", first=["500"], failure="hang")


def test_planted_keys_are_found_by_searching():
    """Every planted key is long, says what it is, is what the settings hold, and belongs to one service."""
    keys: list[str] = []
    for service in PLAYED.values():
        planted = service.settings("http://127.0.0.1:1")
        Settings(**planted)
        assert all(len(key) >= 24 and "CANARY" in key and key in planted.values() for key in service.keys)
        assert sum("CANARY" in str(value) for value in planted.values()) == len(service.keys)
        keys += service.keys
    assert len(keys) == len(set(keys))
