from __future__ import annotations

import numpy as np
import pytest

from search_core.models.embedding.embedder import CachedEmbedder, prepare_texts
from tests.search_core.search.ranking.conftest import LetterEmbedder, Shelf


@pytest.mark.parametrize(
    ("model", "kind", "expected"),
    [
        ("nlpai-lab/KoE5", "query", "query: 글"),
        ("BAAI/bge-m3", "query", "글"),
        ("base5/model", "query", "글"),
        ("intfloat/e5-base", "passage", "passage: 글"),
    ],
)
def test_e5_models_are_told_what_a_text_is(model, kind, expected):
    """E5 models, and no others, get the prefix they were trained with, a passage another than a question."""
    assert prepare_texts(model, ["글"], kind) == [expected]


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


def test_kept_vectors_are_those_of_one_version_of_a_model(letters):
    """A second process embeds nothing that is kept; with other files under the same name it begins anew."""
    shelf, again, other = Shelf(), LetterEmbedder(), LetterEmbedder()
    other.version = "other"
    before = CachedEmbedder(letters, shelf).embed(["ab"])
    for embedder, asked in ((again, []), (other, [(("ab",), "passage")])):
        assert np.array_equal(CachedEmbedder(embedder, shelf).embed(["ab"]), before)
        assert embedder.asked == asked
