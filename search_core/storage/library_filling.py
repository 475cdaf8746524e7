"""Files and folders into the library."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from search_core.domain import USER_COLLECTION
from search_core.errors import DocumentReadError
from search_core.reading import Document, FoundFile, find_files, read_documents
from search_core.storage.library import Library
from search_core.storage.library_rows import FileContent, FileStamp, storable_path
from search_core.storage.outcome import IndexOutcome

_BATCH_CHARS = 400_000
"""Text analysed and written in one transaction: about two seconds of work, lost when the process is killed."""
_BATCH_FILES = 200


def index_paths(
    index: Library,
    paths: Iterable[Path],
    *,
    collection: str = USER_COLLECTION,
    on_progress: Callable[[Path], None] = lambda _: None,
    read: Callable[[FoundFile], Iterable[Document]] = read_documents,
) -> IndexOutcome:
    """Put the files at and below *paths* into *index*; what cannot be read is listed and the run goes on.

    Files with the size and time of the last run are not read again. Documents of files that are gone are removed when the folder
    they lay in is given. *on_progress* gets each file as it is looked at; *read* opens it. Raises StorageError when the
    library cannot be read or written.
    """
    filling = _Filling(index, collection, read)
    for path in paths:
        try:
            for found in find_files(path):
                on_progress(found.path)
                filling.take(found)
        except DocumentReadError as error:
            filling.failed[path] = error.korean
        filling.given.append(Path(os.path.abspath(path)))  # noqa: PTH100 - as find_files does
    return filling.finish()


class _Filling:
    """One run: what is known, what was seen, what waits to be written."""

    def __init__(self, index: Library, collection: str, read: Callable[[FoundFile], Iterable[Document]]) -> None:
        self._index = index
        self._read = read
        self._collection = collection
        self._known = index.files(collection)
        self._seen: set[Path] = set()
        self._waiting: list[FileContent] = []
        self._chars = 0
        self._outcome = IndexOutcome()
        self.failed: dict[Path, str] = {}
        self._cut: dict[Path, str] = {}
        self.given: list[Path] = []

    def take(self, found: FoundFile) -> None:
        """Read a file unless it is known and unchanged."""
        if found.path in self._seen:
            return
        self._seen.add(found.path)
        try:
            stamp = FileStamp.of(found.path)  # before reading: a change during reading is seen by the next run
            known, count = self._known.get(storable_path(found.path), (None, 0))
            if known == stamp:
                self._outcome = self._outcome.plus(IndexOutcome(unchanged=count))
                return
            documents = tuple(self._with_unique_address(one) for one in self._read(found))
        except DocumentReadError as error:
            self.failed[found.path] = error.korean
            return
        except OSError:
            self.failed[found.path] = "파일을 열지 못했어요. 읽기 권한을 확인해 주세요."
            return
        cut = next((document.cut for document in documents if document.cut), "")
        if cut:
            self._cut[found.path] = cut
        self._waiting.append(FileContent(path=found.path, stamp=stamp, documents=documents))
        self._chars += sum(len(document.text) for document in documents)
        if self._chars >= _BATCH_CHARS or len(self._waiting) >= _BATCH_FILES:
            self._write()

    def finish(self) -> IndexOutcome:
        """Write what waits, remove what is gone from the folders that were given, and return what changed."""
        self._write()
        seen, given = {storable_path(path) for path in self._seen}, {storable_path(path) for path in self.given}
        gone = [path for path in self._known if path not in seen and given.intersection((path, *path.parents))]
        removed = self._index.remove(paths=gone, collection=self._collection) if gone else 0
        return self._outcome.plus(IndexOutcome(removed=removed, failed=tuple(self.failed.items()), cut=tuple(self._cut.items())))

    def _write(self) -> None:
        if self._waiting:
            self._outcome = self._outcome.plus(self._index.index_files(self._waiting, collection=self._collection))
            self._waiting, self._chars = [], 0

    def _with_unique_address(self, document: Document) -> Document:
        """Return *document* under an address no other file has: folders of one name may be given from two places."""
        holder = self._index.get(document.url) if document.url.startswith("library:") else None
        if holder is None or document.path is None or holder.path == storable_path(document.path):
            return document
        mark = hashlib.sha256(str(document.path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
        return replace(document, url=f"{document.url}~{mark}")
