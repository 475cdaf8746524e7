"""Documents put into a library without files to read them from."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from search_core.domain.result import USER_COLLECTION
from search_core.library.documents import FileContent, FileStamp, IndexOutcome
from search_core.library.library import Library
from search_core.reading.documents import Document


def file_of(document: Document) -> FileContent:
    """Return a file that has the address of *document* for its path."""
    return FileContent(path=Path(document.url), stamp=FileStamp(0, 0), document=document)


def put_in(library: Library, documents: Iterable[Document], collection: str = USER_COLLECTION) -> IndexOutcome:
    """Put each of *documents* in as a file of its own."""
    outcome, waiting = IndexOutcome(), map(file_of, documents)
    while some := [*islice(waiting, 200)]:
        outcome = outcome.plus(library.index_files(some, collection=collection))
    return outcome
