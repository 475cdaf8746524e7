"""The library: the user's documents, found by their words."""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from search_core.domain.result import SAMPLE_COLLECTION, USER_COLLECTION, SearchResult
from search_core.errors import DocumentReadError
from search_core.library.documents import (
    AnalysedDocument,
    FileContent,
    FileStamp,
    IndexOutcome,
    LibraryTransaction,
    QueryWords,
    SectionRow,
    analyse_documents,
    best_passage,
    document_of,
    library_result,
    query_words,
    storable_path,
    visible_collections,
)
from search_core.library.vectors import PassageVectors
from search_core.reading.documents import Document, FoundFile, find_files, read_document
from search_core.storage.database import Database
from search_core.storage.json_codec import storable_text

_COUNT = "SELECT count(*) FROM {documents} WHERE :samples OR collection != :sample"
_DOCUMENT = (
    "SELECT title, text, url, source, published, language, path FROM {documents}"
    " WHERE url = :url AND collection IN (:user, :own, :sample) ORDER BY id LIMIT 1"
)
_FILES = "SELECT path, mtime_ns, size FROM {files} WHERE collection = :collection"
_OF_FILE = "SELECT id, digest FROM {documents} WHERE file_id = :file_id"
_INSERT_FILE = (
    "INSERT INTO {files} (collection, path, mtime_ns, size) VALUES (:collection, :path, :mtime_ns, :size)"
    " ON CONFLICT (collection, path) DO UPDATE SET mtime_ns = excluded.mtime_ns, size = excluded.size RETURNING id"
)
_INSERT_DOCUMENT = (
    "INSERT INTO {documents} (file_id, collection, url, title, text, source, published, language, path, digest)"
    " VALUES (:file_id, :collection, :url, :title, :text, :source, :published, :language, :path, :digest) RETURNING id"
)
_DELETE_FILE = "DELETE FROM {files} WHERE collection = :collection AND path = :path"
_BATCH_CHARS = 400_000
"""Text analysed and written in one transaction: about two seconds of work, lost when the process is killed."""
_BATCH_FILES = 200


class Library(ABC):
    """Finds documents by morphemes and Hangul bigrams (BM25); thread- and process-safe.

    Searches and reads only collections that the asking user (``ASKED_BY``) may see.

    All methods raise StorageError when the documents cannot be read or written. Characters that no database accepts become
    U+FFFD.
    """

    tables: ClassVar[Mapping[str, str]]
    """Names of the tables in the database, by their names in SQL statements ("files": "library_files")."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.vectors = PassageVectors(self._reading, self._writing)
        """The vectors of passages, for search by meaning."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first, each with its best passage as snippet.

        Without *samples*, documents that ship with the app are left out.
        """
        words = query_words(query)
        if not (words.terms or words.bigrams) or limit <= 0 or not self.database.exists():
            return []
        with self._reading() as transaction:
            results = []
            for *row, collection, passages in self._rank(transaction, words, limit, samples=samples):
                # PostgreSQL's driver has parsed it already
                stored = json.loads(passages) if isinstance(passages, str) else passages
                document = document_of(row)
                results.append(library_result(document, best_passage(stored, words, document.title), collection))
            return results

    def count(self, *, samples: bool = True) -> int:
        """Return the number of documents, with or without shipped ones."""
        if not self.database.exists():
            return 0
        with self._reading() as transaction:
            ((counted,),) = transaction.execute(_COUNT, samples=samples, sample=SAMPLE_COLLECTION)
        return int(counted)

    def get(self, url: str) -> Document | None:
        """Return the document with address *url*, or None."""
        if not self.database.exists():
            return None
        with self._reading() as transaction:
            rows = transaction.execute(_DOCUMENT, url=storable_text(url), **visible_collections(samples=True))
            return document_of(rows[0]) if rows else None

    def index_files(self, files: Sequence[FileContent], *, collection: str = USER_COLLECTION) -> IndexOutcome:
        """Insert the documents of *files*, all or none, each replacing its file's earlier version."""
        analysed = analyse_documents([file.document for file in files])
        outcome = IndexOutcome()
        with self._writing() as transaction:
            for file, document in zip(files, analysed, strict=True):
                outcome = outcome.plus(self._replace(transaction, file, document, collection))
        return outcome

    def files(self, collection: str = USER_COLLECTION) -> dict[Path, FileStamp]:
        """Return the indexed files of *collection*, each with its stamp."""
        if not self.database.exists():
            return {}
        with self._reading() as transaction:
            rows = transaction.execute(_FILES, collection=collection)
        return {Path(path): FileStamp(*stamp) for path, *stamp in rows}

    def remove(self, paths: Iterable[Path], *, collection: str = USER_COLLECTION) -> None:
        """Remove the documents of *collection* that came from these files."""
        with self._writing() as transaction:
            transaction.execute_each(
                _DELETE_FILE, [{"collection": collection, "path": str(storable_path(path))} for path in paths]
            )

    def close(self) -> None:
        """Close the database unless others use it, too; the next use opens it again."""
        if not self.database.shared:
            self.database.close()

    @abstractmethod
    def _insert_sections(self, transaction: LibraryTransaction, document_id: int, sections: Sequence[SectionRow]) -> None: ...

    @abstractmethod
    def _rank(self, transaction: LibraryTransaction, words: QueryWords, limit: int, *, samples: bool) -> Sequence[Sequence[Any]]:
        """Return the best *limit* documents, each by its best section.

        A row holds the columns ``document_of`` takes, with an empty text, then the collection and the section's passages.
        """

    @contextmanager
    def _reading(self) -> Iterator[LibraryTransaction]:
        """Provide a transaction for reading; database errors become StorageError."""
        with self.database.reading() as connection:
            yield LibraryTransaction(connection, self.tables)

    @contextmanager
    def _writing(self) -> Iterator[LibraryTransaction]:
        """Provide a transaction that is committed whole or not at all; database errors become StorageError."""
        with self.database.writing() as connection:
            yield LibraryTransaction(connection, self.tables)

    def _replace(
        self, transaction: LibraryTransaction, file: FileContent, analysed: AnalysedDocument, collection: str
    ) -> IndexOutcome:
        """Replace the stored document of *file*, unless it is unchanged."""
        place = {"collection": collection, "path": str(storable_path(file.path))}
        ((file_id,),) = transaction.execute(_INSERT_FILE, **place, mtime_ns=file.stamp.mtime_ns, size=file.stamp.size)
        stored = transaction.execute(_OF_FILE, file_id=file_id)
        if [digest for _, digest in stored] == [analysed.digest]:
            return IndexOutcome(unchanged=1)
        document = analysed.document
        ((document_id,),) = transaction.execute(
            _INSERT_DOCUMENT,
            **{name: getattr(document, name) for name in ("url", "title", "text", "source", "language")},
            file_id=file_id,
            collection=collection,
            published=document.published.isoformat() if document.published else None,
            path=str(document.path) if document.path else None,
            digest=analysed.digest,
        )
        self._insert_sections(transaction, document_id, analysed.sections)
        transaction.execute_each("DELETE FROM {documents} WHERE id = :id", [{"id": row_id} for row_id, _ in stored])
        return IndexOutcome(updated=1) if stored else IndexOutcome(added=1)


def index_paths(
    index: Library,
    paths: Iterable[Path],
    *,
    collection: str = USER_COLLECTION,
    read: Callable[[FoundFile], Document] = read_document,
) -> IndexOutcome:
    """Insert the files at and below *paths* into *index*; unreadable ones are listed and skipped.

    Files with the size and time of the last run are not read again. Documents of deleted files are removed if their folder is
    given. *read* opens a file. Raises StorageError when the library cannot be read or written.
    """
    run = _IndexingRun(index, collection, read)
    for path in paths:
        try:
            for file in find_files(path):
                run.take(file)
        except DocumentReadError as error:
            run.failed[path] = error.korean
        run.given.append(Path(os.path.abspath(path)))  # noqa: PTH100 - as find_files does
    return run.finish()


class _IndexingRun:
    """One indexing run: known files, files seen, and documents waiting to be written."""

    def __init__(self, index: Library, collection: str, read: Callable[[FoundFile], Document]) -> None:
        self._index = index
        self._read = read
        self._collection = collection
        self._known = index.files(collection)
        self._seen: set[Path] = set()
        self._waiting: list[FileContent] = []
        self._chars = 0
        self._outcome = IndexOutcome()
        self.failed: dict[Path, str] = {}
        self._cut: dict[Path, str] = {}
        self.given: list[Path] = []

    def take(self, file: FoundFile) -> None:
        """Read a file, unless it is unchanged."""
        if file.path in self._seen:
            return
        self._seen.add(file.path)
        try:
            status = file.path.stat()  # before reading: a change during reading is seen by the next run
            stamp = FileStamp(status.st_mtime_ns, status.st_size)
            if self._known.get(storable_path(file.path)) == stamp:
                self._outcome = self._outcome.plus(IndexOutcome(unchanged=1))
                return
            document = self._with_unique_address(self._read(file))
        except DocumentReadError as error:
            self.failed[file.path] = error.korean
            return
        except OSError:
            self.failed[file.path] = "파일을 열지 못했어요. 읽기 권한을 확인해 주세요."
            return
        if document.cut:
            self._cut[file.path] = document.cut
        self._waiting.append(FileContent(path=file.path, stamp=stamp, document=document))
        self._chars += len(document.text)
        if self._chars >= _BATCH_CHARS or len(self._waiting) >= _BATCH_FILES:
            self._write()

    def finish(self) -> IndexOutcome:
        """Write waiting documents, remove those gone from the given folders, and return the changes."""
        self._write()
        paths, folders = {storable_path(path) for path in self._seen}, {storable_path(path) for path in self.given}
        deleted = [path for path in self._known if path not in paths and folders.intersection((path, *path.parents))]
        if deleted:
            self._index.remove(deleted, collection=self._collection)
        return self._outcome.plus(
            IndexOutcome(removed=len(deleted), failed=tuple(self.failed.items()), cut=tuple(self._cut.items()))
        )

    def _write(self) -> None:
        if self._waiting:
            self._outcome = self._outcome.plus(self._index.index_files(self._waiting, collection=self._collection))
            self._waiting, self._chars = [], 0

    def _with_unique_address(self, document: Document) -> Document:
        """Return *document* with an address that no other one has; two folders of the same name would give equal ones."""
        holder = self._index.get(document.url) if document.url.startswith("library:") else None
        if holder is None or document.path is None or holder.path == storable_path(document.path):
            return document
        mark = hashlib.sha256(str(document.path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
        return replace(document, url=f"{document.url}~{mark}")
