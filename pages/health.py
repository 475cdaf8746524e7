"""검색 상태: how asking the search services has gone, service by service and request by request."""

from __future__ import annotations

import streamlit as st

from pages.parts import health_board, health_labels, health_probe, page_errors, startup
from search_core.errors import SettingsError


def page() -> None:
    """Draw the controls, a check under way, and the board that refreshes itself."""
    st.header(health_labels.TITLE, anchor=False)
    st.caption(health_labels.LEAD)
    try:
        with st.container(key="health-controls", horizontal=True, vertical_alignment="center"):
            hours, auto = health_board.controls()
            st.space("stretch")
            health_probe.button()
        st.caption(health_labels.PROBE_NOTE)
        health_probe.panel()
        health_board.board(hours, auto=auto)
    except SettingsError as error:
        page_errors.show_bad_settings(error)
    startup.note_painted()


page()
