"""The style sheet all pages share, and the script of those that need one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts import labels

SHEET = Path(__file__).parent / "styles.css"


def apply_styles() -> None:
    """Put spacing and line breaks on the page; drawn before anything else."""
    with st.container(key="look"):
        # Not a bare style: Streamlit would keep that among the toasts, and the next toast would wipe it away.
        words = f':root {{ --menu: "{labels.MENU}"; }}'
        st.html(f"<style>{words}{SHEET.read_text(encoding='utf-8')}</style><div></div>")


def add_page_script() -> None:
    """Load what every page needs of the browser: a tidy history, and an answer to a question at once."""
    with st.container(key="page-script"):
        st.html('<script src="app/static/page.js"></script>', unsafe_allow_javascript=True)


def script(name: str = "chat.js") -> None:
    """Load what a page drawn by the server cannot do itself: notice that the browser is offline, follow a moment in place."""
    with st.container(key="script"):
        st.html(f'<script src="app/static/{name}"></script>', unsafe_allow_javascript=True)
