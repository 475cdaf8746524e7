"""How own documents are searched, in Korean, the same on the page and in a terminal."""

from __future__ import annotations

from search_core.domain import LibraryPhase, LibraryState

_SENTENCES = {
    LibraryPhase.EMPTY: "",
    LibraryPhase.WORDS_ONLY: "내 자료는 낱말로만 찾아요. {reason}",
    LibraryPhase.LOADING: "내 자료는 아직 낱말로만 찾아요. 뜻으로 찾는 데 쓸 의미 분석 모델을 준비하고 있어요.",
    LibraryPhase.FILLING: "내 자료를 낱말로 찾고, 뜻으로는 준비된 {percent}%에서 찾아요. 나머지는 앱이 켜져 있는 동안 준비돼요.",
    LibraryPhase.READY: "내 자료를 낱말과 뜻으로 찾아요.",
    LibraryPhase.STOPPED: "내 자료를 낱말로 찾고, 뜻으로는 준비된 {percent}%에서만 찾아요. {reason}",
}


def library_line(state: LibraryState) -> str:
    """Return a sentence or two on how own documents are searched; empty where there are none."""
    return _SENTENCES[state.phase].format(percent=state.percent, reason=state.reason).strip()
