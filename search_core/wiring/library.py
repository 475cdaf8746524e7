"""Assembles the library and the model: own documents are found by words and, with a model, by meaning."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from search_core.domain.result import SAMPLE_COLLECTION, SearchResult, collection_of
from search_core.domain.scorer import LibraryPhase, LibraryState
from search_core.errors import DocumentReadError, EmbeddingError, StorageError
from search_core.language.korean import normalize
from search_core.library.documents import FileContent, FileStamp, IndexOutcome
from search_core.library.library import Library, index_paths
from search_core.library.meaning import LibraryMeaning, MeaningModel
from search_core.library.sqlite_library import LIBRARY_FILE, LibraryIndex
from search_core.models.embedding.host import EmbedderHost
from search_core.package import shipped_files
from search_core.reading.documents import FoundFile, parse_document, read_document
from search_core.search.ranking.meaning import directions_to
from search_core.settings import Settings
from search_core.storage.database import Database

logger = logging.getLogger(__name__)

SAMPLE_DOCUMENTS = shipped_files("samples") / "library"
MAX_FILLING_S = 20
"""A search waits no longer than this for the sample documents."""
PROGRESS_S = 0.2
HANDED_IN = Path("handed-in")
"""Folder in the paths of uploaded files in the library; it does not exist on disk."""
MOST_HANDED_IN = 200
"""Most files of one owner."""
BAD_NAME = "이 이름으로는 파일을 넣을 수 없어요. 이름을 바꿔서 다시 넣어 주세요."
TOO_MANY = f"내 자료에는 파일을 {MOST_HANDED_IN}개까지 넣을 수 있어요. 안 쓰는 것을 지우고 다시 넣어 주세요."


def open_library(settings: Settings, database: Database) -> Library:
    """Return the library in *database*, if several machines share that, else the one in the data folder."""
    if not database.shared:
        return LibraryIndex(settings.maekrak_data_dir / LIBRARY_FILE)
    from search_core.library.postgresql_library import SharedLibraryIndex

    return SharedLibraryIndex(database)


class OwnDocuments:
    """The library for searches: found by words and, with a model, by meaning.

    On a fresh machine the sample documents are on their way into it, and a search waits for them.
    """

    def __init__(self, settings: Settings, library: Library, embedders: EmbedderHost) -> None:
        self.library = library
        self._embedders = embedders
        self._meaning = LibraryMeaning(library, self._model, samples=settings.library_samples)
        self._filled = threading.Event()
        if not settings.library_samples:
            self._filled.set()

    def get_ready(self) -> None:
        """Add the shipped documents, if the settings want them, and begin to prepare all for search by meaning."""
        if not self._filled.is_set():
            self.fill()
        self._meaning.start()

    def index(self, paths: Iterable[Path]) -> IndexOutcome:
        """Add files and folders to the library; raises StorageError if it cannot be written."""
        outcome = index_paths(self.library, paths)
        self._meaning.wake()
        return outcome

    def add(self, owner: str, name: str, data: bytes) -> IndexOutcome:
        """Put *owner*'s file into the library, replacing theirs with that *name*; nobody else finds it.

        Raises DocumentReadError for one that cannot be read or is one too many, and StorageError.
        """
        name, collection = PurePath(name).name, collection_of(owner)
        path, names = HANDED_IN / name, self.added(owner)
        if name not in names and len(names) >= MOST_HANDED_IN:
            raise DocumentReadError("There are too many documents.", korean=TOO_MANY)
        with TemporaryDirectory(prefix="maekrak-document-") as folder:
            file = FoundFile(Path(folder, name), f"library:{collection}/{normalize(name)}")
            try:
                file.path.write_bytes(data)
            except (OSError, ValueError) as error:
                raise DocumentReadError("The file has a name that no file can have.", korean=BAD_NAME) from error
            document = replace(read_document(file), path=path)
        content = FileContent(path=path, stamp=FileStamp(time.time_ns(), len(data)), document=document)
        outcome = self.library.index_files([content], collection=collection)
        self._meaning.wake()
        return outcome.plus(IndexOutcome(cut=((path, document.cut),) if document.cut else ()))

    def added(self, owner: str) -> tuple[str, ...]:
        """Return the names of *owner*'s files, newest first; raises StorageError."""
        files = self.library.files(collection_of(owner))
        newest = sorted(files, key=lambda path: -files[path].mtime_ns)
        return tuple(path.name for path in newest if path.parent == HANDED_IN)

    def remove(self, owner: str, name: str) -> None:
        """Remove *owner*'s file of that *name* from the library; raises StorageError."""
        self.library.remove([HANDED_IN / PurePath(name).name], collection=collection_of(owner))

    def fill(self) -> None:
        """Add the shipped documents to the library; quick if they are already there."""
        try:
            index_paths(self.library, [SAMPLE_DOCUMENTS], collection=SAMPLE_COLLECTION, read=parse_document)
        except StorageError as error:
            logger.warning("The sample documents could not be put into the library: %s", error)
        finally:
            self._filled.set()
            self._meaning.wake()

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*; *samples* False leaves out shipped ones."""
        self._wait(samples)
        return self.library.search(query, limit, samples=samples)

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        """Return the documents nearest in meaning to *question*: in its language, and in others; none without a model."""
        self._wait(samples)
        return self._meaning.search(question, limit, samples=samples)

    def count(self, *, samples: bool = True) -> int:
        """Return the number of documents, at least one while requested samples are being added."""
        return self.library.count(samples=samples) or int(samples and not self._filled.is_set())

    def prepare(self, watch: Callable[[LibraryState], None]) -> LibraryState:
        """Return how documents are found, once all are prepared for search by meaning or that has stopped.

        *watch* receives the progress. An interruption loses nothing that is ready.
        """
        self._embedders.start()
        self._meaning.start()
        while (state := self.state()).under_way:
            watch(state)
            self._meaning.wait(PROGRESS_S)
        return state

    def get_ready_once(self) -> LibraryState:
        """Prepare a process that asks once: add the samples, embed nothing; return how documents are found."""
        if not self._filled.is_set():
            self.fill()
        return self.look()

    def look(self) -> LibraryState:
        """Return how documents are found, looked up if this process prepares none."""
        try:
            self._meaning.look()
        except (EmbeddingError, StorageError) as error:
            logger.warning("The progress of the library cannot be read: %s", error)
        return self.state()

    def state(self) -> LibraryState:
        """Return how documents are currently found, as known to this process."""
        bare, progress = self._embedders.bare(), self._meaning.progress
        if bare is None and (scorer := self._embedders.state()).state != "loading":
            return LibraryState(phase=LibraryPhase.WORDS_ONLY, reason=scorer.detail)
        if bare is None or (progress.total is None and not progress.problem):
            return LibraryState(phase=LibraryPhase.LOADING)
        total, done = progress.total or 0, min(progress.done, progress.total or 0)
        if progress.problem:
            return LibraryState(phase=LibraryPhase.STOPPED, done=done, total=total, reason=progress.problem)
        phase = LibraryPhase.EMPTY if not total else LibraryPhase.READY if progress.complete else LibraryPhase.FILLING
        return LibraryState(phase=phase, done=done, total=total)

    def close(self) -> None:
        """Stop preparing and close the library; the model has another owner."""
        self._meaning.close()
        self.library.close()

    def _wait(self, samples: bool) -> None:
        if samples:
            self._filled.wait(MAX_FILLING_S)

    def _model(self) -> MeaningModel | None:
        """Return the model that embeds the library, or None while there is none."""
        embedder = self._embedders.bare()
        if embedder is None:
            return None
        return MeaningModel(
            name=embedder.name,
            version=embedder.version,
            embed_passages=embedder.embed_in_background,
            directions=partial(directions_to, embedder=self._embedders.storing() or embedder),
        )
