"""Actions of the search page: searching, repeating a search with changes, stopping."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import controls, services
from pages.parts.page_session import VERBATIM_KEY, page_session
from pages.parts.visitor import owner
from search_core.domain.query import Turn
from search_core.domain.report import Question, SearchOptions
from search_core.errors import MaekrakError, QuestionError, SmallTalkError
from search_core.runtime import ASKED_BY

if TYPE_CHECKING:
    from search_core.core import SearchJob

QUICK_S = 0.35
"""A search that ends within this is shown at once, without progress in between."""
WORDS_AFTER_S = 0.5
"""Scoring that takes longer leaves the list to the order by words; the next search finds the model ready."""
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

    A question that differs from the last one is a new turn; *as_it_is* leaves the context of the video out this once. Text that
    is no question changes nothing on the page; a greeting also empties the box.
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


def remove_part(text: str) -> None:
    """Search again without one part of the query."""
    session = page_session()
    session.removed = (*session.removed, text)
    again()


def restore_part(text: str) -> None:
    """Search again with a part that had been removed."""
    session = page_session()
    session.removed = tuple(part for part in session.removed if part != text)
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
