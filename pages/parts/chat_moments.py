"""The moments of a message as buttons: each moves the video there."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import chat_labels, video_panel
from search_core.video_time import clock

MAX_MOMENTS = 12


def moment_buttons(message_id: str, moments: Sequence[int]) -> None:
    """Draw a button for each moment, which moves the video there."""
    for seconds in moments[:MAX_MOMENTS]:
        st.button(
            clock(seconds),
            key=f"at-{message_id}-t{seconds}",
            icon=":material/play_arrow:",
            help=chat_labels.MOMENT_HELP,
            on_click=video_panel.seek_second,
            args=(seconds,),
        )
