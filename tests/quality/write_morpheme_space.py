"""Writes the space of Kiwi's morphemes that ships: ``python -m tests.quality.write_morpheme_space``, after another Kiwi."""

from __future__ import annotations

from pathlib import Path

import kiwipiepy_model
import numpy as np

from search_core.language import words

SPACE = Path(words.__file__).parent / "data" / "morpheme_space.npz"

if __name__ == "__main__":
    unfold, common = words.measure_space()
    np.savez(SPACE, unfold=unfold.astype("<f4"), common=common.astype("<f4"), version=np.array(kiwipiepy_model.__version__))
