"""A model in a child process, loaded in the background: the shipped one or one of sentence-transformers."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum, StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from search_core.child_process import ChildError, ChildFailure, ChildPool, python_call
from search_core.errors import EmbeddingError
from search_core.language.vectors import TRAINED, TextKind, Vectors
from search_core.language.words import readable
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.embedder import MAX_CHARS, folder_of, prepare_texts, version_of
from search_core.runtime import waiting

T = TypeVar("T")

KOREAN = {
    "absent": "EMBEDDING_MODEL에 적힌 의미 분석 모델이 이 컴퓨터에 없어요. 폴더 이름을 확인하거나 make models로 받아 주세요.",
    "no_wheel": "함께 들어오는 의미 분석 모델이 이 컴퓨터에는 없어요.",
    "not_installed": "의미 분석 모델을 불러오는 sentence-transformers가 설치되지 않았어요. 서버에서 make models를 실행해 주세요.",
    "library": "의미 분석 프로그램이 설치되어 있지 않아요.",
    "load": "의미 분석 모델을 불러오지 못했어요.",
    "weights": "의미 분석 모델의 파일을 읽지 못했어요.",
    "hang": "의미 분석 모델을 불러오다 멈췄어요.",
    "crash": "의미 분석 모델이 거듭 멈췄어요.",
}
EXPECTED = ("absent", "no_wheel")
"""Reasons for having no model that are no failure: the app works without one on such a machine."""
_CRASHED_S = 60.0
"""Seconds until a model is tried again after repeated crashes."""
_ELSE_S = 600.0
"""Seconds until a model is tried again after other failures."""


class Priority(IntEnum):
    """Priorities of those who ask a model, the most urgent first."""

    QUESTION = 0
    """The text of a question: short, and needed before anything can be compared."""
    SEARCH = 1
    JUDGEMENT = 2
    """Pairs for the entailment model: many, so a search's few texts go first."""
    BACKGROUND = 3


class PriorityLock:
    """Grants turns to threads by priority, one at a time; an ordinary lock may starve some of them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[Priority, int]] = []
        self._numbers = itertools.count()
        self._taken = False

    @contextmanager
    def take(self, turn: Priority) -> Iterator[None]:
        """Hold the lock once it is free and no waiter has a higher priority."""
        with self._changed:
            place = (turn, next(self._numbers))
            heapq.heappush(self._waiting, place)
            self._changed.wait_for(lambda: not self._taken and self._waiting[0] == place)
            heapq.heappop(self._waiting)
            self._taken = True
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()


_log = logging.getLogger(__name__)

_MAX_STARTS = 3
_STARTS_WITHIN_S = 600.0
"""A model that crashes three times in ten minutes may crash again: it is started once a minute then."""
_ANSWER_S = 30.0
"""Seconds after which a child that does not answer counts as hung; a long list of results takes less on a slow machine."""
_SHIPPED_ANSWER_S = 10.0
"""The same for the shipped model, which takes a third of a second of one core for ``_REQUEST_TEXTS`` texts."""
_LOAD_S = 300.0
"""Seconds after which a model that does not load is given up; a large one takes less from a slow disk."""
_REQUEST_TEXTS = 16
"""Long transcripts are embedded in batches of this size, so that other searches need not wait."""
_BACKGROUND_TEXTS = 2
"""Batch size of background work, so that a search that comes meanwhile waits for a thirtieth of a second at most."""
_REQUEST_PAIRS = 6
"""Batch size of pairs; a batch takes about a twentieth of a second of a core."""
_REQUEST_WINDOWS = 4
"""Batch size of windows of words; a window takes about a thirtieth of a second of a core."""
_WORD_CHARS = 64
_FIRST_ELSE = 3.0
"""Factor on the time limit for pairs and windows, because their reader is only built for the first of them."""

_SHIPPED = "multilingual-e5-small-q4"
"""The name of the shipped model; not the original's, because its reduced weights give slightly different vectors."""
_UNAVAILABLE = "의미 분석 모델이 지금 답하지 않아요."


class ModelState(StrEnum):
    """Names the states of a model, from idle to ready or failed."""

    IDLE = "idle"
    LOADING = "loading"
    READY = "ready"
    ABSENT = "absent"
    """Not on this machine: the normal state of a machine without a model."""
    FAILED = "failed"
    CLOSED = "closed"


class ModelEmbedder:
    """Embeds texts with a model that lives in a child process.

    ``start`` returns at once; until ``state`` is READY every ``embed`` raises EmbeddingError. A child that dies is restarted a
    few times; if that fails, ``retry_when_due`` tries again later.
    """

    label = "의미 분석 모델"
    limits = TRAINED

    def __init__(
        self,
        model: str,
        *,
        answer_s: float | None = None,
        load_s: float = _LOAD_S,
        command: Sequence[str] | None = None,
        worker: str = "serve_model",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a model name or folder and its *worker* function; *command* replaces the whole command line."""
        folder = Path(model).expanduser()
        self._model = str(folder.resolve()) if folder.is_dir() else model
        self.name = "/".join(folder.resolve().parts[-2:]) if folder.is_dir() else model
        self.is_shipped = model == MODEL and find_weights() is not None
        if self.is_shipped:
            self.name = _SHIPPED
        self._answer_s = answer_s or (_SHIPPED_ANSWER_S if self.is_shipped else _ANSWER_S)
        self._load_s = load_s
        self._command = command or python_call(f"search_core.models.embedding.model_worker:{worker}", self._model)
        self._clock = clock
        self._lock = threading.Lock()
        self._turns = PriorityLock()
        self._process: ChildPool | None = None
        self._starts: list[float] = []
        self._failure = ""
        self._retry_at = float("inf")
        self.state = ModelState.IDLE
        self.reason = ""
        """Korean sentence why the model cannot be used; empty otherwise."""
        self._changed = threading.Condition()
        self._asking = threading.Lock()
        self._first_wait_s: float | None = None
        """Seconds that the first text waits for the model it starts; None after that, or if no text starts the model."""
        self.on_demand = False

    def load_on_demand(self, wait_s: float) -> None:
        """Let the first text start the model; this text, and texts that come meanwhile, wait up to *wait_s* seconds."""
        self.on_demand, self._first_wait_s = True, wait_s

    @cached_property
    def version(self) -> str:
        """Return a version that changes with the model's files; empty if they cannot be read."""
        files = find_weights() if self.is_shipped else folder_of(self._model)
        try:
            return version_of(files) if files is not None else ""
        except OSError:
            return ""

    @property
    def expected(self) -> bool:
        """Return whether the model is ready, or will start when its first text comes."""
        waits = self._first_wait_s is not None and self.state in (ModelState.IDLE, ModelState.LOADING)
        return waits or self.state is ModelState.READY

    def may_be_asked(self) -> bool:
        """Return whether the model may be asked now; if it has not started loading, it starts."""
        if not self.expected:
            self.start()
            return False
        return True

    def start(self) -> None:
        """Begin loading in the background; does nothing when already begun."""
        with self._lock:
            if self.state is ModelState.IDLE:
                self._launch()

    def retry_when_due(self) -> None:
        """Retry a model that failed to load some time ago; returns at once."""
        with self._lock:
            if self.state in (ModelState.ABSENT, ModelState.FAILED) and self._clock() >= self._retry_at:
                self._launch()

    def wait(self, timeout_s: float) -> ModelState:
        """Wait until the model is neither idle nor loading, at most *timeout_s* seconds, and return its state."""
        waiting = (ModelState.IDLE, ModelState.LOADING)
        with self._changed:
            self._changed.wait_for(lambda: self.state not in waiting, timeout_s)
        return self.state

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32, rows of length 1; zeros for a text without content.

        Raises EmbeddingError when the model is not ready, dies, does not answer in time, or cannot do what it is asked.
        """
        return self._embed(texts, kind, Priority.QUESTION if kind == "query" else Priority.SEARCH, _REQUEST_TEXTS)

    def embed_in_background(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, after all waiting searches; raises EmbeddingError."""
        return self._embed(texts, "passage", Priority.BACKGROUND, _BACKGROUND_TEXTS)

    def _embed(self, texts: Sequence[str], kind: TextKind, turn: Priority, at_once: int) -> Vectors:
        prepared = prepare_texts(self._model, texts, kind)
        pieces = [self._ask({"texts": prepared[start : start + at_once]}, turn) for start in range(0, len(prepared), at_once)]
        vectors: Vectors = np.vstack(pieces) if pieces else np.zeros((0, 1), dtype=np.float32)
        vectors[[not text.strip() for text in texts]] = 0.0
        return vectors

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Return ``(n, 3)``: how likely each first text supports, ignores or denies the second; raises EmbeddingError."""
        return self._read_pairs("pairs", pairs, Priority.JUDGEMENT, 3)

    def answer(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Return ``(n, 1)``: log odds that the end of each first text answers the question after it; raises EmbeddingError."""
        return self._read_pairs("asked", pairs, Priority.SEARCH, 1)

    def _read_pairs(self, name: str, pairs: Sequence[tuple[str, str]], turn: Priority, classes: int) -> Vectors:
        prepared = [[readable(text[:MAX_CHARS]) for text in pair] for pair in pairs]
        parts = range(0, len(prepared), _REQUEST_PAIRS)
        pieces = [self._ask({name: prepared[start : start + _REQUEST_PAIRS]}, turn) for start in parts]
        return np.vstack(pieces) if pieces else np.zeros((0, classes), dtype=np.float32)

    def mark_ends(self, windows: Sequence[Sequence[str]]) -> list[Vectors]:
        """Return for each window of words the log odds of a sentence end after each word; raises EmbeddingError."""
        by_window: list[Vectors] = []
        for start in range(0, len(windows), _REQUEST_WINDOWS):
            prepared = [_readable_words(window) for window in windows[start : start + _REQUEST_WINDOWS]]
            odds = self._ask({"windows": prepared}, Priority.JUDGEMENT)
            by_window += np.split(odds, np.cumsum([len(window) for window in prepared])[:-1])
        return by_window

    def find_unsaid(self, words: Sequence[str]) -> Vectors:
        """Return ``(words, 1)``: the log odds that the question among *words* leaves each unsaid; raises EmbeddingError."""
        return self._ask({"words": _readable_words(words)}, Priority.QUESTION)

    def close(self) -> None:
        """End the process; it cannot be started again."""
        with self._lock:
            self._set(ModelState.CLOSED)
            process = self._process
        if process is not None:
            process.close()

    def _load_at_first_use(self) -> None:
        with self._asking:
            if self._first_wait_s is not None:
                self.start()
                self.wait(self._first_wait_s)
                self._first_wait_s = None

    def _ask(self, request: Mapping[str, Any], turn: Priority) -> Vectors:
        self._load_at_first_use()
        with waiting(), self._turns.take(turn):
            return self._answer(request)

    def _answer(self, request: Mapping[str, Any]) -> Vectors:
        process = self._process
        if self.state is not ModelState.READY or process is None:
            raise EmbeddingError(f"The model {self.name} is not ready ({self.state.value}).", korean=_UNAVAILABLE)
        patience_s = self._answer_s * (1.0 if "texts" in request else _FIRST_ELSE)
        try:
            answer = process.ask(request, b"", limit_s=patience_s)
        except ChildError as error:
            with self._lock:
                if self._process is process and self.state is ModelState.READY:
                    self._set(ModelState.LOADING)  # whoever looks after the process starts the next one
            late = f"did not answer within {patience_s:g} s" if error.kind is ChildFailure.LATE else "died"
            raise EmbeddingError(f"The process of the model {self.name} {late}.", korean=_UNAVAILABLE) from error
        if "cause" in answer:
            raise EmbeddingError(f"The model {self.name} cannot answer: {answer['cause']}", korean=_UNAVAILABLE)
        vectors: Vectors = np.frombuffer(b64decode(answer["numbers"]), "<f4").astype(np.float32).reshape(answer["shape"])
        return vectors

    def _launch(self) -> None:
        now = self._clock()
        self._starts = [*(start for start in self._starts if now - start < _STARTS_WITHIN_S), now]
        self._set(ModelState.LOADING)
        self._process = ChildPool(self._command, size=1)
        threading.Thread(target=self._supervise, args=(self._process,), name="maekrak-model", daemon=True).start()

    def _supervise(self, process: ChildPool) -> None:
        """Load the model; if *process* dies, start another or give up. A process that was replaced changes nothing."""
        answer, loaded = dict[str, Any](), False
        try:
            answer = process.ask({"texts": []}, b"", limit_s=self._load_s)
            loaded = "failed" not in answer
        except ChildError as error:
            if error.kind is ChildFailure.LATE:
                answer = {"failed": "hang", "cause": f"not loaded within {self._load_s:g} s"}
        with self._lock:
            if self._process is process and self.state is ModelState.LOADING:
                if loaded:
                    self._failure = self.reason = ""
                    self._set(ModelState.READY)
                elif answer:
                    self._fail(answer["failed"], answer["cause"])
            else:
                loaded = False
        if loaded:
            process.wait_for_end()
        process.close()
        if not threading.main_thread().is_alive():
            return  # the program ends, and its processes with it
        with self._lock:
            if self._process is process and self.state in (ModelState.LOADING, ModelState.READY):
                _log.warning("The process of the model %s died", self.name)
                if len(self._starts) < _MAX_STARTS:
                    self._launch()
                else:
                    self._fail("crash", f"died {len(self._starts)} times")

    def _fail(self, kind: str, cause: str) -> None:
        if kind == "absent" and self._model == MODEL:
            kind = "no_wheel"
        expected = kind in EXPECTED
        if kind != self._failure:
            _log.log(logging.INFO if expected else logging.WARNING, "The model %s cannot be used: %s", self.name, cause)
        self._failure = kind
        self._retry_at = self._clock() + (_CRASHED_S if kind == "crash" else _ELSE_S)
        self.reason = KOREAN.get(kind, KOREAN["load"])
        self._set(ModelState.ABSENT if expected else ModelState.FAILED)

    def _set(self, state: ModelState) -> None:
        with self._changed:
            if self.state is not ModelState.CLOSED:
                self.state = state
            self._changed.notify_all()


_KEPT = 8
"""Results remembered, because ordering passages and quoting them ask for the same."""
_BEFORE_CHARS, _SENTENCE_CHARS = 80, 260
"""Characters of the context and of the sentence that the model was trained with."""


class Placed(NamedTuple):
    """A sentence with the sentence or title before it."""

    before: str
    sentence: str

    @property
    def text(self) -> str:
        """Return both texts joined: the end of the first, the beginning of the second."""
        return f"{self.before[-_BEFORE_CHARS:]} {self.sentence[:_SENTENCE_CHARS]}".strip()


def answer_odds(model: ModelEmbedder | None, question: str, placed: Sequence[Placed]) -> NDArray[np.float64] | None:
    """Return the log odds that each sentence answers *question*; None if the shipped *model* is not ready or fails."""
    return _read_or_none(model, lambda reader: _answer_odds(reader, question, tuple(placed)))


@lru_cache(maxsize=_KEPT)
def _answer_odds(model: ModelEmbedder, question: str, placed: tuple[Placed, ...]) -> NDArray[np.float64]:
    return model.answer([(item.text, question) for item in placed])[:, 0].astype(np.float64)


def unsaid_odds(model: ModelEmbedder | None, words: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the log odds that a question leaves each of *words* unsaid; None if the shipped *model* is not ready or fails."""
    return _read_or_none(model, lambda reader: _unsaid_odds(reader, tuple(words)))


@lru_cache(maxsize=_KEPT)
def _unsaid_odds(model: ModelEmbedder, words: tuple[str, ...]) -> NDArray[np.float64]:
    return model.find_unsaid(words)[:, 0].astype(np.float64)


def sentence_end_odds(model: ModelEmbedder | None, words: Sequence[str]) -> NDArray[np.float32] | None:
    """Return the log odds of a sentence end after each of *words*, which are in lower case without punctuation.

    From 0 on a sentence ends there. None if the shipped *model* is not ready or does not answer.
    """
    windows = [*read_in_windows(words)]

    def read(reader: ModelEmbedder) -> NDArray[np.float32]:
        odds = reader.mark_ends([window for window, _ in windows])
        inner = (window_odds[part] for window_odds, (_, part) in zip(odds, windows, strict=True))
        return np.concatenate([np.zeros(0, dtype=np.float32), *inner])

    return _read_or_none(model, read)


def _readable_words(words: Sequence[str]) -> list[str]:
    return [readable(word[:_WORD_CHARS]) for word in words]


def _read_or_none(model: ModelEmbedder | None, read: Callable[[ModelEmbedder], T]) -> T | None:
    """Return what *model* reads; None if there is none, it is not ready, or it fails."""
    if model is None or not model.may_be_asked():
        return None
    try:
        return read(model)
    except EmbeddingError as error:
        _log.info("The shipped model reads no sentences: %s", error)
        return None


WINDOW, AROUND = 192, 16
"""Words in a window, and how many on each side of it are only context."""


def read_in_windows(words: Sequence[str]) -> Iterator[tuple[Sequence[str], slice]]:
    """Yield the windows of *words*, and the words that each decides; every word is decided once."""
    for start in range(0, len(words), WINDOW - 2 * AROUND):
        first = max(0, start - AROUND)
        window = words[first : start + WINDOW - AROUND]
        yield window, slice(start - first, start - first + WINDOW - 2 * AROUND)
