"""Words of the library as FTS5 tells them apart, counted, for databases that have no FTS5.

The tokenizer is SQLite's own (``porter unicode61``, sqlite.org/fts5.html §4.3), asked in memory, so that a library in PostgreSQL
finds what one in a file finds.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from search_core.storage.library_text import BIGRAM_WEIGHT, BODY_WEIGHT, TITLE_WEIGHT, QueryWords

_WEIGHTS = {"title_terms": TITLE_WEIGHT, "body_terms": BODY_WEIGHT, "bigrams": BIGRAM_WEIGHT}
_MARKS = {"title_terms": "", "body_terms": "", "bigrams": "~"}
"""Bigrams are other words than terms, as in FTS5 they are in another column; no token holds the mark."""
_TABLES = (
    "CREATE VIRTUAL TABLE words USING fts5 (title_terms, body_terms, bigrams, tokenize = 'porter unicode61', content = '')",
    "CREATE VIRTUAL TABLE tokens USING fts5vocab (words, 'instance')",
)


class SectionWords(NamedTuple):
    """What a section is ranked by."""

    weights: dict[str, float]
    """By word: how often it occurs, each time by the weight of where it occurs."""
    length: int
    """Tokens in all."""


def count_section_words(sections: Sequence[tuple[str, str, str]]) -> list[SectionWords]:
    """Return the words of each of *sections*, given by its title terms, body terms and bigrams."""
    found = [SectionWords({}, 0) for _ in sections]
    with closing(_index_in_memory(sections)) as connection:
        rows = connection.execute("SELECT doc, col, term, count(*) FROM tokens GROUP BY doc, col, term").fetchall()
    for place, column, term, count in rows:
        weights, length = found[place - 1]
        word = _MARKS[column] + term
        weights[word] = weights.get(word, 0.0) + count * _WEIGHTS[column]
        found[place - 1] = SectionWords(weights, length + count)
    return found


def count_words(words: QueryWords) -> Counter[str]:
    """Return the words to look for, and how often each is asked for: two words may have one stem."""
    with closing(_index_in_memory([("", " ".join(words.terms), " ".join(words.bigrams))])) as connection:
        rows = connection.execute("SELECT col, term FROM tokens").fetchall()
    return Counter(_MARKS[column] + term for column, term in rows)


def _index_in_memory(rows: Sequence[tuple[str, str, str]]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for statement in _TABLES:
        connection.execute(statement)
    insert = "INSERT INTO words (rowid, title_terms, body_terms, bigrams) VALUES (?, ?, ?, ?)"
    connection.executemany(insert, [(place, *row) for place, row in enumerate(rows, start=1)])
    return connection
