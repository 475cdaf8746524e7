"""Documents made ready to be written into the library: cut into sections, each with its words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from search_core.reading import Document
from search_core.storage.json_codec import storable_text
from search_core.storage.library_text import indexed_words, sections


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
    analyse_documents = []
    for given, document, parts in zip(documents, storable, cut, strict=True):
        title = next(words)
        rows = [_section_row(title, part.passages, list(islice(words, len(part.passages)))) for part in parts]
        analyse_documents.append(AnalysedDocument(document, _digest(given), rows))
    return analyse_documents


def _section_row(title: tuple[str, str], passages: Sequence[str], words: Sequence[tuple[str, str]]) -> SectionRow:
    """Return a section of *passages*; *title* and *words* are terms and bigrams of the title and of each passage."""
    title_terms, title_bigrams = title
    stored = [{"text": text, "words": f"{terms} {bigrams}"} for text, (terms, bigrams) in zip(passages, words, strict=True)]
    body_terms = " ".join(terms for terms, _ in words)
    return SectionRow(stored, title_terms, body_terms, " ".join([title_bigrams, *(bigrams for _, bigrams in words)]))


def _storable(document: Document) -> Document:
    return replace(
        document,
        title=storable_text(document.title),
        text=storable_text(document.text),
        url=storable_text(document.url),
        source=storable_text(document.source),
        language=storable_text(document.language),
        path=storable_path(document.path) if document.path else None,
    )


def storable_path(path: Path) -> Path:
    """Return *path* as it is stored: a name may hold bytes that are no letters."""
    return Path(storable_text(str(path)))


def _digest(document: Document) -> bytes:
    published = document.published.isoformat() if document.published else ""
    fields = (document.title, document.text, document.url, document.source, published, document.language)
    return hashlib.sha256("\0".join(fields).encode("utf-8", "surrogatepass")).digest()
