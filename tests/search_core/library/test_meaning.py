"""The library found by meaning, in a file and in PostgreSQL: filled step by step, by several at once, and after every fault."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from search_core.domain.result import collection_of
from search_core.errors import EmbeddingError
from search_core.language.vectors import Vectors
from search_core.library.library import Library
from search_core.library.meaning import LibraryMeaning
from search_core.library.sqlite_library import LibraryIndex
from search_core.library.vectors import Direction
from search_core.reading.documents import Document
from search_core.runtime import ASKED_BY
from tests.search_core.library.put_in import put_in
from tests.search_core.search.ranking.conftest import LetterEmbedder


class LetterReader:
    """Reads letters at once; ``turned`` makes it another version of itself, which gives other vectors under the same name."""

    def __init__(self, name: str = "letters", *, turned: bool = False) -> None:
        self.name = name
        self.version = "turned" if turned else ""
        self.turned = turned
        self.passages: list[str] = []
        self.fails = False
        """Whether it has died."""
        self.fails_after: int | None = None
        """Dies when it has read so many texts."""
        self.answers = threading.Event()
        """Cleared while it hangs at a question."""
        self.answers.set()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self._die(self.fails or (self.fails_after is not None and len(self.passages) >= self.fails_after))
        self.passages += texts
        return self._vectors(texts)

    def directions(self, question: str) -> Mapping[bool, Direction]:
        self._die(self.fails)
        self.answers.wait()
        asked = self._vectors([question])[0]
        return {True: (asked, 0.0), False: (asked, 0.0)}

    def _die(self, now: bool) -> None:
        if now:
            raise EmbeddingError("the model died", korean="의미 분석 모델이 지금 답하지 않아요.")

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        vectors: Vectors = LetterEmbedder().embed(texts)
        return vectors[:, ::-1] if self.turned else vectors


def document(name: str, text: str) -> Document:
    return Document(title="", text=text, url=f"library:{name}", language="en")


ZEBRAS = document("zebras", "zz zzz zz zzzz")
QUEENS = document("queens", "qqq qq qqqq")


def meaning_of(library: Library, reader: LetterReader | None) -> LibraryMeaning:
    return LibraryMeaning(library, lambda: reader, retry_s=0.01)


def fill(meaning: LibraryMeaning) -> LibraryMeaning:
    """Wait until all is embedded, or that has stopped."""
    meaning.start()
    while not (meaning.progress.complete or meaning.progress.problem):
        meaning.wait(1.0)
    return meaning


def found(meaning: LibraryMeaning, question: str) -> list[str]:
    near, across = meaning.search(question, 30)
    return [result.url.removeprefix("library:") for result in (*near, *across)]


def rows(library: Library, model: LetterReader) -> int:
    """Return how many sections have vectors of *model*, as another process sees it."""
    return meaning_of(library, model).look().done


def test_documents_are_found_by_meaning_when_all_is_embedded(library: Library):
    """Without a word in common the document whose letters the question has is found, by a model alone."""
    put_in(library, [ZEBRAS, QUEENS])
    without = meaning_of(library, None)
    assert found(without, "zz") == []
    assert without.look().total is None
    assert [result.url for result in library.search("zzz", 9)] == ["library:zebras"]
    meaning = fill(meaning_of(library, LetterReader()))
    assert library.search("z", 9) == []
    assert found(meaning, "z") == ["zebras"]
    assert meaning.search("q", 9)[0][0].snippet == "qqq qq qqqq"
    assert (meaning.progress.total, meaning.progress.done) == (2, 2)
    meaning.close()


def test_only_what_is_new_is_embedded_and_what_is_gone_is_forgotten(library: Library):
    """A second round reads the changed and the new document alone; what a document said before is found no longer."""
    put_in(library, [ZEBRAS, document("pandas", "ppp pp"), QUEENS])
    meaning = fill(meaning_of(library, LetterReader()))
    meaning.close()
    put_in(library, [document("zebras", "xxx xx")])
    library.remove([Path(QUEENS.url)])
    assert found(meaning, "z") + found(meaning, "q") == []
    reader = LetterReader()
    again = fill(meaning_of(library, reader))
    assert reader.passages == ["\nxxx xx"]
    assert found(again, "x") + found(again, "p") == ["zebras", "pandas"]
    assert rows(library, LetterReader()) == 2
    again.close()


@pytest.mark.parametrize("other", [LetterReader("others"), LetterReader(turned=True)], ids=["name", "version"])
def test_another_model_or_version_begins_anew(library: Library, other: LetterReader):
    """Vectors of the model before are kept apart and never compared with the other's questions; each has its own."""
    put_in(library, [ZEBRAS])
    fill(meaning_of(library, LetterReader())).close()
    waiting = meaning_of(library, other)
    assert waiting.look().done == 0
    assert found(waiting, "z") == []
    fill(waiting)
    assert found(waiting, "z") == ["zebras"]
    waiting.close()
    assert rows(library, LetterReader()) == 1


def test_a_model_that_dies_costs_no_more_than_what_it_was_reading(library: Library):
    """After eight sections the model is gone: that is told, they are found, and the rest is read when it is back."""
    put_in(library, [document(str(number), f"pppp {number}") for number in range(22)])
    reader = LetterReader()
    reader.fails_after = 8
    meaning = fill(meaning_of(library, reader))
    assert "답하지 않아요" in meaning.progress.problem
    assert meaning.progress.done == 8
    assert len(found(meaning, "p")) == 8
    reader.fails_after = None
    while not meaning.progress.complete:
        meaning.wait(1.0)
    assert len(reader.passages) == 22
    meaning.close()


def test_a_model_that_hangs_loses_no_search(library: Library):
    """A question is waited for shortly, and a model that raises costs its answer alone."""
    put_in(library, [ZEBRAS])
    reader = LetterReader()
    meaning = fill(LibraryMeaning(library, lambda: reader, question_s=0.05))
    reader.answers.clear()
    assert found(meaning, "z") + found(meaning, "z") == []
    reader.answers.set()
    while not found(meaning, "z"):
        pass
    reader.fails = True
    assert found(meaning, "z") == []
    meaning.close()


def test_several_that_fill_one_library_share_the_work(open_library: Callable[[], Library]):
    """Three fill a hundred documents at once: all are found, none is kept twice, and less is read than by each alone."""
    put_in(open_library(), [document(str(number), f"qq zz {chr(97 + number % 26) * 9}") for number in range(100)])
    readers = [LetterReader() for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        meanings = list(pool.map(lambda reader: fill(meaning_of(open_library(), reader)), readers))
    for meaning in meanings:
        assert len(meaning.search("qz", 300)[0]) == 100
        meaning.close()
    assert rows(open_library(), LetterReader()) == 100
    assert 100 <= sum(len(reader.passages) for reader in readers) < 250


def test_documents_of_an_owner_are_near_to_nobody_else(library: Library):
    """All passages are read in the background; only whoever put a document in finds it."""
    put_in(library, [ZEBRAS], collection=collection_of("a"))
    put_in(library, [document("own", "zz")])
    meaning = fill(meaning_of(library, LetterReader()))
    seen = []
    for who in ("a", "b"):
        ASKED_BY.set(who)
        seen.append({result.url for result in meaning.search("z", 9)[0]})
    ASKED_BY.set("")
    assert seen == [{"library:own", ZEBRAS.url}, {"library:own"}]
    meaning.close()


def test_samples_are_left_out_where_they_are_not_asked(library: Library):
    """Beside a video of the user's own only documents of their own answer; turned off, samples are not even read."""
    put_in(library, [ZEBRAS], collection="sample")
    put_in(library, [document("own", "zz")])
    meaning = fill(meaning_of(library, LetterReader()))
    assert [result.url for result in meaning.search("z", 9, samples=False)[0]] == ["library:own"]
    meaning.close()
    reader = LetterReader("other")
    own = LibraryMeaning(library, lambda: reader, samples=False)
    fill(own).close()
    assert reader.passages == ["\nzz"]


def test_damaged_vectors_cost_no_more_than_meaning(tmp_path: Path, library_file: LibraryIndex):
    """Where bytes are no vectors nothing is found by meaning, everything by words, and the reason is told."""
    put_in(library_file, [ZEBRAS, QUEENS])
    fill(meaning_of(library_file, LetterReader())).close()
    with closing(sqlite3.connect(tmp_path / "library.sqlite")) as connection, connection:
        connection.execute("UPDATE vectors SET packed = zeroblob(3) WHERE section_id = 1")
    with closing(LibraryIndex(tmp_path / "library.sqlite")) as library:
        meaning = fill(meaning_of(library, LetterReader()))
        assert found(meaning, "z") == []
        assert "backup" in meaning.progress.problem
        assert [result.url for result in library.search("zzz", 9)] == ["library:zebras"]
        meaning.close()
