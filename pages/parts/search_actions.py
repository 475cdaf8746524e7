"""Actions of the search page: searching, searching again in another way, stopping."""

from __future__ import annotations

import streamlit as st

from pages.parts import controls, services, transcript_lines
from pages.parts.page_session import QUESTION_KEY, TRANSCRIPT_QUERY_KEY, VERBATIM_KEY, page_session
from pages.parts.visitor import owner
from search_core.domain import ConversationMemory, Question, SearchOptions, Turn
from search_core.errors import MaekrakError
from search_core.runtime import ASKED_BY
from search_core.video.address import find_video, watch_url

QUICK_S = 0.35
"""A search that ends within this is shown at once, without progress in between."""
WORDS_AFTER_S = 0.5
"""Scoring that takes longer leaves the list to the order by words; the next search finds the model ready."""
EARLY_AFTER_S = 0.5
"""Services that answer within this of the first one are shown with it; the others stand behind."""
VIDEO_ONLY_NONE = "웹 없이 계속해요. 영상 자막에서 이 질문과 관련된 부분을 찾지 못했어요."


def ask(text: str, *, use_cache: bool = True, as_it_is: bool = False, as_before: bool = False) -> None:
    """Start searching for *text* and redraw the page; a question that differs from the last one is a new turn.

    *as_it_is* leaves the context of the video out this once, *as_before* asks at the moment of the last question.
    """
    session = page_session()
    _start(text, session.asked_at_s if as_before else session.moment_s, use_cache=use_cache, as_it_is=as_it_is)
    st.rerun()  # most clicks come from a part of the page that would only redraw itself


def _start(text: str, moment_s: float | None, *, use_cache: bool, as_it_is: bool) -> None:
    session = page_session()
    session.searches += 1
    if session.job is not None:
        session.job.cancel()
        session.job = None
    if text != session.asked and session.report is not None and (session.report.results or session.report.hidden):
        session.memory = session.memory.remember(Turn(question=session.asked, query=session.report.constructed.text))
    if (text, moment_s) != (session.asked, session.asked_at_s):
        session.removed = ()
        session.drop_report()  # what was found for one question never stands under another
    session.asked, session.asked_at_s = text, moment_s
    session.error, session.notice, session.related = "", "", ()
    chosen = controls.chosen_providers()
    if chosen == ():
        session.error = "켜진 검색 서비스가 없어요. 왼쪽에서 하나 이상 켜 주세요."
        session.drop_report()
        return
    options = SearchOptions(
        providers=chosen,
        without_parts=frozenset(session.removed),
        verbatim=as_it_is or bool(st.session_state.get(VERBATIM_KEY)),
        ranking=controls.ranking(),
        use_cache=use_cache,
        words_after_s=WORDS_AFTER_S,
        early_after_s=EARLY_AFTER_S,
    )
    ASKED_BY.set(owner())
    try:
        session.job = services.core().start_search(_question(text), options)
    except MaekrakError as error:
        session.error = error.korean
        session.drop_report()


def _question(text: str) -> Question:
    session = page_session()
    return Question(text=text, video=session.video, memory=session.memory, moment_s=session.asked_at_s)


def ask_typed() -> None:
    """Search for what stands in the question box; the address of a video is opened, and the rest of the text stays there."""
    text = str(st.session_state.get(QUESTION_KEY) or "").strip()
    if (found := find_video(text)) is not None:
        page_session().to_open = watch_url(found.video_id)
        st.session_state[QUESTION_KEY] = found.rest
    else:
        ask(text)


def ask_example(text: str, *, as_before: bool = False) -> None:
    """Put an example into the box and search for it; *as_before* is as ``ask`` has it."""
    st.session_state[QUESTION_KEY] = text
    ask(text, as_before=as_before)


def again(*, use_cache: bool = True) -> None:
    """Search once more for the question that was asked last, as the page stands."""
    ask(page_session().asked, use_cache=use_cache, as_before=True)


def ask_fresh() -> None:
    """Search once more, past the cache."""
    again(use_cache=False)


def remove_part(text: str) -> None:
    """Search again without one part of the query."""
    session = page_session()
    session.removed = (*session.removed, text)
    again()


def restore_part(text: str) -> None:
    """Search again with a part that was taken away."""
    session = page_session()
    session.removed = tuple(part for part in session.removed if part != text)
    again()


def forget() -> None:
    """Start a new conversation: earlier questions no longer count."""
    page_session().memory = ConversationMemory()
    st.rerun()


def stop() -> None:
    """Stop the search under way; the question stays, and what was found so far."""
    session = page_session()
    if session.job is not None:
        session.job.finish()
        session.job.wait(QUICK_S)
    st.rerun()


def video_only() -> None:
    """Go on without the web: bring the lines of the transcript that answer the question into sight; results stay."""
    session = page_session()
    try:
        quotes = services.core().quote_video(_question(session.asked))
    except MaekrakError as error:
        session.notice = error.korean
        st.rerun()
    timed = session.video is not None and session.video.timed
    session.related = transcript_lines.lines_with(session.lines, quotes, timed=timed)
    st.session_state[TRANSCRIPT_QUERY_KEY], session.window = "", 0
    found = f"웹 없이 계속해요. 영상에서 질문과 관련된 부분 {len(session.related)}곳만 자막에 보여 드려요."
    session.notice = found if session.related else VIDEO_ONLY_NONE
    st.rerun()


def ask_broader(text: str) -> None:
    """Search for exactly *text*, in place of the query that found nothing."""
    st.session_state[QUESTION_KEY] = text
    ask(text, as_it_is=True)
