"""Documents put into a library without files to read them from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from search_core.domain.result import USER_COLLECTION
from search_core.library.documents import FileContent, FileStamp, IndexOutcome
from search_core.library.library import Library
from search_core.reading.documents import Document


def put_in(library: Library, documents: Iterable[Document], collection: str = USER_COLLECTION) -> IndexOutcome:
    """Put each of *documents* in as a file of its own, with its address for a path."""
    files = [FileContent(path=Path(each.url), stamp=FileStamp(0, 0), document=each) for each in documents]
    outcome = IndexOutcome()
    for start in range(0, len(files), 200):
        outcome = outcome.plus(library.index_files(files[start : start + 200], collection=collection))
    return outcome
