"""The library: documents the user has given, found by their words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from search_core.domain import SAMPLE_COLLECTION, SearchResult
from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage.library_batches import put_in_batches
from search_core.storage.library_contract import USER
from search_core.storage.library_database import DAMAGED, LibraryDatabase
from search_core.storage.library_result import best_passage, document_of, result_of
from search_core.storage.library_rows import FileContent, FileStamp, analysed, digests, exchanged, stamped
from search_core.storage.library_text import (
    BIGRAM_WEIGHT,
    BODY_WEIGHT,
    TITLE_WEIGHT,
    QueryWords,
    as_match,
    query_words,
)
from search_core.storage.outcome import IndexOutcome

_CANDIDATES = 4
"""Sections looked at for each document wanted: a document may fill several places."""


class LibraryIndex:
    """Finds documents by morphemes and Hangul bigrams (SQLite FTS5, BM25); safe to use from many threads and processes.

    All methods raise StorageError when the file cannot be read or written; a damaged file stays untouched until ``rebuild``.
    """

    def __init__(self, path: Path | str) -> None:
        """Take the file; it is made when the first document is put in."""
        self._database = LibraryDatabase(Path(path))

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first, each with its best passage as snippet.

        *samples* False leaves out those that ship with the app.
        """
        words = query_words(query)
        match = as_match(words)
        if not match or limit <= 0 or not self._database.exists():
            return []
        with self._database.reading() as connection:
            found = _ranked(connection, match, limit, samples=samples)
            try:
                return [_result(connection, document, section, words) for document, section in found]
            except (ValueError, KeyError, TypeError, AttributeError) as error:  # rows that were not written like that
                raise StorageError(f"The library holds a damaged row: {error!r}", korean=DAMAGED) from error

    def count(self, *, samples: bool = True) -> int:
        """Return how many documents there are, with those that ship with the app or without them."""
        if not self._database.exists():
            return 0
        statement = "SELECT count(*) FROM documents WHERE ?1 OR collection != ?2"
        with self._database.reading() as connection:
            return int(connection.execute(statement, (samples, SAMPLE_COLLECTION)).fetchone()[0])

    def get(self, url: str) -> Document | None:
        """Return the document with address *url*, or None."""
        if not self._database.exists():
            return None
        statement = "SELECT title, text, url, source, published, language, path FROM documents WHERE url = ? ORDER BY id LIMIT 1"
        with self._database.reading() as connection:
            row = connection.execute(statement, (url,)).fetchone()
        try:
            return None if row is None else document_of(row)
        except (ValueError, TypeError) as error:
            raise StorageError(f"The library holds a damaged row: {error!r}", korean=DAMAGED) from error

    def index(self, documents: Iterable[Document], *, collection: str = USER) -> IndexOutcome:
        """Put *documents* in, known ones anew only when they changed; documents are told apart by address."""
        return put_in_batches(documents, lambda batch: self._put(batch, collection))

    def index_files(self, files: Sequence[FileContent], *, collection: str = USER) -> IndexOutcome:
        """Put the documents of *files* in, all or none; documents a file no longer holds are removed."""
        words = analysed([document for file in files for document in file.documents])
        outcome = IndexOutcome()
        with self._database.writing() as connection:
            for file in files:
                file_id = stamped(connection, file, collection)
                kept = digests(connection, "file_id = ?", (file_id,))
                outcome = outcome.plus(exchanged(connection, kept, file.documents, words, (file_id, collection)))
        return outcome

    def files(self, collection: str = USER) -> dict[Path, tuple[FileStamp, int]]:
        """Return the files that were read into *collection*, each with its stamp and its number of documents."""
        if not self._database.exists():
            return {}
        statement = (
            "SELECT f.path, f.mtime_ns, f.size, count(d.id) FROM files f LEFT JOIN documents d ON d.file_id = f.id"
            " WHERE f.collection = ? GROUP BY f.id"
        )
        with self._database.reading() as connection:
            return {
                Path(path): (FileStamp(mtime, size), count)
                for path, mtime, size, count in connection.execute(statement, (collection,))
            }

    def remove(self, *, urls: Iterable[str] = (), paths: Iterable[Path] = (), collection: str = USER) -> int:
        """Remove documents of *collection* by address or by file and return how many."""
        with self._database.writing() as connection:
            before = connection.execute("SELECT count(*) FROM documents").fetchone()[0]
            connection.executemany("DELETE FROM documents WHERE collection = ? AND url = ?", [(collection, url) for url in urls])
            connection.executemany(
                "DELETE FROM files WHERE collection = ? AND path = ?", [(collection, str(path)) for path in paths]
            )
            return int(before - connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    def rebuild(self) -> None:
        """Move the file aside, as ``*.broken``, and begin an empty library."""
        self._database.rebuild()

    def close(self) -> None:
        """Close the file; it opens again when it is used."""
        self._database.close()

    def _put(self, documents: Sequence[Document], collection: str) -> IndexOutcome:
        words = analysed(documents)
        outcome = IndexOutcome()
        with self._database.writing() as connection:
            for document in documents:
                kept = digests(connection, "file_id IS NULL AND collection = ? AND url = ?", (collection, document.url))
                outcome = outcome.plus(exchanged(connection, kept, (document,), words, (None, collection)))
        return outcome


def _ranked(connection: sqlite3.Connection, match: str, limit: int, *, samples: bool) -> list[tuple[int, int]]:
    """Return (document, section) of the best documents, each by its best section."""
    statement = (
        "SELECT s.document_id, s.id, d.url FROM (SELECT rowid AS id, bm25(words, ?1, ?2, ?3) AS score FROM words"
        " WHERE words MATCH ?4 AND (?5 OR rowid NOT IN (SELECT s.id FROM sections s JOIN documents d ON d.id = s.document_id"
        " WHERE d.collection = ?6)) ORDER BY score LIMIT ?7) AS best JOIN sections s ON s.id = best.id"
        " JOIN documents d ON d.id = s.document_id ORDER BY best.score, s.id"
    )
    depth = limit * _CANDIDATES
    while True:
        given = (TITLE_WEIGHT, BODY_WEIGHT, BIGRAM_WEIGHT, match, samples, SAMPLE_COLLECTION, depth)
        rows = connection.execute(statement, given).fetchall()
        best: dict[str, tuple[int, int]] = {}
        for document, section, url in rows:
            best.setdefault(url, (document, section))
        if len(best) >= limit or len(rows) < depth:
            return list(best.values())[:limit]
        depth *= 4  # a long document fills many places


def _result(connection: sqlite3.Connection, document: int, section: int, words: QueryWords) -> SearchResult:
    statement = "SELECT title, '', url, source, published, language, path, collection FROM documents WHERE id = ?"
    *row, collection = connection.execute(statement, (document,)).fetchone()
    (kept,) = connection.execute("SELECT passages FROM sections WHERE id = ?", (section,)).fetchone()
    return result_of(document_of(row), best_passage(json.loads(kept), words), collection)
