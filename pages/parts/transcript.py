"""The transcript, a window of lines at a time: searchable, each line a link into the video."""

from __future__ import annotations

import streamlit as st

from pages.parts import labels, transcript_lines
from pages.parts.escaping import clean, md
from pages.parts.page_session import TRANSCRIPT_QUERY_KEY, PageSession, page_session
from search_core.presenting import UNCERTAIN, transcript_caution, transcript_source
from search_core.video_time import clock

WINDOW = 14
"""Lines drawn at once; a five-hour transcript has thousands, a browser should never hold them all."""
LIST_HEIGHT = 380


def transcript(session: PageSession) -> None:
    """Draw the transcript of the video that is open."""
    if not session.lines:
        st.caption(labels.TRANSCRIPT_NONE)
        return
    _source(session)
    query = st.text_input(
        labels.TRANSCRIPT_SEARCH,
        key=TRANSCRIPT_QUERY_KEY,
        placeholder=labels.TRANSCRIPT_SEARCH,
        label_visibility="collapsed",
        icon=":material/search:",
        max_chars=100,
        on_change=_rewind,
    )
    query = clean(query or "", 100)
    places = transcript_lines.find_lines(session.lines, query) if query else list(range(len(session.lines)))
    if query:
        found = labels.TRANSCRIPT_MATCHES.format(count=len(places)) if places else labels.TRANSCRIPT_NO_MATCH
        st.caption(found.format(text=md(query, 60)))
    elif session.video is not None and session.video.chapters:
        _chapters(session)
    _lines(session, places, query)
    if len(places) > WINDOW:
        _pager(session, len(places))


def _source(session: PageSession) -> None:
    """Say where the transcript is from, and what to beware of in one that a machine made."""
    if session.video is not None:
        caution = transcript_caution(session.video)
        with st.container(key="transcript-source"):
            st.caption(md(transcript_source(session.video), 160), help=caution or None)


def _chapters(session: PageSession) -> None:
    chapters = session.video.chapters if session.video is not None else ()
    st.selectbox(
        labels.CHAPTER,
        options=range(len(chapters)),
        index=None,
        format_func=lambda index: f"{clock(chapters[index].start_s)} {clean(chapters[index].title, 60)}",
        key=f"chapter-{session.serial}",
        placeholder=labels.CHAPTER_ALL,
        label_visibility="collapsed",
        on_change=_to_chapter,
    )


def _lines(session: PageSession, places: list[int], query: str) -> None:
    timed = session.video is not None and session.video.timed
    now = None if session.now_s is None else transcript_lines.line_at(session.lines, session.now_s)
    # A new key per window starts the scroll at its top, where the line that was asked for is.
    with st.container(height=LIST_HEIGHT, border=False, key=f"lines-{session.serial}-{session.window}"):
        for index in places[session.window : session.window + WINDOW]:
            line = session.lines[index]
            text = transcript_lines.mark_words(line.text, query)
            if line.uncertain:
                text = f"{text} :orange[:small[{UNCERTAIN}]]"
            shapes, words = session.marks.get(index, ("", ""))
            mark = f"{shapes} " if shapes else ""
            if not timed:
                st.markdown(f":small[{mark}{text}]", help=words or None)
                continue
            if index == now:
                label = f"{mark}:blue-background[**{clock(line.start_s)}** {text} **{labels.NOW_MARK}**]"
            else:
                label = f"{mark}:gray[{clock(line.start_s)}]  {text}"
            st.button(
                label,
                key=f"line-{session.serial}-{index}",
                type="tertiary",
                help=words or None,
                on_click=_pick,
                args=(line.start_s,),
                width="stretch",
                wrap=True,
            )


def _pager(session: PageSession, total: int) -> None:
    last = min(total, session.window + WINDOW)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.button(
            labels.EARLIER,
            key="lines-earlier",
            icon=":material/expand_less:",
            disabled=session.window == 0,
            on_click=_shift,
            args=(-WINDOW, total),
        )
        st.caption(labels.TRANSCRIPT_PLACE.format(first=session.window + 1, last=last, total=total), width="content")
        st.button(
            labels.LATER,
            key="lines-later",
            icon=":material/expand_more:",
            disabled=last >= total,
            on_click=_shift,
            args=(WINDOW, total),
        )


def _rewind() -> None:
    page_session().window = 0


def _shift(by: int, total: int) -> None:
    session = page_session()
    session.window = max(0, min(session.window + by, total - 1))


def _pick(start_s: float) -> None:
    """Move to a line that is in sight already: the list stays where it is."""
    page_session().now_s = start_s


def _to_chapter() -> None:
    session = page_session()
    index = st.session_state.get(f"chapter-{session.serial}")
    if index is not None and session.video is not None:
        session.go_to(session.video.chapters[index].start_s)
