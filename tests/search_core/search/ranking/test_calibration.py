"""What a similarity is worth."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.language.vectors import TRAINED
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.meaning import Calibration


class Crowded:
    """Gives any two different texts the similarity 0.8, as E5 models do."""

    name = "crowded"
    label = "붐비는"
    limits = TRAINED

    def embed(self, texts, kind="passage"):
        vectors = np.zeros((len(texts), 1 + len(texts)), dtype=np.float32)
        vectors[:, 0] = np.sqrt(0.8)
        vectors[np.arange(len(texts)), 1 + np.arange(len(texts))] = np.sqrt(0.2)
        return vectors


def near(calibration, *similarities):
    """Scale similarities between two Korean passages."""
    texts = np.array([[similarity] for similarity in similarities], dtype=np.float32)
    scaled = calibration.between(texts, np.full(len(texts), "ko"), np.ones((1, 1), dtype=np.float32), np.array(["ko"]))
    return scaled[:, 0]


def test_what_unrelated_texts_have_in_common_counts_as_unrelated():
    """0.8 between unrelated texts becomes 0.1, half way from there to 1 becomes 0.55, 1 stays 1, less becomes 0."""
    assert near(Calibration(Crowded()), 0.8, 0.9, 1.0, 0.5) == pytest.approx([0.1, 0.55, 1.0, 0.0], abs=1e-4)


@pytest.mark.parametrize("question", ["메모리 대역폭은 왜 중요한가요?", "Why does memory bandwidth matter?"])
def test_directions_give_what_a_question_is_compared_by(question):
    """The inner product with a direction, and its number added, is the nearness to the question, in both languages."""
    embedder = KiwiEmbedder()
    texts = ["메모리 대역폭이 넓으면 계산이 빠르다.", "Memory bandwidth limits language models."]
    vectors, asked = embedder.embed(texts), embedder.embed([question], "query")[0]
    calibration = Calibration(embedder)
    expected = calibration.to_question(question, asked, vectors, np.array(["ko", "en"]))
    directions = calibration.directions(question, asked)
    (towards_korean, off_korean), (towards_other, off_other) = directions[True], directions[False]
    near = [float(vectors[0] @ towards_korean) + off_korean, float(vectors[1] @ towards_other) + off_other]
    assert np.clip(near, 0, 1) == pytest.approx(expected, abs=1e-5)
