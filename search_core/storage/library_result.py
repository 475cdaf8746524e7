"""What the library gives back, whatever it is stored in: documents, and results with their best passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from search_core.domain import SearchResult
from search_core.reading import Document
from search_core.storage.library_text import BIGRAM_WEIGHT, QueryWords, from_first_said
from search_core.web_address import host_name

_SOURCE = "내 자료"


def result_of(found: Document, snippet: str, collection: str) -> SearchResult:
    """Return *found* of *collection* as a result; its host, or the library, stands for a source it does not name."""
    host = host_name(found.url) if found.url.startswith("http") else ""
    return SearchResult(
        title=found.title,
        url=found.url,
        snippet=snippet,
        source=found.source or host or _SOURCE,
        publish_date=found.published,
        language=found.language,
        collection=collection,
    )


def best_passage(stored: Sequence[Mapping[str, str]], words: QueryWords) -> str:
    """Return the passage with the most of the query; a word counts more the fewer passages of the section hold it.

    Raises ValueError, KeyError, TypeError or AttributeError for passages that were not written as they are read.
    """
    passages = [(str(one["text"]), frozenset(one["words"].split())) for one in stored]
    weights = {
        word: weight / held
        for weight, wanted in ((1.0, words.terms), (BIGRAM_WEIGHT, words.bigrams))
        for word in wanted
        if (held := sum(word in of_passage for _, of_passage in passages))
    }
    return from_first_said(
        max(passages, key=lambda one: sum(weight for word, weight in weights.items() if word in one[1]))[0], words
    )


def document_of(row: Sequence[str | None]) -> Document:
    """Return the document in *row*: title, text, address, source, date, language and path; raises ValueError for another date."""
    title, text, url, source, published, language, path = row
    return Document(
        title=title or "",
        text=text or "",
        url=url or "",
        source=source or "",
        published=datetime.fromisoformat(published) if published else None,
        language=language or "",
        path=Path(path) if path else None,
    )
