"""Saving the search on the page, labels of its results, and the threshold they recommend."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from pages.parts.shared import services
from pages.parts.shared.buttons import quiet
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import page_session
from pages.parts.shared.visitor import owner
from search_core.domain.report import Label, SearchReport, result_key
from search_core.domain.result import SearchResult
from search_core.errors import MaekrakError
from search_core.runtime import run_in_thread

if TYPE_CHECKING:
    from search_core.search.ranking.evaluation import Suggestion

logger = logging.getLogger(__name__)
Read = TypeVar("Read")

MODE_KEY = "labelling"
_STORED, _LABELS, _FAILED = "search-kept", "search-labels", "search-not-kept"
_SUGGESTION = "suggested-threshold"
LABELS = {Label.RELEVANT: "관련 있음", Label.UNSURE: "애매함", Label.NOT_RELEVANT: "관련 없음"}


def store_search() -> None:
    """Store the search on the page once it has ended, in the background."""
    session, state = page_session(), st.session_state
    if session.job is not None or session.report is None or not session.report_of:
        return
    if state.get(_STORED) != session.report_of and services.core().stored_searches.keeps:
        state[_STORED] = session.report_of
        run_in_thread(partial(_store, session.report_of, owner(), session.report), "maekrak-keep-search")


def _store(search_id: str, owner: str, report: SearchReport) -> None:
    try:
        services.core().stored_searches.keep(search_id, owner, report)
    except MaekrakError as error:  # a visitor who labels its results is told
        logger.warning("A search cannot be kept: %s", error)


def switch() -> None:
    """Draw the switch that shows labels beside the results."""
    with st.container(key="labelling-place"):
        if not services.core().stored_searches.keeps:
            st.caption("검색을 보관하지 않도록 설정되어 있어서 평가할 수 없어요.")
            return
        tip = "결과마다 관련 있는지 표시해요. 같은 표시를 다시 누르면 지워져요. 표시가 모이면 알맞은 기준을 추천해요."
        st.toggle("관련성 평가", key=MODE_KEY, help=tip, persist_state="session")
        if failed := st.session_state.get(_FAILED):
            st.caption(f"이 검색을 보관하지 못했어요. {md(failed)}")


def recommendation(report: SearchReport | None, use: Callable[[int], None]) -> None:
    """Draw the threshold recommended by the visitor's labels, applied by *use*; while labelling, how many are missing."""
    with st.container(key="recommendation-place"):
        suggestion = _suggestion(report)
        if suggestion is None or not suggestion.labels:
            return
        if suggestion.threshold is not None or st.session_state.get(MODE_KEY):
            st.caption(suggestion.korean)
        if suggestion.threshold is not None:
            quiet("추천 기준 쓰기", use, round(suggestion.threshold * 100), key="use-threshold")


def _suggestion(report: SearchReport | None) -> Suggestion | None:
    """Return what the visitor's labels recommend for *report*; computed again after each label."""
    core = services.core()
    if report is None or not core.stored_searches.keeps:
        return None
    return _read_once(_SUGGESTION, report.scorer, lambda: core.suggest_threshold(report, owner()))


def _read_once(key: str, of: str, read: Callable[[], Read]) -> Read | None:
    """Return the result of *read*, stored under *key* until *of* changes; None, with a note on the page, if *read* fails."""
    state = st.session_state
    if state.get(key, ("",))[0] != of:
        try:
            state[key] = of, read()
        except MaekrakError as error:
            state[_FAILED] = error.korean
            return None
    result: Read = state[key][1]
    return result


def choice(result: SearchResult, name: str) -> None:
    """Draw the three labels of the result *name*; pressing the active one removes it."""
    if not st.session_state.get(MODE_KEY):
        return
    search, address = page_session().report_of, result.url
    key = f"label-{search}-{result_key(address)}"
    st.session_state[key] = _labels().get(result_key(address))
    st.segmented_control(
        f"{name} 평가",
        list(Label),
        format_func=LABELS.__getitem__,
        key=key,
        label_visibility="collapsed",
        on_change=_label,
        args=(key, address),
    )


def _labels() -> dict[str, Label]:
    search = page_session().report_of
    labels = _read_once(_LABELS, search, lambda: dict(services.core().stored_searches.labels(search, owner())))
    return {} if labels is None else labels


def _label(key: str, address: str) -> None:
    session, state = page_session(), st.session_state
    if key not in state:  # another search has come between the click and this
        return
    label: Label | None = state[key]
    searches = services.core().stored_searches
    try:
        if not searches.label(session.report_of, owner(), address, label) and session.report is not None:
            searches.keep(session.report_of, owner(), session.report)  # not stored yet, or gone meanwhile
            searches.label(session.report_of, owner(), address, label)
    except MaekrakError as error:
        state[_FAILED] = error.korean
        return
    state.pop(_FAILED, None)
    state.pop(_SUGGESTION, None)
    labels = _labels()
    if label is None:
        labels.pop(result_key(address), None)
    else:
        labels[result_key(address)] = label
