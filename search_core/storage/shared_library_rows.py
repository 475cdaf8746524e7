"""Documents as rows of a library in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search_core.reading import Document
from search_core.storage.kept_json import storable_text
from search_core.storage.library_rows import FileContent, Words, digest_of, exchange
from search_core.storage.library_tokens import section_words
from search_core.storage.outcome import IndexOutcome

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection


def stamped(connection: Connection, file: FileContent, collection: str) -> int:
    """Remember when *file* was read and return its row."""
    from sqlalchemy.dialects.postgresql import insert

    from search_core.storage.library_tables import FILES

    stamp = {"mtime_ns": file.stamp.mtime_ns, "size": file.stamp.size}
    row = insert(FILES).values(collection=collection, path=kept_path(file.path), **stamp)
    known = row.on_conflict_do_update(index_elements=["collection", "path"], set_=stamp)
    return int(connection.execute(known.returning(FILES.c.id)).scalar_one())


def digests(connection: Connection, where: ColumnElement[bool]) -> dict[int, tuple[bytes, str]]:
    """Return digest and address of the documents *where* picks, by row."""
    from sqlalchemy import select

    from search_core.storage.library_tables import DOCUMENTS

    wanted = select(DOCUMENTS.c.id, DOCUMENTS.c.digest, DOCUMENTS.c.url).where(where)
    return {row_id: (bytes(digest), url) for row_id, digest, url in connection.execute(wanted)}


def exchanged(
    connection: Connection,
    kept: Mapping[int, tuple[bytes, str]],
    documents: Sequence[Document],
    words: Words,
    home: tuple[int | None, str],
) -> IndexOutcome:
    """Put *documents* in the place of *kept* ones of the same home (file, collection); the same ones stay."""
    from sqlalchemy import delete

    from search_core.storage.library_tables import DOCUMENTS

    new, gone, outcome = exchange(kept, documents)
    for document in new:
        _insert(connection, document, words[digest_of(document)], home)
    if gone:
        connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.id.in_(gone)))
    return outcome


def _insert(
    connection: Connection,
    document: Document,
    rows: Sequence[tuple[list[dict[str, str]], str, str, str]],
    home: tuple[int | None, str],
) -> None:
    from sqlalchemy import insert

    from search_core.storage.library_tables import DOCUMENTS, SECTIONS

    file_id, collection = home
    values: dict[str, Any] = {
        "file_id": file_id,
        "collection": collection,
        "url": storable_text(document.url),
        "title": storable_text(document.title),
        "text": storable_text(document.text),
        "source": storable_text(document.source),
        "published": document.published.isoformat() if document.published else None,
        "language": storable_text(document.language),
        "path": kept_path(document.path) if document.path else None,
        "digest": digest_of(document),
    }
    document_id = connection.execute(insert(DOCUMENTS).values(**values).returning(DOCUMENTS.c.id)).scalar_one()
    sections = [
        {
            "document_id": document_id,
            "passages": [{name: storable_text(value) for name, value in passage.items()} for passage in passages],
            "words": list(ranked.weights),
            "weights": list(ranked.weights.values()),
            "length": ranked.length,
        }
        for (passages, *_), ranked in zip(rows, section_words([row[1:] for row in rows]), strict=True)
    ]
    if sections:
        connection.execute(insert(SECTIONS), sections)


def kept_path(path: Path) -> str:
    """Return *path* as it is kept."""
    return storable_text(str(path))
