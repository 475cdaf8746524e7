"""대화: questions about the video, answered from its transcript, held against the web on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import address, chat_input, chat_messages, chat_sidebar, chat_state, frame, styles
from pages.parts.video_panel import video_panel

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def page() -> None:
    """Draw the three zones: conversations, the one that is open, video."""
    styles.script()
    frame.zones(_zones)


def _zones(main: DeltaGenerator, aside: DeltaGenerator) -> None:
    address.apply()
    conversation = chat_state.chat_page().attach()
    chat_state.ask_handed_over()
    chat_sidebar.sidebar(conversation)
    with main:
        if conversation is not None:
            chat_messages.messages(conversation)
        else:
            chat_input.welcome()
        chat_state.chat_page().show_problem()
    with aside:
        video_panel()
    with st.bottom:
        chat_input.bottom(conversation)
    chat_sidebar.dialog(conversation)


page()
