"""Texts as a model is given them."""

from __future__ import annotations

import pytest

from search_core.embedding.embedder import prepare_texts


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("nlpai-lab/KoE5", "query: 질문"),
        ("BAAI/bge-m3", "질문"),
        ("base5/model", "질문"),
    ],
)
def test_e5_models_are_told_what_a_text_is(model, expected):
    """E5 models, and no others, get the prefix they were trained with."""
    assert prepare_texts(model, ["질문"], "query") == [expected]


def test_passages_have_their_own_prefix():
    """A passage is told from a question."""
    assert prepare_texts("intfloat/e5-base", ["글"], "passage") == ["passage: 글"]
