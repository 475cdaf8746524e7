"""The played world, as new for each test of the folder."""

from __future__ import annotations

import pytest

from tests.loopback.world import World


@pytest.fixture
def world(world: World) -> World:
    world.reset()
    return world
