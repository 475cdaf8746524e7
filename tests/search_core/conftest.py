"""Where an empty database is, of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Name an empty database of each kind."""
    if request.param == "sqlite":
        return tmp_path / "data" / "maekrak.sqlite"
    return request.getfixturevalue("postgresql").new_schema()
