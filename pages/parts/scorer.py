"""The sidebar: which scorer is at work, and the named model fetched by a click, never without one."""

from __future__ import annotations

import streamlit as st

from pages.parts import services
from pages.parts.escaping import md
from pages.parts.labels import weight
from search_core.domain import DownloadState, ScorerState

POLL_S = 0.5
_FOLLOWED = "scorer-followed"
"""Set while a visitor waits for what a click began."""
SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}
LOOK_UP_HELP = "모델 저장소에 {model} 모델의 크기를 물어봐요. 내려받기는 그다음에 따로 눌러야 시작해요."
OFFERED_PART = "{model} · {total} 가운데 {here}를 받아 두었어요 · 디스크에 남은 공간 {free}"
FETCH = "내려받기 ({missing})"
FETCH_HELP = "받는 동안에도 지금 방식으로 검색할 수 있어요. 다 받으면 이 모델로 다시 채점해요."
FETCH_AGAIN = "다시 시도"


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
    if state.state == "failed" or (not state.as_chosen and state.state == "ready"):
        st.caption(md(state.detail, 300))
    with st.container(key="scorer-download"):
        if state.download is not None:
            _download(state.download)
    if st.session_state.get(_FOLLOWED) and not _follows(state):
        del st.session_state[_FOLLOWED]
        st.rerun()


def _follows(state: ScorerState) -> bool:
    """Return whether what was begun goes on: a question to the hub, a download, or the load after it."""
    if state.download is not None and state.download.under_way:
        st.session_state[_FOLLOWED] = True
        return True
    return bool(st.session_state.get(_FOLLOWED)) and state.state == "loading"


def _download(download: DownloadState) -> None:
    model = md(download.model, 80)
    if download.problem:
        st.caption(f":orange[{md(download.problem, 300)}]")
    if download.step == "asking":
        st.caption(f"{model} 모델의 크기를 묻고 있어요.")
    elif download.step == "fetching":
        _progress(download)
    elif download.total_bytes:
        _offer(download, model)
    else:
        name = FETCH_AGAIN if download.problem else "모델 크기 알아보기"
        st.button(name, key="model-look-up", help=LOOK_UP_HELP.format(model=model), on_click=services.core().models.look_up_model)
    if download.under_way:
        st.button("그만두기", key="model-cancel", type="tertiary", on_click=services.core().models.cancel_fetching)


def _offer(download: DownloadState, model: str) -> None:
    total, here, free = weight(download.total_bytes), weight(download.here_bytes), weight(download.free_bytes)
    said = OFFERED_PART if download.here_bytes else "{model} · {total} · 디스크에 남은 공간 {free}"
    st.caption(said.format(model=model, total=total, here=here, free=free))
    name = FETCH_AGAIN if download.problem else FETCH.format(missing=weight(download.total_bytes - download.here_bytes))
    st.button(name, key="model-fetch", help=FETCH_HELP, on_click=services.core().models.fetch_model)


def _progress(download: DownloadState) -> None:
    if not download.total_bytes:
        st.progress(0.0, text="모델 내려받기를 시작하는 중")
    elif download.here_bytes >= download.total_bytes:
        st.progress(1.0, text="받은 모델을 확인하는 중")
    else:
        text = f"모델 내려받는 중 · {weight(download.here_bytes)} / {weight(download.total_bytes)}"
        st.progress(download.here_bytes / download.total_bytes, text=text)
