"""The moment of the video that the next question is about, beside the box in which it is asked."""

from __future__ import annotations

import streamlit as st

from pages.parts.buttons import quiet
from pages.parts.page_session import page_session
from search_core.text.video_time import clock

FRAGMENT = "moment"
ASKED_FROM = "{time} 장면에서 묻는 중"
DROP_HELP = "이 장면과 상관없이 물어봐요"


def moment_line() -> None:
    """Name the moment, which a click takes out of the question; redrawn alone when the visitor moves in the video."""
    page_session().names_moment = True
    with st.container(key="asked-from"):
        st.fragment(_draw, key=FRAGMENT)()


def _draw() -> None:
    moment_s = page_session().moment_s
    if moment_s is not None:
        label = f":gray[{ASKED_FROM.format(time=clock(moment_s))}]"
        quiet(label, _drop, key="drop-moment", icon="close", icon_position="right", tip=DROP_HELP)


def _drop() -> None:
    page_session().moment_s = None
