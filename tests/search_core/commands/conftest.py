"""Settings under which commands ask nobody, a document, and what stands in order in what they print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Settings = Callable[..., None]


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return what changes the settings of the commands that follow."""

    def change(**changes: Any) -> None:
        for name, value in changes.items():
            monkeypatch.setenv(name.upper(), str(value))

    return change


@pytest.fixture(autouse=True)
def _library_alone(settings: Settings):
    """Have commands ask an empty library alone, and score by words, where a test says nothing else."""
    settings(search_providers="library", library_samples="false", embedding_model="kiwi")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Return a folder of one document."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/soup.md").write_text("# 김치찌개\n\n김치찌개는 김치와 돼지고기를 넣고 끓인다.\n", encoding="utf-8")
    return tmp_path / "docs"


def in_order(printed: str, *texts: str) -> bool:
    """Return whether all *texts* stand in what was *printed*, one behind the other."""
    places = [printed.find(text) for text in texts]
    return -1 not in places and places == sorted(places)
