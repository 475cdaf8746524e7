"""관련도 실험실: stored searches with labels show which threshold and which settings to use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import controls, frame, lab_figures, lab_searches, labels, result_labels, services
from pages.parts.escaping import md
from search_core.domain import StoredSearch
from search_core.errors import StorageError
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.ranking.evaluation.threshold import threshold_curve

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

EXPERT = "전문가 · 검색 고르기, 곡선, 설정 견주기, 파일"
NONE = (
    "판정한 검색이 아직 없어요. 검색 페이지에서 **판정하기**를 켜고 결과를 판정하면, 몇 점을 기준으로 할지 여기서 약속해 드려요. "
    "먼저 둘러보려면 예시를 불러오세요."
)


def page() -> None:
    """Draw what the labels promise, and behind a fold all else."""
    controls.fill_in()
    with st.container(key="lab-note-place"):
        if note := st.session_state.pop(lab_searches.NOTE_KEY, ""):
            st.success(note)
    results = st.container(key="lab-results")
    expert = st.expander(EXPERT, key="lab-expert", on_change="rerun", icon=":material/tune:")
    with expert, st.container(key="lab-choice"):
        stored = lab_searches.choose()
    if not stored:
        with results:
            st.info(NONE if services.core().stored_searches.keeps else result_labels.OFF, icon=":material/science:")
            _load_samples()
    else:
        _findings(stored, results, expert)
    if expert.open:
        with expert:
            st.subheader(controls.PROFILES, anchor=False)
            lab_searches.profile_list()
            st.subheader("가져오기와 내보내기", anchor=False)
            for words, key, draw in (
                (lab_searches.PROFILE_IMPORT, "fold-profile", lab_searches.profile_imports),
                (lab_searches.IMPORT, "fold-labels", lab_searches.imports),
                (lab_searches.BATCH, "fold-questions", lab_searches.batch),
            ):
                with st.expander(words, key=key, on_change="rerun", icon=":material/upload_file:") as fold:
                    if fold.open:
                        draw()


def _load_samples() -> None:
    label, icon = "판정한 예시 검색 불러오기", ":material/science:"
    st.button(label, key="lab-samples", icon=icon, type="tertiary", on_click=lab_searches.load_samples)


def _findings(stored: tuple[StoredSearch, ...], results: DeltaGenerator, expert: ExpanderContainer) -> None:
    """Draw what the labels of *stored* promise and need into *results*, and into *expert*, when that is open, the rest."""
    searches, ranking = tuple(map(LabelledSearch.of, stored)), controls.ranking()
    labels = ScoredLabels.of(searches, ranking)
    curve = threshold_curve(labels)
    with results:
        lab_figures.promise(curve, labels, ranking)
        lab_searches.name_scorers(stored)
        lab_figures.next_labels(stored, labels, ranking)
    if not expert.open:
        return
    with expert:
        _load_samples()
        lab_searches.summarize(searches)
        lab_figures.since(stored, ranking)
        st.subheader("기준마다 얼마나 맞나요", anchor=False)
        lab_figures.threshold(curve, searches, labels, ranking)
        st.subheader("설정 견주기", anchor=False)
        lab_figures.comparison(searches)
        lab_figures.weights(searches)
        lab_searches.exports(searches, ranking)


st.header(labels.LAB, anchor=False)
with frame.whole():
    try:
        page()
    except StorageError as error:
        st.error(md(error.korean), icon=":material/database_off:")
