"""The address of the page: the video, the search, the open conversation or run, and the settings of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.shared import services, transcription_panel
from pages.parts.shared.page_session import VERBATIM_KEY, PageSession, page_session
from pages.parts.shared.visitor import owner
from search_core.domain.conversation import Message
from search_core.domain.report import MAX_QUESTION_CHARS, StoredSearch
from search_core.domain.video import VideoContext, video_key
from search_core.errors import MaekrakError

if TYPE_CHECKING:
    from search_core.core import SearchJob

VIDEO, QUESTION, SEARCH, SOUND = "video", "q", "job", "sound"
TAB, CLAIMS_TAB = "tab", "claims"
_OPENED = ("chat", "run", "claims")
"""Parameters with the id of the open conversation, research run or check."""
_OF_PAGES = (VIDEO, QUESTION, SEARCH, SOUND, TAB, *_OPENED)
"""Parameters of the page itself; all others are settings of the controls."""
_TAKEN = "address-taken"
VIDEO_GONE = "이 주소의 영상을 찾을 수 없어요. 오래되어 지워졌거나 다른 사람이 연 영상일 수 있어요. 다시 열어 주세요."
GONE = "이 주소의 검색을 찾을 수 없어요. 지워졌거나, 끝나기 전에 서버가 다시 시작되었을 수 있어요. 질문은 그대로 두었어요."


def went_back() -> bool:
    """Return whether the visitor came to this page by going back or forward in the browser."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def apply() -> None:
    """Open what the address names: on a visitor's first page, and when they go back or forward."""
    first = not st.session_state.get(_TAKEN)
    page_session().opened |= {name: st.query_params[name] for name in _OPENED if st.query_params.get(name)}
    if not first and not went_back():
        return
    params = st.query_params.to_dict()
    if params or not first:
        session = page_session()
        session.settings = {name: value for name, value in params.items() if name not in _OF_PAGES}
        session.settings_taken = False
        session.opened = {name: params[name] for name in _OPENED if params.get(name)}
        session.tab = CLAIMS_TAB if params.get(TAB) == CLAIMS_TAB else ""
        _restore_search(session, params)
        transcription_panel.restore(params.get(SOUND, ""))
    st.session_state[_TAKEN] = True  # set last, so that an interrupted run does it again


def _restore_search(session: PageSession, params: dict[str, str]) -> None:
    search_id, question = params.get(SEARCH, ""), params.get(QUESTION, "")[:MAX_QUESTION_CHARS]
    if search_id and search_id == session.search_id:
        return
    if (search := _find(search_id)) is not None:
        restore(search)
        return
    reference = params.get(VIDEO, "")
    samples = {str(number): sample for number, sample in enumerate(services.core().samples(), start=1)}
    video = samples.get(reference) or (services.core().videos.open(reference, owner()) if reference else None)
    if video != session.video:
        session.open(video)
    else:
        session.drop_search()
    if reference and video is None:
        session.open_error = VIDEO_GONE
    session.asked, session.notice = question, GONE if search_id else ""
    session.draft = question


def _find(search_id: str) -> SearchJob | StoredSearch | None:
    """Return a search of the visitor, in memory or stored; None if there is none, or it cannot be read."""
    core = services.core()
    try:
        return (core.job(search_id, owner()) or core.stored_searches.load(search_id, owner())) if search_id else None
    except MaekrakError:
        return None


def known_video(key: str) -> VideoContext | None:
    """Return the sample, or the visitor's own video while it is stored, with that key."""
    sample = next((sample for sample in services.core().samples() if video_key(sample) == key), None)
    return sample or services.core().videos.open(key, owner())


def restore(search: SearchJob | StoredSearch) -> None:
    """Continue a search, running or ended, with its question and video."""
    session = page_session()
    if isinstance(search, StoredSearch):
        session.open(known_video(search.video_key) if search.video_key else None)
    elif search.question.video != session.video:
        session.open(search.question.video)
    _take(search)


def show_again(question: Message) -> None:
    """Show the result list of an earlier question again, if it is stored; the open video stays."""
    session = page_session()
    session.job = None  # the answer to another question may still wait for it
    if (search := _find(question.search)) is not None:
        _take(search)
    else:
        session.drop_search()
        session.asked, session.asked_at_s = question.text, question.moment_s


def _take(search: SearchJob | StoredSearch) -> None:
    session = page_session()
    session.drop_search()
    if isinstance(search, StoredSearch):
        question, options = search.report.question, search.report.options
        session.report, session.report_of = replace(search.report, question=replace(question, video=session.video)), search.id
    else:
        question, options = search.question, search.options
        session.memory, session.job = question.memory, search
    session.asked, session.removed = question.text, tuple(sorted(options.without_parts))
    session.asked_at_s = session.moment_s = question.moment_s
    st.session_state[VERBATIM_KEY] = options.verbatim


def write(**of_page: str) -> None:
    """Write what is open into the address, in one step; *of_page* are further changed values."""
    session = page_session()
    session.opened |= of_page
    values = {VIDEO: _reference(session), QUESTION: session.asked, SEARCH: session.search_id}
    values |= {SOUND: session.transcription, TAB: session.tab, **session.settings, **session.opened}
    params = {name: value for name, value in values.items() if value}
    if params != st.query_params.to_dict():
        st.query_params.from_dict(params)


def _reference(session: PageSession) -> str:
    """Return the name of the open video in the address: the number of a sample, or the key under which it is stored."""
    if session.video is None:
        return ""
    if session.referenced is not session.video:
        core = services.core()
        samples = core.samples()
        number = samples.index(session.found) + 1 if session.found in samples else 0
        session.reference = str(number) if number else core.videos.keep(session.video, owner())
        session.referenced = session.video
    return session.reference
