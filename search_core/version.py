"""The version of Maekrak, equal to the one in ``pyproject.toml``."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.4.0"
