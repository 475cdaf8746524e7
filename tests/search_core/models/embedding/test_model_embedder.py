"""A model in a child process, with a real model and with children that misbehave."""

from __future__ import annotations

import sys
import textwrap
import threading
from contextlib import closing
from pathlib import Path

import pytest

from search_core.errors import EmbeddingError
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.models.embedding.model_embedder import ModelEmbedder, ModelState, Priority, PriorityLock
from tests.loopback.child_processes import running_children
from tests.search_core.research.workers import wait_until
from tests.search_core.storage.clocks import Seconds

ROOT = Path(__file__).parents[4]
LOAD_S = 90


@pytest.fixture
def child(tmp_path):
    """Makes an embedder whose process runs *script*, in which ``serve`` is at hand and ``ONE`` is the answer of one vector."""
    made = []

    def make(script, **options):
        file = tmp_path / "child.py"
        head = "from search_core.child_process import serve\n"
        head += "from search_core.models.embedding.model_worker import _told\nimport numpy as np; ONE = _told(np.ones((1, 2)))\n"
        file.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{head}{textwrap.dedent(script)}", encoding="utf-8")
        embedder = ModelEmbedder("some/model", command=[sys.executable, str(file)], **options)
        made.append(embedder)
        embedder.start()
        return embedder

    yield make
    for embedder in made:
        embedder.close()


def processes():
    return [each.pid for each in running_children("child.py")]


def test_a_child_that_does_not_answer_is_ended(child):
    """A hung model costs one search its time, as an EmbeddingError; its process is ended, and another gets ready."""
    embedder = child(
        "import time\nserve(lambda head, _: time.sleep(60) if head['texts'] else ONE, memory_bytes=None)", answer_s=0.2
    )
    assert embedder.wait(LOAD_S) is ModelState.READY
    (first,) = processes()
    with pytest.raises(EmbeddingError, match="did not answer"):
        embedder.embed(["text"])
    wait_until(lambda: processes() not in ([], [first]))
    assert embedder.wait(LOAD_S) is ModelState.READY


def test_a_text_the_model_cannot_read_costs_no_restart(child):
    """The reason is told, and the next request is answered by the same child."""
    embedder = child("serve(lambda head, _: {'cause': 'ValueError: odd'} if 'bad' in head['texts'] else ONE, memory_bytes=None)")
    assert embedder.wait(LOAD_S) is ModelState.READY
    (first,) = processes()
    with pytest.raises(EmbeddingError, match="odd"):
        embedder.embed(["bad"])
    assert embedder.embed(["good"]).tolist() == [[1.0, 1.0]]
    assert processes() == [first]


@pytest.mark.parametrize(
    ("script", "state", "said"),
    [
        ("serve(lambda *_: {'failed': 'weights', 'cause': 'c'}, memory_bytes=None)", ModelState.FAILED, "파일을 읽지 못했어요"),
        ("serve(lambda *_: {'failed': 'library', 'cause': 'c'}, memory_bytes=None)", ModelState.FAILED, "설치되어 있지 않아요"),
        ("serve(lambda *_: {'failed': 'absent', 'cause': 'c'}, memory_bytes=None)", ModelState.ABSENT, "이 컴퓨터에 없어요"),
        ("print('{]\\n' * 9, flush=True); sys.stdin.read()", ModelState.FAILED, "거듭"),
    ],
)
def test_why_a_model_cannot_be_used_is_said_in_korean(child, script, state, said):
    """A damaged file, a missing program and bytes that are no message are failures; a model that is not here is none."""
    embedder = child(script)
    with pytest.raises(EmbeddingError, match="not ready"):
        embedder.embed(["too early"])
    assert embedder.wait(LOAD_S) is state
    assert said in embedder.reason


@pytest.mark.parametrize(
    ("missing", "model", "state", "said"),
    [
        ("onnxruntime", MODEL, ModelState.FAILED, "설치되어 있지 않아요"),
        ("sentence_transformers", str(ROOT), ModelState.FAILED, "make models"),
        ("huggingface_hub", "some/model", ModelState.ABSENT, "이 컴퓨터에 없어요"),
    ],
)
def test_a_program_that_is_missing_is_named(tmp_path: Path, missing: str, model: str, state: ModelState, said: str):
    """What runs the shipped model, what runs others, and what fetched them, on a machine that lacks it."""
    file = tmp_path / "worker.py"
    file.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.modules[{missing!r}] = None\n"
        f"from search_core.models.embedding.model_worker import serve_model; serve_model({model!r})",
        encoding="utf-8",
    )
    with closing(ModelEmbedder(model, command=[sys.executable, str(file)])) as embedder:
        embedder.start()
        assert embedder.wait(LOAD_S) is state
        assert said in embedder.reason


@pytest.mark.timeout(300)
def test_what_died_is_tried_again_after_a_minute(child, tmp_path):
    """A child that dies three times is given up, and loaded again by whoever looks at it a minute later, and no earlier."""
    clock, good = Seconds(), tmp_path / "good"
    embedder = child(
        f"""
        from pathlib import Path
        if not Path({str(good)!r}).exists(): sys.exit(3)
        serve(lambda *_: ONE, memory_bytes=None)
        """,
        clock=clock,
    )
    assert embedder.wait(LOAD_S) is ModelState.FAILED
    assert "거듭" in embedder.reason
    good.touch()
    clock.at_s = 59
    embedder.retry_when_due()
    assert embedder.state is ModelState.FAILED
    clock.at_s = 61
    embedder.retry_when_due()
    assert embedder.wait(LOAD_S) is ModelState.READY
    assert embedder.reason == ""


def test_a_load_that_hangs_is_ended(child):
    """A child that does not load in time is killed; the next one is started ten minutes later."""
    clock = Seconds()
    embedder = child("import time\nserve(lambda *_: time.sleep(60), memory_bytes=None)", clock=clock, load_s=0.2)
    assert embedder.wait(LOAD_S) is ModelState.FAILED
    assert "멈췄어요" in embedder.reason
    wait_until(lambda: not processes())
    clock.at_s = 601
    embedder.retry_when_due()
    assert embedder.state is ModelState.LOADING


def test_questions_pass_searches_these_pass_judgements_and_all_pass_the_background():
    """While one has a turn five others queue up; they go by what waits for them, then in order of asking."""
    turns, order = PriorityLock(), []

    def work(name: str, turn: Priority) -> None:
        with turns.take(turn):
            order.append(name)

    threads = []
    with turns.take(Priority.BACKGROUND):
        for number, (name, turn) in enumerate(
            [
                ("filling", Priority.BACKGROUND),
                ("pairs", Priority.JUDGEMENT),
                ("first", Priority.SEARCH),
                ("second", Priority.SEARCH),
                ("question", Priority.QUESTION),
            ],
            start=1,
        ):
            threads.append(threading.Thread(target=work, args=(name, turn)))
            threads[-1].start()
            while len(turns._waiting) < number:
                pass
    for thread in threads:
        thread.join()
    assert order == ["question", "first", "second", "pairs", "filling"]
