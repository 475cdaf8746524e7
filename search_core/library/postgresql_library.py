"""The library in PostgreSQL, shared by processes of several machines.

Texts are split by SQLite's own tokenizer (``porter unicode61``, sqlite.org/fts5.html §4.3), run in memory, so that it finds what
a library in a file finds.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, NamedTuple

from search_core.errors import StorageError
from search_core.library.documents import (
    BIGRAM_WEIGHT,
    BODY_WEIGHT,
    TITLE_WEIGHT,
    LibraryTransaction,
    QueryWords,
    SectionRow,
    visible_collections,
)
from search_core.library.library import Library
from search_core.runtime import run_in_thread
from search_core.storage.database import Database
from search_core.storage.json_codec import json_text

_WEIGHTS = {"title_terms": TITLE_WEIGHT, "body_terms": BODY_WEIGHT, "bigrams": BIGRAM_WEIGHT}
_MARKS = {"title_terms": "", "body_terms": "", "bigrams": "~"}
"""Prefix of the words of each column, so that bigrams differ from terms; no token contains "~"."""
_MEMORY_TABLES = (
    "CREATE VIRTUAL TABLE words USING fts5 (title_terms, body_terms, bigrams, tokenize = 'porter unicode61', content = '')",
    "CREATE VIRTUAL TABLE tokens USING fts5vocab (words, 'instance')",
)
COUNT_PATIENCE_S = 1.0
_WRITING = 0x6C696272
"""Key of the advisory lock for writing: one process writes at a time, so a document added by two is stored once."""
_BUSY = "데이터베이스가 바빠서 내 자료를 세지 못했어요. 잠시 뒤에 다시 시도해 주세요."
_INSERT_SECTION = (
    "INSERT INTO {sections} (document_id, passages, words, weights, length) VALUES"
    " (:document_id, CAST(:passages AS jsonb), CAST(:words AS text[]), CAST(:weights AS real[]), :length)"
)
_RANKED = """
WITH asked AS (
    SELECT word, times, place
    FROM unnest(CAST(:words AS text[]), CAST(:times AS int[])) WITH ORDINALITY AS a (word, times, place)),
  held AS MATERIALIZED (
    SELECT s.id, s.document_id, s.length, a.word, s.weights[array_position(s.words, a.word)] AS weight
    FROM asked a JOIN {sections} s ON s.words @> ARRAY[a.word]),
  corpus AS (SELECT CAST(count(*) AS float8) AS sections, CAST(avg(length) AS float8) AS length FROM {sections}),
  counted AS (SELECT word, count(*) AS sections FROM held GROUP BY word),
  rarity AS MATERIALIZED (
    SELECT word, a.place, a.times * greatest(ln((c.sections - n.sections + 0.5) / (n.sections + 0.5)), 0.000001) AS idf, c.length
    FROM counted n JOIN asked a USING (word) CROSS JOIN corpus c),
  scored AS (
    SELECT h.id, h.document_id, sum(
      r.idf * h.weight * 2.2 / (h.weight + 1.2 * (0.25 + 0.75 * h.length / r.length)) ORDER BY r.place) AS score
    FROM held h JOIN rarity r USING (word) GROUP BY h.id, h.document_id),
  best AS (
    SELECT DISTINCT ON (d.url) s.id, s.document_id, s.score FROM scored s JOIN {documents} d ON d.id = s.document_id
    WHERE d.collection IN (:user, :own, :sample) ORDER BY d.url, s.score DESC, s.id),
  first AS (SELECT id, document_id, score FROM best ORDER BY score DESC, id LIMIT :limit)
SELECT d.title, '' AS text, d.url, d.source, d.published, d.language, d.path, d.collection, s.passages
FROM first f JOIN {documents} d ON d.id = f.document_id JOIN {sections} s ON s.id = f.id
ORDER BY f.score DESC, f.id
"""
"""BM25 as FTS5 computes it (sqlite.org/fts5.html §5.1.1, k1 = 1.2, b = 0.75), each document by its best section.

Sections are looked up by one word at a time, for which the planner takes the index with and without statistics; asked for any
of the words at once, it reads every section. Sums go in the order of the words, so that sections that say the same are equal.
"""


class SectionWords(NamedTuple):
    """How much each word of a section counts for its rank (BM25)."""

    weights: dict[str, float]
    """For each word the number of its occurrences, each multiplied by the weight of its place (title, body or bigrams)."""
    length: int
    """Number of all tokens."""


def count_section_words(sections: Sequence[tuple[str, str, str]]) -> list[SectionWords]:
    """Return the weighted words of each section, given as (title terms, body terms, bigrams)."""
    counts = [SectionWords({}, 0) for _ in sections]
    with closing(_index_in_memory(sections)) as connection:
        rows = connection.execute("SELECT doc, col, term, count(*) FROM tokens GROUP BY doc, col, term").fetchall()
    for place, column, term, count in rows:
        weights, length = counts[place - 1]
        word = _MARKS[column] + term
        weights[word] = weights.get(word, 0.0) + count * _WEIGHTS[column]
        counts[place - 1] = SectionWords(weights, length + count)
    return counts


def count_words(words: QueryWords) -> Counter[str]:
    """Return the stems of the searched words, each with the number of words that have it."""
    with closing(_index_in_memory([("", " ".join(words.terms), " ".join(words.bigrams))])) as connection:
        rows = connection.execute("SELECT col, term FROM tokens").fetchall()
    return Counter(_MARKS[column] + term for column, term in rows)


def _index_in_memory(rows: Sequence[tuple[str, str, str]]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for statement in _MEMORY_TABLES:
        connection.execute(statement)
    insert = "INSERT INTO words (rowid, title_terms, body_terms, bigrams) VALUES (?, ?, ?, ?)"
    connection.executemany(insert, [(place, *row) for place, row in enumerate(rows, start=1)])
    return connection


class SharedLibraryIndex(Library):
    """The library in a PostgreSQL database, with the same words and ranking as in a file; for many machines.

    Files are identified by their paths, so machines that add documents need them at the same place.
    """

    tables = {name: f"library_{name}" for name in ("files", "documents", "sections", "models", "vectors")}  # noqa: RUF012 - of the class

    def __init__(self, database: Database, *, count_patience_s: float = COUNT_PATIENCE_S) -> None:
        """Take the database, which creates the tables when it is opened and is closed by its owner."""
        super().__init__(database)
        self._count_patience_s = count_patience_s

    def count(self, *, samples: bool = True) -> int:
        """Return the number of documents; raises StorageError if counting takes long, because every search waits for it."""
        try:
            return run_in_thread(partial(super().count, samples=samples), "maekrak-library").result(self._count_patience_s)
        except TimeoutError as error:
            raise StorageError("The library was not counted in time.", korean=_BUSY) from error

    @contextmanager
    def _writing(self) -> Iterator[LibraryTransaction]:
        with super()._writing() as transaction:
            transaction.execute("SELECT pg_advisory_xact_lock(:key)", key=_WRITING)
            yield transaction

    def _insert_sections(self, transaction: LibraryTransaction, document_id: int, sections: Sequence[SectionRow]) -> None:
        counted = count_section_words([section[1:] for section in sections])
        rows = [
            {
                "document_id": document_id,
                "passages": json_text(section.passages),
                "words": list(weights),
                "weights": list(weights.values()),
                "length": length,
            }
            for section, (weights, length) in zip(sections, counted, strict=True)
        ]
        transaction.execute_each(_INSERT_SECTION, rows)

    def _rank(self, transaction: LibraryTransaction, words: QueryWords, limit: int, *, samples: bool) -> Sequence[Sequence[Any]]:
        counts = count_words(words)
        return transaction.execute(
            _RANKED, words=list(counts), times=list(counts.values()), limit=limit, **visible_collections(samples=samples)
        )
