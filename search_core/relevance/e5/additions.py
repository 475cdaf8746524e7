"""What the entailment model has learnt on top of the shipped model: ``entailment.npz``, and the weights with it.

An array ``up`` and ``down`` for each matrix that learnt, their product is added (LoRA, Hu et al. 2021); biases, layer norms and
the head as they are; how its probabilities are calibrated.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from search_core.errors import WeightsError
from search_core.relevance.e5.weights_file import Floats, WeightsFile


class Additions:
    """The arrays of the file, in 32 bits."""

    def __init__(self, path: Path) -> None:
        """Read *path* whole; raises WeightsError."""
        try:
            with (
                path.open("rb") as stream,
                np.load(stream, allow_pickle=False) as file,
            ):  # of a damaged file, load leaves its own open
                self._arrays = {name: file[name].astype(np.float32) for name in file.files if file[name].dtype.kind == "f"}
        except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise WeightsError(f"The weights of the entailment model cannot be read: {type(error).__name__}") from error

    def has(self, name: str) -> bool:
        """Return whether there is an array of this name."""
        return name in self._arrays

    def array(self, name: str, *shape: int) -> Floats:
        """Return an array of a shape, in which -1 stands for any length; raises WeightsError."""
        found: Floats | None = self._arrays.get(name)
        if (
            found is None
            or len(found.shape) != len(shape)
            or any(a not in (-1, b) for a, b in zip(shape, found.shape, strict=True))
        ):
            raise WeightsError(f"The weights of the entailment model have no array {name} of the shape {shape}.")
        return found


class MergedWeights:
    """The shipped model's weights with what was learnt added."""

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
