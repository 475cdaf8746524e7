"""Embedders, stores and results as those of the ranking's tests."""

from __future__ import annotations

from tests.search_core.ranking.conftest import hit, letters, now

__all__ = ["hit", "letters", "now"]
