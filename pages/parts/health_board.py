"""The part of the health page that is read anew every few seconds, and the controls over it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import (
    export,
    health_events,
    health_glance,
    health_labels,
    health_services,
    health_timeline,
    own_library,
    services,
)
from pages.parts.escaping import md
from pages.parts.visitor import is_operator, owner
from search_core.health import HealthReport, hide_queries
from search_core.presenting.dates import KOREA

if TYPE_CHECKING:
    from typing import Literal

REFRESH_S = 10
"""Seconds between two readings."""
KEPT_S = 5.0
"""A click on a filter shows the last reading again when it is younger than this."""
DEFAULT_HOURS = 24
RANGE_KEY, AUTO_KEY = "health-range", "health-auto"
_READING = "health-reading"


@dataclass(frozen=True, slots=True)
class _Reading:
    report: HealthReport
    hours: int
    read_at: float
    """On the monotonic clock, in seconds."""


def controls() -> tuple[int, bool]:
    """Draw what is looked at and whether the board refreshes itself; returns hours and that switch."""
    state = st.session_state
    state.setdefault(RANGE_KEY, DEFAULT_HOURS)
    state.setdefault(AUTO_KEY, True)
    hours = st.segmented_control(
        health_labels.RANGE,
        list(health_labels.RANGES),
        format_func=health_labels.RANGES.__getitem__,
        key=RANGE_KEY,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    help_text = health_labels.AUTO_HELP.format(seconds=REFRESH_S)
    auto = st.toggle(health_labels.AUTO, key=AUTO_KEY, help=help_text, persist_state="session")
    return int(hours or DEFAULT_HOURS), auto


def board(hours: int, *, auto: bool) -> None:
    """Draw the report of the last *hours* hours, read anew by itself while *auto*."""
    forget()  # a page opened, or a control moved, shows the present
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="health"):
        st.fragment(_view, run_every=REFRESH_S if auto else None)(hours, auto)


def forget() -> None:
    """Let the next drawing read anew."""
    st.session_state.pop(_READING, None)


def _read(hours: int, auto: bool) -> HealthReport:
    reading: _Reading | None = st.session_state.get(_READING)
    now = time.monotonic()
    if reading is None or reading.hours != hours or (auto and now - reading.read_at > KEPT_S):
        report = services.core().health(hours)
        reading = _Reading(report if is_operator() else hide_queries(report, owner()), hours, now)
        st.session_state[_READING] = reading
    return reading.report


def _view(hours: int, auto: bool) -> None:
    report, span = _read(hours, auto), health_labels.RANGES[hours]
    with st.container(key="health-kept"):  # always there: what follows does not move when a file is repaired
        for korean in services.core().storage_problems().values():
            st.error(md(korean, 300), icon=":material/database_off:")
    health_glance.alerts(report)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="health-head"):
        st.markdown(f"### {health_labels.GLANCE.format(span=span)}", anchors=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="health-tools"):
            st.caption(_update_line(report, auto), width="content")
            if not auto:
                st.button(
                    health_labels.REFRESH, key="health-refresh", type="tertiary", icon=":material/refresh:", on_click=forget
                )
            _export(report)
    if health_glance.is_empty(report):
        health_glance.nothing_yet(span)
    else:
        health_glance.tiles(report)
        health_timeline.timeline(report, span)
    health_services.rows(report)
    if report.events:
        health_events.table(report)
    _store(report)


def _update_line(report: HealthReport, auto: bool) -> str:
    words = health_labels.UPDATED if auto else health_labels.UPDATED_STILL
    return words.format(time=f"{report.until.astimezone(KOREA):%H:%M:%S}")


def _export(report: HealthReport) -> None:
    with st.popover(health_labels.EXPORT, icon=":material/download:", key="health-export", type="tertiary"):
        stamp = report.until.astimezone(KOREA).strftime("%Y%m%d-%H%M")
        filtered, chosen = health_events.chosen(report)
        st.caption(health_labels.EXPORT_CHOSEN.format(chosen=md(chosen)) if chosen else health_labels.EXPORT_ALL)
        export.buttons(
            health_labels.EXPORTS, partial(_data, filtered, chosen), stem=f"maekrak-health-{stamp}", key="health-export"
        )


def _data(report: HealthReport, chosen: str, name: Literal["csv", "json"]) -> bytes:
    return services.core().export_health(report, name, chosen=chosen).data


def _store(report: HealthReport) -> None:
    store = report.store
    lines = [health_labels.STORE.format(label=md(store.label, 80))]
    if store.capped:
        lines.append(health_labels.STORE_CAPPED)
    if store.lost:
        lines.append(health_labels.STORE_LOST.format(count=store.lost))
    with st.container(key="health-store"):
        if not store.working and all(alert.korean != store.korean for alert in report.alerts):
            st.markdown(f":orange[:material/save:] {md(store.korean, 300)}")
        st.caption(" · ".join(lines))
        if own := own_library.line():
            st.caption(own)
