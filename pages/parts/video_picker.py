"""Choosing a video: samples as cards, an address, a file, or typed by hand."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts import address, labels, reading_files, services
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import VideoContext
from search_core.video import VideoUpload
from search_core.video.limits import MAX_TRANSCRIPT_CHARS

URL_KEY, WAYS_KEY = "video-url", "open-ways"


def examples(prefix: str, on_click: Callable[[str], None], *, tip: str | None = None) -> None:
    """Offer example questions about the video that is open; *prefix* begins the keys of the buttons."""
    questions = services.core().example_questions(page_session().video)
    if not questions:
        return
    st.caption(labels.EXAMPLES)
    with st.container(horizontal=True, key="examples"):
        for index, question in enumerate(questions):
            st.button(md(question, 80), key=f"{prefix}-{index}", help=tip, on_click=on_click, args=(question,))


def welcome() -> None:
    """Say what the app does and offer the sample videos."""
    st.markdown(f"## {labels.TAGLINE}", anchors=False)
    st.markdown("\n\n".join(labels.WHAT_IT_DOES))
    st.space("small")
    st.markdown(f"### {labels.SAMPLES}", anchors=False)
    samples()


def samples() -> None:
    """Offer the sample videos as cards."""
    videos = services.core().samples()
    with st.grid(max(1, len(videos)), min_column_width=180):
        for index, video in enumerate(videos):
            _sample_card(index, video)


def _sample_card(index: int, video: VideoContext) -> None:
    minutes = max(1, round((video.duration_s or (video.transcript[-1].end_s if video.transcript else 0)) / 60))
    names = [*video.speakers[:2], *video.organizations[:2]]
    with st.container(border=True, key=f"sample-{index}", height="stretch"):
        meta = labels.SAMPLE_META.format(channel=md(video.channel, 40), minutes=minutes)
        st.markdown(f":gray-badge[{labels.SAMPLE_BADGE}] **{md(video.title, 90)}**")
        st.markdown(f":small[:gray[{meta}]]  \n{' '.join(f':gray-badge[{md(name, 24)}]' for name in names)}")
        st.space("stretch")
        st.button(
            labels.SAMPLE_START,
            key=f"open-sample-{index}",
            on_click=open_sample,
            args=(index,),
            type="primary" if index == 0 else "secondary",
            width="stretch",
        )


def open_sample(index: int) -> None:
    """Put the sample of that place that is open."""
    page_session().open(services.core().samples()[index])
    st.rerun()


def own_video() -> None:
    """Offer the ways to open a video of one's own."""
    _way_back()
    st.markdown(f"### {labels.OPEN_TITLE}", anchors=False)
    ways = [labels.TAB_URL, labels.TAB_FILE, labels.TAB_TYPED]
    by_url, by_file, by_hand = st.tabs(ways, key=WAYS_KEY, on_change=_forget_error)
    with by_url:
        _url_form()
    with by_file:
        reading_files.upload()
    with by_hand:
        _typed_form()
    with st.container(key="opening-state"):
        if page_session().reading is not None:
            st.fragment(reading_files.progress, run_every=reading_files.POLL_S)()
        elif page_session().open_error:
            st.error(md(page_session().open_error), icon=":material/error:")
            if page_session().offer_file:
                st.caption(labels.URL_ELSE)
                st.button(labels.URL_TO_FILE, key="to-file", icon=":material/upload_file:", on_click=_open_file_tab)


def _forget_error() -> None:
    """Drop what was said of another way to open a video."""
    page_session().open_error, page_session().offer_file = "", False


def _open_file_tab() -> None:
    st.session_state[WAYS_KEY] = labels.TAB_FILE
    _forget_error()


def _way_back() -> None:
    """Offer the video that was put away last, with its search, and those opened before it."""
    session, core = page_session(), services.core()
    with st.container(key="recent-videos"):
        if session.left is not None:
            title = md(session.left[0].title, 60) or labels.UNTITLED
            st.button(
                labels.BACK_TO_VIDEO.format(title=title),
                key="back-to-video",
                icon=":material/undo:",
                width="stretch",
                on_click=_go_back,
            )
        recent = core.videos.recent(owner())
        if recent:
            st.markdown(f"**{labels.RECENT_VIDEOS}**")
        for video in recent:
            st.button(
                md(video.title, 60) or labels.UNTITLED,
                key=f"recent-{video.key}",
                type="tertiary",
                icon=":material/history:",
                on_click=_open_recent,
                args=(video.key,),
            )


def _go_back() -> None:
    session = page_session()
    if session.left is None:
        return
    video, search = session.left
    job = services.core().job(search) if search else None
    if job is not None and job.question.video == video:
        address.restore(job)
    else:
        session.open(video)
    st.rerun()


def _open_recent(key: str) -> None:
    session = page_session()
    video = services.core().videos.open(key, owner())
    if video is not None:
        session.open(video)
    else:
        session.open_error = labels.VIDEO_GONE
    st.rerun()


def _url_form() -> None:
    with st.form("open-url", border=False):
        url = st.text_input(labels.URL_LABEL, key=URL_KEY, placeholder=labels.URL_HINT, max_chars=500)
        sent = st.form_submit_button(labels.URL_OPEN, icon=":material/play_circle:", width="stretch")
    if sent and url:
        with st.spinner(labels.URL_BUSY):
            reading_files.open_result(lambda: services.core().open_video(url), offer_file=True)


def _typed_form() -> None:
    with st.form("open-typed", border=False):
        title = st.text_input(labels.TYPED_TITLE, key="typed-title", placeholder=labels.TYPED_TITLE_HINT, max_chars=300)
        text = st.text_area(labels.TYPED_TEXT, key="typed-text", height=140, max_chars=MAX_TRANSCRIPT_CHARS)
        sent = st.form_submit_button(labels.TYPED_OPEN, icon=":material/edit_note:", width="stretch")
    if sent:
        _open_typed(str(title or "").strip(), str(text or "").strip())


def _open_typed(title: str, text: str) -> None:
    if not title and not text:
        page_session().open_error = labels.TYPED_EMPTY
        st.rerun()
    # The title is read as a line of the text, too: names in it count like names said aloud.
    reading_files.start(VideoUpload(f"{labels.TYPED_NAME}.txt", f"{title}\n\n{text}".strip().encode()), title)
