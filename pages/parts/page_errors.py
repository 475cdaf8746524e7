"""Error messages of the pages: a sentence for the visitor, the traceback for the log."""

from __future__ import annotations

import logging

import streamlit as st

from pages.parts import labels
from pages.parts.escaping import md
from search_core.errors import SettingsError

logger = logging.getLogger(__name__)


def show_unexpected(error: Exception) -> bool:
    """Log *error* in full and say on the page that something broke; return True, which suppresses Streamlit's own box."""
    logger.error("A page ended in an error", exc_info=error)
    st.error(labels.UNEXPECTED, icon=":material/error:")
    return True


def show_bad_settings(error: SettingsError) -> None:
    """Name the setting that stops the search from starting."""
    st.error(f"{labels.BAD_SETTINGS}\n\n{md(error.korean)}", icon=":material/settings_alert:")


def note_missing_switch() -> None:
    """Log that Streamlit no longer has the switch for its old page router; a browser test then fails, too."""
    logger.warning("Streamlit's pages/ router could not be turned off")
