from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
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


def test_korean_is_found_through_particles_and_endings(index: Library):
    """A question with particles and endings finds a document that has other ones, and no unrelated one."""
    index.index([HBM, KIMCHI, WEBB])
    assert titles(index, "메모리를 쌓으면 대역폭은 어떻게 되나요?") == ["HBM의 구조"]


def test_english_is_found_by_stem(index: Library):
    """Singular and plural are one word, upper and lower case too."""
    index.index([HBM, KIMCHI, WEBB])
    assert titles(index, "Which galaxy is observed?") == ["Webb"]
    assert titles(index, "TELESCOPES") == ["Webb"]


def test_bigrams_find_what_the_analyser_cuts_differently(index: Library):
    """Part of a compound written together is found."""
    index.index([document("공고", "온누리상품권가맹점등록신청서를 내야 한다."), KIMCHI])
    assert titles(index, "가맹점등록") == ["공고"]


def test_a_rare_word_weighs_more(index: Library):
    """The document with the rare word of the question comes first."""
    common = [document(f"흔한 {number}", "반도체 시장 반도체 시장 반도체 시장") for number in range(10)]
    index.index([*common, document("드문", "반도체 시장의 인터포저")])
    assert titles(index, "반도체 시장 인터포저", 3)[0] == "드문"


def test_a_title_weighs_more_than_the_text(index: Library):
    """Of two documents with the same words, the one that has the word in its title comes first."""
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
    """Address, source, date and language reach the result; without a source the host or the library is named."""
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


def test_a_document_comes_back_whole(index: Library):
    """What was put in is what ``get`` returns."""
    whole = document(
        "글", "문장 하나.\n\n문장 둘.", published=datetime(2025, 1, 2, tzinfo=UTC), path=Path("a/b.md"), source="샘플"
    )
    index.index([whole])
    assert index.get("library:글") == whole


def test_only_changes_are_written(index: Library):
    """The same documents again are unchanged, a changed one is updated and its old words are forgotten."""
    assert index.index([HBM, KIMCHI]) == IndexOutcome(added=2)
    assert index.index([HBM, KIMCHI]) == IndexOutcome(unchanged=2)
    assert index.index([HBM, document("김장", "무를 썰어 담근다.")]) == IndexOutcome(updated=1, unchanged=1)
    assert titles(index, "항아리") == []
    assert titles(index, "무를 썰다") == ["김장"]
    assert index.count() == 2


def test_documents_can_be_removed(index: Library):
    """A removed document is neither counted nor found."""
    index.index([HBM, KIMCHI])
    assert index.remove(urls=["library:김장", "library:none"]) == 1
    assert (index.count(), titles(index, "항아리")) == (1, [])


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


@settings(max_examples=100, deadline=None)
@given(
    query=st.text(max_size=40)
    | st.sampled_from(['"', "a AND", "NEAR(a b)", "title_terms:x", "*", "^a", "a OR", "{x}: y", "-", "\x00", "\ud800"])
)
def test_no_query_breaks_the_search(query: str):
    """Operators, quotes and odd characters are looked for as words or ignored, never obeyed or stumbled over."""
    assert all(result.title in ("HBM의 구조", "Webb") for result in SHARED.search(query, 10))


SHARED: LibraryIndex


@pytest.fixture(scope="module", autouse=True)
def _shared(tmp_path_factory: pytest.TempPathFactory):
    global SHARED
    SHARED = LibraryIndex(tmp_path_factory.mktemp("library") / "library.sqlite")
    SHARED.index([HBM, WEBB])
    yield
    SHARED.close()


def test_a_query_of_empty_words_still_looks(index: Library):
    """When a question holds nothing but light words, these are looked for."""
    index.index([document("것", "이것은 무엇인가")])
    assert titles(index, "무엇") == ["것"]


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
    """A library made by a later version is neither read nor changed."""
    with sqlite3.connect(tmp_path / "library.sqlite") as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StorageError, match="version 99"):
        file_index.index([HBM])


def test_a_folder_that_cannot_be_made_is_a_typed_error():
    """Where nothing can be written, putting documents in says so."""
    with pytest.raises(StorageError) as caught:
        LibraryIndex("/proc/self/none/library.sqlite").index([HBM])
    assert "권한" in caught.value.korean


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
    for batch in range(10):
        index.index([document(f"글 {batch}-{number}", f"김치 이야기 {number}") for number in range(20)])
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert index.count() == 201


KILLED = """
import sys
from search_core.reading import Document
from search_core.storage import LibraryIndex
index = LibraryIndex(sys.argv[1])
number = 0
while True:
    index.index([Document(title=f"글 {number}-{n}", text="메모리 대역폭 " * 50, url=f"library:{number}-{n}") for n in range(5)])
    number += 1
    print(number, flush=True)
"""


def test_a_killed_writer_leaves_whole_batches(tmp_path: Path):
    """After kill -9 every acknowledged batch is there, none is there by half, and the file is sound."""
    path = tmp_path / "library.sqlite"
    acknowledged = 0
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            acknowledged = int(line)
            if acknowledged >= 20:
                break
        child.kill()
        rest = child.stdout.read().split()
    acknowledged = max([acknowledged, *(int(one) for one in rest)])
    index = LibraryIndex(path)
    assert index.count() >= 5 * acknowledged
    assert index.count() % 5 == 0
    index.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        counts = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("documents", "sections", "words")
        ]
    connection.close()
    assert counts[0] == counts[1] == counts[2]


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


READ_ONLY = """
import os, sys
from search_core import korean
from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage import LibraryIndex

korean.warm_up()
if os.geteuid() == 0:
    os.setuid(65534)  # root may write anywhere, nobody may not
library = LibraryIndex(sys.argv[1])
print(*[found.url for found in library.search("훈민정음", 5)])
try:
    library.index([Document(title="새 글", text="새 글이다.", url="library:2")])
except StorageError:
    print("refused")
"""


def test_a_library_on_a_read_only_disk_is_searched(tmp_path: Path):
    """Where no file can be made beside it the library is read as it is, and writing is refused with a sentence."""
    path = tmp_path / "shelf" / "library.sqlite"
    library = LibraryIndex(path)
    library.index([Document(title="훈민정음", text="훈민정음은 1443년에 만들어졌다.", url="library:1")])
    library.close()
    with tempfile.TemporaryDirectory() as name:  # pytest's own folder is closed to others
        image = Path(name)
        (image / "library.sqlite").write_bytes(path.read_bytes())
        (image / "library.sqlite").chmod(0o444)
        image.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, str(image / "library.sqlite")]
        told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3])
        image.chmod(0o755)
    assert (told.stdout.split(), told.stderr) == (["library:1", "refused"], "")
