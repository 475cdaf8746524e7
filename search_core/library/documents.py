"""Documents in the library: split into passages with their words, and the SQL for them.

Statements are in the SQL that SQLite and PostgreSQL share, with ``:name`` for values, and ``{files}``, ``{documents}``,
``{sections}``, ``{models}`` and ``{vectors}`` for the tables, whose names differ.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from search_core.domain.result import SAMPLE_COLLECTION, USER_COLLECTION, SearchResult, collection_of
from search_core.language import korean
from search_core.language.korean.function_words import ENGLISH_FUNCTION_WORDS, FILLER_NOUNS, LIGHT_PREDICATES
from search_core.language.sentences import sentence_spans
from search_core.language.web_address import host_name
from search_core.reading.documents import Document
from search_core.runtime import ASKED_BY
from search_core.storage.json_codec import storable_text

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import Connection

PASSAGE_CHARS = 400
"""Longest passage: as much as a snippet on the page can show."""
SECTION_CHARS = 2_000
"""Length of a section, the unit of ranking: shorter ones tear a thought apart, and with longer ones books outrank articles."""
MAX_QUERY_WORDS = 48
TITLE_WEIGHT, BODY_WEIGHT, BIGRAM_WEIGHT = 2.0, 1.0, 0.4
"""Weights of columns in the ranking, chosen on four Korean retrieval sets; bigrams find words that are analysed differently."""
_HEADING_CHARS = 80
_BLANK_LINE = re.compile(r"\n\s*\n")
_WORD = re.compile(r"\w+")
_SOURCE = "내 자료"
_EMPTY = ENGLISH_FUNCTION_WORDS | FILLER_NOUNS | LIGHT_PREDICATES


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOutcome:
    """What an indexing run did: how many documents it added, updated, left or removed, and which files it could not read."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: tuple[tuple[Path, str], ...] = ()
    """Files that could not be read, each with a Korean sentence why."""
    cut: tuple[tuple[Path, str], ...] = ()
    """Files that were read only in part, each with a Korean sentence that says how far."""

    def plus(self, other: IndexOutcome) -> IndexOutcome:
        """Return an outcome with the counts of both added and their lists joined."""
        sums = {field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)}
        return IndexOutcome(**sums)


def visible_collections(*, samples: bool) -> dict[str, str]:
    """Return, as SQL parameters, the collections that the asking user may see; shipped ones only with *samples*."""
    return {"user": USER_COLLECTION, "own": collection_of(ASKED_BY.get()), "sample": SAMPLE_COLLECTION if samples else ""}


class QueryWords(NamedTuple):
    """The search words of a query."""

    terms: tuple[str, ...]
    bigrams: tuple[str, ...]


def split_sections(text: str) -> list[list[str]]:
    """Split *text* into sections, which are ranked, and each section into passages, which are shown."""
    grouped: list[list[str]] = []
    length = 0
    for passage in split_passages(text):
        if not grouped or length + len(passage) > SECTION_CHARS:
            grouped.append([])
            length = 0
        grouped[-1].append(passage)
        length += len(passage)
    return grouped


def split_passages(text: str) -> list[str]:
    """Return *text* in passages of whole sentences, at most ``PASSAGE_CHARS`` long; longer sentences are split at spaces.

    A paragraph begins a passage, unless the text before it is as short as a heading, which keeps its line.
    """
    finished: list[str] = []
    heading = ""
    for paragraph in _BLANK_LINE.split(text):
        passage, before = heading, len(finished)
        for sentence in _sentences(paragraph):
            joined = ("\n" if passage == heading else " ").join(filter(None, (passage, sentence)))
            if len(joined) <= PASSAGE_CHARS:
                passage = joined
            else:
                if passage:
                    finished.append(passage)
                passage = sentence
        heading = passage if len(finished) == before and len(passage) < _HEADING_CHARS else ""
        if passage and not heading:
            finished.append(passage)
    return [*finished, heading] if heading else finished


def _sentences(text: str) -> list[str]:
    sentences = []
    for start, end in sentence_spans(text):
        sentence = " ".join(text[start:end].split())
        while len(sentence) > PASSAGE_CHARS:
            space = sentence.rfind(" ", PASSAGE_CHARS // 2, PASSAGE_CHARS + 1)
            length = space if space > 0 else PASSAGE_CHARS
            sentences.append(sentence[:length])
            sentence = sentence[length:].lstrip()
        sentences.append(sentence)
    return sentences


def indexed_words(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the terms and the bigrams of each text, joined by spaces."""
    return [(" ".join(terms), " ".join(korean.bigrams(text))) for text, terms in zip(texts, korean.terms_of(texts), strict=True)]


def query_words(query: str) -> QueryWords:
    """Return the query's search words without question words and connectives, unless there are no others."""
    terms = tuple(dict.fromkeys(word for term in korean.terms(query) for word in _WORD.findall(term)))
    content_terms = tuple(term for term in terms if term not in _EMPTY)
    pairs = tuple(dict.fromkeys(pair for pair in korean.bigrams(query) if len(pair) == 2))
    return QueryWords((content_terms or terms)[:MAX_QUERY_WORDS], pairs[:MAX_QUERY_WORDS])


def fts5_query(words: QueryWords) -> str:
    """Return the FTS5 expression for any of *words*; empty without words.

    Every word is a quoted string, so that nothing in a query is taken for an operator (sqlite.org/fts5.html §3.1).
    """
    parts = []
    if words.terms:
        parts.append(f"{{title_terms body_terms}} : ({_any_of(words.terms)})")
    if words.bigrams:
        parts.append(f"{{bigrams}} : ({_any_of(words.bigrams)})")
    return " OR ".join(parts)


def _any_of(words: Sequence[str]) -> str:
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


class FileStamp(NamedTuple):
    """Tells whether a file is unchanged since it was read."""

    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """A file with the document read from it."""

    path: Path
    stamp: FileStamp
    document: Document


class SectionRow(NamedTuple):
    """A section of a document as the database stores and ranks it: its passages and the words it is found by."""

    passages: list[dict[str, str]]
    """One dict a passage, with its ``text`` and its search ``words``."""
    title_terms: str
    body_terms: str
    bigrams: str


class AnalysedDocument(NamedTuple):
    """A document with its search words."""

    document: Document
    """With U+FFFD for characters that no database accepts."""
    digest: bytes
    """A hash of the document without its path, which shows whether it changed."""
    sections: list[SectionRow]


def analyse_documents(documents: Sequence[Document]) -> list[AnalysedDocument]:
    """Return *documents* with their search words, analysed together on several cores."""
    storable = [_storable(document) for document in documents]
    section_lists = [split_sections(document.text) for document in storable]
    texts = [
        text
        for document, parts in zip(storable, section_lists, strict=True)
        for text in (document.title, *(passage for part in parts for passage in part))
    ]
    words = iter(indexed_words(texts))
    analysed = []
    for original, document, parts in zip(documents, storable, section_lists, strict=True):
        title = next(words)
        rows = [_section_row(title, part, list(islice(words, len(part)))) for part in parts]
        analysed.append(AnalysedDocument(document, _digest(original), rows))
    return analysed


def _section_row(title: tuple[str, str], passages: Sequence[str], words: Sequence[tuple[str, str]]) -> SectionRow:
    """Return a section of *passages*; *title* and *words* are the terms and bigrams of the title and of each passage."""
    title_terms, title_bigrams = title
    stored = [{"text": text, "words": f"{terms} {bigrams}"} for text, (terms, bigrams) in zip(passages, words, strict=True)]
    body_terms = " ".join(terms for terms, _ in words)
    return SectionRow(stored, title_terms, body_terms, " ".join([title_bigrams, *(bigrams for _, bigrams in words)]))


def _storable(document: Document) -> Document:
    names = ("title", "text", "url", "source", "language")
    texts: dict[str, Any] = {name: storable_text(getattr(document, name)) for name in names}
    return replace(document, **texts, path=storable_path(document.path) if document.path else None)


def storable_path(path: Path) -> Path:
    """Return *path* in a storable form: names may contain bytes that are no characters."""
    return Path(storable_text(str(path)))


def _digest(document: Document) -> bytes:
    published = document.published.isoformat() if document.published else ""
    fields = (document.title, document.text, document.url, document.source, published, document.language)
    return hashlib.sha256("\0".join(fields).encode("utf-8", "surrogatepass")).digest()


def library_result(document: Document, snippet: str, collection: str) -> SearchResult:
    """Return *document* as a search result; if it states no source, its host is the source, or else the library."""
    host = host_name(document.url) if document.url.startswith("http") else ""
    return SearchResult(
        title=document.title,
        url=document.url,
        snippet=snippet,
        source=document.source or host or _SOURCE,
        publish_date=document.published,
        language=document.language,
        collection=collection,
    )


def shown_passage(passages: Sequence[str], place: int) -> str:
    """Return the passage at *place* of a section, followed by the first one, which usually names the topic."""
    return passages[place] if place == 0 else f"{passages[place]} … {passages[0]}"


def best_passage(stored: Sequence[Mapping[str, str]], words: QueryWords, title: str) -> str:
    """Return the passage to display, with most query words; rarer words in the section count more.

    Query words of the *title*, which all passages share, count only if there are no others. Raises ValueError, KeyError,
    TypeError or AttributeError for invalid passages.
    """
    passages = [(str(entry["text"]), frozenset(entry["words"].split())) for entry in stored]
    ((terms, bigrams),) = indexed_words([title])
    of_title = {*terms.split(), *bigrams.split()}
    weights = {
        word: weight / count
        for weight, query_terms in ((1.0, words.terms), (BIGRAM_WEIGHT, words.bigrams))
        for word in query_terms
        if (count := sum(word in of_passage for _, of_passage in passages))
    }
    distinguishing = {word: weight for word, weight in weights.items() if word not in of_title} or weights
    shares = [sum(weight for word, weight in distinguishing.items() if word in of_passage) for _, of_passage in passages]
    return shown_passage([text for text, _ in passages], shares.index(max(shares)))


def document_of(row: Sequence[str | None]) -> Document:
    """Return the document in *row* (title, text, address, source, date, language, path); raises ValueError for a bad date."""
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


class LibraryTransaction:
    """A transaction over the tables of the library."""

    def __init__(self, connection: Connection, tables: Mapping[str, str]) -> None:
        self.connection = connection
        self._tables = tables

    def execute(self, statement: str, **values: object) -> Sequence[Sequence[Any]]:
        """Run *statement* and return its rows."""
        from sqlalchemy import text

        result = self.connection.execute(text(statement.format_map(self._tables)), values)
        return result.all() if result.returns_rows else ()

    def execute_each(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        """Run *statement* once for each of *values*."""
        from sqlalchemy import text

        if rows := list(values):  # none at all would be taken for a statement without values
            self.connection.execute(text(statement.format_map(self._tables)), rows)


_FOUND = (
    "SELECT s.id, d.title, '', d.url, d.source, d.published, d.language, d.path, d.collection, s.passages"
    " FROM {sections} s JOIN {documents} d ON d.id = s.document_id WHERE s.id IN "
)


def read_sections(transaction: LibraryTransaction, section_ids: Collection[int]) -> dict[int, Sequence[Any]]:
    """Return by section id the document's title, text, address, source, date, language, path and collection, and the passages."""
    if not section_ids:
        return {}
    names = {f"section_{number}": section_id for number, section_id in enumerate(section_ids)}
    marks = ", ".join(f":{name}" for name in names)
    return {int(row[0]): row[1:] for row in transaction.execute(f"{_FOUND}({marks})", **names)}
