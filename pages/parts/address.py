"""The address of the page: the video, the search, what is open beside them and the settings it stands for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import services, transcription_panel
from pages.parts.page_session import PageSession, page_session
from pages.parts.visitor import owner
from search_core.domain import MAX_QUESTION_CHARS, video_key
from search_core.errors import MaekrakError

if TYPE_CHECKING:
    from search_core.core import SearchJob

VIDEO, QUESTION, SEARCH, SOUND = "video", "q", "job", "sound"
TAB, CLAIMS_TAB = "tab", "claims"
_OPENED = ("chat", "run", "claims", "picked")
"""What is open in the thread and in the tab beside it."""
_OF_PAGES = (VIDEO, QUESTION, SEARCH, SOUND, TAB, *_OPENED)
"""Parameters that are no settings."""
_TAKEN = "address-taken"
VIDEO_GONE = "이 주소의 영상을 찾을 수 없어요. 오래되어 지워졌거나 다른 사람이 연 영상일 수 있어요. 다시 열어 주세요."
GONE = "이 주소의 검색을 찾을 수 없어요. 지워졌거나, 끝나기 전에 서버가 다시 시작되었을 수 있어요. 질문은 그대로 두었어요."


def went_back() -> bool:
    """Return whether this run of the page is for a visitor who went back or forward in the history of the browser."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def apply() -> None:
    """Bring the session to what the address says: on the first look of a visit, and when the visitor goes back or forward."""
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
    st.session_state[_TAKEN] = True  # last: a run that is cut short before has not done it


def _restore_search(session: PageSession, params: dict[str, str]) -> None:
    wanted, question = params.get(SEARCH, ""), params.get(QUESTION, "")[:MAX_QUESTION_CHARS]
    if wanted and wanted == session.search_id:
        return
    job = services.core().job(wanted, owner()) if wanted else None
    if job is not None:
        restore(job)
        return
    if wanted and _reopen(session, wanted):
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
    session.asked, session.notice = question, GONE if wanted else ""
    session.draft = question


def _reopen(session: PageSession, search_id: str) -> bool:
    """Open a stored search as it was; return whether the visitor has one."""
    core = services.core()
    try:
        stored = core.stored_searches.load(search_id, owner())
    except MaekrakError:  # the page says by itself that a search is gone
        return False
    if stored is None:
        return False
    key = stored.video_key
    sample = next((sample for sample in core.samples() if key and video_key(sample) == key), None)
    session.open(sample or (core.videos.open(key, owner()) if key else None))  # own ones while they are stored
    report = stored.report
    session.report = replace(report, question=replace(report.question, video=session.video))
    session.report_of = search_id
    session.take_question(report.question, report.options)
    return True


def restore(job: SearchJob) -> None:
    """Take a search up where it is, under way or ended, with its question and its video."""
    session, asked = page_session(), job.question
    if asked.video != session.video:
        session.open(asked.video)
    else:
        session.drop_search()
    session.memory, session.job = asked.memory, job
    session.take_question(asked, job.options)


def write(**of_page: str) -> None:
    """Put what is open into the address, in one step; *of_page* is what has changed of it beside the search."""
    session = page_session()
    session.opened |= of_page
    known = {VIDEO: _reference(session), QUESTION: session.asked, SEARCH: session.search_id}
    known |= {SOUND: session.transcription, TAB: session.tab, **session.settings, **session.opened}
    wanted = {name: value for name, value in known.items() if value}
    if wanted != st.query_params.to_dict():
        st.query_params.from_dict(wanted)


def _reference(session: PageSession) -> str:
    """Return what the address calls the video that is open: the number of a sample, or the key under which it is stored."""
    if session.video is None:
        return ""
    if session.referenced is not session.video:
        core = services.core()
        samples = core.samples()
        number = samples.index(session.found) + 1 if session.found in samples else 0
        session.reference = str(number) if number else core.videos.keep(session.video, owner())
        session.referenced = session.video
    return session.reference
