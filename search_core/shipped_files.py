"""Files that ship with the code and not within it: samples and fonts."""

from __future__ import annotations

from pathlib import Path

_CODE = Path(__file__).resolve().parent


def shipped_files(folder: str) -> Path:
    """Return where *folder* is: within the package where it is installed, beside it in a copy of the repository."""
    installed = _CODE / folder
    return installed if installed.is_dir() else _CODE.parent / folder
