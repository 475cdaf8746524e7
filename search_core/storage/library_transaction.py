"""What the library asks of the database it is stored in, besides connections.

Statements are in the SQL that SQLite and PostgreSQL share, with ``:name`` for values, and ``{files}``, ``{documents}``,
``{sections}``, ``{models}`` and ``{vectors}`` for the tables, whose names differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from search_core.storage.library_rows import SectionRow
from search_core.storage.library_text import QueryWords


class LibraryTransaction(Protocol):
    """A transaction over the tables of the library."""

    def execute(self, statement: str, **values: object) -> Sequence[Sequence[Any]]:
        """Run *statement* and return its rows."""
        ...

    def execute_each(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        """Run *statement* once for each of *values*."""
        ...

    def insert_sections(self, document_id: int, sections: Sequence[SectionRow]) -> None:
        """Keep the sections of a document with the words they are found by."""
        ...

    def rank(self, words: QueryWords, limit: int, *, samples: bool) -> Sequence[Sequence[Any]]:
        """Return the best *limit* documents, each by its best section.

        A row holds the columns ``document_of`` takes, with an empty text, then the collection and the section's passages.
        """
        ...
