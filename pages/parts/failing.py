"""What a visitor sees when something of ours breaks: a sentence, never a traceback."""

from __future__ import annotations

import logging

import streamlit as st

from pages.parts import labels

logger = logging.getLogger(__name__)


def show_unexpected(error: Exception) -> bool:
    """Log *error* in full and say on the page that something broke; True keeps Streamlit's own box away."""
    logger.error("A page ended in an error", exc_info=error)
    st.error(labels.UNEXPECTED, icon=":material/error:")
    return True


def note_missing_switch() -> None:
    """Log that Streamlit no longer has the switch for its old page router; a browser test then fails, too."""
    logger.warning("Streamlit's pages/ router could not be turned off")
