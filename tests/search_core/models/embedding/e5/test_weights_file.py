"""The file of the weights, small ones made by hand and damaged ones."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from search_core.errors import WeightsError
from search_core.models.embedding.e5.weights_file import WeightsFile


def small_file(*, magic=b"E5S1", version=1, reach=0) -> bytes:
    """Return a file of two pieces, one replacement, a tensor of floats and one of 4 bits with one row of 32 numbers."""
    head = magic + struct.pack("<I7ifi", version, 32, 1, 1, 32, 1, 8, 2, 1e-12, 32)
    tokens = struct.pack("<5iQ", 2, 0, 1, 1, 0, 3) + struct.pack("<3I", 0, 1, 3) + struct.pack("<2f", -1.0, -2.5) + b"abc"
    replacement = struct.pack("<IB1I", ord("Ａ"), 1, ord("A"))
    letters = struct.pack("<iI", 1, len(replacement)) + replacement
    floats = np.array([1.5, -2.0], dtype="<f4").tobytes()
    # scale .5; the first byte holds 8 + 3 low and 8 - 2 high, all others 8 and 8
    four_bits = np.array([0.5], dtype="<f2").tobytes() + bytes([(6 << 4) | 11]) + bytes([0x88] * 15)
    directory_size = 4 + (2 + 1 + 21) + (2 + 1 + 21)
    start = len(head) + len(tokens) + len(letters) + directory_size
    directory = struct.pack("<i", 2)
    directory += struct.pack("<H", 1) + b"f" + struct.pack("<BIQQ", 0, 2, start, 8)
    directory += struct.pack("<H", 1) + b"q" + struct.pack("<BIQQ", 1, 32, start + 8 + reach, 18)
    return head + tokens + letters + directory + floats + four_bits


@pytest.fixture
def opened(tmp_path):
    """Opens a file of the bytes given."""

    def make(data: bytes) -> WeightsFile:
        (tmp_path / "weights.bin").write_bytes(data)
        return WeightsFile(tmp_path / "weights.bin")

    return make


def test_sizes_pieces_and_tensors_are_read(opened):
    """Every number is the one that was written; 4 bits are less 8, times the scale."""
    file = opened(small_file())
    assert (file.sizes.hidden, file.sizes.layers, file.sizes.positions) == (32, 1, 8)
    pieces = file.pieces()
    assert (pieces.text, pieces.lengths.tolist(), pieces.scores.tolist()) == ("abc", [1, 2], [-1.0, -2.5])
    assert (pieces.first, pieces.last, pieces.unknown) == (0, 1, 0)
    assert pieces.replacements == {ord("Ａ"): "A"}
    assert file.floats("f").tolist() == [1.5, -2.0]
    row = file.matrix("q", 1, 32)[0]
    assert (row[0], row[16], set(row.tolist())) == (1.5, -1.0, {1.5, -1.0, 0.0})
    assert np.array_equal(file.matrix_rows("q", (1, 32), np.array([0, 0])), np.vstack([row, row]))


@pytest.mark.parametrize("length", [0, 3, 20, 47, 60, 90, 120, len(small_file()) - 1])
def test_a_file_cut_short_is_an_error(opened, length):
    """Wherever it ends too early, the error is a typed one."""
    with pytest.raises(WeightsError):
        opened(small_file()[:length])


@pytest.mark.parametrize(
    ("change", "said"),
    [({"version": 2}, "version 2"), ({"magic": b"GGUF"}, "none of such"), ({"reach": 1}, "beyond")],
)
def test_other_files_are_told_apart(opened, change, said):
    """Another version, another kind of file and tensors beyond the end are named."""
    with pytest.raises(WeightsError, match=said):
        opened(small_file(**change))


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    """The reason names no path."""
    with pytest.raises(WeightsError, match="FileNotFoundError") as raised:
        WeightsFile(tmp_path / "none.bin")
    assert str(tmp_path) not in str(raised.value)


@pytest.mark.parametrize(("name", "rows"), [("g", 1), ("f", 1), ("q", 2)])
def test_a_tensor_of_another_kind_or_size_is_an_error(opened, name, rows):
    """A model is not filled with what has another shape."""
    with pytest.raises(WeightsError):
        opened(small_file()).matrix(name, rows, 32)
