"""What a library in PostgreSQL has that one in a file has not: others who write, a database that is away, schemas."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from search_core.errors import StorageError
from search_core.library.library import index_paths
from search_core.library.postgresql_library import SharedLibraryIndex
from search_core.library.sqlite_library import LibraryIndex
from search_core.storage.database import Database
from tests.loopback.postgresql import PostgreSQLServer
from tests.search_core.library.conftest import PATIENCE_S
from tests.search_core.library.put_in import put_in
from tests.search_core.library.test_library import document

SAMPLES = Path(__file__).parents[3] / "samples" / "library"
QUESTIONS = (
    "메모리 대역폭은 왜 중요한가?",
    "인터포저 발열 문제",
    "훈민정음은 누가 만들었나",
    "Which telescope observes galaxies?",
    "SK하이닉스 실적",
    "memory bandwidth of accelerators",
)


@pytest.fixture
def address(postgresql: PostgreSQLServer) -> str:
    return postgresql.new_schema()


@pytest.fixture
def index(address: str) -> Iterator[SharedLibraryIndex]:
    with closing(Database(address)) as database, closing(SharedLibraryIndex(database, count_patience_s=PATIENCE_S)) as library:
        yield library


def test_it_ranks_as_a_file_does(tmp_path: Path, index: SharedLibraryIndex):
    """Samples come in the order and with the snippets of a library in a file; of copies the one that came in first is first."""
    copies = [document(f"사본 {number}", QUESTIONS[0]) for number in range(12)]
    others = [document(f"다른 글 {number}", "메모리 값이 올랐다.") for number in range(40)]
    with closing(LibraryIndex(tmp_path / "library.sqlite")) as file:
        assert index_paths(index, [SAMPLES]) == index_paths(file, [SAMPLES])
        found = {question: index.search(question, 10) for question in QUESTIONS}
        assert found == {question: file.search(question, 10) for question in QUESTIONS}
        assert sum(map(len, found.values())) >= 5 * len(QUESTIONS)
        for library in (index, file):
            put_in(library, [*others, *copies])
        again = index.search(QUESTIONS[0], 40)
        assert again == file.search(QUESTIONS[0], 40)
    assert [result.title for result in again if "사본" in result.title] == [f"사본 {number}" for number in range(12)]


def test_fillers_at_once_do_not_double_it(address: str, index: SharedLibraryIndex):
    """Of three that put the same into an empty database, each over connections of its own, each document comes in once."""
    documents = [document(f"글 {number}", "메모리 대역폭") for number in range(30)]
    with ExitStack() as opened, ThreadPoolExecutor(3) as fillers:
        libraries = [SharedLibraryIndex(opened.enter_context(closing(Database(address)))) for _ in range(3)]
        outcomes = list(fillers.map(lambda library: put_in(library, documents), libraries))
    assert sum(outcome.added for outcome in outcomes) == 30
    assert [outcome.added + outcome.unchanged for outcome in outcomes] == [30] * 3
    assert (index.count(), len(index.search("대역폭", 99))) == (30, 30)


def test_counting_does_not_wait_for_a_silent_database(address: str, index: SharedLibraryIndex, postgresql: PostgreSQLServer):
    """Counting, which happens before each search, gives up on a database that says nothing; searching goes on when it is back."""
    put_in(index, [document("글", "메모리")])
    with closing(Database(address)) as database, closing(SharedLibraryIndex(database, count_patience_s=0.2)) as hasty:
        hasty.get("x")
        postgresql.pause()
        try:
            with pytest.raises(StorageError) as caught:
                hasty.count()
        finally:
            postgresql.resume()
        assert "바빠" in caught.value.korean
        assert hasty.search("메모리", 1)[0].title == "글"
