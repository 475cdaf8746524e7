"""Vectors recovered from Kiwi's similarities."""

from __future__ import annotations

import numpy as np

from search_core.text.words import FIRST_NUMBER, _shipped_space, known, measure_space, morpheme_vectors, words_of


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


def test_the_space_that_ships_is_that_of_kiwi():
    """The shipped space gives the vectors that measuring Kiwi anew gives, for the version that is required."""
    shipped = _shipped_space()
    assert shipped is not None
    for given, measured in zip(shipped, measure_space(), strict=True):
        assert given.shape == measured.shape
        assert np.abs(given - measured).max() < 1e-4
