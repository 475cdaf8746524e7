"""The library in a SQLite file: its tables, its ranking, and its errors in words for users."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search_core.errors import StorageError
from search_core.library.documents import (
    BIGRAM_WEIGHT,
    BODY_WEIGHT,
    TITLE_WEIGHT,
    LibraryTransaction,
    QueryWords,
    SectionRow,
    fts5_query,
    read_sections,
    visible_collections,
)
from search_core.library.library import Library
from search_core.storage.database import Database
from search_core.storage.json_codec import json_text
from search_core.storage.sqlite_file import fault_sentences

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import Connection

LIBRARY_FILE = "library.sqlite"
_SCHEMA_VERSION = 1
_CANDIDATES = 4
"""Sections ranked for each document wanted, because several may belong to the same document."""
_TOO_NEW = "더 새로운 버전에서 만든 자료 저장소예요. 맥락을 새 버전으로 바꿔 주세요."
_KOREAN = fault_sentences(
    f"자료 저장소({LIBRARY_FILE})",
    "앱을 끄고 그 파일을 옮긴 뒤 python -m search_core index 폴더 명령으로 새로 만들거나, backup 명령으로 만들어 둔 사본을"
    " 그 자리에 넣어 주세요.",
)
_WORDS = (
    "CREATE VIRTUAL TABLE words USING fts5 (title_terms, body_terms, bigrams, tokenize = 'porter unicode61')",
    "CREATE TRIGGER sections_gone AFTER DELETE ON sections BEGIN DELETE FROM words WHERE rowid = old.id; END",
    f"PRAGMA user_version={_SCHEMA_VERSION}",
)
_INSERT_SECTION = "INSERT INTO sections (document_id, passages) VALUES (:document_id, :passages) RETURNING id"
_INSERT_WORDS = "INSERT INTO words (rowid, title_terms, body_terms, bigrams) VALUES (:id, :title_terms, :body_terms, :bigrams)"
_RANKED = f"""
SELECT d.url, s.id
FROM (
  SELECT rowid AS id, bm25(words, {TITLE_WEIGHT}, {BODY_WEIGHT}, {BIGRAM_WEIGHT}) AS score FROM words
  WHERE words MATCH :match AND rowid NOT IN (
    SELECT s.id FROM sections s JOIN documents d ON d.id = s.document_id WHERE d.collection NOT IN (:user, :own, :sample))
  ORDER BY score LIMIT :depth) AS best
JOIN sections s ON s.id = best.id JOIN documents d ON d.id = s.document_id ORDER BY best.score, s.id
"""  # noqa: S608 - our own numbers


def make_library(connection: Connection) -> None:
    """Create the tables if missing; raises StorageError if a later version made them."""
    from search_core.storage.tables import FILE_LIBRARY

    version = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    if version > _SCHEMA_VERSION:
        raise StorageError(f"The library is of version {version}, this program reads {_SCHEMA_VERSION}.", korean=_TOO_NEW)
    FILE_LIBRARY.create_all(connection)
    for statement in () if version else _WORDS:
        connection.exec_driver_sql(statement)


class LibraryIndex(Library):
    """The library in a SQLite file (FTS5) with many readers and one writer; opened on demand."""

    tables = {name: name for name in ("files", "documents", "sections", "models", "vectors")}  # noqa: RUF012 - of the class

    def __init__(self, path: Path | str) -> None:
        super().__init__(Database(Path(path), make_library, _KOREAN))

    def _insert_sections(self, transaction: LibraryTransaction, document_id: int, sections: Sequence[SectionRow]) -> None:
        for passages, *words in sections:
            ((section_id,),) = transaction.execute(_INSERT_SECTION, document_id=document_id, passages=json_text(passages))
            values = dict(zip(("title_terms", "body_terms", "bigrams"), words, strict=True))
            transaction.execute(_INSERT_WORDS, id=section_id, **values)

    def _rank(self, transaction: LibraryTransaction, words: QueryWords, limit: int, *, samples: bool) -> Sequence[Sequence[Any]]:
        values = {"match": fts5_query(words), **visible_collections(samples=samples)}
        depth = limit * _CANDIDATES
        while True:
            rows = transaction.execute(_RANKED, depth=depth, **values)
            best: dict[str, int] = {}
            for url, section in rows:
                best.setdefault(url, section)
            if len(best) >= limit or len(rows) < depth:
                break
            depth *= 4  # one long document may take many places
        sections = list(best.values())[:limit]
        by_section = read_sections(transaction, sections)
        return [by_section[section] for section in sections]
