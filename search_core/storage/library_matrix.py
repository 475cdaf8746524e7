"""The passages of the library as vectors in memory, and the search for those nearest to a question.

A vector is stored in a byte for each number, with the scale of its largest: 389 bytes at 384 dimensions. That moves a cosine by
half a thousandth, a tenth of what is between neighbours. All are compared: an index over them would save some hundredths of
a second at 50,000 passages, and lose some of the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Direction = tuple[Vectors, float]
"""A vector and a number: the inner product with the one, plus the other, is how near a passage is to a question, from 0 to 1."""

_LARGEST = 127
_AT_ONCE = 256
"""Vectors unpacked at a time: .4 MB at 384 dimensions, which a cache holds, and a product so small that no threads share it."""
_OFF_LENGTH = 0.05
"""A vector has length 1; one that is further off was not written like that."""
_MEANINGLESS = np.float32(-1.0)
"""The scale of a passage whose vector has another length: it is stored, for it would come out the same again, and never found."""


class VectorRow(NamedTuple):
    """The vectors of a section as they are stored."""

    row_id: int
    section_id: int
    document_id: int
    sample: bool
    packed: bytes


class NearPassage(NamedTuple):
    """A passage near a question: the section it is in, and which of its passages it is."""

    section_id: int
    place: int


def pack_vectors(vectors: Vectors, are_korean: Sequence[bool]) -> bytes:
    """Return *vectors*, a row for each passage of a section, as they are stored, with which of the passages are Korean."""
    sound = np.abs(np.linalg.norm(vectors, axis=1) - 1.0) <= _OFF_LENGTH  # false for what is no number
    scales = np.abs(vectors[sound]).max(axis=1, keepdims=True) / _LARGEST
    packed = np.zeros(len(vectors), dtype=_record(vectors.shape[1]))
    packed["korean"] = are_korean
    packed["scale"] = _MEANINGLESS
    packed["scale"][sound] = scales[:, 0]
    packed["values"][sound] = np.rint(vectors[sound] / scales)
    return packed.tobytes()


@dataclass(frozen=True, slots=True)
class PassageMatrix:
    """The vectors of all passages, one row each in every field."""

    row_ids: NDArray[np.int64]
    """Of the rows they were read from; several passages share one."""
    section_ids: NDArray[np.int64]
    document_ids: NDArray[np.int64]
    places: NDArray[np.int32]
    samples: NDArray[np.bool_]
    korean: NDArray[np.bool_]
    scales: Vectors
    values: NDArray[np.int8]

    @classmethod
    def empty(cls, width: int) -> Self:
        """Return the vectors of no passages, *width* numbers long."""
        return cls.of_rows([], width)[0]

    @classmethod
    def of_rows(cls, rows: Sequence[VectorRow], width: int) -> tuple[Self, list[int]]:
        """Return the vectors of *rows*, and the rows that were not written like that."""
        record, damaged, sound = _record(width), [], []
        for row in rows:
            if row.packed and len(row.packed) % record.itemsize == 0:
                sound.append(row)
            else:
                damaged.append(row.row_id)
        packed = np.frombuffer(b"".join(row.packed for row in sound), dtype=record)
        counts = [len(row.packed) // record.itemsize for row in sound]
        read = cls(
            row_ids=np.repeat(np.array([row.row_id for row in sound], dtype=np.int64), counts),
            section_ids=np.repeat(np.array([row.section_id for row in sound], dtype=np.int64), counts),
            document_ids=np.repeat(np.array([row.document_id for row in sound], dtype=np.int64), counts),
            places=np.concatenate([np.arange(count, dtype=np.int32) for count in counts] or [np.empty(0, dtype=np.int32)]),
            samples=np.repeat(np.array([row.sample for row in sound], dtype=np.bool_), counts),
            korean=packed["korean"].astype(np.bool_),
            scales=np.ascontiguousarray(packed["scale"]),
            values=np.ascontiguousarray(packed["values"]),
        )
        off = np.unique(read.row_ids[~read._of_length_one()])
        return read.without(off), [*damaged, *map(int, off)]

    def __len__(self) -> int:
        """Return how many passages there are."""
        return len(self.row_ids)

    @property
    def bytes_used(self) -> int:
        """Return how much memory the vectors take."""
        return sum(getattr(self, field.name).nbytes for field in fields(self))

    def joined(self, other: Self) -> Self:
        """Return these vectors and those of *other*."""
        if not len(other):
            return self
        return type(self)(*(np.concatenate([getattr(self, each.name), getattr(other, each.name)]) for each in fields(self)))

    def without(self, row_ids: NDArray[np.int64]) -> Self:
        """Return these vectors without those of *row_ids*."""
        return self.kept(~np.isin(self.row_ids, row_ids)) if len(row_ids) else self

    def kept(self, wanted: NDArray[np.bool_]) -> Self:
        """Return the vectors that are *wanted*."""
        return type(self)(*(getattr(self, each.name)[wanted] for each in fields(self)))

    def nearest(
        self, directions: Mapping[bool, Direction], limit: int, *, least: float, samples: bool
    ) -> dict[bool, list[NearPassage]]:
        """Return the nearest Korean passages (True) and the nearest others, one of each document, nearest first.

        *directions* are those for Korean passages and for others. At most *limit* of each are returned, none less near than
        *least*, and none of documents that ship with the app unless *samples*.
        """
        near = self._nearness(directions)
        wanted = (near >= least) if samples else (near >= least) & ~self.samples
        return {korean: self._best(near, np.flatnonzero(wanted & (self.korean == korean)), limit) for korean in (True, False)}

    def _best(self, near: Vectors, rows: NDArray[np.intp], limit: int) -> list[NearPassage]:
        order = rows[np.argsort(-near[rows], kind="stable")]
        _, firsts = np.unique(self.document_ids[order], return_index=True)
        return [NearPassage(int(self.section_ids[row]), int(self.places[row])) for row in order[np.sort(firsts)[:limit]]]

    def _nearness(self, directions: Mapping[bool, Direction]) -> Vectors:
        korean, other = directions[True], directions[False]
        towards = np.stack([korean[0], other[0]], axis=1).astype(np.float32)
        near = np.empty(len(self), dtype=np.float32)
        for start in range(0, len(self), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            products = self.values[part].astype(np.float32) @ towards
            near[part] = np.where(self.korean[part], products[:, 0], products[:, 1])
        return np.asarray(near * self.scales + np.where(self.korean, korean[1], other[1]), dtype=np.float32)

    def _of_length_one(self) -> NDArray[np.bool_]:
        sound = np.empty(len(self), dtype=np.bool_)
        for start in range(0, len(self), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            lengths = np.linalg.norm(self.values[part].astype(np.float32), axis=1) * self.scales[part]
            sound[part] = np.abs(lengths - 1.0) <= _OFF_LENGTH  # false for what is no number
        sound[self.scales == _MEANINGLESS] = True
        return sound


def _record(width: int) -> np.dtype[np.void]:
    return np.dtype([("korean", "?"), ("scale", "<f4"), ("values", "i1", (width,))])
