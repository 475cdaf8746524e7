"""What a similarity is worth."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.embedding import TRAINED, KiwiEmbedder
from search_core.ranking.meaning import Calibration


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


class Bilingual:
    """Knows each subject of the shipped texts, and finds texts of one language nearer to each other than of two."""

    name = "bilingual"
    label = "두 언어"
    limits = TRAINED

    def embed(self, texts, kind="passage"):
        vectors = np.zeros((len(texts), 2 + len(texts)), dtype=np.float32)
        for row, text in enumerate(texts):
            subject = row % max(1, len(texts) // 3)
            vectors[row, 0 if "가" <= text[0] <= "힣" else 1] = np.sqrt(0.5)
            vectors[row, 2 + subject] = np.sqrt(0.1)
        vectors[:, -1] = np.sqrt(0.2)
        return vectors


def test_an_answer_in_another_language_is_as_near_as_one_in_the_same():
    """Korean to Korean begins at 0.7 and an answer reaches 0.8, Korean to English at 0.2 and 0.3: both answers land together."""
    calibration = Calibration(Bilingual())
    asked = np.zeros(38, dtype=np.float32)
    asked[[0, 2, 37]] = np.sqrt([0.5, 0.1, 0.2])
    texts = np.zeros((3, 38), dtype=np.float32)
    texts[:, 37] = np.sqrt(0.2)
    texts[[0, 2], 0] = np.sqrt(0.5)
    texts[1, 1] = np.sqrt(0.5)
    texts[[0, 1], 2] = np.sqrt(0.1)
    texts[2, 3] = np.sqrt(0.1)
    same, other, stranger = calibration.to_question("질문", asked, texts, np.array(["ko", "en", "ko"]))
    assert (same, other, stranger) == (pytest.approx(0.6, abs=0.01), pytest.approx(0.56, abs=0.02), pytest.approx(0.1, abs=0.01))


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
