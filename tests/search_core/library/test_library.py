"""Documents put into the library are found by their words, in a file and in PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.domain.result import collection_of
from search_core.errors import StorageError
from search_core.library.documents import IndexOutcome
from search_core.library.library import Library, index_paths
from search_core.library.sqlite_library import LibraryIndex
from search_core.reading.documents import Document
from search_core.runtime import ASKED_BY
from tests.search_core.library.put_in import put_in


def document(name: str, text: str, **fields: object) -> Document:
    return Document(**({"title": name, "text": text, "url": f"library:{name}"} | fields))


HBM = document("HBM의 구조", "고대역폭 메모리는 D램을 수직으로 쌓는다. 대역폭이 넓다.", language="ko")
KIMCHI = document("김장", "배추를 소금에 절여 항아리에 담근다.", language="ko")
WEBB = document("Webb", "The telescope observes distant galaxies in infrared light.", language="en")


def titles(library: Library, query: str, limit: int = 10) -> list[str]:
    return [result.title for result in library.search(query, limit)]


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_words_are_found_through_their_forms(library: Library):
    """Korean is found through particles, endings and in compounds, English by its stem, light words where there are no others."""
    compound = document("공고", "온누리상품권가맹점등록신청서를 내야 한다.")
    put_in(library, [HBM, KIMCHI, WEBB, compound, document("것", "이것은 무엇인가")])
    assert titles(library, "메모리를 쌓으면 대역폭은 어떻게 되나요?") == ["HBM의 구조"]
    assert titles(library, "Which galaxy is observed?") == titles(library, "TELESCOPES") == ["Webb"]
    assert titles(library, "가맹점등록") == ["공고"]
    assert titles(library, "무엇") == ["것"]


def test_a_title_weighs_more_than_the_text(library: Library):
    """Of two documents with the same words, the one with the word in its title comes first; a rare word weighs more."""
    common = [document(f"흔한 {number}", "반도체 시장 반도체 시장 반도체 시장") for number in range(10)]
    put_in(library, [*common, document("드문", "반도체 시장의 인터포저")])
    assert titles(library, "반도체 시장 인터포저", 3)[0] == "드문"
    filler = "집현전 학자들은 책을 펴냈다"
    put_in(library, [document("가", f"{filler} 한글날"), document("한글날", f"{filler} 가"), KIMCHI, WEBB, HBM])
    assert titles(library, "한글날")[0] == "한글날"


def test_a_long_document_appears_once_with_its_best_passage(library: Library):
    """However many passages fit, a document is one result, and the snippet begins with the passage that answers."""
    dull = "메모리 시장은 해마다 오르내린다. " * 400
    put_in(library, [document("긴 글", f"{dull}\n\n실리콘 관통 전극은 구리로 채운다.\n\n{dull}"), KIMCHI])
    (result,) = library.search("메모리 관통 전극 구리", 5)
    assert result.snippet.startswith("실리콘 관통 전극은 구리로 채운다.")
    assert len(result.snippet) <= 803


def test_words_of_the_title_tell_no_passage_from_another(library: Library):
    """The passage is shown that holds what else is asked; where nothing else is, the first of those with most of the title."""
    company, sample = "가람반도체는 이천의 회사이다. 가람반도체는 오래되었다. " * 4, "새 견본을 고객에게 보냈다고 밝혔다. " * 5
    put_in(library, [document("가람반도체", f"{company}\n\n{sample}")])
    for query, begins in (("가람반도체 견본", "새 견본을"), ("가람반도체", "가람반도체는")):
        (result,) = library.search(query, 1)
        assert result.snippet.startswith(begins)


def test_a_result_carries_what_is_known(library: Library):
    """Address, source, date and language reach the result and ``get``; without a source the host or the library is named."""
    standard = document("표준", "HBM4 표준", source="제덱", published=datetime(2025, 4, 16, tzinfo=UTC), path=Path("a/b.md"))
    elsewhere = document("가속기", "블랙웰 가속기", url="https://www.example.org/b")
    put_in(library, [standard, elsewhere, document("공정", "하이브리드 본딩")])
    (found,) = library.search("HBM4", 1)
    assert (found.url, found.source, found.publish_date) == (standard.url, standard.source, standard.published)
    assert library.get("library:표준") == standard
    assert library.search("블랙웰", 1)[0].source == "example.org"
    assert library.search("본딩", 1)[0].source == "내 자료"


def test_only_changes_are_written(library: Library):
    """The same documents again are unchanged, a changed one is updated; old words are not found."""
    assert put_in(library, [HBM, KIMCHI]) == IndexOutcome(added=2)
    assert put_in(library, [HBM, KIMCHI]) == IndexOutcome(unchanged=2)
    assert put_in(library, [HBM, document("김장", "무를 썰어 담근다.")]) == IndexOutcome(updated=1, unchanged=1)
    assert (library.count(), titles(library, "항아리"), titles(library, "무를 썰다")) == (2, [], ["김장"])


def test_collections_are_apart(library: Library):
    """Counting and removing go by collection, searching goes through all, or leaves the documents of the app out."""
    put_in(library, [HBM], collection="sample")
    put_in(library, [KIMCHI], collection="user")
    assert (library.count(), library.count(samples=False)) == (2, 1)
    library.remove([Path(HBM.url)], collection="user")
    (found,) = library.search("메모리", 5)
    assert (found.title, found.own, found.sample) == ("HBM의 구조", True, True)
    library.remove([Path(HBM.url)], collection="sample")
    assert titles(library, "메모리") == []
    assert library.search("메모리", 5, samples=False) == []
    (own,) = library.search(KIMCHI.title, 5, samples=False)
    assert (own.own, own.sample) == (True, False)


def test_documents_of_an_owner_are_found_by_nobody_else(library: Library):
    """Searching and reading see everybody's documents and those of whoever asks, in one library and under one address."""
    put_in(library, [HBM], collection=collection_of("a"))
    put_in(library, [document("HBM의 구조", "메모리를 다른 사람이 설명했다.")], collection=collection_of("b"))
    put_in(library, [KIMCHI])
    texts = {}
    for who in ("a", "b", ""):
        ASKED_BY.set(who)
        read = library.get(HBM.url)
        texts[who] = (titles(library, "메모리"), read.text if read else "", titles(library, KIMCHI.title))
    ASKED_BY.set("")
    assert texts == {
        "a": (["HBM의 구조"], HBM.text, [KIMCHI.title]),
        "b": (["HBM의 구조"], "메모리를 다른 사람이 설명했다.", [KIMCHI.title]),
        "": ([], "", [KIMCHI.title]),
    }


def test_letters_no_database_keeps_are_replaced(library: Library):
    """NUL and halves of letters neither stop a document from coming in nor from being found."""
    odd = document("글\0", "메모리\0 대역폭 \ud800 이야기")
    assert put_in(library, [odd]) == IndexOutcome(added=1)
    assert put_in(library, [odd]) == IndexOutcome(unchanged=1)
    assert titles(library, "대역폭") == ["글�"]
    assert library.get("library:글\0").text == "메모리� 대역폭 � 이야기"


def test_no_query_breaks_the_search(library_file: LibraryIndex):
    """Operators, quotes and odd characters are searched for as words or ignored, never obeyed or stumbled over."""
    put_in(library_file, [HBM, WEBB])
    operators = ('"', "a AND", "NEAR(a b)", "title_terms:x", "*", "^a", "a OR", "{x}: y", "-", "'; --")
    for query in (*operators, "\x00", "\ud800", "ㅎ\u302e"):
        assert library_file.search(query, 10) == [], query


def test_asking_an_empty_library_makes_no_file(tmp_path: Path, library_file: LibraryIndex):
    """Before anything is put in there is nothing to find and no file; a folder that cannot be made asks for rights."""
    assert (library_file.search("메모리", 10), library_file.count(), library_file.get("library:x")) == ([], 0, None)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StorageError) as caught:
        put_in(LibraryIndex("/proc/self/none/library.sqlite"), [HBM])
    assert "권한" in caught.value.korean


def test_documents_that_are_refused_take_their_batch_with_them(tmp_path: Path, library_file: LibraryIndex):
    """What is put in at once is stored whole or not at all."""
    put_in(library_file, [HBM])
    refusal = "BEFORE INSERT ON documents WHEN new.url = 'library:Webb' BEGIN SELECT RAISE(ABORT, 'no'); END"
    change(tmp_path / "library.sqlite", f"CREATE TRIGGER refusal {refusal}")
    with pytest.raises(StorageError):
        put_in(library_file, [KIMCHI, WEBB])
    assert (library_file.count(), titles(library_file, "김장")) == (1, [])


def test_a_broken_file_says_so_and_stays(tmp_path: Path, library_file: LibraryIndex):
    """A damaged library raises with a hint and keeps its bytes; once it is moved away another is begun."""
    path, damage = tmp_path / "library.sqlite", b"SQLite format 3\x00" + b"\xff" * 5000
    path.write_bytes(damage)
    ways = (lambda: library_file.search("메모리", 1), library_file.count, lambda: put_in(library_file, [HBM]))
    for ask in (*ways, lambda: library_file.get("x")):
        with pytest.raises(StorageError) as caught:
            ask()
        assert "손상" in caught.value.korean
    assert path.read_bytes() == damage
    path.unlink()
    with closing(LibraryIndex(path)) as begun:
        put_in(begun, [HBM])
        assert titles(begun, "메모리") == ["HBM의 구조"]


def test_damaged_rows_and_later_versions_are_typed_errors(tmp_path: Path, library_file: LibraryIndex):
    """A row whose bits changed is told as damage, never a result or another error; a later version's file is not written."""
    put_in(library_file, [document("글", "메모리", published=datetime(2025, 1, 2, tzinfo=UTC))])
    path = tmp_path / "library.sqlite"
    for damage in ("documents SET published = 'x'", """sections SET passages = '[{"text": 1}]'""", "sections SET passages = '{'"):
        change(path, f"UPDATE {damage}")
        with pytest.raises(StorageError) as caught:
            library_file.search("메모리", 1)
        assert "손상" in caught.value.korean
    change(path, "PRAGMA user_version=99")
    with closing(LibraryIndex(path)) as earlier, pytest.raises(StorageError, match="version 99"):
        put_in(earlier, [HBM])


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder of two documents."""
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("# 대역폭\n\n메모리 대역폭 이야기", encoding="utf-8")
    (folder / "sub" / "b.txt").write_text("김치와 항아리", encoding="cp949")
    return folder


def found(library: LibraryIndex, query: str) -> list[str]:
    return sorted(result.url for result in library.search(query, 10))


def test_a_folder_goes_in_and_what_changed_goes_in_again(library_file: LibraryIndex, docs: Path):
    """Files have addresses by their folder and path; what counts is what a file says, not when it was touched."""
    assert index_paths(library_file, [docs]) == IndexOutcome(added=2)
    assert (found(library_file, "대역폭"), found(library_file, "항아리")) == (["library:docs/a.md"], ["library:docs/sub/b.txt"])
    path = docs / "sub" / "b.txt"
    status = path.stat()
    path.write_bytes(b"\x00" * status.st_size)  # could not be read
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert index_paths(library_file, [docs]) == IndexOutcome(unchanged=2)
    os.utime(docs / "a.md", ns=(1, 1))
    path.write_text("김치와 소금", encoding="utf-8")
    assert index_paths(library_file, [docs]) == IndexOutcome(updated=1, unchanged=1)
    assert (found(library_file, "항아리"), found(library_file, "소금")) == ([], ["library:docs/sub/b.txt"])


def test_what_is_gone_leaves_with_its_folder(library_file: LibraryIndex, docs: Path):
    """A file that is gone leaves when its folder is given again; failing to read is no removal."""
    assert index_paths(library_file, [docs]) == IndexOutcome(added=2)
    (docs / "sub" / "b.txt").unlink()
    assert index_paths(library_file, [docs / "a.md"]) == IndexOutcome(unchanged=1)
    (docs / "a.md").write_bytes(b"")
    outcome = index_paths(library_file, [docs])
    assert (outcome.unchanged, outcome.removed, len(outcome.failed)) == (0, 1, 1)
    assert found(library_file, "항아리") == []
    assert found(library_file, "대역폭") == ["library:docs/a.md"]


def test_a_file_whose_name_is_no_text_stays(library_file: LibraryIndex, docs: Path):
    """A name in bytes that are no letters neither ends the run nor lets the next one take the file for gone."""
    Path(os.fsdecode(os.fsencode(docs) + b"/\xb1\xdb.md")).write_text("# 글\n\n소금", encoding="utf-8")
    assert index_paths(library_file, [docs]) == IndexOutcome(added=3)
    assert index_paths(library_file, [docs]) == IndexOutcome(unchanged=3)
    assert len(found(library_file, "소금")) == 1


def test_what_cannot_be_read_is_named_and_the_run_goes_on(library_file: LibraryIndex, docs: Path):
    """Each file that cannot be read, or in part, is named with a reason; the others go in, or all fails without a place."""
    with pytest.raises(StorageError):
        index_paths(LibraryIndex("/proc/self/none/library.sqlite"), [docs])
    for name, data in (("empty.txt", b"  \n"), ("picture.md", b"\x89PNG\r\n\x1a\n" + bytes(500)), ("report.hwp", b"x")):
        (docs / name).write_bytes(data)
    for passed_over in ("photo.jpg", ".hidden.txt"):
        (docs / passed_over).write_text("숨은 글")
    outcome = index_paths(library_file, [docs, docs / "none"])
    assert outcome.added == 2
    assert [path.name for path, _ in outcome.failed] == ["empty.txt", "picture.md", "report.hwp", "none"]
    assert all(reason.endswith("요.") for _, reason in outcome.failed)
    book = Document(title="책", text="메모리", url="library:book", cut="앞의 2,000쪽만 읽었어요.", path=docs / "empty.txt")
    outcome = index_paths(library_file, [docs / "empty.txt"], read=lambda _: book)
    assert outcome == IndexOutcome(added=1, cut=((docs / "empty.txt", book.cut),))


def test_folders_of_one_name_do_not_share_addresses(library_file: LibraryIndex, tmp_path: Path):
    """Two files whose addresses would be the same are two documents, run after run."""
    paths = [tmp_path / "one" / "docs", tmp_path / "two" / "docs"]
    for path in paths:
        path.mkdir(parents=True)
        (path / "a.txt").write_text(f"메모리 {path.parent.name}", encoding="utf-8")
        assert index_paths(library_file, [path]).added == 1
    first = found(library_file, "메모리")
    assert len(first) == 2
    (paths[1] / "a.txt").write_text("메모리 three", encoding="utf-8")
    assert index_paths(library_file, paths) == IndexOutcome(updated=1, unchanged=1)
    assert found(library_file, "메모리") == first
