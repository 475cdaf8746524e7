from __future__ import annotations

import pytest

from search_core.models.embedding.embedder import prepare_texts


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
