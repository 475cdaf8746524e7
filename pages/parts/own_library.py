"""How own documents are found, by words alone or by meaning, too; redrawn by itself while that changes."""

from __future__ import annotations

import streamlit as st

from pages.parts import services
from pages.parts.escaping import md
from search_core.presenting import library_line

REFRESH_S = 3.0
_WORDS = 300


def note() -> None:
    """Draw the note, as it changes while documents are got ready to be found by meaning."""
    under_way = services.core().own_documents.state().under_way
    with st.container(key="own-library"):
        st.fragment(_view, run_every=REFRESH_S if under_way else None)(under_way)


def line() -> str:
    """Return how own documents are found now, safe in Markdown; empty where there are none."""
    return md(library_line(services.core().own_documents.state()), _WORDS)


def _view(under_way: bool) -> None:
    if words := line():
        st.caption(words)
    if under_way and not services.core().own_documents.state().under_way:
        st.rerun()
