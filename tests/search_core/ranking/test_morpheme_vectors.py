"""Vectors recovered from Kiwi's similarities."""

from __future__ import annotations

import numpy as np

from search_core.text.words import _shipped_space, measure_space


def test_the_space_that_ships_is_that_of_kiwi():
    """The shipped space gives the vectors that measuring Kiwi anew gives, for the version that is required."""
    shipped = _shipped_space()
    assert shipped is not None
    for given, measured in zip(shipped, measure_space(), strict=True):
        assert given.shape == measured.shape
        assert np.abs(given - measured).max() < 1e-4
