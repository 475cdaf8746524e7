"""How own documents are found stands under their name, and changes by itself."""

from __future__ import annotations

import pytest

from search_core.domain import LibraryPhase, LibraryState

STATES = {
    "ready": LibraryState(phase=LibraryPhase.READY, done=4, total=4),
    "loading": LibraryState(phase=LibraryPhase.LOADING),
    "filling": LibraryState(phase=LibraryPhase.FILLING, done=299, total=300),
    "words": LibraryState(phase=LibraryPhase.WORDS_ONLY, reason="비어 있는 메모리가 적어요."),
    "stopped": LibraryState(phase=LibraryPhase.STOPPED, done=1, total=2, reason="디스크에 남은 공간이 없어요."),
}
SENTENCES = {
    "ready": "내 자료를 낱말과 뜻으로 찾아요.",
    "loading": "내 자료는 아직 낱말로만 찾아요.",
    "filling": "뜻으로는 준비된 99%에서 찾아요. 나머지는 앱이 켜져 있는 동안 준비돼요.",
    "words": "낱말로만 찾아요. 비어 있는 메모리가 적어요.",
    "stopped": "준비된 50%에서만 찾아요. 디스크에 남은 공간이 없어요.",
}


@pytest.mark.parametrize("state", STATES)
def test_the_search_page_says_how_own_documents_are_found(visit, state: str):
    """The sentence of each state stands in the sidebar."""
    here = visit()
    here.core.own_documents.now = STATES[state]
    here.look()
    assert SENTENCES[state] in here.texts()


def test_an_empty_library_says_nothing(visit):
    """Where there are no documents there is nothing to say about them."""
    here = visit()
    here.core.own_documents.now = LibraryState(phase=LibraryPhase.EMPTY)
    here.look()
    assert "낱말" not in here.texts()


def test_the_sentence_changes_when_all_is_ready(visit):
    """What was under way is said to be done when the page looks again."""
    here = visit()
    here.core.own_documents.now = LibraryState(phase=LibraryPhase.FILLING, done=1, total=2)
    here.look()
    here.core.own_documents.now = LibraryState(phase=LibraryPhase.READY, done=2, total=2)
    here.look()
    assert "50%" not in here.texts()
    assert "내 자료를 낱말과 뜻으로 찾아요." in here.texts()
