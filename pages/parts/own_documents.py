"""Own documents: how they are found now, and one of them to read."""

from __future__ import annotations

import streamlit as st

from pages.parts import services
from pages.parts.escaping import clean, md
from search_core.presenting import korean_date, library_line

PREFIX = "library:"
"""Begins the address of a document of the library."""
MAX_PARAGRAPHS = 200
REFRESH_S = 3.0
_WORDS = 300


def title_button(label: str, url: str, key: str) -> None:
    """Draw the title of a document, in *label* as Markdown, as a button that opens its text in a dialog."""
    if not st.button(label, key=key, type="tertiary", help="이 자료 읽기", width="stretch", wrap=True):
        return
    document = services.core().library_document(url)

    def read() -> None:
        if document is None:
            st.warning("이 자료를 더는 찾을 수 없어요. 지워졌거나 다시 색인되었을 수 있어요.")
            return
        facts = [md(document.source, 80)] if document.source else []
        if document.published is not None:
            facts.append(korean_date(document.published))
        st.caption(" · ".join(facts))
        for paragraph in document.text.split("\n\n")[:MAX_PARAGRAPHS]:
            if paragraph.strip():
                st.text(clean(paragraph, 4000))

    title = md(document.title, 160) if document is not None else ""
    st.dialog(title or "자료", width="medium")(read)()


def note() -> None:
    """Draw the note, as it changes while documents are got ready to be found by meaning."""
    under_way = services.core().own_documents.state().under_way
    with st.container(key="own-library"):
        st.fragment(_library_state, run_every=REFRESH_S if under_way else None)(under_way)


def how_found() -> str:
    """Return how own documents are found now, safe in Markdown; empty where there are none."""
    return md(library_line(services.core().own_documents.state()), _WORDS)


def _library_state(under_way: bool) -> None:
    if words := how_found():
        st.caption(words)
    if under_way and not services.core().own_documents.state().under_way:
        st.rerun()
