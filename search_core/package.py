"""The version of Maekrak, equal to the one in ``pyproject.toml``, and the files that ship beside the code: samples and fonts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

VERSION: Final = "0.5.0"


_CODE = Path(__file__).resolve().parent


def shipped_files(folder: str) -> Path:
    """Return the path of *folder*: within the installed package, or beside the code in a repository."""
    installed = _CODE / folder
    return installed if installed.is_dir() else _CODE.parent / folder
