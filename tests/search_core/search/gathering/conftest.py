"""A clock for each test."""

from __future__ import annotations

import pytest

from tests.search_core.search.gathering.scripted_providers import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()
