"""Embedding what will be scored while services are still waited for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from search_core.domain import SearchResult, VideoContext
from search_core.embedding import Embedder
from search_core.errors import EmbeddingError
from search_core.ranking.meaning import Calibration, embedded_as
from search_core.ranking.video_profile import VideoProfile

_log = logging.getLogger(__name__)

_READ_CHARS = 4000
"""As much of a snippet as is scored."""


class EmbeddingPrefetch:
    """Embeds texts in the background, so that their vectors are stored when they are scored; never raises, never waits."""

    def __init__(self, current: Callable[[], Embedder | None]) -> None:
        """Take a function that returns the embedder whose vectors are stored, or None where there is none now."""
        self._current = current
        self._thread = ThreadPoolExecutor(2, thread_name_prefix="maekrak-embed-ahead")  # results pass a long video
        self._video: VideoContext | None = None

    def take_results(self, results: Sequence[SearchResult]) -> None:
        """Begin to embed *results* as they will be scored."""
        texts = [f"{result.title}\n{result.snippet[:_READ_CHARS]}" for result in results]
        if texts:
            self._begin(lambda embedder: _embed(texts, embedder))

    def take_video(self, video: VideoContext | None) -> None:
        """Begin to embed what *video* is about, unless it was the last one."""
        if video is None or video == self._video:
            return
        if self._begin(lambda embedder: VideoProfile.of(video, embedder)):
            self._video = video

    def close(self) -> None:
        """Drop what waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Callable[[Embedder], object]) -> bool:
        embedder = self._current()
        if embedder is None:
            return False
        try:
            self._thread.submit(work, embedder).add_done_callback(_note)
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
