"""The frame of pages about a video: two columns beside the sidebar, and a sentence for settings that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import page_errors, startup
from pages.parts.escaping import md
from search_core.errors import SettingsError

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

MAIN_WIDTH = 1.75
"""Width of the main column, where that of the video is 1."""


def announce(name: str, text: str) -> None:
    """Announce *text* to screen-reader users, once for each new *name*; ``static/page.js`` passes it to them."""
    st.container(key="announced").markdown(md(f"{name} {text}"))  # in one element: the browser sees none without the other


def zones(draw: Callable[[DeltaGenerator, DeltaGenerator], None], *, main_width: float = MAIN_WIDTH) -> None:
    """Let *draw* fill the main column and that of the video; a setting that cannot be used is said in place of the page."""
    with st.container(key="zones"):
        main, aside = st.columns([main_width, 1], gap="medium")
    try:
        draw(main, aside)
    except SettingsError as error:
        with main:
            page_errors.show_bad_settings(error)
    startup.note_painted()
