"""Documents as rows of the library."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from search_core.reading import Document
from search_core.storage.library_text import indexed_words, sections
from search_core.storage.outcome import IndexOutcome


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Tells whether a file is still the one that was read."""

    mtime_ns: int
    size: int

    @classmethod
    def of(cls, path: Path) -> FileStamp:
        """Return the stamp of the file at *path*; raises OSError."""
        status = path.stat()
        return cls(status.st_mtime_ns, status.st_size)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """Is a file with the documents read from it."""

    path: Path
    stamp: FileStamp
    documents: tuple[Document, ...]


Words = Mapping[bytes, list[tuple[list[dict[str, str]], str, str, str]]]
"""By digest of a document: for each section its passages, title terms, body terms and bigrams."""


def analysed(documents: Sequence[Document]) -> Words:
    """Return the words of *documents*, all texts analysed together so that several cores share the work."""
    cut = {digest_of(document): (document.title, sections(document.text)) for document in documents}
    texts = [text for title, parts in cut.values() for text in (title, *(p for part in parts for p in part.passages))]
    analysed = iter(indexed_words(texts))
    found: dict[bytes, list[tuple[list[dict[str, str]], str, str, str]]] = {}
    for digest, (_, parts) in cut.items():
        title_terms, title_bigrams = next(analysed)
        rows = []
        for part in parts:
            words = [next(analysed) for _ in part.passages]
            passages = [
                {"text": text, "words": f"{terms} {pairs}"} for text, (terms, pairs) in zip(part.passages, words, strict=True)
            ]
            bigrams = " ".join([title_bigrams, *(pairs for _, pairs in words)])
            rows.append((passages, title_terms, " ".join(terms for terms, _ in words), bigrams))
        found[digest] = rows
    return found


def digest_of(document: Document) -> bytes:
    """Return what tells a document from one that differs in anything but its path."""
    published = document.published.isoformat() if document.published else ""
    fields = (document.title, document.text, document.url, document.source, published, document.language)
    return hashlib.sha256("\0".join(fields).encode("utf-8", "surrogatepass")).digest()


def stamped(connection: sqlite3.Connection, file: FileContent, collection: str) -> int:
    """Remember when *file* was read and return its row."""
    statement = (
        "INSERT INTO files (collection, path, mtime_ns, size) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (collection, path) DO UPDATE SET mtime_ns = excluded.mtime_ns, size = excluded.size RETURNING id"
    )
    row = connection.execute(statement, (collection, str(file.path), file.stamp.mtime_ns, file.stamp.size)).fetchall()[0]
    return int(row[0])


def digests(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> dict[int, tuple[bytes, str]]:
    """Return digest and address of the documents *where* picks, by row."""
    rows = connection.execute(f"SELECT id, digest, url FROM documents WHERE {where}", values)  # noqa: S608 - our own condition
    return {row_id: (digest, url) for row_id, digest, url in rows}


class Exchange(NamedTuple):
    """Is what turns the documents a home has into those it is to have."""

    new: tuple[Document, ...]
    gone: tuple[int, ...]
    """Rows."""
    outcome: IndexOutcome


def exchange(kept: Mapping[int, tuple[bytes, str]], documents: Sequence[Document]) -> Exchange:
    """Return how *documents* come in the place of *kept* ones, given by row with digest and address; the same ones stay."""
    same = {digest: row_id for row_id, (digest, _) in kept.items()}
    wanted = {digest_of(one): one for one in documents}
    new = tuple(document for digest, document in wanted.items() if digest not in same)
    gone = tuple(row_id for row_id, (digest, _) in kept.items() if same[digest] != row_id or digest not in wanted)
    updated = min(len(new), len(gone))
    outcome = IndexOutcome(
        added=len(new) - updated, updated=updated, unchanged=len(wanted) - len(new), removed=len(gone) - updated
    )
    return Exchange(new, gone, outcome)


def exchanged(
    connection: sqlite3.Connection,
    kept: Mapping[int, tuple[bytes, str]],
    documents: Sequence[Document],
    words: Words,
    home: tuple[int | None, str],
) -> IndexOutcome:
    """Put *documents* in the place of *kept* ones of the same home (file, collection); the same ones stay."""
    new, gone, outcome = exchange(kept, documents)
    for document in new:
        _insert(connection, document, words[digest_of(document)], home)
    connection.executemany("DELETE FROM documents WHERE id = ?", [(row_id,) for row_id in gone])
    return outcome


def _insert(
    connection: sqlite3.Connection,
    document: Document,
    rows: list[tuple[list[dict[str, str]], str, str, str]],
    home: tuple[int | None, str],
) -> None:
    published = document.published.isoformat() if document.published else None
    path = str(document.path) if document.path else None
    cursor = connection.execute(
        "INSERT INTO documents (file_id, collection, url, title, text, source, published, language, path, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *home,
            document.url,
            document.title,
            document.text,
            document.source,
            published,
            document.language,
            path,
            digest_of(document),
        ),
    )
    document_id = cursor.lastrowid
    for passages, title_terms, body_terms, bigrams in rows:
        statement = "INSERT INTO sections (document_id, passages) VALUES (?, ?)"
        section_id = connection.execute(statement, (document_id, json.dumps(passages, ensure_ascii=False))).lastrowid
        connection.execute(
            "INSERT INTO words (rowid, title_terms, body_terms, bigrams) VALUES (?, ?, ?, ?)",
            (section_id, title_terms, body_terms, bigrams),
        )
