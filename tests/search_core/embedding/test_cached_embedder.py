"""Vectors that cost nothing the second time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from search_core.embedding.cached_embedder import CachedEmbedder
from search_core.errors import EmbeddingError
from tests.search_core.ranking.conftest import LetterEmbedder, Shelf


def test_only_new_texts_are_embedded(letters):
    """Stored vectors are not computed again and return to their positions; questions are stored apart from passages."""
    cached = CachedEmbedder(letters, Shelf())
    cached.embed(["ab", "cd"])
    vectors = cached.embed(["cd", "ef", "ab"])
    assert np.array_equal(vectors, LetterEmbedder().embed(["cd", "ef", "ab"]))
    assert (cached.name, cached.label) == ("letters", "글자 세기")
    assert CachedEmbedder(LetterEmbedder(), Shelf()).embed([]).shape == (0, 26)
    cached.embed(["ab"], "query")
    cached.embed(["ab"], "query")
    assert letters.asked == [(("ab", "cd"), "passage"), (("ef",), "passage"), (("ab",), "query")]


class Slow(LetterEmbedder):
    """Embeds when the test lets it."""

    def __init__(self):
        super().__init__()
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.broken = False

    def embed(self, texts, kind="passage"):
        self.begun.set()
        assert self.go_on.wait(10)
        if self.broken:
            raise EmbeddingError("broken", korean="고장")
        return super().embed(texts, kind)


def ask_twice(slow, cached, *more):
    """Ask for one text, and again, with *more*, before it is embedded."""
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(cached.embed, ["ab"])
        assert slow.begun.wait(10)
        second = threads.submit(cached.embed, ["ab", *more])
        slow.go_on.set()
    return first, second


def test_a_text_being_embedded_is_not_embedded_twice():
    """Whoever asks for it meanwhile gets the same vector; texts asked for only then are embedded beside it."""
    slow = Slow()
    first, second = ask_twice(slow, CachedEmbedder(slow, Shelf()), "cd", "cd")
    assert np.array_equal(second.result()[0], first.result()[0])
    assert np.array_equal(second.result()[1], second.result()[2])
    assert sorted(texts for texts, _ in slow.asked) == [("ab",), ("cd",)]


def test_whoever_waits_hears_of_a_failure():
    """An embedder that fails fails for all who wait for its text, and the text can be asked for anew."""
    slow = Slow()
    slow.broken = True
    cached = CachedEmbedder(slow, Shelf())
    for asked in ask_twice(slow, cached):
        with pytest.raises(EmbeddingError, match="broken"):
            asked.result()
    slow.broken = False
    assert cached.embed(["ab"]).shape == (1, 26)


def test_kept_vectors_are_those_of_one_version_of_a_model(letters):
    """A second process embeds nothing that is kept; with other files under the same name it begins anew."""
    shelf, again, other = Shelf(), LetterEmbedder(), LetterEmbedder()
    other.version = "other"
    before = CachedEmbedder(letters, shelf).embed(["ab"])
    for embedder, asked in ((again, []), (other, [(("ab",), "passage")])):
        assert np.array_equal(CachedEmbedder(embedder, shelf).embed(["ab"]), before)
        assert embedder.asked == asked
