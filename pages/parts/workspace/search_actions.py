"""A search of the page: started, repeated with changes, stopped, and watched until it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared import frame, services
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import VERBATIM_KEY, page_session
from pages.parts.shared.visitor import owner
from pages.parts.workspace import controls
from search_core.domain.query import Turn
from search_core.domain.report import Question, SearchOptions
from search_core.errors import MaekrakError, QuestionError, SmallTalkError
from search_core.job import SEARCHES_AT_ONCE
from search_core.runtime import ASKED_BY
from search_core.search.presenting.ledger import ledger

if TYPE_CHECKING:
    from search_core.core import SearchJob, SearchProgress

QUICK_S = 0.35
"""A search that ends within this is shown at once, without progress in between."""
WORDS_AFTER_S = 0.5
"""If scoring takes longer, results are ordered by words; for the next search the model is usually ready."""
EARLY_AFTER_S = 0.5
"""Services that answer within this time of the first one are shown with it; others come later."""


def sync() -> None:
    """Update the state of the running search, after waiting for it a moment."""
    session = page_session()
    session.sync_job()
    if session.job is not None and session.searching:
        session.job.wait(QUICK_S)
        session.sync_job()


def start(text: str, moment_s: float | None, *, use_cache: bool = True, as_it_is: bool = False) -> SearchJob | None:
    """Start searching for *text* and return the search; None, with a note on the page, if it cannot start.

    A question that differs from the last one is a new turn. *as_it_is* leaves the context of the video out for this search. Text
    that is no question changes nothing on the page; a greeting also empties the box.
    """
    session = page_session()
    session.searches += 1
    session.error, session.notice = "", ""
    chosen = controls.chosen_providers()
    if chosen == ():
        session.drop_search()
        session.error = "켜진 검색 서비스가 없어요. 왼쪽에서 하나 이상 켜 주세요."
        return None
    same = (text, moment_s) == (session.asked, session.asked_at_s)
    memory, removed = session.memory, session.removed if same else ()
    if text != session.asked and session.report is not None and (session.report.results or session.report.hidden):
        memory = memory.remember(Turn(question=session.asked, query=session.report.constructed.text))
    options = SearchOptions(
        providers=chosen,
        without_parts=frozenset(removed),
        verbatim=as_it_is or bool(st.session_state.get(VERBATIM_KEY)),
        ranking=controls.ranking(),
        use_cache=use_cache,
        words_after_s=WORDS_AFTER_S,
        early_after_s=EARLY_AFTER_S,
    )
    ASKED_BY.set(owner())
    try:
        job = services.core().start_search(Question(text=text, video=session.video, memory=memory, moment_s=moment_s), options)
    except QuestionError as error:
        session.notice = error.korean
        if isinstance(error, SmallTalkError):
            session.draft = ""
        return None
    except MaekrakError as error:
        session.drop_search()
        session.error = error.korean
        return None
    if session.job is not None:
        session.job.cancel()
    if not same:
        session.drop_report()  # what was found for one question never stands under another
    session.job, session.memory, session.removed = job, memory, removed
    session.asked, session.asked_at_s = text, moment_s
    return job


def again(*, use_cache: bool = True) -> None:
    """Repeat the last question's search with the current controls."""
    session = page_session()
    start(session.asked, session.asked_at_s, use_cache=use_cache)
    st.rerun()  # most clicks come from a part of the page that would only redraw itself


def switch_part(text: str) -> None:
    """Search again without a part of the query, or with one that had been removed."""
    session = page_session()
    others = tuple(part for part in session.removed if part != text)
    session.removed = others if text in session.removed else (*others, text)
    again()


def stop() -> None:
    """Stop the running search; its question and its results so far stay."""
    session = page_session()
    if session.job is not None:
        session.job.finish()
        session.job.wait(QUICK_S)
    st.rerun()


def ask_broader(text: str) -> None:
    """Search for exactly *text* instead of the query that found nothing."""
    start(text, page_session().moment_s, as_it_is=True)
    st.rerun()


POLL_S = 0.4
PHASES = {
    "queued": f"지금 검색 {SEARCHES_AT_ONCE}건이 진행 중이에요, 잠시만요",
    "understanding": "질문을 이해하고 있어요",
    "asking": "검색 서비스에 묻고 있어요",
    "scoring": "영상과의 관련도를 재고 있어요",
    "summarizing": "외국어 자료를 정리하고 있어요",
}


def progress() -> None:
    """Draw the running search, redrawn by itself until it ends."""
    session = page_session()
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="progress"):
        if session.job is not None:
            st.fragment(_view, run_every=POLL_S)()
        else:
            st.empty()  # removes the earlier results at once, not at the end of the run


def _view() -> None:
    session = page_session()
    job = session.job
    if job is None or job.done:
        st.rerun()
        return
    snapshot = job.snapshot()
    if snapshot.report is not None and snapshot.report is not session.report:
        st.rerun()  # there are results, more of them, or more summaries
        return
    if session.report is None:
        with st.container(key="progress-alone"):
            with st.container(border=True):
                _under_way(snapshot, beside=False)
            awaited_cards()
        return
    st.empty()
    with st.container(border=True, key="progress-beside"):
        _under_way(snapshot, beside=True)


def awaited_cards() -> None:
    """Draw placeholders until results come."""
    for _ in range(3):
        st.skeleton(height=96)


def _under_way(snapshot: SearchProgress, *, beside: bool) -> None:
    """Draw the stage of the search and the stop button; *beside* results only briefly, while a service is awaited."""
    phase = PHASES.get(snapshot.phase, PHASES["asking"])
    words = f"**{phase} · {snapshot.elapsed_s:.1f}초**"
    frame.under_way(words, "검색 멈추기", "stop", stop, icon=":material/stop_circle:")
    names = services.core().provider_labels()
    answers = ledger(snapshot.replies, names)
    lines = [md(f"{line.label} {line.text if line.count else f'· {line.reason}'}") for line in answers]
    lines += [f":gray[:material/hourglass_empty: {md(names.get(name, name))} 응답 대기 중]" for name in snapshot.waiting]
    if lines and (snapshot.waiting or not beside):  # after all have answered, the results say who was asked
        st.markdown((" · " if beside else "  \n").join(lines))
