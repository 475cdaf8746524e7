"""Writes the space of Kiwi's morphemes that ships: ``python -m tests.quality.write_morpheme_space``, after another Kiwi."""

from __future__ import annotations

from pathlib import Path

import kiwipiepy_model
import numpy as np
from numpy.typing import NDArray

from search_core.language import words

SAMPLE = range(200, 24_000, 31)
"""The words whose mean counts as the common part of all vectors."""
SPACE = Path(words.__file__).parent / "data" / "morpheme_space.npz"


def measure_space() -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Return the matrix that turns inner products with the landmarks into vectors, and their mean; takes half a second."""
    gram = words.inner_products(words.LANDMARKS)
    values, axes = np.linalg.eigh((gram + gram.T) / 2)
    unfold = axes[:, -words.DIMENSIONS :] / np.sqrt(values[-words.DIMENSIONS :])
    return unfold, (words.inner_products(SAMPLE) @ unfold).mean(axis=0)


if __name__ == "__main__":
    unfold, common = measure_space()
    np.savez(SPACE, unfold=unfold.astype("<f4"), common=common.astype("<f4"), version=np.array(kiwipiepy_model.__version__))
