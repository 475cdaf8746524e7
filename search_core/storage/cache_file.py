"""Caches in one table of a SQLite file, limited in size and age."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import orjson

from search_core.language.vectors import Vectors
from search_core.storage.sqlite_file import FileFault, SqliteFile, fault_of

T = TypeVar("T")
logger = logging.getLogger(__name__)

_LOCK_WAIT_S = 0.1
_REOPEN_AFTER_S = 5.0
"""Seconds until a folder that could not be used is tried again."""
_BATCH = 500
"""Keys asked for in one statement; SQLite admits 32,766 variables, older builds 999."""
_LEAST_REMOVED = 10
MAX_VECTORS_BYTES = 300 << 20
"""Bytes on disk for vectors, some 200,000 of 384 dimensions; the oldest are deleted first."""
_MAX_VECTOR_BYTES = 4 * 8192
_SIZES = ("page_count", "freelist_count", "page_size")
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS entries (
  place INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, expires REAL, value BLOB NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires)",
    "DROP TABLE IF EXISTS Cache",  # of versions up to 0.4.0: answers
    "DROP TABLE IF EXISTS vectors",  # of the same versions
)


class CacheFile:
    """A key-value cache in a file, for many threads and processes; a broken file counts as empty.

    Each kind of trouble is logged once, with the name of the file.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self._name = path.name
        self._max_bytes = max_bytes
        self._file = SqliteFile(path, _SCHEMA, lock_wait_s=_LOCK_WAIT_S)
        self._retry_at = 0.0
        self._reported: set[str] = set()

    def read(self, keys: Sequence[bytes], max_value_bytes: int) -> dict[bytes, bytes]:
        """Return the values stored under *keys*, except overlarge ones."""
        nothing: dict[bytes, bytes] = {}
        return self._try(lambda connection: _read(connection, keys, max_value_bytes), nothing)

    def read_json(self, key: bytes, max_value_bytes: int) -> Any:
        """Return the JSON stored under *key*, or None if it is missing or no JSON."""
        record = self.read([key], max_value_bytes).get(key)
        try:
            return None if record is None else orjson.loads(record)
        except ValueError as error:
            logger.warning("An entry of the cache %s cannot be read: %s", self._name, type(error).__name__)
            return None

    def write(self, values: Mapping[bytes, bytes], lasts_s: float | None = None) -> bool:
        """Store *values* under their keys for at most *lasts_s* seconds, dropping the oldest; return whether that worked."""
        return self._try(lambda connection: _write(connection, values, lasts_s, self._max_bytes), False)

    def close(self) -> None:
        """Close the file; it reopens on use."""
        self._file.close()

    def _report(self, trouble: str) -> None:
        if trouble not in self._reported:
            self._reported.add(trouble)
            logger.warning("The cache %s counts as empty: %s", self._name, trouble)

    def _try(self, work: Callable[[sqlite3.Connection], T], unusable: T) -> T:
        """Return the result of *work*, or *unusable* if the file cannot be used or is locked."""
        if time.monotonic() < self._retry_at:
            return unusable
        try:
            return self._file.run(work)
        except (sqlite3.Error, OSError) as error:
            fault = fault_of(error)
            if fault is FileFault.LOCKED:
                self._report("the file is locked")
                return unusable
            remedy = "; it can be deleted, what it holds is found anew" if fault is FileFault.BROKEN else ""
            self._report(f"{type(error).__name__}: {error}{remedy}")
            self._retry_at = time.monotonic() + _REOPEN_AFTER_S
            return unusable


def _read(connection: sqlite3.Connection, keys: Sequence[bytes], max_value_bytes: int) -> dict[bytes, bytes]:
    values: dict[bytes, bytes] = {}
    for start in range(0, len(keys), _BATCH):
        part = keys[start : start + _BATCH]
        marks = ",".join("?" * len(part))
        rows = connection.execute(
            f"SELECT key, value FROM entries WHERE key IN ({marks}) AND typeof(value) = 'blob' AND length(value) <= ?"  # noqa: S608
            " AND (expires IS NULL OR expires > ?)",
            (*part, max_value_bytes, time.time()),
        )
        values.update((bytes(key), bytes(value)) for key, value in rows)
    return values


def _write(connection: sqlite3.Connection, values: Mapping[bytes, bytes], lasts_s: float | None, max_bytes: int) -> bool:
    now = time.time()
    expires = None if lasts_s is None else now + lasts_s
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        insertion = "INSERT OR REPLACE INTO entries (key, expires, value) VALUES (?, ?, ?)"
        connection.executemany(insertion, [(key, expires, value) for key, value in values.items()])
        connection.execute("DELETE FROM entries WHERE expires <= ?", (now,))
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
        if (pages - free) * size > max_bytes:
            oldest = "SELECT place FROM entries ORDER BY place LIMIT ?"
            connection.execute(f"DELETE FROM entries WHERE place IN ({oldest})", (max(_LEAST_REMOVED, 2 * len(values)),))  # noqa: S608
    return True


class VectorCache(CacheFile):
    """Stores vectors by model name and text in *directory*; unreadable or unwritable ones count as missing."""

    def __init__(self, directory: Path | str, *, max_bytes: int = MAX_VECTORS_BYTES) -> None:
        super().__init__(Path(directory) / "vectors.sqlite", max_bytes)

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the stored vectors, ``(dim,)`` float32 each, by position in *texts*; all have the same length."""
        keys = [_vector_key(model, text) for text in texts]
        stored = self.read(list(dict.fromkeys(keys)), _MAX_VECTOR_BYTES)
        by_key = {key: vector for key, value in stored.items() if (vector := _vector_in(value)) is not None}
        vectors = {place: by_key[key] for place, key in enumerate(keys) if key in by_key}
        lengths = {len(vector) for vector in vectors.values()}
        return vectors if len(lengths) <= 1 else {}

    def put_many(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep row *i* of *vectors* for text *i*; raises ValueError when their counts differ."""
        rows = np.ascontiguousarray(vectors, dtype="<f4")
        if len(rows) != len(texts):
            raise ValueError(f"{len(texts)} texts but {len(rows)} vectors")
        keys = (_vector_key(model, text) for text in texts)
        self.write({key: row.tobytes() for key, row in zip(keys, rows, strict=True)})


def _vector_key(model: str, text: str) -> bytes:
    return hashlib.sha256(model.encode("utf-8", "replace") + b"\0" + text.encode("utf-8", "surrogatepass")).digest()


def _vector_in(stored: bytes) -> Vectors | None:
    if not stored or len(stored) % 4:
        return None
    vector = np.frombuffer(stored, dtype="<f4").astype(np.float32)
    return vector if np.isfinite(vector).all() else None
