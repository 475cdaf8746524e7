"""Ends of sentences by the process of the shipped model, and what happens where there is none."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from search_core.models.embedding import EmbedderHost, SentenceEnds
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.models.embedding.model_embedder import WINDOW, ModelEmbedder, read_in_windows

LOAD_S = 120
FIRST = ["the", "company", "sold", "forty", "million", "phones", "last", "year", "most", "were", "made", "in", "india"]
SECOND = ["so", "i", "want", "to", "show", "you", "how", "we", "got", "there", "thank", "you", "so", "much", "for", "coming"]


@pytest.mark.parametrize("count", [0, 1, 150, WINDOW, 1000])
def test_each_word_is_judged_once(count: int):
    """Windows overlap, what is judged by them does not; no window is longer than the model was taught by."""
    words = [str(number) for number in range(count)]
    windows = [*read_in_windows(words)]
    assert [word for window, inner in windows for word in window[inner]] == words
    assert all(len(window) <= WINDOW for window, _ in windows)


def test_an_end_is_likelier_than_any_other_word(shipped: EmbedderHost):
    """Two sentences without signs: behind the first one an end is likeliest, however often they are said."""
    times = 12
    odds, empty = (shipped.sentence_ends.odds_or_none(words) for words in ([*FIRST, *SECOND] * times, []))
    assert odds is not None
    assert len(odds) == times * len([*FIRST, *SECOND])
    assert int(odds[: len(FIRST) + 6].argmax()) == len(FIRST) - 1
    assert empty is not None
    assert not len(empty)


def test_without_a_model_nothing_is_said():
    """Beside Kiwi alone, and while a model loads, there are no odds, and nobody waits."""
    assert EmbedderHost(model="kiwi").sentence_ends.odds_or_none(FIRST) is None
    loading = ModelEmbedder(MODEL, command=[sys.executable, "-c", "import sys; sys.stdin.read()"])
    loading.start()
    assert SentenceEnds(loading).odds_or_none(FIRST) is None
    loading.close()


def test_a_model_that_cannot_answer_is_done_without():
    """One that knows vectors alone says so, and there are no odds."""
    told = '{"shape": [0, 1], "numbers": ""}'
    worker = (
        "from search_core.child_process import serve\n"
        f"serve(lambda request, _: {told} if 'texts' in request else {{'cause': 'KeyError'}}, memory_bytes=None, tell=str)"
    )
    model = ModelEmbedder(MODEL, command=[sys.executable, "-c", worker])
    model.start()
    model.wait(LOAD_S)
    assert SentenceEnds(model).odds_or_none(FIRST) is None
    assert np.array_equal(model.embed([]), np.zeros((0, 1)))
    model.close()
