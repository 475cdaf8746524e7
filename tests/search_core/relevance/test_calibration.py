"""What a similarity is worth."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.relevance import TRAINED, KiwiEmbedder
from search_core.relevance.calibration import Calibration


class Crowded:
    """Gives any two different texts the similarity 0.8, as E5 models do."""

    name = "crowded"
    label = "붐비는"
    reach = TRAINED

    def embed(self, texts, kind="passage"):
        vectors = np.zeros((len(texts), 1 + len(texts)), dtype=np.float32)
        vectors[:, 0] = np.sqrt(0.8)
        vectors[np.arange(len(texts)), 1 + np.arange(len(texts))] = np.sqrt(0.2)
        return vectors


def test_what_unrelated_texts_have_in_common_counts_as_unrelated():
    """0.8 between unrelated texts becomes 0.1, half way from there to 1 becomes 0.55, 1 stays 1, less becomes 0."""
    scaled = Calibration(Crowded()).scaled(np.array([0.8, 0.9, 1.0, 0.5], dtype=np.float32))
    assert scaled == pytest.approx([0.1, 0.55, 1.0, 0.0], abs=1e-4)


def test_kiwis_unrelated_texts_have_little_in_common():
    """The embedded embedder keeps unrelated passages apart."""
    assert -0.1 < Calibration(KiwiEmbedder()).unrelated < 0.25
