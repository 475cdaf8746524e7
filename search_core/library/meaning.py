"""Searching the library by meaning: passages are embedded in the background and compared with questions."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from search_core.domain.result import SearchResult
from search_core.errors import EmbeddingError, StorageError
from search_core.language import korean
from search_core.language.vectors import Vectors
from search_core.library.library import Library
from search_core.library.vectors import Direction, EmbeddingProgress, PendingSection, VectorModel
from search_core.runtime import Lazy, run_in_thread

logger = logging.getLogger(__name__)

LEAST_NEAR = 0.2
"""A passage less near than this is on another subject: unrelated ones have .1, answers .6. A limit of .3 would lose some answers
in another language."""
BATCH_SECTIONS = 8
"""Sections embedded and stored together: about a second of work, which is lost if the process is killed."""
IDLE_S = 20.0
"""Seconds between looks for documents that other processes have added."""
LOADING_S = 1.0
RETRY_S = 5.0
QUESTION_S = 2.0
"""Most seconds to wait for a question's vector, which usually takes hundredths; then only results by words are shown."""
CLOSING_S = 5.0
FAILURES_TOLD = 3
"""Failures in a row after which one is reported; single ones pass, as models restart and database locks end."""
_TITLE_CHARS = 100
_FIRST_QUESTION = "메모리 대역폭은 왜 중요한가요?"
"""Embedded when a model becomes ready, to learn the width of its vectors and to spare users its slow first run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningModel:
    """A model that embeds passages and questions; its functions raise EmbeddingError."""

    name: str
    version: str
    """Version of its files; a new one means that all passages are embedded anew."""
    embed_passages: Callable[[Sequence[str]], Vectors]
    """Returns a vector of length 1 for each text; searches that wait go first."""
    directions: Callable[[str], Mapping[bool, Direction]] = field(compare=False)
    """Returns for a question the vector to compare Korean passages with (True), and the one for other passages (False)."""


class LibraryMeaning:
    """Embeds the passages of a library and finds those with the meaning of a question; thread-safe.

    Several processes may fill one library: they share the work, and a section that two of them embed is stored once.
    """

    def __init__(
        self,
        library: Library,
        model: Callable[[], MeaningModel | None],
        *,
        samples: bool = True,
        retry_s: float = RETRY_S,
        question_s: float = QUESTION_S,
    ) -> None:
        """Take a function that returns the model or None; *samples* False skips shipped documents."""
        self._library = library
        self._vectors = library.vectors
        self._source = model
        self._samples = samples
        self._retry_s = retry_s
        self._question_s = question_s
        self._recognized: tuple[MeaningModel, VectorModel] | None = None
        """A ready model and its record in the library."""
        self.progress = EmbeddingProgress()
        """The progress of embedding known to this process."""
        self._changed = threading.Condition()
        self._failures = 0
        self._working = threading.Lock()
        self._thread = Lazy(self._begin)
        self._wake = threading.Event()
        self._closed = threading.Event()

    def start(self) -> None:
        """Begin to embed the library in the background and return at once; a second call does nothing."""
        self._thread()

    def wake(self) -> None:
        """Look for new documents now."""
        self._wake.set()

    def close(self) -> None:
        """Stop embedding; the current batch is left for the next start."""
        self._closed.set()
        self._wake.set()
        if self._thread.made is not None:
            self._thread.made.join(CLOSING_S)

    def look(self) -> EmbeddingProgress:
        """Return the current progress of embedding from the database; embeds nothing.

        Raises EmbeddingError or StorageError.
        """
        with self._working:
            self._recognize()
            self._count()
        return self.progress

    def wait(self, timeout_s: float) -> EmbeddingProgress:
        """Return the progress of the vectors once it has changed, or after *timeout_s* seconds."""
        before = self.progress
        with self._changed:
            self._changed.wait_for(lambda: self.progress is not before, timeout_s)
        return self.progress

    def search(self, question: str, limit: int, *, samples: bool = True) -> tuple[list[SearchResult], list[SearchResult]]:
        """Return the documents nearest in meaning to *question*, in its own language and in others.

        Each has its nearest passage as snippet. Both lists are empty without a ready model, or if the vectors cannot be read:
        results by words are then shown alone.
        """
        recognized = self._recognized
        if recognized is None or limit <= 0 or not question.strip():
            return [], []
        reader, model = recognized
        try:
            reading = run_in_thread(partial(reader.directions, question), "maekrak-library-question")
            directions = reading.result(self._question_s)
            results = self._vectors.search(model, directions, limit, least=LEAST_NEAR, samples=samples and self._samples)
        except TimeoutError:
            logger.warning("The library is searched by words alone: the model did not read the question in time")
            return [], []
        except (EmbeddingError, StorageError) as error:
            logger.warning("The library is searched by words alone: %s", error)
            self._recognized = None
            self._wake.set()
            return [], []
        in_korean = korean.detect_language(question) == "ko"
        return results[in_korean], results[not in_korean]

    def _begin(self) -> threading.Thread:
        thread = threading.Thread(target=self._fill_always, name="maekrak-library-vectors", daemon=True)
        thread.start()
        return thread

    def _fill_always(self) -> None:
        while not self._closed.is_set():
            try:
                with self._working:
                    more = self._step()
                pause_s = IDLE_S if self._recognized is not None else LOADING_S
            except (EmbeddingError, StorageError) as error:
                self._note_failure(error)
                more, pause_s = False, self._retry_s
            if not more:
                self._wake.wait(pause_s)
                self._wake.clear()

    def _note_failure(self, error: EmbeddingError | StorageError) -> None:
        logger.warning("The vectors of the library are not complete: %s", error)
        if isinstance(error, StorageError):
            self._recognized = None  # the model's record may have been deleted
        self._failures += 1
        if self._failures >= FAILURES_TOLD:
            self._note(replace(self.progress, problem=error.korean))

    def _step(self) -> bool:
        """Embed the next batch; return whether there is more to do."""
        recognized = self._recognize()
        if recognized is None:
            return False
        reader, model = recognized
        if self.progress.total is None or self.progress.complete:
            self._count()  # documents may have come since
        batch = self._vectors.pending(model, limit=BATCH_SECTIONS, samples=self._samples)
        embedded = self._embed(reader, batch)
        if self._closed.is_set():
            return False
        if not embedded:
            self._failures = 0
            self._vectors.load(model)
            self._count()
            return False
        inserted = self._vectors.insert(model, embedded)
        self._failures = 0
        if inserted < len(embedded):  # another process has been faster
            self._count()
        else:
            self._note(replace(self.progress, done=self.progress.done + inserted, problem=""))
        return True

    def _recognize(self) -> tuple[MeaningModel, VectorModel] | None:
        """Return the available model and its record in the library, or None if there is none or nothing to search."""
        reader = self._source()
        if reader is None:
            self._recognized = None
            return None
        if self._recognized is not None and self._recognized[0] == reader:
            return self._recognized
        if not self._library.count(samples=self._samples):
            self._note(EmbeddingProgress(total=0))
            self._recognized = None
            return None
        width = len(reader.directions(_FIRST_QUESTION)[True][0])
        model = self._vectors.recognize_model(reader.name, reader.version, width)
        self._vectors.load(model)
        self._recognized = reader, model
        return self._recognized

    def _note(self, progress: EmbeddingProgress) -> None:
        with self._changed:
            self.progress = progress
            self._changed.notify_all()

    def _count(self) -> None:
        if self._recognized is not None:
            self._note(self._vectors.progress(self._recognized[1], samples=self._samples))

    def _embed(self, reader: MeaningModel, batch: Sequence[PendingSection]) -> list[tuple[PendingSection, Vectors, list[bool]]]:
        """Return the sections of *batch* embedded before ``close``, their vectors, and whether each passage is Korean."""
        embedded = []
        for section in batch:
            if self._closed.is_set():
                break
            if section.passages:  # a damaged row has none
                texts = [f"{section.title[:_TITLE_CHARS]}\n{passage}" for passage in section.passages]
                are_korean = [korean.detect_language(passage) == "ko" for passage in section.passages]
                embedded.append((section, reader.embed_passages(texts), are_korean))
        return embedded
