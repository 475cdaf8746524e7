"""Embedders, stores and results as those of the ranking's tests, and a hub that has a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loopback.hub import ModelHub
from tests.loopback.tiny_model import tiny_model
from tests.search_core.ranking.conftest import hit, letters, now

__all__ = ["hit", "letters", "now"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the model of the hub is kept."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "hf" / "hub" / "models--maekrak--tiny"


@pytest.fixture
def hub(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelHub]:
    """A hub on loopback whose model is not on this machine."""
    with ModelHub(tiny_model()) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        yield served
