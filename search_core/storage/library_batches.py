"""Documents on their way into a library, so many in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from search_core.storage.outcome import IndexOutcome

if TYPE_CHECKING:
    from search_core.reading import Document

BATCH = 200


def put_in_batches(documents: Iterable[Document], put: Callable[[tuple[Document, ...]], IndexOutcome]) -> IndexOutcome:
    """Hand *documents* to *put*, ``BATCH`` at a time, and return what all of it changed; of one address the last stands."""
    outcome = IndexOutcome()
    held: dict[str, Document] = {}
    for document in documents:
        held[document.url] = document
        if len(held) >= BATCH:
            outcome, held = outcome.plus(put(tuple(held.values()))), {}
    return outcome.plus(put(tuple(held.values()))) if held else outcome
