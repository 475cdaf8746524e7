"""Embedding what will be scored while services are still waited for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from search_core.domain import SearchResult, VideoContext
from search_core.embedding import Embedder
from search_core.embedding.cached_embedder import CachedEmbedder
from search_core.errors import EmbeddingError
from search_core.ranking.meaning import Calibration, embedded_as
from search_core.ranking.video_profile import profile_of

_log = logging.getLogger(__name__)

_READ_CHARS = 4000
"""As much of a snippet as is scored."""


class EmbeddingPrefetch:
    """Embeds in the background, so that videos and results are known when results are scored; never raises, never waits."""

    def __init__(self, current: Callable[[], Embedder]) -> None:
        """Take a function that returns the embedder at work."""
        self._current = current
        self._thread = ThreadPoolExecutor(2, thread_name_prefix="maekrak-embed-ahead")  # results pass a long video
        self._taken: tuple[str, VideoContext] | None = None
        """The video that was taken last, with the name of the embedder."""

    def take_results(self, results: Sequence[SearchResult]) -> None:
        """Begin to embed *results* as they will be scored, where vectors are stored."""
        texts = [f"{result.title}\n{result.snippet[:_READ_CHARS]}" for result in results]
        if texts and isinstance(embedder := self._current(), CachedEmbedder):
            self._begin(lambda: _embed(texts, embedder))

    def take_video(self, video: VideoContext | None) -> None:
        """Begin to embed what *video* is about, unless it was the last one."""
        if video is None:
            return
        embedder = self._current()
        if (embedder.name, video) != self._taken and self._begin(lambda: profile_of(video, embedder)):
            self._taken = embedder.name, video

    def close(self) -> None:
        """Drop what waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Callable[[], object]) -> bool:
        try:
            self._thread.submit(work).add_done_callback(_note)
        except RuntimeError:  # closed: the process ends
            return False
        return True


def _embed(texts: Sequence[str], embedder: Embedder) -> None:
    embedder.embed([window for text in texts for window in embedded_as(text, embedder)])
    Calibration(embedder)  # embeds what its scale is taken from, the first time


def _note(done: Future[object]) -> None:
    error = None if done.cancelled() else done.exception()
    if isinstance(error, EmbeddingError):
        _log.debug("Nothing was embedded ahead: %s", error)  # whoever scores will say so
    elif error is not None:
        _log.error("Embedding ahead failed unexpectedly", exc_info=error)
