"""A model in a child process, with a real model and with children that misbehave."""

from __future__ import annotations

import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from search_core.errors import EmbeddingError
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.models.embedding.host import EmbedderHost
from search_core.models.embedding.model_embedder import (
    WINDOW,
    ModelEmbedder,
    ModelState,
    Placed,
    Priority,
    PriorityLock,
    read_in_windows,
    sentence_end_odds,
)
from tests.loopback.child_processes import running_children
from tests.search_core.research.workers import wait_until
from tests.search_core.storage.conftest import Seconds

ROOT = Path(__file__).parents[4]
LOAD_S = 120
HEAD = """
import numpy as np
from search_core.child_process import serve
from search_core.models.embedding.model_worker import _encode
ONE = _encode(np.ones((1, 2)))
"""


@pytest.fixture
def child(tmp_path):
    """Makes an embedder whose process runs *script*, in which ``serve`` is at hand and ``ONE`` is the answer of one vector."""
    made = []

    def make(script, **options):
        file = tmp_path / "child.py"
        file.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{HEAD}{textwrap.dedent(script)}", encoding="utf-8")
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

    def work(number: int, turn: Priority) -> None:
        with turns.take(turn):
            order.append(number)

    with ThreadPoolExecutor() as pool, turns.take(Priority.BACKGROUND):
        asked = (Priority.BACKGROUND, Priority.JUDGEMENT, Priority.SEARCH, Priority.SEARCH, Priority.QUESTION)
        for number, turn in enumerate(asked, start=1):
            pool.submit(work, number, turn)
            wait_until(lambda number=number: len(turns._waiting) == number)
    assert order == [5, 3, 4, 2, 1]


ASKED = [
    ("왜 그만뒀대?", "그분은 20년을 일하셨어요.", "몸이 안 좋아져서 더는 못 하겠다고 하시더라고요."),
    ("얼마나 걸려?", "기차를 타고 갔습니다.", "서울에서 두 시간 반이면 도착해요."),
    ("who found it?", "It was lying in a field for decades.", "A retired farmer came across it while walking his dog."),
    ("어디서 열려?", "올해로 열두 번째 맞는 축제죠.", "행사는 강릉 해변에서 열립니다."),
]
"""A question, a sentence beside the answer, and the answer."""


def test_plain_answers_are_likelier_than_what_stands_beside_them(shipped):
    """Of four questions at least three have their answer read as likelier than another sentence; nothing asked gives no odds."""
    read = shipped.answer_odds
    odds = [read(asked, [Placed("", beside), Placed(beside, answer)]) for asked, beside, answer in ASKED]
    assert sum(float(each[1]) > float(each[0]) for each in odds) >= 3
    assert read("왜?", []).shape == (0,)


FIRST = ["the", "company", "sold", "forty", "million", "phones", "last", "year", "most", "were", "made", "in", "india"]
SECOND = ["so", "i", "want", "to", "show", "you", "how", "we", "got", "there", "thank", "you", "so", "much", "for", "coming"]


@pytest.mark.parametrize("count", [0, 1, 150, WINDOW, 1000])
def test_each_word_is_judged_once(count: int):
    """Windows overlap, what is judged by them does not; no window is longer than the model was taught by."""
    words = [str(number) for number in range(count)]
    windows = [*read_in_windows(words)]
    assert [word for window, inner in windows for word in window[inner]] == words
    assert all(len(window) <= WINDOW for window, _ in windows)


def test_an_end_is_likelier_than_any_other_word(shipped: EmbedderHost):
    """Two sentences without signs: behind the first one an end is likeliest, however often they are said."""
    times = 12
    odds, empty = (shipped.sentence_end_odds(words) for words in ([*FIRST, *SECOND] * times, []))
    assert odds is not None
    assert len(odds) == times * len([*FIRST, *SECOND])
    assert int(odds[: len(FIRST) + 6].argmax()) == len(FIRST) - 1
    assert empty is not None
    assert not len(empty)


PASSAGE = "어제 새벽 가람제약 공장에서 불이 났는데요 대표 민서홍 씨가 고개를 숙였습니다 | 소방서는 40분 만에 껐습니다"
MEANT = {"이 회사 어디 있어?": "가람제약", "그 사람 몇 살이야?": "민서홍", "고양이 중성화 수술 비용": "?"}
"""Questions at the end of the passage, and the word that each leaves unsaid; "?" stands for none."""


@pytest.mark.parametrize("question", MEANT)
def test_what_a_question_leaves_unsaid_is_likeliest(shipped: EmbedderHost, question: str):
    """Of all words beside the question the one that it means has the highest odds."""
    beside = ["?", "|", "|", *PASSAGE.split(), "▶"]
    odds = shipped.unsaid_odds([*question.split(), *beside])
    assert odds is not None
    assert beside[int(odds[len(question.split()) :].argmax())] == MEANT[question]


def test_where_no_model_ships_or_it_is_not_ready_there_are_no_odds():
    """Beside Kiwi alone nobody reads; a model that loads gives none yet, one that has not been started is begun."""
    sentences = [Placed("", "비가 와서요.")]
    for name in ("kiwi", MODEL):
        with closing(EmbedderHost(model=name)) as host:
            assert host.answer_odds("왜?", sentences) is None
            assert host.sentence_end_odds(FIRST) is None
            assert host.unsaid_odds(FIRST) is None


def test_a_model_that_cannot_answer_is_done_without():
    """One that knows vectors alone says so, and there are no odds."""
    told = '{"shape": [0, 1], "numbers": ""}'
    worker = (
        "from search_core.child_process import serve\n"
        f"serve(lambda request, _: {told} if 'texts' in request else {{'cause': 'KeyError'}}, memory_bytes=None, tell=str)"
    )
    model = ModelEmbedder(MODEL, command=[sys.executable, "-c", worker])
    model.start()
    model.wait(LOAD_S)
    assert sentence_end_odds(model, FIRST) is None
    assert np.array_equal(model.embed([]), np.zeros((0, 1)))
    model.close()
