"""Vectors recovered from Kiwi's similarities."""

from __future__ import annotations

import kiwipiepy_model
import numpy as np

from search_core.language.words import (
    FIRST_NUMBER,
    inner_products,
    known,
    morpheme_vectors,
    words_of,
)
from tests.quality.write_morpheme_space import SPACE, measure_space


def number(word):
    return words_of([word])[0][0].number


def vector(word):
    vectors = morpheme_vectors()
    return vectors.matrix[vectors.rows([number(word)])][0]


def test_words_close_in_meaning_have_close_vectors():
    """Hospital fees are close to medical fees and far from tulips; rows have length 1."""
    assert vector("병원비") @ vector("의료비") > 0.35 > vector("병원비") @ vector("튤립")
    assert abs(np.linalg.norm(vector("병원비")) - 1) < 1e-5
    assert not known(FIRST_NUMBER - 1), "a class of function words"
    assert not known(100_000), "a name of the dictionary"


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
