"""diskcache's serialization without what makes it dangerous.

diskcache 5.6.3 loads pickles from any row whose mode says so, through ``JSONDisk`` too, and reads and deletes whatever path a row
names (CVE-2025-69872, GHSA-w8v5-vhqr-4h9v). Here keys are strings, values compressed bytes in the row, and files do not occur.
"""

from __future__ import annotations

import sqlite3
from typing import Any

import diskcache

from search_core.storage.kept_row import RefusedRowError, compress, expand

_RAW = 1


class SafeDisk(diskcache.Disk):  # type: ignore[misc] # diskcache has no types
    """Reads and writes zlib-compressed bytes inside the row only: no pickle, no file, neither for keys nor for values."""

    def put(self, key: Any) -> tuple[str, bool]:
        """Return the database key of *key*, a string."""
        if not isinstance(key, str):
            raise RefusedRowError("keys are strings")
        return key, True

    def get(self, key: Any, raw: Any) -> str:
        """Return the key of a row; raises RefusedRowError for a pickled one."""
        if not raw or not isinstance(key, str):
            raise RefusedRowError("the key is not a plain string")
        return key

    def store(self, value: Any, read: bool, key: Any = None) -> tuple[int, int, None, sqlite3.Binary]:  # noqa: ARG002 - diskcache's signature
        """Return the columns (size, mode, filename, value) of *value*, bytes."""
        if read or not isinstance(value, bytes):
            raise RefusedRowError("values are bytes")
        return 0, _RAW, None, sqlite3.Binary(compress(value))

    def fetch(self, mode: Any, filename: Any, value: Any, read: Any) -> bytes:
        """Return the bytes of a row; raises RefusedRowError for a pickle, a file, or too much."""
        if mode != _RAW or filename is not None or read or not isinstance(value, bytes):
            raise RefusedRowError("the row is in a form that is never written")
        return expand(value)

    def filename(self, key: Any = None, value: Any = None) -> tuple[str, str]:  # noqa: ARG002 - diskcache's signature
        """Raise RefusedRowError: values are never written to files."""
        raise RefusedRowError("values are never written to files")

    def remove(self, file_path: Any) -> None:
        """Do nothing: no row of ours names a file, so a named file is not ours to delete."""
