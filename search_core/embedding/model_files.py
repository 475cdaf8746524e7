"""The files of a model on this machine, and what tells them from others under the same name."""

from __future__ import annotations

import hashlib
from pathlib import Path

_TAIL_BYTES = 1 << 16
"""Of each file: weights that were trained further differ there, and a gigabyte need not be read."""


def folder_of(model: str) -> Path | None:
    """Return the folder of a model, its own or that in the local Hugging Face cache; None where it is not on this machine."""
    if Path(model).is_dir():
        return Path(model)
    from huggingface_hub import try_to_load_from_cache

    try:
        found = try_to_load_from_cache(model, "config.json")
    except ValueError:
        return None  # not even the form of a model name
    return Path(found).parent if isinstance(found, str) else None


def version_of(files: Path) -> str:
    """Return a digest of the names, sizes and ends of a file, or of all in a folder; the same on every machine.

    Raises OSError.
    """
    digest = hashlib.sha256()
    for path in sorted(path for path in files.rglob("*") if path.is_file()) or [files]:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _TAIL_BYTES))
            digest.update(f"{path.name} {size}".encode("utf-8", "replace") + file.read())
    return digest.hexdigest()[:16]
