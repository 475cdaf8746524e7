"""One played world for all tests of the folder, as new for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.world import World


@pytest.fixture(scope="session")
def started_world() -> Iterator[World]:
    with World() as played:
        yield played


@pytest.fixture
def world(started_world: World) -> World:
    started_world.reset()
    return started_world


@pytest.fixture(autouse=True)
def _second_tries_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search_core.providers.kit.http.RETRY_SPREAD_S", 0.01)
