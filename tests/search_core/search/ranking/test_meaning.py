"""What a similarity is worth, and how far meaning counts beside words."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.language.vectors import TRAINED
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.meaning import Calibration, EmbeddedTexts, windows_of


def test_passages_of_one_talk_differ_by_words(letters):
    """Meaning counts for a tenth in one language and for more across; Kiwi sees some in one script and none across."""
    texts = ["짧은 글이에요.", "A short text.", "短い文です。"]
    assert EmbeddedTexts.of(texts, letters).shares("무슨 글이에요?") == [0.1, 0.6, 0.9]
    assert EmbeddedTexts.of(texts, letters).shares("どんな文ですか？") == [0.9, 0.9, 0.1]
    assert EmbeddedTexts.of(texts, KiwiEmbedder()).shares("무슨 글이에요?") == [pytest.approx(0.175), 0.0, 0.0]
    assert EmbeddedTexts.of(texts, KiwiEmbedder()).seen("무슨 글이에요?") == [True, False, False]


def test_the_nearest_window_of_a_long_text_counts(letters):
    """A text whose second half is all about the question is as near as that half."""
    long = "a " * 190 + "\n" + "b " * 190
    whole, half = EmbeddedTexts.of([long, "b " * 190], letters).to_question("b")
    assert whole == pytest.approx(half)


def test_a_longer_text_is_cut_into_equal_windows():
    """30 letters make two windows of at most 20; a snippet, a text without words and an endless word stay one."""
    assert windows_of("aaaa bbbb cccc dddd eeee ffff", 20) == ["aaaa bbbb cccc", "dddd eeee ffff"]
    assert windows_of("한 줄\n두 줄", 20) == ["한 줄 두 줄"]
    assert windows_of(" \n", 20) == [" \n"]
    assert windows_of("a" * 5000, 400) == ["a" * 5000]


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
