"""Which embedder is at work: a server, the model that was named or the one that ships, and Kiwi wherever none of them can be."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from search_core.domain import DownloadState, DownloadStep, ScorerPhase, ScorerState
from search_core.embedding.cached_embedder import CachedEmbedder, VectorStore
from search_core.embedding.e5.weights_file import MODEL, find_weights
from search_core.embedding.embedder import BackgroundEmbedder, Embedder, KiwiEmbedder, TextKind, Vectors
from search_core.embedding.entailment import EntailmentModel
from search_core.embedding.model_download import ModelDownload, may_be_on_a_hub
from search_core.embedding.model_embedder import ModelEmbedder, ModelState, free_bytes
from search_core.embedding.sentence_ends import SentenceEnds
from search_core.embedding.server_embedder import ServerEmbedder

EMBEDDED = "kiwi"
"""The model name that asks for the embedded embedder only."""
_STAND_IN_LEAVES_S = 60.0
"""A search under way may still ask the stand-in when the named model is ready."""
_UNUSABLE = (ModelState.ABSENT, ModelState.FAILED)
_BY_WORDS = "내장 방식으로 채점해요."
_BY_SHIPPED = "함께 들어 있는 의미 분석 모델로 채점해요."
QUIET_S = 3.0
"""Longer than the model that ships takes to load, and than it takes to find out that there is none."""
OnWait = Callable[[float], object]
"""Hears that loading takes long, and for how many seconds it is waited for."""


@dataclass(frozen=True, slots=True)
class _Model:
    """A model, and the source of its vectors: stored ones first."""

    embedder: ModelEmbedder
    served: Embedder

    @property
    def ready(self) -> bool:
        return self.embedder.state is ModelState.READY


class OnDemandModel:
    """Embeds by a model that the first text starts; all who ask wait for it together, for so many seconds in all.

    For a command, whose texts may all be known already.
    """

    def __init__(self, model: ModelEmbedder, *, wait_s: float, on_wait: OnWait) -> None:
        """Take the model; nothing is begun. *on_wait* hears of a wait of more than ``QUIET_S``."""
        self._model, self._wait_s, self._on_wait = model, wait_s, on_wait
        self.name, self.label, self.reach = model.name, model.label, model.reach
        self._asking = threading.Lock()
        self._until: float | None = None

    @property
    def expected(self) -> bool:
        """Return whether the model embeds, or may do so in time."""
        if self._until is not None and time.monotonic() > self._until:
            return self._model.state is ModelState.READY
        return self._model.state in (ModelState.IDLE, ModelState.LOADING, ModelState.READY)

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """Return ``(n, dim)`` float32; raises EmbeddingError as the model does, and when it is not ready in time."""
        self.wait()
        return self._model.embed(texts, kind)

    def wait(self) -> None:
        """Start the model where nobody has, and wait until it is ready, cannot be used or time is up."""
        with self._asking:
            now = time.monotonic()
            if self._until is None:
                self._model.start()
                self._until = now + self._wait_s
            left = self._until - now
            if left > QUIET_S and self._model.wait(QUIET_S) is ModelState.LOADING:
                self._on_wait(self._wait_s)
                left -= QUIET_S
            if left > 0:
                self._model.wait(left)


class EmbedderHost:
    """Owns the embedders of a process; never makes anyone wait for a model."""

    def __init__(
        self,
        *,
        model: str,
        allow_download: bool = False,
        server: ServerEmbedder | None = None,
        vectors: VectorStore | None = None,
        free: Callable[[], int | None] = free_bytes,
    ) -> None:
        """Take a model name or folder, or ``kiwi`` for the embedded embedder alone; nothing is loaded yet.

        A *server* stands in for the model: none is loaded here. With *allow_download* a model that is not on this machine is
        fetched without being asked for. *free* tells how many bytes of memory are free.
        """
        self._embedded = KiwiEmbedder()
        self._vectors = vectors
        self._free = free
        self._allow_download = allow_download
        self._named: _Model | None = None
        self._stand_in: _Model | None = None
        """The model that ships, where another one is named and cannot be used."""
        self._server: ServerEmbedder | None = None
        self._served: Embedder = self._embedded
        self._download: ModelDownload | None = None
        self._lock = threading.Lock()
        self._on_demand: OnDemandModel | None = None
        self.entailment = EntailmentModel(self._judging)
        self.sentence_ends = SentenceEnds(self._reading)
        self._judge: ModelEmbedder | None = None
        """The model that ships, for entailment alone, where another one or a server embeds."""
        name = model.strip()
        if not name or name.lower() == EMBEDDED:
            return
        if server is not None:
            self._server = server
            self._served = self._keep_vectors_of(server)
            return
        self._named = self._model(name)
        if may_be_on_a_hub(name):
            self._download = ModelDownload(name, self._named.embedder.reload)

    def start(self) -> None:
        """Begin loading the model in the background; returns at once."""
        if self._named is not None and self._on_demand is None:
            self._named.embedder.start()

    def load_on_demand(self, wait_s: float, on_wait: OnWait) -> None:
        """Have the model that ships started by the first text whose vector is not stored, and waited for *wait_s* seconds.

        *on_wait* hears when that takes long. A model of another kind is started now, and waited for here.
        """
        if self._named is None or not self._named.embedder.is_shipped:
            if self.state(wait_s=min(wait_s, QUIET_S)).awaited and wait_s > QUIET_S:
                on_wait(wait_s)
                self.wait(wait_s - QUIET_S)
            return
        self._on_demand = OnDemandModel(self._named.embedder, wait_s=wait_s, on_wait=on_wait)
        self._named = _Model(self._named.embedder, self._keep_vectors_of(self._on_demand))

    def current(self) -> Embedder:
        """Return the best model that is ready, the embedded embedder when none is.

        A server is returned while it fails, too: its failures are reported with each search, and it may answer again.
        """
        if self._server is not None:
            return self._served
        self._tend()
        ready = self._ready()
        return self._embedded if ready is None else ready.served

    def wait(self, timeout_s: float) -> Embedder:
        """Wait until a model is ready or none can be, at most *timeout_s* seconds, and return the embedder at work.

        For tools that prefer a late answer; a page never waits.
        """
        until = time.monotonic() + timeout_s
        if self._on_demand is not None:
            return self.current()  # whoever embeds waits
        if self._named is not None:
            self._named.embedder.wait(timeout_s)
            self._tend()
            if self._download is not None and self._download.state.under_way:
                self._download.wait(until - time.monotonic())
                self._named.embedder.wait(until - time.monotonic())
            stand_in = self._stand_in
            if stand_in is not None and not self._named.ready:
                stand_in.embedder.wait(until - time.monotonic())
        return self.current()

    def state(self, *, wait_s: float = 0.0) -> ScorerState:
        """Return which embedder is at work and how far the model is, after at most *wait_s* seconds of waiting for it."""
        if wait_s > 0:
            self.start()
            self.wait(wait_s)
        current = self.current()
        if self._server is not None and self._server.reason:
            return self._state(self._embedded, "failed", self._server.reason, as_chosen=False)
        if self._named is None and self._server is None:
            return self._state(current, "embedded", "내장 방식으로 관련도를 계산해요.")
        if self._named is None or self._ready() is self._named:
            return self._state(current, "ready", f"의미 분석 모델({current.name})로 관련도를 계산해요.")
        if self._named.embedder.state not in (*_UNUSABLE, ModelState.CLOSED):
            by = _BY_WORDS if current is self._embedded else _BY_SHIPPED
            return self._state(current, "loading", f"의미 분석 모델을 준비하는 동안 {by}", awaited=self._named.embedder.name)
        return self._state_without(self._named.embedder, current)

    def look_up_model(self) -> None:
        """Ask the hub how large the named model is; returns at once, does nothing where it is of no use."""
        if self._download is not None:
            self._download.look_up()

    def fetch_model(self) -> None:
        """Fetch the named model and load it then; returns at once, does nothing where it is of no use."""
        if self._download is not None:
            self._download.fetch()

    def cancel_fetching(self) -> None:
        """End what ``look_up_model`` or ``fetch_model`` began; what was fetched stays."""
        if self._download is not None:
            self._download.cancel()

    def close(self) -> None:
        """End the processes of the models."""
        if self._download is not None:
            self._download.cancel()
        with self._lock:
            open_ones = [model.embedder for model in (self._named, self._stand_in) if model is not None]
            open_ones += [self._judge] if self._judge is not None else []
        for embedder in open_ones:
            embedder.close()

    def _tend(self) -> None:
        """See to it that a model loads where one can: the named one again when that is due, the one that ships in its place."""
        named = self._named
        if named is None:
            return
        named.embedder.retry_when_due()
        with self._lock:
            unusable = named.embedder.state in _UNUSABLE and not named.embedder.is_shipped
            if unusable and self._stand_in is None and find_weights() is not None:
                self._stand_in = self._model(MODEL)
                self._stand_in.embedder.start()
            elif self._stand_in is not None and named.ready:
                leaving = threading.Timer(_STAND_IN_LEAVES_S, self._stand_in.embedder.close)
                leaving.daemon = True
                leaving.start()
                self._stand_in = None
            stand_in = self._stand_in
        if stand_in is not None:
            stand_in.embedder.retry_when_due()
        unasked = self._download is not None and self._download.state.step is DownloadStep.IDLE
        if self._allow_download and unasked and named.embedder.fetchable:
            self.fetch_model()

    def _ready(self) -> _Model | None:
        if self._named is not None and self._on_demand is not None and self._on_demand.expected:
            return self._named
        return next((model for model in (self._named, self._stand_in) if model is not None and model.ready), None)

    def bare(self) -> BackgroundEmbedder | None:
        """Return the model or the server itself, for texts whose vectors are stored elsewhere; None until it is ready."""
        if self._server is not None:
            return self._server
        ready = self._ready()
        return ready.embedder if ready is not None else None

    def _judging(self) -> ModelEmbedder | None:
        """Return the model that ships, which judges entailment; None where Kiwi alone is asked for, or nothing ships."""
        for model in (self._named, self._stand_in):
            if model is not None and model.embedder.is_shipped:
                return model.embedder
        if (self._named is None and self._server is None) or find_weights() is None:
            return None
        with self._lock:
            if self._judge is None:
                self._judge = ModelEmbedder(MODEL, free=self._free)
            return self._judge

    def _reading(self) -> ModelEmbedder | None:
        """Return what ``_judging`` does, once a model that is loaded on demand was waited for."""
        if self._on_demand is not None and self._on_demand.expected:
            self._on_demand.wait()
        return self._judging()

    def storing(self) -> Embedder | None:
        """Return the embedder at work if its vectors are stored."""
        current = self.current()
        return current if isinstance(current, CachedEmbedder) else None

    def _model(self, name: str) -> _Model:
        embedder = ModelEmbedder(name, free=self._free)
        return _Model(embedder, self._keep_vectors_of(embedder))

    def _keep_vectors_of(self, embedder: Embedder) -> Embedder:
        return embedder if self._vectors is None else CachedEmbedder(embedder, self._vectors)

    def _state_without(self, named: ModelEmbedder, current: Embedder) -> ScorerState:
        """Return the state while the named model cannot be used."""
        stand_in = self._stand_in
        if stand_in is not None and current is stand_in.served:
            return self._state(current, "ready", f"{named.reason} {_BY_SHIPPED}", as_chosen=False)
        if stand_in is not None and stand_in.embedder.state in (ModelState.IDLE, ModelState.LOADING):
            detail = f"{named.reason} 함께 들어 있는 모델을 준비하는 동안 {_BY_WORDS}"
            return self._state(current, "loading", detail, as_chosen=False, awaited=stand_in.embedder.name)
        phase: ScorerPhase = "embedded" if named.state is ModelState.ABSENT else "failed"
        why = [named.reason, stand_in.embedder.reason if stand_in is not None else "", _BY_WORDS]
        return self._state(current, phase, " ".join(part for part in why if part), as_chosen=False)

    def _state(
        self, at_work: Embedder, phase: ScorerPhase, detail: str, *, as_chosen: bool = True, awaited: str = ""
    ) -> ScorerState:
        return ScorerState(
            name=at_work.name,
            label=at_work.label,
            state=phase,
            detail=detail,
            as_chosen=as_chosen and not awaited,
            awaited=awaited,
            download=self._offered(),
        )

    def _offered(self) -> DownloadState | None:
        if self._download is None or self._named is None:
            return None
        state = self._download.state
        return state if state.under_way or self._named.embedder.fetchable else None
