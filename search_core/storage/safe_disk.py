"""diskcache's serialization without what makes it dangerous.

diskcache 5.6.3 loads pickles from any row whose mode says so, through ``JSONDisk`` too, and reads and deletes whatever path a row
names (CVE-2025-69872, GHSA-w8v5-vhqr-4h9v). Here keys are strings, values compressed bytes in the row, and files do not occur.
"""

from __future__ import annotations

import sqlite3
import zlib
from typing import Any

import diskcache

MAX_STORED_BYTES = 1 << 20
"""Fifty long results take about 20 kB compressed; anything near a megabyte was not put there by us."""
MAX_TEXT_BYTES = 8 << 20
_RAW = 1


class RefusedRowError(ValueError):
    """Says that a row was not written by us, or is too large; it is not read."""


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
        if read or not isinstance(value, bytes) or len(value) > MAX_TEXT_BYTES:
            raise RefusedRowError("values are bytes of bounded length")
        packed = zlib.compress(value, 1)
        if len(packed) > MAX_STORED_BYTES:
            raise RefusedRowError("the value is too large to be kept")
        return 0, _RAW, None, sqlite3.Binary(packed)

    def fetch(self, mode: Any, filename: Any, value: Any, read: Any) -> bytes:
        """Return the bytes of a row; raises RefusedRowError for a pickle, a file, or too much."""
        if mode != _RAW or filename is not None or read or not isinstance(value, bytes) or len(value) > MAX_STORED_BYTES:
            raise RefusedRowError("the row is in a form that is never written")
        inflater = zlib.decompressobj()
        try:
            text = inflater.decompress(value, MAX_TEXT_BYTES)
        except zlib.error as error:
            raise RefusedRowError("the row is damaged") from error
        if not inflater.eof:
            raise RefusedRowError("the row is cut or expands beyond measure")
        return text

    def filename(self, key: Any = None, value: Any = None) -> tuple[str, str]:  # noqa: ARG002 - diskcache's signature
        """Raise RefusedRowError: values are never written to files."""
        raise RefusedRowError("values are never written to files")

    def remove(self, file_path: Any) -> None:
        """Do nothing: no row of ours names a file, so a named file is not ours to delete."""
