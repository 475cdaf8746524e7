from __future__ import annotations

import os
from pathlib import Path

import pytest

from search_core.errors import StorageError
from search_core.reading import Document
from search_core.storage import IndexOutcome, LibraryIndex, index_paths

SAMPLES = Path(__file__).parents[3] / "samples" / "library"


@pytest.fixture
def index(tmp_path: Path):
    library = LibraryIndex(tmp_path / "state" / "library.sqlite")
    yield library
    library.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("# 대역폭\n\n메모리 대역폭 이야기", encoding="utf-8")
    (folder / "sub" / "b.txt").write_text("김치와 항아리", encoding="cp949")
    return folder


def found(index: LibraryIndex, query: str) -> list[str]:
    return [result.url for result in index.search(query, 10)]


def test_a_folder_goes_in_with_stable_addresses(index: LibraryIndex, folder: Path):
    """Files of a folder are found under its name and their path in it, and progress names each file in order."""
    seen: list[str] = []
    assert index_paths(index, [folder], on_progress=lambda path: seen.append(path.name)) == IndexOutcome(added=2)
    assert seen == ["a.md", "b.txt"]
    assert found(index, "대역폭") == ["library:docs/a.md"]
    assert found(index, "항아리") == ["library:docs/sub/b.txt"]
    assert index.get("library:docs/a.md").title == "대역폭"


def test_a_touched_file_is_unchanged_and_a_changed_one_updated(index: LibraryIndex, folder: Path):
    """What counts is what a file says; one of the same time and size is not opened again, though it could not be read."""
    index_paths(index, [folder])
    path = folder / "sub" / "b.txt"
    status = path.stat()
    path.write_bytes(b"\x00" * status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert index_paths(index, [folder]) == IndexOutcome(unchanged=2)
    os.utime(folder / "a.md", ns=(1, 1))
    (folder / "sub" / "b.txt").write_text("김치와 소금", encoding="utf-8")
    assert index_paths(index, [folder]) == IndexOutcome(updated=1, unchanged=1)
    assert (found(index, "항아리"), found(index, "소금")) == ([], ["library:docs/sub/b.txt"])


def test_a_file_read_in_part_is_named(index: LibraryIndex, folder: Path):
    """What was read of a file goes in, and the run says of which files something was left out, and what."""
    cut = "3,000쪽 가운데 앞의 2,000쪽만 읽었어요."
    read = Document(title="책", text="메모리", url="library:docs/a.md", cut=cut, path=folder / "a.md")
    outcome = index_paths(index, [folder / "a.md"], read=lambda _: [read])
    assert outcome == IndexOutcome(added=1, cut=((folder / "a.md", cut),))


def test_a_removed_file_goes_with_its_folder(index: LibraryIndex, folder: Path):
    """A file that is gone, or a line of a JSON file, leaves when its folder is given again, not when another path is."""
    (folder / "c.jsonl").write_text('{"id": 1, "text": "반도체 소식"}\n{"id": 2, "text": "한글 소식"}\n', encoding="utf-8")
    assert index_paths(index, [folder]) == IndexOutcome(added=4)
    (folder / "c.jsonl").write_text('{"id": 2, "text": "한글 소식"}\n', encoding="utf-8")
    (folder / "sub" / "b.txt").unlink()
    assert index_paths(index, [folder / "a.md"]) == IndexOutcome(unchanged=1)
    assert index_paths(index, [folder]) == IndexOutcome(unchanged=2, removed=2)
    assert (found(index, "항아리"), found(index, "소식")) == ([], ["library:docs/c.jsonl#2"])


def test_a_file_whose_name_is_no_text_stays(index: LibraryIndex, tmp_path: Path):
    """A name in bytes that are no letters neither ends the run nor lets the next one take the file for gone."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xb1\xdb.md")).write_text("# 글\n\n대역폭", encoding="utf-8")
    assert index_paths(index, [tmp_path]) == IndexOutcome(added=1)
    assert index_paths(index, [tmp_path]) == IndexOutcome(unchanged=1)
    assert len(found(index, "대역폭")) == 1


def test_bad_files_are_listed_and_the_run_goes_on(index: LibraryIndex, folder: Path):
    """Each file that cannot be read is named with a reason; the others go in, or all fails where nothing can be written."""
    with pytest.raises(StorageError):
        index_paths(LibraryIndex("/proc/self/none/library.sqlite"), [folder])
    (folder / "empty.txt").write_bytes(b"  \n")
    (folder / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(500))
    (folder / "report.hwp").write_bytes(b"x")
    (folder / "photo.jpg").write_bytes(b"x")
    (folder / ".hidden.txt").write_text("숨은 글")
    outcome = index_paths(index, [folder, folder / "none"])
    assert outcome.added == 2
    assert [path.name for path, _ in outcome.failed] == ["empty.txt", "picture.md", "report.hwp", "none"]
    assert all(reason.endswith("요.") for _, reason in outcome.failed)


def test_a_file_that_became_unreadable_keeps_its_last_words(index: LibraryIndex, folder: Path):
    """A failure to read is no removal."""
    index_paths(index, [folder])
    (folder / "a.md").write_bytes(b"")
    outcome = index_paths(index, [folder])
    assert (outcome.unchanged, outcome.removed, len(outcome.failed)) == (1, 0, 1)
    assert found(index, "대역폭") == ["library:docs/a.md"]


def test_folders_of_one_name_do_not_share_addresses(index: LibraryIndex, tmp_path: Path):
    """Two files whose addresses would be the same are two documents, run after run."""
    for place in ("one", "two"):
        (tmp_path / place / "docs").mkdir(parents=True)
        (tmp_path / place / "docs" / "a.txt").write_text(f"메모리 {place}", encoding="utf-8")
    paths = [tmp_path / "one" / "docs", tmp_path / "two" / "docs"]
    assert index_paths(index, [paths[0]]).added == 1
    assert index_paths(index, [paths[1]]).added == 1
    first = sorted(found(index, "메모리"))
    assert len(first) == 2
    (tmp_path / "two" / "docs" / "a.txt").write_text("메모리 three", encoding="utf-8")
    assert index_paths(index, paths) == IndexOutcome(updated=1, unchanged=1)
    assert sorted(found(index, "메모리")) == first


def test_the_samples_are_whole(index: LibraryIndex):
    """Every sample document is read with title, source, date and language, and there are at least sixty."""
    outcome = index_paths(index, [SAMPLES], collection="sample")
    assert outcome.failed == ()
    assert outcome.added == index.count() >= 60
    documents = [index.get(f"library:library/{path.name}") for path in SAMPLES.glob("*.md")]
    assert all(one.source == "맥락 샘플 자료" and one.published and one.title for one in documents)
    languages = [one.language for one in documents]
    assert set(languages) == {"ko", "en"}
    assert all(80 <= len(one.text.split()) <= 250 for one in documents)
