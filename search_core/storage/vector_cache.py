"""Vectors of texts already embedded, in memory and on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from search_core.recent import Recent
from search_core.storage.cache_file import CacheFile
from search_core.storage.library_vectors import Vectors

IN_MEMORY = 20_000
"""Vectors kept in memory: 30 MB at 384 dimensions."""
MAX_BYTES = 300 << 20
"""On disk: 200,000 vectors at 384 dimensions, oldest out first."""
_MAX_VECTOR_BYTES = 4 * 8192


class VectorCache:
    """Keeps vectors by model name and text in *directory*; what cannot be read or written counts as not stored."""

    def __init__(self, directory: Path | str, *, in_memory: int = IN_MEMORY, max_bytes: int = MAX_BYTES) -> None:
        """Take a folder; nothing is opened yet."""
        self._kept: Recent[bytes, Vectors] = Recent(in_memory)
        self._file = CacheFile(Path(directory) / "vectors.sqlite", max_bytes)

    def get_many(self, model: str, texts: Sequence[str]) -> Mapping[int, Vectors]:
        """Return the kept vectors, ``(dim,)`` float32 each, by position in *texts*; all have the same length."""
        keys = [_key(model, text) for text in texts]
        found = {key: vector for key in keys if (vector := self._kept.get(key)) is not None}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        stored = (self._file.get(missing, _MAX_VECTOR_BYTES) or {}) if missing else {}
        read = {key: vector for key, value in stored.items() if (vector := _vector_in(value)) is not None}
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
        self._file.put({key: vector.astype("<f4").tobytes() for key, vector in named.items()})

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        self._file.close()

    def _remember(self, named: Mapping[bytes, Vectors]) -> None:
        for key, vector in named.items():
            vector.setflags(write=False)
            self._kept.put(key, vector)


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(model.encode("utf-8", "replace") + b"\0" + text.encode("utf-8", "surrogatepass")).digest()


def _vector_in(stored: bytes) -> Vectors | None:
    if not stored or len(stored) % 4:
        return None
    vector = np.frombuffer(stored, dtype="<f4").astype(np.float32)
    return vector if np.isfinite(vector).all() else None
