"""What a library does, whatever it is kept in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from search_core.domain import USER_COLLECTION, SearchResult
from search_core.reading import Document
from search_core.storage.library_rows import FileContent, FileStamp
from search_core.storage.outcome import IndexOutcome

USER = USER_COLLECTION


class Library(Protocol):
    """Finds documents the user has given; all methods raise StorageError when they cannot be read or written."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Return the best *limit* documents for *query*, best first, each with its best passage as snippet.

        *samples* False leaves out those that ship with the app.
        """
        ...

    def count(self, *, samples: bool = True) -> int:
        """Return how many documents there are, with those that ship with the app or without them."""
        ...

    def get(self, url: str) -> Document | None:
        """Return the document with address *url*, or None."""
        ...

    def index(self, documents: Iterable[Document], *, collection: str = USER) -> IndexOutcome:
        """Put *documents* in, known ones anew only when they changed; documents are told apart by address."""
        ...

    def index_files(self, files: Sequence[FileContent], *, collection: str = USER) -> IndexOutcome:
        """Put the documents of *files* in, all or none; documents a file no longer holds are removed."""
        ...

    def files(self, collection: str = USER) -> dict[Path, tuple[FileStamp, int]]:
        """Return the files that were read into *collection*, each with its stamp and its number of documents."""
        ...

    def remove(self, *, urls: Iterable[str] = (), paths: Iterable[Path] = (), collection: str = USER) -> int:
        """Remove documents of *collection* by address or by file and return how many."""
        ...

    def rebuild(self) -> None:
        """Put what is there aside and begin an empty library."""
        ...

    def close(self) -> None:
        """Close what is open; it opens again when it is used."""
        ...
