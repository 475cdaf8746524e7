"""A model that the first text starts, and that all who ask wait for together."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from search_core.errors import EmbeddingError
from search_core.models.embedding import EmbedderHost
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.models.embedding.model_embedder import ModelEmbedder, ModelState
from search_core.storage import VectorCache
from tests.loopback.child_processes import running_children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no model ships for Windows")
WORKER = "search_core.models.embedding.model_worker"
SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]
SAID = ["메모리 대역폭은 왜 중요한가?"]


def host_of(vectors: VectorCache) -> EmbedderHost:
    """Return a host whose model is loaded on demand, and whose vectors are kept in *vectors*."""
    host = EmbedderHost(model=MODEL, vectors=vectors)
    host.load_on_demand(120)
    return host


def test_texts_whose_vectors_are_stored_start_no_model(tmp_path: Path):
    """The first text starts the model; another process finds the vector stored, starts none, and names the model all the same."""
    vectors = VectorCache(tmp_path)
    first, others = host_of(vectors), running_children(WORKER)
    first.start()
    assert running_children(WORKER) == others
    embedded = first.current().embed(SAID, "query")
    assert len(running_children(WORKER)) == len(others) + 1
    first.close()
    vectors.close()
    second = host_of(VectorCache(tmp_path))
    assert np.array_equal(second.current().embed(SAID, "query"), embedded)
    assert (second.state().name, second.state().state, second.state().as_chosen) == ("multilingual-e5-small-q4", "ready", True)
    assert running_children(WORKER) == others
    second.close()


def test_a_model_that_is_late_is_given_up():
    """Where time is up before the model is ready, embedding fails and is not waited for again."""
    model = ModelEmbedder(MODEL, command=SILENT)
    model.load_on_demand(0.2)
    assert model.expected
    with pytest.raises(EmbeddingError):
        model.embed(SAID)
    assert (model.state, model.expected) == (ModelState.LOADING, False)
    model.close()


def test_a_model_that_cannot_be_used_is_found_out_by_the_first_text():
    """A model that is not on this machine makes nobody wait, and the host goes on by words and says why."""
    host = EmbedderHost(model="nobody/has-this-model")
    host.load_on_demand(120)
    with pytest.raises(EmbeddingError):
        host.current().embed(SAID)
    assert (host.current().name, host.state().state) == ("kiwi", "embedded")
    assert "이 컴퓨터에 없어요" in host.state().detail
    host.close()
