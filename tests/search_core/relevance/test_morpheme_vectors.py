"""Vectors recovered from Kiwi's similarities."""

from __future__ import annotations

import numpy as np

from search_core.korean.morphemes import kiwi
from search_core.relevance.morpheme_vectors import FIRST_NUMBER, known, morpheme_vectors
from search_core.relevance.words import words_of


def number(word):
    return words_of([word])[0][0].number


def vector(word):
    vectors = morpheme_vectors()
    return vectors.matrix[vectors.rows([number(word)])][0]


def test_recovered_vectors_have_the_similarities_of_kiwi():
    """Before the common part is taken away, inner products equal Kiwi's to a thousandth."""
    vectors = morpheme_vectors()
    pairs = [(number("은행"), number("금융")), (number("병원비"), number("의료비")), (number("은행"), number("콜레스테롤"))]
    for one, other in pairs:
        recovered = vectors._inner_products([one, other]) @ vectors._unfold
        assert abs(recovered[0] @ recovered[1] - kiwi().morpheme_similarity(one, other)) < 2e-3


def test_words_close_in_meaning_have_close_vectors():
    """Hospital fees are close to medical fees and far from tulips; rows have length 1."""
    assert vector("병원비") @ vector("의료비") > 0.35 > vector("병원비") @ vector("튤립")
    assert np.linalg.norm(vector("병원비")) == np.float32(1.0) or abs(np.linalg.norm(vector("병원비")) - 1) < 1e-5


def test_function_morphemes_and_unknown_words_have_no_vector():
    """Numbers below the first are classes, those past the last are names of the dictionary."""
    assert not known(FIRST_NUMBER - 1)
    assert not known(100_000)
    assert known(number("은행"))


def test_rows_stay_where_they_are_as_more_words_come():
    """A row read earlier holds the same vector after the matrix has grown."""
    vectors = morpheme_vectors()
    row = vectors.rows([number("은행")])[0]
    before = vectors.matrix[row].copy()
    vectors.rows(range(5000, 9200))
    assert vectors.rows([number("은행")])[0] == row
    assert np.array_equal(vectors.matrix[row], before)
