"""What finding by meaning costs a search of the library: 50,000 passages, in a file and in PostgreSQL, against words alone."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import psutil

from benchmarks.searches import QUESTIONS
from benchmarks.texts import LIBRARY
from search_core.domain.result import SearchResult
from search_core.language import korean
from search_core.language.sentences import split_sentences
from search_core.language.vectors import Vectors
from search_core.library import Library, LibraryIndex, LibraryMeaning, SharedLibraryIndex
from search_core.library.documents import sections
from search_core.library.vectors import Direction
from search_core.models.embedding import BackgroundEmbedder, EmbedderHost
from search_core.models.embedding.e5.weights_file import MODEL
from search_core.providers.kit import SearchRequest
from search_core.providers.library import LibraryProvider
from search_core.reading import Document
from search_core.search.ranking import directions_to
from search_core.storage import Database
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.library.put_in import put_in

PASSAGES = 50_000
ANALYSED = 10
"""One document of so many is read and analysed, the others are its copies in the database: what is compared is as much."""
SENTENCES = 24
"""Of a document: about five passages."""
ROUNDS = 15
WIDTH = 384
LOAD_S = 120
COUNT_PATIENCE_S = 60.0


_DOCUMENTS = (
    "INSERT INTO {documents} (id, file_id, collection, url, title, text, source, published, language, path, digest)"
    " SELECT id + :offset, file_id, collection, url || '/' || CAST(:offset AS TEXT), title, text, source, published, language, path,"
    " digest FROM {documents} WHERE id < 1000000"
)
_COPIES = {
    "SQLite": (
        _DOCUMENTS,
        (
            "INSERT INTO sections (id, document_id, passages)"
            " SELECT id + :offset, document_id + :offset, passages FROM sections WHERE id < 1000000"
        ),
        (
            "INSERT INTO words (rowid, title_terms, body_terms, bigrams)"
            " SELECT rowid + :offset, title_terms, body_terms, bigrams FROM words WHERE rowid < 1000000"
        ),
    ),
    "PostgreSQL": (
        _DOCUMENTS,
        (
            "INSERT INTO {sections} (id, document_id, passages, words, weights, length)"
            " SELECT id + :offset, document_id + :offset, passages, words, weights, length FROM {sections} WHERE id < 1000000"
        ),
    ),
}


class _QuickReader:
    """Reads passages at once, as any vectors, and questions by the model that ships."""

    def __init__(self, embedder: BackgroundEmbedder) -> None:
        self.name, self.version = "quick", ""
        self._embedder = embedder
        self._rng = np.random.default_rng(7)
        self._kept: dict[str, Mapping[bool, Direction]] = {}
        self.keeps = True

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return any vectors."""
        vectors: Vectors = self._rng.normal(size=(len(texts), WIDTH)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def directions(self, question: str) -> Mapping[bool, Direction]:
        """Return the directions of the model, raised so that some passages are near; those kept before if it ``keeps``."""
        if not self.keeps or question not in self._kept:
            self._kept[question] = {
                about: (direction, 0.1) for about, (direction, _) in directions_to(question, self._embedder).items()
            }
        return self._kept[question]


class _Index:
    """The library as searches know it, or its words alone."""

    def __init__(self, library: Library, meaning: LibraryMeaning | None) -> None:
        self._library = library
        self._meaning = meaning

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        """Ask the words."""
        return self._library.search(query, limit, samples=samples)

    def search_by_meaning(
        self, question: str, limit: int, *, samples: bool = True
    ) -> tuple[list[SearchResult], list[SearchResult]]:
        """Ask the vectors."""
        return self._meaning.search(question, limit, samples=samples) if self._meaning else ([], [])

    def count(self, *, samples: bool = True) -> int:
        """Count."""
        return self._library.count(samples=samples)


def own_library(passages: int = PASSAGES) -> None:
    """Print what a search takes by words alone and by meaning, too, what filling takes, and the memory of the vectors."""
    korean.warm_up()
    host = EmbedderHost(model=MODEL)
    host.start()
    host.wait(LOAD_S)
    embedder = host.bare()
    if embedder is None:
        print(f"the model that ships cannot run here: {host.state().detail}")
        return
    documents = list(_documents(passages // ANALYSED))
    print(
        f"{len(documents) * ANALYSED:,} documents, {passages:,} passages; load {psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()} cores"
    )
    _reading_speed(embedder, documents)
    for name, opened in (("SQLite", _file), ("PostgreSQL", _server)):
        with opened() as library:
            _measure(name, library, documents, _QuickReader(embedder))
    host.close()


def _documents(passages: int) -> Iterator[Document]:
    """Yield documents, each of the sentences of one sample document in another order and with other numbers."""
    rng = random.Random(3)
    subjects = [path.read_text(encoding="utf-8").split("---", 2)[-1] for path in sorted(LIBRARY.glob("*.md"))]
    told = [split_sentences(" ".join(subject.split())) for subject in subjects]
    counted = number = 0
    while counted < passages:
        chosen = rng.choice(told)
        text = " ".join(f"{rng.choice(chosen)} {rng.randrange(10**6)}." for _ in range(SENTENCES))
        counted += sum(len(section) for section in sections(text))
        number += 1
        yield Document(title=f"문서 {number}", text=text, url=f"library:bench/{number}", language="ko")


def _reading_speed(embedder: BackgroundEmbedder, documents: Sequence[Document]) -> None:
    texts = [passage for document in documents[:40] for part in sections(document.text) for passage in part][:100]
    started = time.perf_counter()
    embedder.embed_in_background(texts)
    took_s = time.perf_counter() - started
    print(
        f"reading passages by the model that ships: {len(texts) / took_s:.0f} a second, {PASSAGES * took_s / len(texts) / 60:.0f} min in all"
    )


def _measure(name: str, library: Library, documents: Sequence[Document], reader: _QuickReader) -> None:
    put_in(library, documents)
    with library._writing() as transaction:
        for statement in _COPIES[name]:
            for copy in range(1, ANALYSED):
                transaction.execute(statement, offset=copy * 10**6)
    before = psutil.Process().memory_info().rss
    with closing(LibraryMeaning(library, lambda: reader, question_s=LOAD_S)) as meaning:
        started = time.perf_counter()
        meaning.start()
        while not meaning.progress.complete:
            meaning.wait(1.0)
        filled_s = time.perf_counter() - started
        words, both = LibraryProvider(_Index(library, None)), LibraryProvider(_Index(library, meaning))
        assert any(meaning.search(QUESTIONS[0], 1))
        alone, kept, computed = _times(words, both, reader)
        mib = (psutil.Process().memory_info().rss - before) >> 20
    print(
        f"{name}: words alone p50 {alone:.0f} ms, with meaning {kept:.0f} ms (question's vector kept; {kept / alone:.2f} ×),"
        f" {computed:.0f} ms (computed; {computed / alone:.2f} ×); memory +{mib} MiB; keeping the vectors {filled_s:.0f} s;"
        f" load {psutil.getloadavg()[0]:.1f}",
        flush=True,
    )


def _times(words: LibraryProvider, both: LibraryProvider, reader: _QuickReader) -> tuple[float, float, float]:
    """Return the medians in ms by words alone, with the question's vector kept, and with it computed, taken in turn."""
    _ask(both, 0)
    taken: tuple[list[float], list[float], list[float]] = ([], [], [])
    for number in range(ROUNDS):
        for times, provider, keeps in zip(taken, (words, both, both), (True, True, False), strict=True):
            reader.keeps = keeps
            times.append(_ask(provider, number))
            reader.keeps = True
    return statistics.median(taken[0]), statistics.median(taken[1]), statistics.median(taken[2])


def _ask(provider: LibraryProvider, number: int) -> float:
    request = SearchRequest(query=QUESTIONS[number % len(QUESTIONS)])
    started = time.perf_counter()
    found = asyncio.run(provider.search(request))
    took_ms = (time.perf_counter() - started) * 1000
    assert found
    return took_ms


@contextmanager
def _file() -> Iterator[Library]:
    with tempfile.TemporaryDirectory() as folder, closing(LibraryIndex(Path(folder) / "library.sqlite")) as library:
        yield library


@contextmanager
def _server() -> Iterator[Library]:
    with PostgreSQLServer() as server:
        database = Database(server.new_database())
        with closing(database), closing(SharedLibraryIndex(database, count_patience_s=COUNT_PATIENCE_S)) as library:
            yield library
