"""The library in PostgreSQL, where processes of several machines share it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from search_core.domain import SAMPLE_COLLECTION, SearchResult
from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage.bounded_worker import BoundedWorker, WorkerBusyError
from search_core.storage.database import Database
from search_core.storage.kept_json import storable_text
from search_core.storage.library_batches import put_in_batches
from search_core.storage.library_contract import USER
from search_core.storage.library_result import best_passage, document_of, result_of
from search_core.storage.library_rows import FileContent, FileStamp, analysed
from search_core.storage.library_text import query_words
from search_core.storage.library_tokens import asked_words
from search_core.storage.outcome import IndexOutcome
from search_core.storage.shared_library_rows import digests, exchanged, kept_path, stamped

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import Connection

COUNT_PATIENCE_S = 1.0
_WRITING = 0x6C696272
"""Key of the advisory lock under which one process at a time writes: what two put in at once is there once."""
_BUSY = "데이터베이스가 바빠서 내 자료를 세지 못했어요. 잠시 뒤에 다시 시도해 주세요."
_DAMAGED = "자료 저장소의 내용을 읽을 수 없어요. `python -m search_core index --rebuild 폴더`로 새로 만들 수 있어요."
_RANKED = """
WITH asked AS (SELECT word, times FROM unnest(CAST(:words AS text[]), CAST(:times AS int[])) AS a (word, times)),
  held AS (
    SELECT s.id, s.document_id, s.length, w.word, w.weight
    FROM library_sections s CROSS JOIN LATERAL unnest(s.words, s.weights) AS w (word, weight)
    WHERE s.words && CAST(:words AS text[]) AND w.word = ANY (CAST(:words AS text[]))),
  rarity AS (SELECT word, count(*) AS sections FROM held GROUP BY word),
  corpus AS (SELECT count(*) AS sections, avg(length) AS length FROM library_sections),
  scored AS (
    SELECT h.id, h.document_id, sum(
      a.times * greatest(ln((c.sections - r.sections + 0.5) / (r.sections + 0.5)), 0.000001)
      * h.weight * 2.2 / (h.weight + 1.2 * (0.25 + 0.75 * h.length / c.length))) AS score
    FROM held h JOIN rarity r USING (word) JOIN asked a USING (word) CROSS JOIN corpus c GROUP BY h.id, h.document_id),
  best AS (
    SELECT DISTINCT ON (d.url) s.id, s.document_id, s.score FROM scored s JOIN library_documents d ON d.id = s.document_id
    WHERE d.collection != :left_out ORDER BY d.url, s.score DESC, s.id)
SELECT d.title, '' AS text, d.url, d.source, d.published, d.language, d.path, d.collection, s.passages
FROM best b JOIN library_documents d ON d.id = b.document_id JOIN library_sections s ON s.id = b.id
ORDER BY b.score DESC, b.id LIMIT :limit
"""
"""BM25 as FTS5 computes it (sqlite.org/fts5.html §5.1.1, k1 = 1.2, b = 0.75), each document by its best section."""


class SharedLibraryIndex:
    """Is ``LibraryIndex`` in a PostgreSQL database: the same words, the same ranking; safe to use from many threads and machines.

    All methods raise StorageError when the database cannot be used. Files are known by their paths, so machines that put
    documents in have them at the same place.
    """

    def __init__(self, database: Database, *, count_patience_s: float = COUNT_PATIENCE_S) -> None:
        """Take the database; the tables are made when the library is first used. Closing the database is up to its owner."""
        self._database = database
        self._counting = BoundedWorker("maekrak-library", count_patience_s)
        self._setting_up = threading.Lock()
        self._ready = False

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first, each with its best passage as snippet.

        *samples* False leaves out those that ship with the app.
        """
        from sqlalchemy import text

        words = query_words(query)
        asked = asked_words(words)
        if not asked or limit <= 0:
            return []
        left_out = "" if samples else SAMPLE_COLLECTION
        given = {"words": list(asked), "times": list(asked.values()), "limit": limit, "left_out": left_out}
        with self._reading() as connection:
            rows = connection.execute(text(_RANKED), given).all()
        try:
            return [result_of(document_of(row[:-2]), best_passage(row.passages, words), row.collection) for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError) as error:  # rows that were not written like that
            raise StorageError(f"The library holds a damaged row: {type(error).__name__}", korean=_DAMAGED) from error

    def count(self, *, samples: bool = True) -> int:
        """Return how many documents there are, with those that ship with the app or without them.

        A database that is slow to say so cannot be used.

        Whether there are any is asked before each search, on the event loop.
        """
        try:
            return self._counting.call(lambda: self._count(samples=samples))
        except WorkerBusyError as error:
            raise StorageError(f"The library was not counted: {error}", korean=_BUSY) from error

    def _count(self, *, samples: bool) -> int:
        from sqlalchemy import func, select

        from search_core.storage.library_tables import DOCUMENTS

        counted = select(func.count()).select_from(DOCUMENTS)
        if not samples:
            counted = counted.where(DOCUMENTS.c.collection != SAMPLE_COLLECTION)
        with self._reading() as connection:
            return int(connection.execute(counted).scalar_one())

    def get(self, url: str) -> Document | None:
        """Return the document with address *url*, or None."""
        from sqlalchemy import select

        from search_core.storage.library_tables import DOCUMENTS

        c = DOCUMENTS.c
        wanted = select(c.title, c.text, c.url, c.source, c.published, c.language, c.path).where(c.url == storable_text(url))
        with self._reading() as connection:
            row = connection.execute(wanted.order_by(c.id).limit(1)).first()
        try:
            return None if row is None else document_of(tuple(row))
        except (ValueError, TypeError) as error:
            raise StorageError(f"The library holds a damaged row: {type(error).__name__}", korean=_DAMAGED) from error

    def index(self, documents: Iterable[Document], *, collection: str = USER) -> IndexOutcome:
        """Put *documents* in, known ones anew only when they changed; documents are told apart by address."""
        return put_in_batches(documents, lambda batch: self._put(batch, collection))

    def index_files(self, files: Sequence[FileContent], *, collection: str = USER) -> IndexOutcome:
        """Put the documents of *files* in, all or none; documents a file no longer holds are removed."""
        from search_core.storage.library_tables import DOCUMENTS

        words = analysed([document for file in files for document in file.documents])
        outcome = IndexOutcome()
        with self._writing() as connection:
            for file in files:
                file_id = stamped(connection, file, collection)
                kept = digests(connection, DOCUMENTS.c.file_id == file_id)
                outcome = outcome.plus(exchanged(connection, kept, file.documents, words, (file_id, collection)))
        return outcome

    def files(self, collection: str = USER) -> dict[Path, tuple[FileStamp, int]]:
        """Return the files that were read into *collection*, each with its stamp and its number of documents."""
        from sqlalchemy import func, select

        from search_core.storage.library_tables import DOCUMENTS, FILES

        c = FILES.c
        wanted = (
            select(c.path, c.mtime_ns, c.size, func.count(DOCUMENTS.c.id))
            .select_from(FILES.outerjoin(DOCUMENTS, DOCUMENTS.c.file_id == c.id))
            .where(c.collection == collection)
            .group_by(c.id)
        )
        with self._reading() as connection:
            return {Path(path): (FileStamp(mtime, size), count) for path, mtime, size, count in connection.execute(wanted)}

    def remove(self, *, urls: Iterable[str] = (), paths: Iterable[Path] = (), collection: str = USER) -> int:
        """Remove documents of *collection* by address or by file and return how many."""
        from sqlalchemy import delete, func, select

        from search_core.storage.library_tables import DOCUMENTS, FILES

        counted = select(func.count()).select_from(DOCUMENTS)
        addresses, places = [storable_text(url) for url in urls], [kept_path(path) for path in paths]
        with self._writing() as connection:
            before = connection.execute(counted).scalar_one()
            of_files = FILES.c.collection == collection, FILES.c.path.in_(places)
            connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.collection == collection, DOCUMENTS.c.url.in_(addresses)))
            connection.execute(delete(FILES).where(*of_files))
            return int(before - connection.execute(counted).scalar_one())

    def rebuild(self) -> None:
        """Move the tables into a schema of their own, ``…_library_broken``, and begin an empty library."""
        from sqlalchemy import text

        from search_core.storage.library_tables import LIBRARY

        with self._writing() as connection:
            aside = f'"{connection.execute(text("SELECT current_schema()")).scalar_one()}_library_broken"'
            connection.execute(text(f"DROP SCHEMA IF EXISTS {aside} CASCADE"))
            connection.execute(text(f"CREATE SCHEMA {aside}"))
            for table in LIBRARY.sorted_tables:
                connection.execute(text(f'ALTER TABLE "{table.name}" SET SCHEMA {aside}'))
            LIBRARY.create_all(connection)

    def close(self) -> None:
        """End what counts; the connections belong to the database."""
        self._counting.close()

    def _put(self, documents: Sequence[Document], collection: str) -> IndexOutcome:
        from search_core.storage.library_tables import DOCUMENTS

        words = analysed(documents)
        outcome = IndexOutcome()
        c = DOCUMENTS.c
        with self._writing() as connection:
            for document in documents:
                home = c.file_id.is_(None) & (c.collection == collection) & (c.url == storable_text(document.url))
                kept = digests(connection, home)
                outcome = outcome.plus(exchanged(connection, kept, (document,), words, (None, collection)))
        return outcome

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._set_up()
        with self._database.reading() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        from sqlalchemy import func, select

        self._set_up()
        with self._database.writing() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(_WRITING)))
            yield connection

    def _set_up(self) -> None:
        from sqlalchemy import func, select

        from search_core.storage.library_tables import LIBRARY

        with self._setting_up:
            if not self._ready:
                with self._database.writing() as connection:
                    connection.execute(select(func.pg_advisory_xact_lock(_WRITING)))
                    LIBRARY.create_all(connection)
                self._ready = True
