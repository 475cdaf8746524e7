"""관련도 실험실: stored searches with labels show which threshold and which settings to use."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts import controls, frame, lab_figures, lab_labels, lab_searches, services, startup
from pages.parts.escaping import md
from search_core.domain import StoredSearch
from search_core.errors import SettingsError, StorageError
from search_core.ranking.evaluation.labels import ScoredLabels


def page() -> None:
    """Draw the lab; a database that is away is said in its place."""
    st.header(lab_labels.PAGE, anchor=False)
    st.caption(lab_labels.LEAD)
    try:
        _lab()
    except SettingsError as error:
        frame.show_bad_settings(error)
    except StorageError as error:
        st.error(md(error.korean), icon=":material/database_off:")
    startup.note_painted()


def _lab() -> None:
    controls.fill_in()
    with st.container(key="lab-note-place"):
        if note := st.session_state.pop(lab_searches.NOTE_KEY, ""):
            st.success(note)
    with st.container(key="lab-choice"):
        stored = lab_searches.choose()
    if not services.core().stored_searches.keeps:
        st.caption(lab_labels.OFF)
    st.button(
        lab_labels.LOAD_SAMPLES, key="lab-samples", icon=":material/science:", type="tertiary", on_click=lab_searches.load_samples
    )
    with st.container(key="lab-results"):
        if stored:
            _findings(stored)
    st.subheader(lab_labels.PROFILES, anchor=False)
    lab_searches.profile_list()
    st.subheader(lab_labels.FILES, anchor=False)
    _fold(lab_labels.PROFILE_IMPORT, "fold-profile", lab_searches.profile_imports)
    _fold(lab_labels.IMPORT, "fold-labels", lab_searches.imports)
    _fold(lab_labels.BATCH, "fold-questions", lab_searches.batch)


def _fold(words: str, key: str, draw: Callable[[], None]) -> None:
    panel = st.expander(words, key=key, on_change="rerun", icon=":material/upload_file:")
    if panel.open:
        with panel:
            draw()


def _findings(stored: tuple[StoredSearch, ...]) -> None:
    searches, ranking = lab_searches.labelled(stored), controls.ranking()
    lab_searches.summarize(searches)
    lab_searches.name_scorers(stored)
    lab_figures.since(stored, ranking)
    st.subheader(lab_labels.THRESHOLD, anchor=False)
    labels = ScoredLabels.of(searches, ranking)
    lab_figures.threshold(searches, labels, ranking)
    st.subheader(lab_labels.NEXT, anchor=False)
    lab_figures.next_labels(stored, labels, ranking)
    st.subheader(lab_labels.COMPARE, anchor=False)
    lab_figures.comparison(searches)
    lab_figures.weights(searches)
    lab_searches.exports(searches, ranking)


page()
