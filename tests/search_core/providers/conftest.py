"""The played world, for each test anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with World() as played:
        yield played
