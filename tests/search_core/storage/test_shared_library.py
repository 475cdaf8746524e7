from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage import Database, IndexOutcome, LibraryIndex, SharedLibraryIndex, index_paths
from tests.loopback.postgresql import PostgreSQLServer

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "samples" / "library"
PATIENCE_S = 60.0
QUESTIONS = (
    "메모리 대역폭은 왜 중요한가?",
    "HBM4 표준은 언제 나왔나?",
    "인터포저 발열 문제",
    "훈민정음은 누가 만들었나",
    "Which telescope observes galaxies?",
    "하이브리드 본딩",
    "SK하이닉스 실적",
    "김치는 어떻게 담그나요",
    "양자 컴퓨터 오류 정정",
    "memory bandwidth of accelerators",
    "기후 변화와 바다",
    "백신 mRNA 원리",
)


@pytest.fixture
def address(postgresql: PostgreSQLServer) -> str:
    return postgresql.new_schema()


@pytest.fixture
def index(address: str) -> Iterator[SharedLibraryIndex]:
    database = Database(address)
    library = SharedLibraryIndex(database, count_patience_s=PATIENCE_S)
    yield library
    library.close()
    database.close()


def document(name: str, text: str) -> Document:
    return Document(title=name, text=text, url=f"library:{name}")


def test_it_ranks_as_a_file_does(tmp_path: Path, index: SharedLibraryIndex):
    """The samples come in the same order, with the same snippets, as from a library in a file."""
    file = LibraryIndex(tmp_path / "library.sqlite")
    assert index_paths(index, [SAMPLES]) == index_paths(file, [SAMPLES])
    found = {question: index.search(question, 10) for question in QUESTIONS}
    assert found == {question: file.search(question, 10) for question in QUESTIONS}
    assert sum(map(len, found.values())) >= 5 * len(QUESTIONS)
    file.close()


def test_documents_that_say_the_same_come_in_their_order(tmp_path: Path, index: SharedLibraryIndex):
    """Of copies the one that came in first is first, and each of them is before a document that says less, as in a file."""
    file = LibraryIndex(tmp_path / "library.sqlite")
    copies = [document(f"사본 {number}", "메모리 대역폭은 왜 중요한가?") for number in range(12)]
    others = [document(f"다른 글 {number}", "메모리 값이 올랐다.") for number in range(40)]
    for library in (index, file):
        library.index([*others, *copies])
    found = [result.title for result in index.search("메모리 대역폭은 왜 중요한가?", 20)]
    assert found[:12] == [f"사본 {number}" for number in range(12)]
    assert found == [result.title for result in file.search("메모리 대역폭은 왜 중요한가?", 20)]
    file.close()


def test_fillers_at_once_do_not_double_it(address: str, index: SharedLibraryIndex):
    """Of three that put the samples into an empty database, each over connections of its own, each document comes in once."""
    databases = [Database(address) for _ in range(3)]
    together = threading.Barrier(len(databases))

    def fill(database: Database) -> IndexOutcome:
        together.wait()
        return index_paths(SharedLibraryIndex(database), [SAMPLES], collection="sample")

    with ThreadPoolExecutor(len(databases)) as fillers:
        outcomes = list(fillers.map(fill, databases))
    for database in databases:
        database.close()
    whole = len(list(SAMPLES.glob("*.md")))
    assert sum(outcome.added for outcome in outcomes) == whole
    assert [outcome.added + outcome.unchanged for outcome in outcomes] == [whole] * 3
    assert index.count() == whole


def test_others_find_what_was_put_in(address: str, index: SharedLibraryIndex):
    """What one puts in or removes, another with connections of its own finds or misses at once."""
    elsewhere = Database(address)
    other = SharedLibraryIndex(elsewhere)
    assert other.search("대역폭", 1) == []
    index.index([document("글", "메모리 대역폭")])
    assert [found.title for found in other.search("대역폭", 1)] == ["글"]
    other.remove(urls=["library:글"])
    assert index.search("대역폭", 1) == []
    elsewhere.close()


def test_a_rebuilt_library_is_empty_and_the_old_one_put_aside(
    address: str, index: SharedLibraryIndex, postgresql: PostgreSQLServer
):
    """Rebuilding begins anew and keeps the last library in a schema of its own, not the one before it."""
    for name in ("첫째", "둘째"):
        index.index([document(name, "메모리 대역폭")])
        index.rebuild()
        assert (index.count(), index.search("대역폭", 1)) == (0, [])
    schema = postgresql.say("SELECT current_schema()", address)[0][0]
    assert postgresql.say(f'SELECT title FROM "{schema}_library_broken".library_documents') == [("둘째",)]
    assert index.index([document("셋째", "메모리")]) == IndexOutcome(added=1)


def test_a_damaged_row_is_a_typed_error(address: str, index: SharedLibraryIndex, postgresql: PostgreSQLServer):
    """A row that was not written like that is reported as damage, never as a result or another error."""
    index.index([document("글", "메모리")])
    postgresql.say("""UPDATE library_sections SET passages = '[{"text": 1}]'""", address)
    with pytest.raises(StorageError) as caught:
        index.search("메모리", 1)
    assert "--rebuild" in caught.value.korean


def test_counting_does_not_wait_for_a_silent_database(address: str, postgresql: PostgreSQLServer):
    """Counting, which happens before each search, gives up on a database that says nothing; searching goes on when it is back."""
    database = Database(address)
    library = SharedLibraryIndex(database, count_patience_s=0.2)
    library.index([document("글", "메모리")])
    postgresql.pause()
    try:
        with pytest.raises(StorageError) as caught:
            library.count()
    finally:
        postgresql.resume()
    assert "바빠" in caught.value.korean
    assert library.search("메모리", 1)[0].title == "글"
    library.close()
    database.close()


def test_a_database_that_is_away_is_a_typed_error():
    """Nobody answering is no empty library."""
    database = Database("postgresql://nobody:x@127.0.0.1:1/none")
    for ask in (lambda index: index.search("메모리", 1), SharedLibraryIndex.count, lambda index: index.get("x")):
        with pytest.raises(StorageError) as caught:
            ask(SharedLibraryIndex(database))
        assert "데이터베이스" in caught.value.korean
    database.close()
