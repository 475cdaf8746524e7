"""The library in a SQLite file: its tables, ranking and connections, and what its errors mean to the user."""

from __future__ import annotations

import json
import os
import queue
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from search_core.domain import SAMPLE_COLLECTION
from search_core.errors import StorageError
from search_core.storage.library import Library
from search_core.storage.library_documents import BIGRAM_WEIGHT, BODY_WEIGHT, TITLE_WEIGHT, QueryWords, SectionRow, as_match
from search_core.storage.sqlite_file import FileFault, connect, fault_of, make_tables, move_aside, set_aside, transaction

LIBRARY_FILE = "library.sqlite"
_SCHEMA_VERSION = 1
_LOCK_WAIT_S = 5.0
"""Another process may be indexing; a transaction holds one batch and is over in less."""
_IDLE_READERS = 4
_CANDIDATES = 4
"""Sections looked at for each document wanted: a document may fill several places."""
_TOO_NEW = "더 새로운 버전에서 만든 자료 저장소예요. 맥락을 새 버전으로 바꿔 주세요."
_DAMAGED = (
    "자료 저장소가 손상되었어요. 앱을 끄고 python -m search_core recover 명령으로 읽을 수 있는 자료를 살리거나,"
    " python -m search_core index --rebuild 폴더 명령으로 새로 만들 수 있어요."
)
_KOREAN = {
    FileFault.LOCKED: "다른 곳에서 자료를 넣고 있어요. 잠시 뒤에 다시 시도해 주세요.",
    FileFault.FULL: "디스크에 남은 공간이 없어요. 공간을 비우고 다시 시도해 주세요.",
    FileFault.BROKEN: _DAMAGED,
    FileFault.CLOSED: "자료 저장소를 열지 못했어요. 폴더 권한을 확인해 주세요.",
}
_TABLES = {name: name for name in ("files", "documents", "sections", "models", "vectors")}
_SCHEMA = (
    """CREATE TABLE files (
  id INTEGER PRIMARY KEY, collection TEXT NOT NULL, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
  UNIQUE (collection, path))""",
    """CREATE TABLE documents (
  id INTEGER PRIMARY KEY, file_id INTEGER REFERENCES files(id) ON DELETE CASCADE, collection TEXT NOT NULL,
  url TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, source TEXT NOT NULL, published TEXT, language TEXT NOT NULL,
  path TEXT, digest BLOB NOT NULL)""",
    "CREATE INDEX documents_by_url ON documents (url)",
    "CREATE INDEX documents_by_file ON documents (file_id)",
    """CREATE TABLE sections (
  id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE, passages TEXT NOT NULL)""",
    "CREATE INDEX sections_by_document ON sections (document_id)",
    "CREATE VIRTUAL TABLE words USING fts5 (title_terms, body_terms, bigrams, tokenize = 'porter unicode61')",
    "CREATE TRIGGER sections_gone AFTER DELETE ON sections BEGIN DELETE FROM words WHERE rowid = old.id; END",
)
_VECTORS = (
    """CREATE TABLE IF NOT EXISTS models (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, stamp TEXT NOT NULL, probe BLOB NOT NULL, used TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT, model_id INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  section_id INTEGER NOT NULL REFERENCES sections(id) ON DELETE CASCADE, packed BLOB NOT NULL, UNIQUE (section_id, model_id))""",
    "CREATE INDEX IF NOT EXISTS vectors_by_model ON vectors (model_id)",
)
"""Made when something is first written: files of earlier versions lack them, and those versions pass over them."""
_RANKED = f"""
SELECT d.url, s.id
FROM (
  SELECT rowid AS id, bm25(words, {TITLE_WEIGHT}, {BODY_WEIGHT}, {BIGRAM_WEIGHT}) AS score FROM words
  WHERE words MATCH :match AND (:samples OR rowid NOT IN (
    SELECT s.id FROM sections s JOIN documents d ON d.id = s.document_id WHERE d.collection = :sample))
  ORDER BY score LIMIT :depth) AS best
JOIN sections s ON s.id = best.id JOIN documents d ON d.id = s.document_id ORDER BY best.score, s.id
"""  # noqa: S608 - our own numbers
_FOUND = """
SELECT d.title, '', d.url, d.source, d.published, d.language, d.path, d.collection, s.passages
FROM sections s JOIN documents d ON d.id = s.document_id WHERE s.id = ?
"""


class _Transaction:
    """A transaction over the tables of the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, **values: object) -> Sequence[Sequence[Any]]:
        return self._connection.execute(statement.format_map(_TABLES), values).fetchall()

    def execute_each(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        self._connection.executemany(statement.format_map(_TABLES), values)

    def insert_sections(self, document_id: int, sections: Sequence[SectionRow]) -> None:
        for passages, *words in sections:
            values = (document_id, json.dumps(passages, ensure_ascii=False))
            section_id = self._connection.execute("INSERT INTO sections (document_id, passages) VALUES (?, ?)", values).lastrowid
            insert_words = "INSERT INTO words (rowid, title_terms, body_terms, bigrams) VALUES (?, ?, ?, ?)"
            self._connection.execute(insert_words, (section_id, *words))

    def rank(self, words: QueryWords, limit: int, *, samples: bool) -> Sequence[Sequence[Any]]:
        given = {"match": as_match(words), "samples": samples, "sample": SAMPLE_COLLECTION}
        depth = limit * _CANDIDATES
        while True:
            rows = self._connection.execute(_RANKED, given | {"depth": depth}).fetchall()
            best: dict[str, int] = {}
            for url, section in rows:
                best.setdefault(url, section)
            if len(best) >= limit or len(rows) < depth:
                break
            depth *= 4  # a long document fills many places
        sections = list(best.values())[:limit]
        return [row for section in sections for row in self._connection.execute(_FOUND, (section,))]


class LibraryIndex(Library):
    """The library in a SQLite file (FTS5), in which many may read while one writes; opened when it is needed.

    A damaged file stays untouched until ``rebuild``, which keeps it as ``*.broken``.
    """

    damaged = _DAMAGED

    def __init__(self, path: Path | str) -> None:
        """Take the file; it is made when the first document is put in."""
        self._path = Path(path)
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue(_IDLE_READERS)
        self._write_lock = threading.Lock()
        self._ready = False
        super().__init__()

    def rebuild(self) -> None:
        """Move the file aside, as ``*.broken``, and begin an empty library; an earlier ``*.broken`` is renamed."""
        with self._write_lock, self._explain_errors():
            self.close()
            self._ready = False
            earlier = self._path.with_name(self._path.name + ".broken")
            if earlier.exists():
                set_aside(earlier, datetime.now())  # noqa: DTZ005 - part of a file name, in the time of its reader
            move_aside(self._path)
            self._take_connection().close()

    def close(self) -> None:
        """Close the connections that are not in use; they open again when they are needed."""
        while True:
            try:
                self._idle.get_nowait().close()
            except queue.Empty:
                return

    def _exists(self) -> bool:
        return self._path.exists()

    @contextmanager
    def _reading(self) -> Iterator[_Transaction]:
        with self._explain_errors():
            connection = self._take_connection()
            try:
                yield _Transaction(connection)
            except BaseException:
                connection.close()
                raise
            try:
                self._idle.put_nowait(connection)
            except queue.Full:
                connection.close()

    @contextmanager
    def _writing(self) -> Iterator[_Transaction]:
        with self._write_lock, self._explain_errors():
            connection = self._take_connection()
            try:
                with transaction(connection):
                    for statement in _VECTORS:
                        connection.execute(statement)
                    yield _Transaction(connection)
            finally:
                connection.close()

    def _take_connection(self) -> sqlite3.Connection:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return self._open()

    def _open(self) -> sqlite3.Connection:
        if not self._ready:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = self._connect()
        try:
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA recursive_triggers=ON")
            if not self._ready:
                make_tables(connection, _SCHEMA, _SCHEMA_VERSION, name="The library", too_new=_TOO_NEW)
                self._ready = True
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        """Return a connection; in a folder without the right to write the file is taken as one that never changes.

        SQLite needs to make files beside a database in WAL mode even to read it (sqlite.org/wal.html#readonly).
        """
        wal = self._path.with_name(self._path.name + "-wal")
        unchanging = self._path.exists() and not os.access(self._path.parent, os.W_OK) and not wal.exists()
        return connect(self._path, _LOCK_WAIT_S, unchanging=unchanging)

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._ready = False
            raise StorageError(
                f"The library {self._path.name} cannot be used: {error}", korean=_KOREAN[fault_of(error)]
            ) from error
