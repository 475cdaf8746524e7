"""The vectors of the library's passages: which sections lack them, and which passages are nearest.

A section has its vectors in one row for each model, deleted with the section. Models differ by name and by the version of their
files, so a new version under the same name begins anew.

A vector is stored in a byte for each number, with the scale of its largest: 389 bytes at 384 dimensions. That changes a cosine
by half a thousandth, a tenth of the distance between neighbours. All are compared in memory: an index would save some hundredths
of a second at 50,000 passages, and miss some of the nearest.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.domain.result import SAMPLE_COLLECTION, SearchResult
from search_core.language.vectors import Vectors
from search_core.library.documents import (
    LibraryTransaction,
    document_of,
    library_result,
    read_sections,
    shown_passage,
    visible_collections,
)

Direction = tuple[Vectors, float]
"""A vector and an offset: inner product plus offset is a passage's nearness to a question, from 0 to 1."""

_LARGEST = 127
_AT_ONCE = 256
"""Vectors unpacked at a time: .4 MB at 384 dimensions, which a cache holds, and a product so small that no threads share it."""
_OFF_LENGTH = 0.05
"""A vector whose length differs from 1 by more is invalid."""
_MEANINGLESS = np.float32(-1.0)
"""Scale that marks an invalid vector, which is stored so that its passage is not embedded again, and never found."""
_ABOUT = np.dtype(
    [(name, "i8") for name in ("row", "section", "document")]
    + [("place", "i4"), ("scale", "f4"), ("collection", "i4"), ("korean", "?")],
    align=True,
)
_MODELS = "SELECT id FROM {models} WHERE name = :name AND probe = :version ORDER BY id DESC"
_INSERT_MODEL = "INSERT INTO {models} (name, stamp, probe, used) VALUES (:name, '', :version, '') RETURNING id"
_PENDING = (
    "SELECT s.id, d.title, s.passages FROM {sections} s JOIN {documents} d ON d.id = s.document_id WHERE s.id IN ("
    "SELECT s.id FROM {sections} s JOIN {documents} d ON d.id = s.document_id"
    " WHERE NOT EXISTS (SELECT 1 FROM {vectors} v WHERE v.section_id = s.id AND v.model_id = :model)"
    " AND (:samples OR d.collection != :sample) ORDER BY random() LIMIT :limit)"
)
"""Selects sections without vectors at random, so that several processes rarely embed the same ones."""
_SECTION = "SELECT d.title, s.passages FROM {sections} s JOIN {documents} d ON d.id = s.document_id WHERE s.id = :section"
_INSERT = (
    "INSERT INTO {vectors} (model_id, section_id, packed) VALUES (:model, :section, :packed)"
    " ON CONFLICT (section_id, model_id) DO NOTHING RETURNING id"
)
_COUNTS = (
    "SELECT count(*), count(v.id) FROM {sections} s JOIN {documents} d ON d.id = s.document_id"
    " LEFT JOIN {vectors} v ON v.section_id = s.id AND v.model_id = :model WHERE :samples OR d.collection != :sample"
)
_KEPT = "SELECT count(*) FROM {vectors} WHERE model_id = :model"
_IDS = "SELECT id FROM {vectors} WHERE model_id = :model"
_NEWER = (
    "SELECT v.id, v.section_id, s.document_id, d.collection, v.packed FROM {vectors} v JOIN {sections} s ON s.id = v.section_id"
    " JOIN {documents} d ON d.id = s.document_id WHERE v.model_id = :model AND v.id > :after ORDER BY v.id"
)


class VectorRow(NamedTuple):
    """The stored vectors of a section."""

    row_id: int
    section_id: int
    document_id: int
    collection: int
    """Number of its collection, in the order in which collections were first read."""
    packed: bytes


class NearPassage(NamedTuple):
    """A passage near a question: its section, and its index in the section."""

    section_id: int
    place: int


def pack_vectors(vectors: Vectors, are_korean: Sequence[bool]) -> bytes:
    """Return in stored form the *vectors* of a section's passages, with the passages' languages."""
    sound = np.abs(np.linalg.norm(vectors, axis=1) - 1.0) <= _OFF_LENGTH  # false for what is no number
    scales = np.abs(vectors[sound]).max(axis=1, keepdims=True) / _LARGEST
    packed = np.zeros(len(vectors), dtype=_packed(vectors.shape[1]))
    packed["korean"] = are_korean
    packed["scale"] = _MEANINGLESS
    packed["scale"][sound] = scales[:, 0]
    packed["values"][sound] = np.rint(vectors[sound] / scales)
    return packed.tobytes()


class Passages(NamedTuple):
    """Passages in memory: row *n* of both arrays describes passage *n*."""

    about: NDArray[np.void]
    """Columns: ids of ``row``, ``section`` and ``document``; ``place`` in the section; ``collection``, ``korean``, ``scale``."""
    values: NDArray[np.int8]


def unpack_rows(rows: Sequence[VectorRow], width: int) -> Passages:
    """Return the passages in *rows* with vectors of *width* numbers; raises ValueError for invalid rows."""
    size = _packed(width).itemsize
    if any(len(row.packed) % size for row in rows):
        raise ValueError("a row of vectors has another length")
    packed = np.frombuffer(b"".join(row.packed for row in rows), dtype=_packed(width))
    counts = np.array([len(row.packed) // size for row in rows], dtype=np.int64)
    ids = np.array([row[:-1] for row in rows], dtype=np.int64).reshape(-1, 4)
    about = np.empty(len(packed), dtype=_ABOUT)
    for name, values in zip(("row", "section", "document", "collection"), np.repeat(ids, counts, axis=0).T, strict=True):
        about[name] = values
    about["place"] = np.arange(len(packed)) - np.repeat(np.cumsum(counts) - counts, counts)
    about["korean"], about["scale"] = packed["korean"], packed["scale"]
    return Passages(about, np.ascontiguousarray(packed["values"]))


def nearest(
    passages: Passages, directions: Mapping[bool, Direction], limit: int, *, least: float, collections: Sequence[int]
) -> dict[bool, list[NearPassage]]:
    """Return the nearest Korean passages (True) and the nearest others (False), at most one of each document, nearest first.

    *directions* has the vector to compare Korean passages with (True), and the one for others (False). Returns at most *limit*
    of each kind, all from *collections* and at least as near as *least*.
    """
    nearness, about = _nearness(passages, directions), passages.about
    eligible = (nearness >= least) & np.isin(about["collection"], collections)
    ranked = {}
    for korean in (True, False):
        rows = np.flatnonzero(eligible & (about["korean"] == korean))
        order = rows[np.argsort(-nearness[rows], kind="stable")]
        _, firsts = np.unique(about["document"][order], return_index=True)
        best = about[order[np.sort(firsts)[:limit]]]
        ranked[korean] = list(map(NearPassage, best["section"].tolist(), best["place"].tolist()))
    return ranked


def _nearness(passages: Passages, directions: Mapping[bool, Direction]) -> Vectors:
    (korean, with_korean), (other, with_other) = directions[True], directions[False]
    towards = np.stack([korean, other], axis=1).astype(np.float32)
    is_korean = passages.about["korean"]
    nearness = np.empty(len(is_korean), dtype=np.float32)
    for start in range(0, len(is_korean), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        products = passages.values[part].astype(np.float32) @ towards
        nearness[part] = np.where(is_korean[part], products[:, 0], products[:, 1])
    return np.asarray(nearness * passages.about["scale"] + np.where(is_korean, with_korean, with_other), dtype=np.float32)


def _packed(width: int) -> np.dtype[np.void]:
    return np.dtype([("korean", "?"), ("scale", "<f4"), ("values", "i1", (width,))])


@dataclass(frozen=True, slots=True)
class VectorModel:
    """A model whose vectors the library stores."""

    model_id: int
    width: int
    """Dimensions of its vectors."""


@dataclass(frozen=True, slots=True)
class PendingSection:
    """A section whose passages must be embedded."""

    section_id: int
    title: str
    """Title of its document."""
    passages: tuple[str, ...]
    """Empty if the row in the database is damaged."""


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """The progress of embedding a library."""

    total: int | None = None
    """Number of sections; None until a model is ready and the sections were counted."""
    done: int = 0
    """Number of sections that have vectors."""
    problem: str = ""
    """Korean sentence why embedding has stopped; empty if it has not."""

    @property
    def complete(self) -> bool:
        """Return whether all sections have their vectors."""
        return self.total is not None and self.done >= self.total


class PassageVectors:
    """Stores vectors of passages and searches them; thread- and process-safe.

    All methods raise StorageError when the library cannot be read or written.
    """

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[LibraryTransaction]],
        writing: Callable[[], AbstractContextManager[LibraryTransaction]],
    ) -> None:
        self._reading = reading
        self._writing = writing
        self._refreshing = threading.Lock()
        self._model: VectorModel | None = None
        self._passages = unpack_rows([], 1)
        self._read: set[int] = set()
        self._collections: dict[str, int] = {}
        """The numbers of the collections whose passages were read."""

    def recognize_model(self, name: str, version: str, width: int) -> VectorModel:
        """Return the record of the model with that name and version, whose vectors have *width* numbers."""
        values = {"name": name, "version": version.encode()}
        with self._writing() as transaction:
            rows = transaction.execute(_MODELS, **values) or transaction.execute(_INSERT_MODEL, **values)
        return VectorModel(int(rows[0][0]), width)

    def pending(self, model: VectorModel, *, limit: int, samples: bool) -> list[PendingSection]:
        """Return any *limit* sections without vectors of *model*."""
        values = {"model": model.model_id, "limit": limit, "samples": samples, "sample": SAMPLE_COLLECTION}
        with self._reading() as transaction:
            rows = transaction.execute(_PENDING, **values)
        return [PendingSection(int(section), str(title), _passage_texts(passages)) for section, title, passages in rows]

    def insert(self, model: VectorModel, embedded: Sequence[tuple[PendingSection, Vectors, Sequence[bool]]]) -> int:
        """Insert the vectors of each section's passages, and whether each is Korean; return the number of new sections.

        Skips sections that have been deleted or replaced meanwhile.
        """
        with self._writing() as transaction:
            inserted = 0
            for section, vectors, are_korean in embedded:
                rows = transaction.execute(_SECTION, section=section.section_id)
                stored = [(str(title), _passage_texts(passages)) for title, passages in rows]
                if stored == [(section.title, section.passages)]:  # SQLite reuses numbers of deleted rows
                    values = {"model": model.model_id, "section": section.section_id, "packed": pack_vectors(vectors, are_korean)}
                    inserted += len(transaction.execute(_INSERT, **values))
        return inserted

    def progress(self, model: VectorModel, *, samples: bool) -> EmbeddingProgress:
        """Return the number of all sections, and the number of those with vectors of *model*."""
        with self._reading() as transaction:
            ((total, done),) = transaction.execute(_COUNTS, model=model.model_id, samples=samples, sample=SAMPLE_COLLECTION)
        return EmbeddingProgress(int(total), int(done))

    def load(self, model: VectorModel) -> None:
        """Read into memory the vectors of *model* stored since the last call."""
        with self._reading() as transaction:
            self._refreshed(transaction, model)

    def search(
        self, model: VectorModel, directions: Mapping[bool, Direction], limit: int, *, least: float, samples: bool
    ) -> dict[bool, list[SearchResult]]:
        """Return the best documents by their nearest Korean passage (True), and by their nearest other one.

        Each has that passage as snippet. *directions*, *limit* and *least* are as in ``nearest``.
        """
        with self._reading() as transaction:
            passages = self._refreshed(transaction, model)
            collections = [
                self._collections[name] for name in visible_collections(samples=samples).values() if name in self._collections
            ]
            near = nearest(passages, directions, limit, least=least, collections=collections)
            rows = read_sections(transaction, {passage.section_id for passages in near.values() for passage in passages})
        return {korean: _results(passages, rows) for korean, passages in near.items()}

    def _refreshed(self, transaction: LibraryTransaction, model: VectorModel) -> Passages:
        """Return the current vectors of *model*, reading only new rows: their ids only grow, as one process writes at a time."""
        with self._refreshing:
            if self._model != model:
                self._model, self._passages, self._read = model, unpack_rows([], model.width), set()
            newer = transaction.execute(_NEWER, model=model.model_id, after=max(self._read, default=0))
            rows = [
                VectorRow(row_id, section, document, self._collections.setdefault(name, len(self._collections)), bytes(packed))
                for row_id, section, document, name, packed in newer
            ]
            if rows:
                added = unpack_rows(rows, model.width)
                about = np.concatenate((self._passages.about, added.about))
                self._passages = Passages(about, np.concatenate((self._passages.values, added.values)))
            self._read.update(row.row_id for row in rows)
            ((stored,),) = transaction.execute(_KEPT, model=model.model_id)
            if stored != len(self._read):
                deleted = self._read - {int(row_id) for (row_id,) in transaction.execute(_IDS, model=model.model_id)}
                rest = ~np.isin(self._passages.about["row"], np.fromiter(deleted, dtype=np.int64, count=len(deleted)))
                self._passages = Passages(self._passages.about[rest], self._passages.values[rest])
                self._read -= deleted
            return self._passages


def _results(near: Sequence[NearPassage], rows: Mapping[int, Sequence[Any]]) -> list[SearchResult]:
    """Return the documents of the passages *near*, each once; *rows* are their sections."""
    results: dict[str, SearchResult] = {}
    for section_id, place in near:
        if section_id in rows:
            *document, collection, stored = rows[section_id]
            texts = _passage_texts(stored)
            if place < len(texts):
                result = library_result(document_of(document), shown_passage(texts, place), collection)
                results.setdefault(result.url, result)
    return list(results.values())


def _passage_texts(stored: Any) -> tuple[str, ...]:
    """Return the passages of a section; none if the row is damaged."""
    try:
        passages = json.loads(stored) if isinstance(stored, str) else stored  # PostgreSQL's driver has parsed it already
        return tuple(str(entry["text"]) for entry in passages)
    except (ValueError, KeyError, TypeError):
        return ()
