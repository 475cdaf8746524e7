from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage import Database, IndexOutcome, Library, LibraryIndex, SharedLibraryIndex


def document(name: str, text: str, **fields: object) -> Document:
    return Document(**({"title": name, "text": text, "url": f"library:{name}"} | fields))


HBM = document("HBM의 구조", "고대역폭 메모리는 D램을 수직으로 쌓는다. 대역폭이 넓다.", language="ko")
KIMCHI = document("김장", "배추를 소금에 절여 항아리에 담근다.", language="ko")
WEBB = document("Webb", "The telescope observes distant galaxies in infrared light.", language="en")


@pytest.fixture
def index(address: Path | str, tmp_path: Path) -> Iterator[Library]:
    """Open an empty library of each kind for the test."""
    if isinstance(address, Path):
        library = LibraryIndex(tmp_path / "library.sqlite")
        yield library
        library.close()
    else:
        database = Database(address)
        shared = SharedLibraryIndex(database, count_patience_s=60)
        yield shared
        shared.close()
        database.close()


@pytest.fixture
def file_index(tmp_path: Path) -> Iterator[LibraryIndex]:
    """Open an empty library in a file for the test."""
    library = LibraryIndex(tmp_path / "library.sqlite")
    yield library
    library.close()


def titles(index: Library, query: str, limit: int = 10) -> list[str]:
    return [result.title for result in index.search(query, limit)]


def test_an_empty_library_answers(tmp_path: Path, file_index: LibraryIndex):
    """Before anything is put in there is nothing to find, and asking makes no file."""
    assert file_index.search("메모리", 10) == []
    assert file_index.count() == 0
    assert file_index.get("library:x") is None
    assert list(tmp_path.iterdir()) == []


def test_words_are_found_through_their_forms(index: Library):
    """Korean is found through particles, endings and in compounds, English by its stem, light words where there are no others."""
    compound = document("공고", "온누리상품권가맹점등록신청서를 내야 한다.")
    index.index([HBM, KIMCHI, WEBB, compound, document("것", "이것은 무엇인가")])
    assert titles(index, "메모리를 쌓으면 대역폭은 어떻게 되나요?") == ["HBM의 구조"]
    assert titles(index, "Which galaxy is observed?") == ["Webb"]
    assert titles(index, "TELESCOPES") == ["Webb"]
    assert titles(index, "가맹점등록") == ["공고"]
    assert titles(index, "무엇") == ["것"]


def test_a_title_weighs_more_than_the_text(index: Library):
    """Of two documents with the same words, the one with the word in its title comes first; a rare word weighs more."""
    common = [document(f"흔한 {number}", "반도체 시장 반도체 시장 반도체 시장") for number in range(10)]
    index.index([*common, document("드문", "반도체 시장의 인터포저")])
    assert titles(index, "반도체 시장 인터포저", 3)[0] == "드문"
    filler = "집현전 학자들은 책을 펴냈다"
    index.index([document("가", f"{filler} 한글날"), document("한글날", f"{filler} 가"), KIMCHI, WEBB, HBM])
    assert titles(index, "한글날")[0] == "한글날"


def test_a_long_document_appears_once_with_its_best_passage(index: Library):
    """However many passages fit, a document is one result, and the snippet is the passage that answers."""
    dull = "메모리 시장은 해마다 오르내린다. " * 400
    index.index([document("긴 글", f"{dull}\n\n실리콘 관통 전극은 구리로 채운다.\n\n{dull}"), KIMCHI])
    (result,) = index.search("메모리 관통 전극 구리", 5)
    assert "구리로 채운다" in result.snippet
    assert len(result.snippet) <= 400


def test_a_result_carries_what_is_known(index: Library):
    """Address, source, date and language reach the result and ``get``; without a source the host or the library is named."""
    date = datetime(2025, 4, 16, tzinfo=UTC)
    index.index(
        [
            document("표준", "HBM4 표준", source="제덱", published=date, language="ko"),
            document("가속기", "블랙웰 가속기", url="https://www.example.org/b"),
            document("공정", "하이브리드 본딩"),
        ]
    )
    (found,) = index.search("HBM4", 1)
    assert (found.url, found.source, found.publish_date, found.language) == ("library:표준", "제덱", date, "ko")
    assert index.search("블랙웰", 1)[0].source == "example.org"
    assert index.search("본딩", 1)[0].source == "내 자료"
    whole = document("글", "문장 하나.\n\n문장 둘.", published=date, path=Path("a/b.md"), source="샘플")
    index.index([whole])
    assert index.get("library:글") == whole


def test_only_changes_are_written(index: Library):
    """The same documents again are unchanged, a changed one is updated; old words and removed documents are not found."""
    assert index.index([HBM, KIMCHI]) == IndexOutcome(added=2)
    assert index.index([HBM, KIMCHI]) == IndexOutcome(unchanged=2)
    assert index.index([HBM, document("김장", "무를 썰어 담근다.")]) == IndexOutcome(updated=1, unchanged=1)
    assert titles(index, "항아리") == []
    assert titles(index, "무를 썰다") == ["김장"]
    assert index.count() == 2
    assert index.remove(urls=["library:김장", "library:none"]) == 1
    assert (index.count(), titles(index, "무를 썰다")) == (1, [])


def test_collections_are_apart(index: Library):
    """Counting and removing go by collection, searching goes through all, or leaves the documents of the app out."""
    index.index([HBM], collection="sample")
    index.index([KIMCHI], collection="user")
    assert (index.count(), index.count(samples=False)) == (2, 1)
    assert index.remove(urls=[HBM.url], collection="user") == 0
    (found,) = index.search("메모리", 5)
    assert (found.title, found.own, found.sample) == ("HBM의 구조", True, True)
    assert index.search("메모리", 5, samples=False) == []
    (own,) = index.search(KIMCHI.title, 5, samples=False)
    assert (own.own, own.sample) == (True, False)


def test_letters_no_database_keeps_are_replaced(index: Library):
    """NUL and halves of letters neither stop a document from coming in nor from being found."""
    odd = document("글\0", "메모리\0 대역폭 \ud800 이야기")
    assert index.index([odd]) == IndexOutcome(added=1)
    assert index.index([odd]) == IndexOutcome(unchanged=1)
    assert [found.title for found in index.search("대역폭", 1)] == ["글�"]
    assert index.get("library:글\0").text == "메모리� 대역폭 � 이야기"


@settings(max_examples=50)
@given(
    query=st.text(max_size=40)
    | st.sampled_from(['"', "a AND", "NEAR(a b)", "title_terms:x", "*", "^a", "a OR", "{x}: y", "-", "\x00", "\ud800"])
)
def test_no_query_breaks_the_search(filled: LibraryIndex, query: str):
    """Operators, quotes and odd characters are searched for as words or ignored, never obeyed or stumbled over."""
    assert all(result.title in ("HBM의 구조", "Webb") for result in filled.search(query, 10))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibraryIndex]:
    """Open one library with two documents for all examples of the property."""
    library = LibraryIndex(tmp_path_factory.mktemp("library") / "library.sqlite")
    library.index([HBM, WEBB])
    yield library
    library.close()


@pytest.mark.parametrize("damage", [b"garbage" * 2000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_broken_file_says_so_and_stays(tmp_path: Path, file_index: LibraryIndex, damage: bytes):
    """A damaged library raises with a hint, keeps its bytes, and is moved aside only on request."""
    path = tmp_path / "library.sqlite"
    path.write_bytes(damage)
    for ask in (
        lambda: file_index.search("메모리", 1),
        file_index.count,
        lambda: file_index.index([HBM]),
        lambda: file_index.get("x"),
    ):
        with pytest.raises(StorageError) as caught:
            ask()
        assert "손상" in caught.value.korean
    assert path.read_bytes() == damage
    file_index.rebuild()
    assert (tmp_path / "library.sqlite.broken").read_bytes() == damage
    assert file_index.index([HBM]) == IndexOutcome(added=1)
    assert titles(file_index, "메모리") == ["HBM의 구조"]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sections SET passages = '{'",
        """UPDATE sections SET passages = '[{"text": 1}]'""",
        "UPDATE documents SET published = 'x'",
    ],
)
def test_a_damaged_row_is_a_typed_error(tmp_path: Path, file_index: LibraryIndex, change: str):
    """A row whose bits changed is reported as damage, never as a result or another error."""
    file_index.index([document("글", "메모리", published=datetime(2025, 1, 2, tzinfo=UTC))])
    with sqlite3.connect(tmp_path / "library.sqlite") as connection:
        connection.execute(change)
    connection.close()
    with pytest.raises(StorageError) as caught:
        file_index.search("메모리", 1)
    assert "손상" in caught.value.korean


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path, file_index: LibraryIndex):
    """A library of a later version is neither read nor changed, and one whose folder cannot be made asks for rights."""
    with pytest.raises(StorageError) as caught:
        LibraryIndex("/proc/self/none/library.sqlite").index([HBM])
    assert "권한" in caught.value.korean
    with sqlite3.connect(tmp_path / "library.sqlite") as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StorageError, match="version 99"):
        file_index.index([HBM])


def test_searching_goes_on_while_documents_come_in(index: Library):
    """Searches from several threads succeed while another thread writes."""
    index.index([HBM])
    failures: list[object] = []
    done = threading.Event()

    def search() -> None:
        while not done.is_set():
            try:
                if titles(index, "고대역폭 메모리", 1) != ["HBM의 구조"]:
                    failures.append("not found")
            except StorageError as error:
                failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for batch in range(4):
        index.index([document(f"글 {batch}-{number}", f"김치 이야기 {number}") for number in range(20)])
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert index.count() == 81


def test_a_lock_held_by_another_process_is_waited_for(tmp_path: Path, file_index: LibraryIndex):
    """Searching works while another connection writes; writing waits until that is done."""
    file_index.index([HBM])
    holder = sqlite3.connect(tmp_path / "library.sqlite", isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    assert titles(file_index, "메모리") == ["HBM의 구조"]
    threading.Timer(0.2, lambda: holder.execute("ROLLBACK")).start()
    began = time.monotonic()
    assert file_index.index([KIMCHI]) == IndexOutcome(added=1)
    assert time.monotonic() - began >= 0.1
    holder.close()
