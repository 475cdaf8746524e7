"""The sidebar: which scorer is at work, and the named model fetched by a click, never without one."""

from __future__ import annotations

import streamlit as st

from pages.parts import services
from pages.parts.escaping import md
from search_core.domain import DownloadState, ScorerState

POLL_S = 0.5
_FOLLOWED = "scorer-followed"
"""Set while a visitor waits for what a click began."""
SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}
FETCH_HELP = (
    "모델 저장소에서 {model} 모델을 받아요. 받는 동안에도 지금 방식으로 검색할 수 있고, 다 받으면 이 모델로 다시 채점해요."
)


def scorer() -> None:
    """Draw the scorer and, where fetching a model would help, how; redrawn by itself while that goes on."""
    with st.container(key="scorer"):
        st.fragment(_view, run_every=POLL_S if _follows(services.core().scorer()) else None)()


def _view() -> None:
    state = services.core().scorer()
    if state.download is not None and state.download.under_way and not st.session_state.get(_FOLLOWED):
        st.rerun()  # a click has begun it: from now on it is looked at again and again
    words = f"채점: {md(state.label, 60)}{SCORER_STATES.get(state.state, '')}"
    st.caption(words, help=md(state.detail, 300) if state.detail else None)
    if state.state == "failed" or state.download is not None:
        st.caption(md(state.detail, 300))
    with st.container(key="scorer-download"):
        if state.download is not None:
            _download(state.download)
    if st.session_state.get(_FOLLOWED) and not _follows(state):
        del st.session_state[_FOLLOWED]
        st.rerun()


def _follows(state: ScorerState) -> bool:
    """Return whether what was begun goes on: a download, or the load after it."""
    if state.download is not None and state.download.under_way:
        st.session_state[_FOLLOWED] = True
        return True
    return bool(st.session_state.get(_FOLLOWED)) and state.state == "loading"


def _download(download: DownloadState) -> None:
    if download.under_way:
        st.progress(download.share, text=f"모델 내려받는 중 · {download.share:.0%}")
        return
    if download.problem:
        st.caption(f":orange[{md(download.problem, 300)}]")
    name = "다시 시도" if download.problem else "모델 내려받기"
    said = FETCH_HELP.format(model=md(download.model, 80))
    st.button(name, key="model-fetch", help=said, on_click=services.core().models.fetch_model)
