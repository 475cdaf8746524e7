"""Documents as rows of the library."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from search_core.reading import Document
from search_core.storage.kept_json import storable_text
from search_core.storage.library_text import indexed_words, sections
from search_core.storage.outcome import IndexOutcome

if TYPE_CHECKING:
    from search_core.storage.library_backend import LibraryTransaction

_INSERT_FILE = (
    "INSERT INTO {files} (collection, path, mtime_ns, size) VALUES (:collection, :path, :mtime_ns, :size)"
    " ON CONFLICT (collection, path) DO UPDATE SET mtime_ns = excluded.mtime_ns, size = excluded.size RETURNING id"
)
_INSERT_DOCUMENT = (
    "INSERT INTO {documents} (file_id, collection, url, title, text, source, published, language, path, digest)"
    " VALUES (:file_id, :collection, :url, :title, :text, :source, :published, :language, :path, :digest) RETURNING id"
)


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
    """A file with the documents read from it."""

    path: Path
    stamp: FileStamp
    documents: tuple[Document, ...]


class SectionRow(NamedTuple):
    """A stretch of a document that is ranked as one, with the words it is found by."""

    passages: list[dict[str, str]]
    """Each with its ``text`` and its ``words``."""
    title_terms: str
    body_terms: str
    bigrams: str


class AnalysedDocument(NamedTuple):
    """A document ready to be written."""

    document: Document
    """With U+FFFD for letters that no database keeps."""
    digest: bytes
    """Tells it from one that differs in anything but its path."""
    sections: list[SectionRow]


def analyse_documents(documents: Sequence[Document]) -> list[AnalysedDocument]:
    """Return *documents* with their words, all texts analysed together so that several cores share the work."""
    storable = [_storable(document) for document in documents]
    cut = [sections(document.text) for document in storable]
    texts = [
        text
        for document, parts in zip(storable, cut, strict=True)
        for text in (document.title, *(passage for part in parts for passage in part.passages))
    ]
    words = iter(indexed_words(texts))
    analysed = []
    for given, document, parts in zip(documents, storable, cut, strict=True):
        title = next(words)
        rows = [_section_row(title, part.passages, list(islice(words, len(part.passages)))) for part in parts]
        analysed.append(AnalysedDocument(document, _digest(given), rows))
    return analysed


def _section_row(title: tuple[str, str], passages: Sequence[str], words: Sequence[tuple[str, str]]) -> SectionRow:
    """Return a section of *passages*; *title* and *words* are terms and bigrams of the title and of each passage."""
    title_terms, title_bigrams = title
    kept = [{"text": text, "words": f"{terms} {bigrams}"} for text, (terms, bigrams) in zip(passages, words, strict=True)]
    body_terms = " ".join(terms for terms, _ in words)
    return SectionRow(kept, title_terms, body_terms, " ".join([title_bigrams, *(bigrams for _, bigrams in words)]))


def _storable(document: Document) -> Document:
    return replace(
        document,
        title=storable_text(document.title),
        text=storable_text(document.text),
        url=storable_text(document.url),
        source=storable_text(document.source),
        language=storable_text(document.language),
        path=Path(storable_text(str(document.path))) if document.path else None,
    )


def _digest(document: Document) -> bytes:
    published = document.published.isoformat() if document.published else ""
    fields = (document.title, document.text, document.url, document.source, published, document.language)
    return hashlib.sha256("\0".join(fields).encode("utf-8", "surrogatepass")).digest()


def record_file(transaction: LibraryTransaction, file: FileContent, collection: str) -> int:
    """Remember when *file* was read and return its row."""
    path, stamp = storable_text(str(file.path)), file.stamp
    ((file_id,),) = transaction.execute(_INSERT_FILE, collection=collection, path=path, mtime_ns=stamp.mtime_ns, size=stamp.size)
    return int(file_id)


def replace_documents(
    transaction: LibraryTransaction,
    kept: Sequence[Sequence[Any]],
    documents: Sequence[AnalysedDocument],
    *,
    file_id: int | None,
    collection: str,
) -> IndexOutcome:
    """Put *documents* in the place of *kept* ones, given by row and digest; the same ones stay."""
    same = {digest: row_id for row_id, digest in kept}
    wanted = {one.digest: one for one in documents}
    new = [one for digest, one in wanted.items() if digest not in same]
    gone = [row_id for row_id, digest in kept if same[digest] != row_id or digest not in wanted]
    for one in new:
        _insert(transaction, one, file_id, collection)
    transaction.execute_each("DELETE FROM {documents} WHERE id = :id", [{"id": row_id} for row_id in gone])
    updated = min(len(new), len(gone))
    return IndexOutcome(added=len(new) - updated, updated=updated, unchanged=len(wanted) - len(new), removed=len(gone) - updated)


def _insert(transaction: LibraryTransaction, analysed: AnalysedDocument, file_id: int | None, collection: str) -> None:
    document = analysed.document
    ((document_id,),) = transaction.execute(
        _INSERT_DOCUMENT,
        file_id=file_id,
        collection=collection,
        url=document.url,
        title=document.title,
        text=document.text,
        source=document.source,
        published=document.published.isoformat() if document.published else None,
        language=document.language,
        path=str(document.path) if document.path else None,
        digest=analysed.digest,
    )
    transaction.insert_sections(document_id, analysed.sections)
