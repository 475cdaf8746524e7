"""Files and folders go into the library, again and again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from search_core.errors import StorageError
from search_core.reading import Document, find_files, parse_documents
from search_core.storage import IndexOutcome, LibraryIndex, index_paths

SAMPLES = Path(__file__).parents[3] / "samples" / "library"


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
    seen: list[str] = []
    assert index_paths(library_file, [docs], on_progress=lambda path: seen.append(path.name)) == IndexOutcome(added=2)
    assert seen == ["a.md", "b.txt"]
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
    """A file, or a line of a JSON file, that is gone leaves when its folder is given again; failing to read is no removal."""
    (docs / "c.jsonl").write_text('{"id": 1, "text": "반도체 소식"}\n{"id": 2, "text": "한글 소식"}\n', encoding="utf-8")
    assert index_paths(library_file, [docs]) == IndexOutcome(added=4)
    (docs / "c.jsonl").write_text('{"id": 2, "text": "한글 소식"}\n', encoding="utf-8")
    (docs / "sub" / "b.txt").unlink()
    assert index_paths(library_file, [docs / "a.md"]) == IndexOutcome(unchanged=1)
    (docs / "a.md").write_bytes(b"")
    outcome = index_paths(library_file, [docs])
    assert (outcome.unchanged, outcome.removed, len(outcome.failed)) == (1, 2, 1)
    assert (found(library_file, "항아리"), found(library_file, "소식")) == ([], ["library:docs/c.jsonl#2"])
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
    outcome = index_paths(library_file, [docs / "empty.txt"], read=lambda _: [book])
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


def test_the_samples_are_whole():
    """Every sample document is read with title, source, date and language, and there are at least sixty."""
    documents = [document for file in find_files(SAMPLES) for document in parse_documents(file)]
    assert len(documents) == len(list(SAMPLES.glob("*.md"))) >= 60
    assert all(one.source == "맥락 샘플 자료" and one.published and one.title for one in documents)
    assert {one.language for one in documents} == {"ko", "en"}
    assert all(80 <= len(one.text.split()) <= 250 for one in documents)
