"""A model that the first text starts, and that all who ask wait for together."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from search_core.embedding import EmbedderHost
from search_core.embedding.e5.weights_file import MODEL
from search_core.embedding.host import OnDemandModel
from search_core.embedding.model_embedder import ModelEmbedder, ModelState
from search_core.errors import EmbeddingError
from search_core.storage import VectorCache
from tests.loopback.child_processes import running_children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no model ships for Windows")
WORKER = "search_core.embedding.model_worker"
SAID = ["메모리 대역폭은 왜 중요한가?"]


def host_of(vectors: VectorCache) -> EmbedderHost:
    """Return a host whose model is loaded on demand, and whose vectors are kept in *vectors*."""
    host = EmbedderHost(model=MODEL, vectors=vectors)
    host.load_on_demand(120, lambda _: None)
    return host


def test_texts_whose_vectors_are_stored_start_no_model(tmp_path: Path):
    """The first text starts the model; another process finds the vector stored, starts none, and names the model all the same."""
    vectors = VectorCache(tmp_path)
    first, others = host_of(vectors), running_children(WORKER)
    embedded = first.current().embed(SAID, "query")
    assert len(running_children(WORKER)) == len(others) + 1
    first.close()
    vectors.close()
    second = host_of(VectorCache(tmp_path))
    assert np.array_equal(second.current().embed(SAID, "query"), embedded)
    assert (second.state().name, second.state().state, second.state().as_chosen) == ("multilingual-e5-small-q4", "ready", True)
    assert running_children(WORKER) == others
    second.close()


def test_a_model_that_is_late_is_given_up(tmp_path: Path):
    """Where time is up before the model is ready, embedding fails, the host goes on by words and says why."""
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    model = ModelEmbedder(MODEL, command=silent)
    told: list[float] = []
    late = OnDemandModel(model, wait_s=0.2, on_wait=told.append)
    assert late.expected
    with pytest.raises(EmbeddingError):
        late.embed(SAID)
    assert model.state is ModelState.LOADING
    assert not late.expected
    assert told == []  # the wait was too short to be told of
    model.close()


def test_a_long_wait_is_told():
    """Whoever waits for more than some seconds hears for how long."""
    model = ModelEmbedder(MODEL, command=[sys.executable, "-c", "import sys; sys.stdin.read()"])
    told: list[float] = []
    with pytest.raises(EmbeddingError):
        OnDemandModel(model, wait_s=3.2, on_wait=told.append).embed(SAID)
    assert told == [3.2]
    model.close()
