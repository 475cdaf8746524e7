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
