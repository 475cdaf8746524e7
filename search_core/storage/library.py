"""The library: documents the user has given, found by their words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from search_core.domain import SAMPLE_COLLECTION, USER_COLLECTION, SearchResult
from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage.kept_json import storable_text
from search_core.storage.library_backend import LibraryBackend
from search_core.storage.library_result import best_passage, document_of, result_of
from search_core.storage.library_rows import FileContent, FileStamp, analyse_documents, record_file, replace_documents
from search_core.storage.library_text import query_words
from search_core.storage.outcome import IndexOutcome

_BATCH = 200
"""Documents written in one transaction."""
_COUNT = "SELECT count(*) FROM {documents} WHERE :samples OR collection != :sample"
_DOCUMENT = "SELECT title, text, url, source, published, language, path FROM {documents} WHERE url = :url ORDER BY id LIMIT 1"
_FILES = (
    "SELECT f.path, f.mtime_ns, f.size, count(d.id) FROM {files} f LEFT JOIN {documents} d ON d.file_id = f.id"
    " WHERE f.collection = :collection GROUP BY f.id"
)
_OF_FILE = "SELECT id, digest FROM {documents} WHERE file_id = :file_id"
_OF_ADDRESS = "SELECT id, digest FROM {documents} WHERE file_id IS NULL AND collection = :collection AND url = :url"
_DELETE_DOCUMENT = "DELETE FROM {documents} WHERE collection = :collection AND url = :url"
_DELETE_FILE = "DELETE FROM {files} WHERE collection = :collection AND path = :path"


class Library:
    """Finds documents by morphemes and Hangul bigrams (BM25); safe to use from many threads and processes.

    All methods raise StorageError when the documents cannot be read or written. Letters that no database keeps become U+FFFD.
    """

    def __init__(self, backend: LibraryBackend) -> None:
        """Take the database; nothing is opened yet."""
        self._backend = backend

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first, each with its best passage as snippet.

        *samples* False leaves out those that ship with the app.
        """
        words = query_words(query)
        if not (words.terms or words.bigrams) or limit <= 0 or not self._backend.exists():
            return []
        with self._backend.reading() as transaction, self._explain_damage():
            found = []
            for *row, collection, passages in transaction.rank(words, limit, samples=samples):
                kept = json.loads(passages) if isinstance(passages, str) else passages  # PostgreSQL's driver has read it already
                found.append(result_of(document_of(row), best_passage(kept, words), collection))
            return found

    def count(self, *, samples: bool = True) -> int:
        """Return how many documents there are, with those that ship with the app or without them."""
        if not self._backend.exists():
            return 0
        with self._backend.reading() as transaction:
            ((counted,),) = transaction.execute(_COUNT, samples=samples, sample=SAMPLE_COLLECTION)
        return int(counted)

    def get(self, url: str) -> Document | None:
        """Return the document with address *url*, or None."""
        if not self._backend.exists():
            return None
        with self._backend.reading() as transaction, self._explain_damage():
            rows = transaction.execute(_DOCUMENT, url=storable_text(url))
            return document_of(rows[0]) if rows else None

    def index(self, documents: Iterable[Document], *, collection: str = USER_COLLECTION) -> IndexOutcome:
        """Put *documents* in, known ones anew only when they changed; documents are told apart by address."""
        outcome = IndexOutcome()
        for batch in _batches(documents):
            analysed = analyse_documents(batch)
            with self._backend.writing() as transaction:
                for one in analysed:
                    kept = transaction.execute(_OF_ADDRESS, collection=collection, url=one.document.url)
                    outcome = outcome.plus(replace_documents(transaction, kept, (one,), file_id=None, collection=collection))
        return outcome

    def index_files(self, files: Sequence[FileContent], *, collection: str = USER_COLLECTION) -> IndexOutcome:
        """Put the documents of *files* in, all or none; documents a file no longer holds are removed."""
        analysed = iter(analyse_documents([document for file in files for document in file.documents]))
        outcome = IndexOutcome()
        with self._backend.writing() as transaction:
            for file in files:
                file_id = record_file(transaction, file, collection)
                kept = transaction.execute(_OF_FILE, file_id=file_id)
                documents = tuple(islice(analysed, len(file.documents)))
                outcome = outcome.plus(replace_documents(transaction, kept, documents, file_id=file_id, collection=collection))
        return outcome

    def files(self, collection: str = USER_COLLECTION) -> dict[Path, tuple[FileStamp, int]]:
        """Return the files that were read into *collection*, each with its stamp and its number of documents."""
        if not self._backend.exists():
            return {}
        with self._backend.reading() as transaction:
            rows = transaction.execute(_FILES, collection=collection)
        return {Path(path): (FileStamp(mtime, size), count) for path, mtime, size, count in rows}

    def remove(self, *, urls: Iterable[str] = (), paths: Iterable[Path] = (), collection: str = USER_COLLECTION) -> int:
        """Remove documents of *collection* by address or by file and return how many."""
        addresses = [{"collection": collection, "url": storable_text(url)} for url in urls]
        files = [{"collection": collection, "path": storable_text(str(path))} for path in paths]
        counted = "SELECT count(*) FROM {documents}"
        with self._backend.writing() as transaction:
            ((before,),) = transaction.execute(counted)
            transaction.execute_each(_DELETE_DOCUMENT, addresses)
            transaction.execute_each(_DELETE_FILE, files)
            ((after,),) = transaction.execute(counted)
        return int(before - after)

    def rebuild(self) -> None:
        """Put what is there aside and begin an empty library."""
        self._backend.rebuild()

    def close(self) -> None:
        """Close what is open; it opens again when it is used."""
        self._backend.close()

    @contextmanager
    def _explain_damage(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, KeyError, TypeError, AttributeError) as error:  # rows that were not written like that
            raise StorageError(f"The library holds a damaged row: {error!r}", korean=self._backend.damaged) from error


def _batches(documents: Iterable[Document]) -> Iterator[tuple[Document, ...]]:
    """Yield *documents* in batches; of one address in a batch the last stands."""
    held: dict[str, Document] = {}
    for document in documents:
        held[document.url] = document
        if len(held) >= _BATCH:
            yield tuple(held.values())
            held = {}
    if held:
        yield tuple(held.values())
