"""The frame of the pages: scripts, the columns beside the sidebar, and errors in place of a page."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared import services, static_files
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.page_session import page_session
from search_core.errors import SettingsError

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

SEARCHED_CHARS = 100
_TAB_KEY = "work-tab"
_TABS = {"thread": "작업", "claims": "주장 확인"}
logger = logging.getLogger(__name__)


def announce(name: str, text: str) -> None:
    """Announce *text* to screen-reader users, once for each new *name*; ``static/page.js`` passes it to them."""
    st.container(key=f"announced-{name.split('-', 1)[0]}").markdown(
        md(f"{name} {text}")
    )  # one element, so that the browser never has one without the other


@contextmanager
def zones(*, beside: bool) -> Iterator[tuple[DeltaGenerator, DeltaGenerator]]:
    """Provide the main column and, if something is *beside* it, the column of the video."""
    with st.container(key="zones" if beside else "alone"):
        if beside:
            main, aside = st.columns([1.75, 1], gap="medium")
        else:
            main, aside = st.container(), st.container()
        yield main, aside


def tabs() -> DeltaGenerator:
    """Draw the tabs of a video (thread and claims), and return the open one's container; the other is emptied at once."""
    session = page_session()
    here = session.tab or "thread"
    if session.video is not None:
        st.session_state[_TAB_KEY] = here
        st.segmented_control(
            "보기",
            list(_TABS),
            format_func=_TABS.__getitem__,
            key=_TAB_KEY,
            required=True,
            label_visibility="collapsed",
            on_change=_switch_tab,
        )
    return {name: st.container() if name == here else st.empty() for name in _TABS}[here]


def _switch_tab() -> None:
    chosen = st.session_state[_TAB_KEY]
    page_session().tab = "" if chosen == "thread" else chosen


@contextmanager
def whole() -> Iterator[None]:
    """Draw a page inside the block; for an invalid setting draw an explanation instead."""
    page_session().names_moment = False
    try:
        yield
    except SettingsError as error:
        st.error(f"설정에 문제가 있어서 시작하지 못했어요.\n\n{md(error.korean)}", icon=":material/settings_alert:")
    services.note_painted()


def search_line(name: str, key: str, on_change: Callable[[], None] | None = None) -> str:
    """Draw a search box for the list below it, and return the words in it."""
    text = st.text_input(
        name,
        key=key,
        on_change=on_change,
        placeholder=name,
        label_visibility="collapsed",
        icon=":material/search:",
        max_chars=SEARCHED_CHARS,
    )
    return clean(text or "", SEARCHED_CHARS)


def first_on_page(key: str, size: int) -> int:
    """Return the index of the first entry on the current page of a list with *size* entries a page."""
    return (int(st.session_state.get(key) or 1) - 1) * size


def pages(key: str, count: int, size: int) -> None:
    """Draw the page switch of a list with *count* entries, if it needs several pages."""
    if count > size:
        st.pagination(math.ceil(count / size), key=key)


def under_way(words: str, label: str, key: str, stop: Callable[[], None], *, icon: str = ":material/close:") -> None:
    """Draw what is in progress, *words* as Markdown, beside the button that stops it."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f":shimmer[{words}]", width="content")
        st.button(label, key=key, icon=icon, on_click=stop)


def show_unexpected(error: Exception) -> bool:
    """Log *error* in full and say on the page that something broke; return True, which suppresses Streamlit's own box."""
    logger.error("A page ended in an error", exc_info=error)
    st.error("화면을 그리다가 문제가 생겼어요. 새로 고침해 주세요. 계속되면 관리자에게 알려 주세요.", icon=":material/error:")
    return True


def add_script(name: str, *, key: str) -> None:
    """Load a script of ``static/`` into the page, in a container of this *key*."""
    with st.container(key=key):
        st.html(f'<script src="{static_files.address_of(name)}"></script>', unsafe_allow_javascript=True)
