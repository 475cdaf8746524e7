"""Vectors recovered from Kiwi's similarities."""

from __future__ import annotations

import kiwipiepy_model
import numpy as np

from search_core.language.words import inner_products, morpheme_vectors, words_of
from tests.quality.write_morpheme_space import SPACE, measure_space


def number(word):
    return words_of([word])[0][0].number


def test_rows_stay_where_they_are_as_more_words_come():
    """A row read earlier holds the same vector after the matrix has grown."""
    vectors = morpheme_vectors()
    row = vectors.rows([number("은행")])[0]
    before = vectors.matrix[row].copy()
    vectors.rows(range(5000, 9200))
    assert vectors.rows([number("은행")])[0] == row
    assert np.array_equal(vectors.matrix[row], before)


def cosines(space, numbers):
    """Return how alike the words are in a space; axes may be turned or flipped, which differs by processor."""
    unfold, common = space
    vectors = inner_products(numbers) @ unfold - common
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T


def test_the_space_that_ships_is_that_of_kiwi():
    """The shipped space makes words as alike as measuring Kiwi anew does, for the version that is required."""
    with np.load(SPACE) as space:
        shipped, version = (space["unfold"], space["common"]), str(space["version"])
    assert version == kiwipiepy_model.__version__
    numbers = [number(word) for word in ("병원비", "의료비", "튤립", "은행", "반도체", "학교")]
    assert np.abs(cosines(shipped, numbers) - cosines(measure_space(), numbers)).max() < 1e-3
