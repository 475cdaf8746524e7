"""Vectors of texts already embedded, in memory and on disk."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from search_core.recent import Recent
from search_core.storage.library_matrix import Vectors
from search_core.storage.sqlite_file import SqliteFile, transaction, write_ahead

T = TypeVar("T")
logger = logging.getLogger(__name__)

IN_MEMORY = 20_000
"""Vectors kept in memory: 30 MB at 384 dimensions."""
ON_DISK = 200_000
"""Vectors kept on disk, oldest out first: 300 MB at 384 dimensions."""
_LOCK_WAIT_S = 0.1
_REOPEN_AFTER_S = 5.0
_MAX_DIMENSIONS = 8192
_BATCH = 500
"""Keys asked for in one statement; SQLite admits 32,766 variables, older builds 999."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (place INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)"


class VectorCache:
    """Keeps vectors by model name and text in *directory*; what cannot be read or written counts as not stored."""

    def __init__(self, directory: Path | str, *, in_memory: int = IN_MEMORY, on_disk: int = ON_DISK) -> None:
        """Take a folder; nothing is opened yet."""
        self._on_disk = on_disk
        self._kept: Recent[bytes, Vectors] = Recent(in_memory)
        self._disk_lock = threading.Lock()
        self._file = SqliteFile(Path(directory) / "vectors.sqlite", _LOCK_WAIT_S, _set_up)
        self._retry_at = 0.0
        self._reported = False

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the kept vectors, ``(dim,)`` float32 each, by position in *texts*; all have the same length."""
        keys = [_key(model, text) for text in texts]
        found = {key: vector for key in keys if (vector := self._kept.get(key)) is not None}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing:
            read = self._run_guarded(lambda connection: _read(connection, missing)) or {}
            self._remember(read)
            found |= read
        vectors = {place: found[key] for place, key in enumerate(keys) if key in found}
        lengths = {len(vector) for vector in vectors.values()}
        return vectors if len(lengths) <= 1 else {}

    def put_many(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep row *i* of *vectors* for text *i*; raises ValueError when their counts differ."""
        rows = np.ascontiguousarray(vectors, dtype=np.float32)
        if len(rows) != len(texts):
            raise ValueError(f"{len(texts)} texts but {len(rows)} vectors")
        named = {_key(model, text): row.copy() for text, row in zip(texts, rows, strict=True)}
        self._remember(named)
        self._run_guarded(lambda connection: _write(connection, named, self._on_disk))

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        with self._disk_lock:
            self._file.close()

    def _remember(self, named: Mapping[bytes, Vectors]) -> None:
        for key, vector in named.items():
            vector.setflags(write=False)
            self._kept.put(key, vector)

    def _run_guarded(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Do *work* on the file; a broken file is replaced and the work tried once more, anything else gives None."""
        if not self._disk_lock.acquire(timeout=_LOCK_WAIT_S):
            return None
        try:
            if time.monotonic() < self._retry_at:
                return None
            return self._file.run(work)
        except (sqlite3.Error, OSError) as error:
            self._report(error)
            self._retry_at = time.monotonic() + _REOPEN_AFTER_S
            return None
        finally:
            self._disk_lock.release()

    def _report(self, error: Exception) -> None:
        if not self._reported:
            self._reported = True
            logger.warning("The vector cache counts as empty: %s: %s", type(error).__name__, error)


def _set_up(connection: sqlite3.Connection) -> None:
    write_ahead(connection, _LOCK_WAIT_S)
    connection.execute(_SCHEMA)


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(model.encode("utf-8", "replace") + b"\0" + text.encode("utf-8", "surrogatepass")).digest()


def _read(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
    found: dict[bytes, Vectors] = {}
    for start in range(0, len(keys), _BATCH):
        part = keys[start : start + _BATCH]
        marks = ",".join("?" * len(part))
        statement = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608 - question marks only
        for key, stored in connection.execute(statement, part):
            if isinstance(stored, bytes) and 0 < len(stored) <= 4 * _MAX_DIMENSIONS and len(stored) % 4 == 0:
                vector = np.frombuffer(stored, dtype="<f4").astype(np.float32)
                if np.isfinite(vector).all():
                    found[bytes(key)] = vector
    return found


def _write(connection: sqlite3.Connection, named: Mapping[bytes, Vectors], most: int) -> None:
    rows = [(key, vector.astype("<f4").tobytes()) for key, vector in named.items()]
    with transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)", rows)
        connection.execute("DELETE FROM vectors WHERE place <= (SELECT max(place) FROM vectors) - ?", (most,))
