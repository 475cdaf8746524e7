"""The requests one by one, newest first, with filters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import health_labels, labels
from pages.parts.escaping import clean
from search_core.domain import SearchEvent, SearchStatus
from search_core.health import HealthReport
from search_core.presenting import status_sentence

PAGE_SIZE = 20
STATUS_KEY, SERVICE_KEY, TEXT_KEY = "health-status", "health-service", "health-text"
_LIST = "health-list"
"""Counts changes of the filters: each list begins at its own first page."""
_COLOURS = {
    SearchStatus.SUCCESS: "green",
    SearchStatus.NO_RESULTS: "gray",
    SearchStatus.NOT_AWAITED: "gray",
    SearchStatus.COOLING_DOWN: "violet",
    SearchStatus.TIMEOUT: "orange",
    SearchStatus.RATE_LIMITED: "orange",
    SearchStatus.QUOTA_EXHAUSTED: "orange",
    SearchStatus.API_KEY_MISSING: "orange",
}
_TIME, _STATUS, _QUERY, _SERVICE, _COUNT, _LATENCY, _DETAIL = health_labels.COLUMNS


def chosen(report: HealthReport) -> tuple[HealthReport, str]:
    """Return *report* with the requests that the filters let through, and in words what they are; no words where all are."""
    names = {each.name: each.label for each in report.providers}
    state = st.session_state
    parts = [str(state.get(TEXT_KEY) or "").strip()]
    parts += [labels.STATUSES[status] for status in state.get(STATUS_KEY) or ()]
    parts += [names.get(name, name) for name in state.get(SERVICE_KEY) or ()]
    words = " · ".join(part for part in parts if part)
    found = tuple(event for event in report.events if _matches(event, names))
    if not words:
        return report, ""
    counted = health_labels.CHOSEN.format(words=words, count=len(found), total=len(report.events))
    return replace(report, events=found), counted


def table(report: HealthReport) -> None:
    """Draw filters, table and pages; what is chosen there stays while the page refreshes itself."""
    names = {each.name: each.label for each in report.providers}
    st.markdown(f"### {health_labels.EVENTS}", anchors=False)
    with st.container(key="events"):
        _filters(names)
        found = [event for event in report.events if _matches(event, names)]
        words = health_labels.FOUND_ALL if len(found) == len(report.events) else health_labels.FOUND_SOME
        st.caption(words.format(count=len(found), total=len(report.events)))
        if found:
            _page(found, names)
        else:
            with st.container(border=True, horizontal=True, vertical_alignment="center", key="events-none"):
                st.markdown(health_labels.NONE_FOUND, width="content")
                st.button(health_labels.CLEAR, key="events-clear", type="tertiary", icon=":material/close:", on_click=_clear)


def _filters(names: Mapping[str, str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="events-filters"):
        st.text_input(
            health_labels.FILTER_TEXT,
            key=TEXT_KEY,
            placeholder=health_labels.FILTER_TEXT_HINT,
            max_chars=200,
            on_change=_first_page,
            persist_state="session",
        )
        services = {name: clean(label, 40) for name, label in names.items()}
        for label, key, options in (
            (health_labels.FILTER_STATUS, STATUS_KEY, labels.STATUSES),
            (health_labels.FILTER_SERVICE, SERVICE_KEY, services),
        ):
            st.multiselect(
                label,
                list(options),
                format_func=options.__getitem__,
                key=key,
                placeholder=health_labels.FILTER_ALL,
                on_change=_first_page,
                persist_state="session",
            )


def _first_page() -> None:
    st.session_state[_LIST] = st.session_state.get(_LIST, 0) + 1


def _clear() -> None:
    st.session_state.update({TEXT_KEY: "", STATUS_KEY: [], SERVICE_KEY: []})
    _first_page()


def _matches(event: SearchEvent, names: Mapping[str, str]) -> bool:
    state = st.session_state
    statuses, chosen = state.get(STATUS_KEY) or (), state.get(SERVICE_KEY) or ()
    text = str(state.get(TEXT_KEY) or "").strip().casefold()
    if (statuses and event.status.value not in statuses) or (chosen and event.provider not in chosen):
        return False
    said = f"{event.query}\n{_detail(event)}\n{event.error_message or ''}\n{names.get(event.provider, event.provider)}"
    return text in said.casefold()


def _page(found: Sequence[SearchEvent], names: Mapping[str, str]) -> None:
    pages = math.ceil(len(found) / PAGE_SIZE)
    key = f"events-page-{st.session_state.get(_LIST, 0)}"
    page = int(st.session_state.get(key) or 1)
    if page > pages:  # the list became shorter; the pages below start over, too
        page = 1
    first = (page - 1) * PAGE_SIZE
    # Cells of this table are drawn as they are: no Markdown, no HTML, no addresses that can be clicked.
    st.dataframe(
        _columns(found[first : first + PAGE_SIZE], names),
        key="events-table",
        hide_index=True,
        height="content",
        placeholder=health_labels.UNKNOWN,
        alt=health_labels.EVENTS_ALT,
        column_config=_column_config(),
    )
    if pages > 1:
        st.pagination(pages, key=key, persist_state="session")


def _columns(shown: Sequence[SearchEvent], names: Mapping[str, str]) -> dict[str, list[Any]]:
    return {
        _TIME: [event.timestamp for event in shown],
        _STATUS: [_badges(event) for event in shown],
        _QUERY: [clean(event.query, 300) for event in shown],
        _SERVICE: [clean(names.get(event.provider, event.provider), 40) for event in shown],
        _COUNT: [event.result_count if event.status.answered else None for event in shown],
        _LATENCY: [event.latency_ms / 1000 if event.asked else None for event in shown],
        _DETAIL: [_detail(event) for event in shown],
    }


def _detail(event: SearchEvent) -> str:
    """Return in Korean what a failure means and what to do; the English cause is in the export."""
    return "" if event.status.answered else status_sentence(event.status)


def _badges(event: SearchEvent) -> list[str]:
    words = [labels.STATUSES[event.status.value]]
    words += [health_labels.KEPT] if event.from_cache else []
    return [*words, health_labels.PROBE_EVENT] if event.probe else words


def _column_config() -> dict[str, Any]:
    kinds = {labels.STATUSES[status.value]: _COLOURS.get(status, "red") for status in SearchStatus}
    kinds |= {health_labels.KEPT: "blue", health_labels.PROBE_EVENT: "violet"}
    config = st.column_config
    return {
        _TIME: config.DatetimeColumn(format="M[월] D[일] HH:mm:ss", timezone="Asia/Seoul", width=128),
        _QUERY: config.TextColumn(width=220),
        _SERVICE: config.TextColumn(width=110),
        _STATUS: config.MultiselectColumn(options=list(kinds), color=list(kinds.values()), width=160),
        _COUNT: config.NumberColumn(format="%d", width=60),
        _LATENCY: config.NumberColumn(format="%.1f초", width=70),
        _DETAIL: config.TextColumn(width=250),
    }
