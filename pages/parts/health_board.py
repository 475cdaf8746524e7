"""The part of the health page that is read anew every few seconds: alerts, figures, services; and the controls over it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Literal

import streamlit as st

from pages.parts import export, health_events, health_labels, labels, own_documents, services
from pages.parts.escaping import md
from pages.parts.visitor import is_operator, owner
from search_core.domain import SearchStatus
from search_core.domain.reply import NO_WORD
from search_core.health import Alert, HealthReport, ProviderHealth, ProviderState, Totals, hide_queries
from search_core.presenting import health_export, relative_time
from search_core.presenting.dates import KOREA

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

REFRESH_S = 10
"""Seconds between two readings."""
KEPT_S = 5.0
"""A click on a filter shows the last reading again when it is younger than this."""
DEFAULT_HOURS = 24
RANGE_KEY, AUTO_KEY = "health-range", "health-auto"
_READING = "health-reading"
_NOT_ERRORS = (
    SearchStatus.SUCCESS,
    SearchStatus.NO_RESULTS,
    SearchStatus.TIMEOUT,
    *NO_WORD,
)
_SEEN = "health-seen"
TILE_PX = 124
"""A tile is at least this wide."""
HEIGHT = 230
GAP = 0.12
"""Part of a stretch left empty between two bars."""
_KINDS = (
    ("success", health_labels.SUCCESS, "#2f9e68"),
    ("no_results", health_labels.NO_RESULTS, "#9aa3b5"),
    ("timeout", health_labels.TIMEOUT, "#e0913a"),
    ("error", health_labels.ERROR, "#d9545a"),
)
"""Colours that stand out on both themes, from the bottom of a bar to its top."""
_TICKS = {1: "%H:%M", 24: "%-H시", 168: "%-m월 %-d일"}


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


def board(head: DeltaGenerator, hours: int, *, auto: bool) -> None:
    """Draw the report of the last *hours* hours, read anew by itself while *auto*; into *head* whether all is well."""
    st.session_state.pop(_READING, None)  # a page opened, or a control moved, shows the present
    every_s = REFRESH_S if auto else None
    with head:
        st.fragment(_head, run_every=every_s)(hours, auto)
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="health"):
        st.fragment(_view, run_every=every_s)(hours, auto)


def _read(hours: int, auto: bool) -> HealthReport:
    reading: _Reading | None = st.session_state.get(_READING)
    now = time.monotonic()
    if reading is None or reading.hours != hours or (auto and now - reading.read_at > KEPT_S):
        report = services.core().health(hours)
        reading = _Reading(report if is_operator() else hide_queries(report, owner()), hours, now)
        st.session_state[_READING] = reading
    return reading.report


def _head(hours: int, auto: bool) -> None:
    """Say in a sentence whether all is well, or what to look at."""
    report = _read(hours, auto)
    with st.container(key="health-kept"):  # always there: what follows does not move when a file is repaired
        for korean in services.core().storage_problems().values():
            st.error(md(korean, 300), icon=":material/database_off:")
    urgent = [f"{health_labels.LEVELS[alert.level]} {md(alert.korean, 300)}" for alert in report.alerts if alert.level != "info"]
    if len(urgent) > 1:
        urgent.insert(0, health_labels.TO_DO.format(count=len(urgent)))
    with st.container(key="alerts"):
        st.markdown("\n\n".join(urgent) or (_calm(report) if report.totals.asked else health_labels.UNKNOWN_YET))


def _view(hours: int, auto: bool) -> None:
    report, span = _read(hours, auto), health_labels.RANGES[hours]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="health-head"):
        st.markdown(f"### {health_labels.GLANCE.format(span=span)}", anchors=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="health-tools"):
            words = health_labels.UPDATED if auto else health_labels.UPDATED_STILL
            st.caption(words.format(time=f"{report.until.astimezone(KOREA):%H:%M:%S}"), width="content")
            if not auto:
                st.button(
                    health_labels.REFRESH, key="health-refresh", type="tertiary", icon=":material/refresh:", on_click=st.rerun
                )
            _export(report)
    if not report.totals.asked and not report.events:
        with st.container(border=True, key="health-empty"):
            st.markdown(f":material/monitoring: **{health_labels.EMPTY.format(span=span)}**  \n{health_labels.EMPTY_NEXT}")
            st.page_link("pages/search.py", label=health_labels.GO_SEARCH, icon=":material/search:")
    else:
        _tiles(report)
        _timeline(report, span)
    _rows(report)
    if report.events:
        health_events.table(report)
    _store(report)


def _export(report: HealthReport) -> None:
    with st.popover(health_labels.EXPORT, icon=":material/download:", key="health-export", type="tertiary"):
        stamp = report.until.astimezone(KOREA).strftime("%Y%m%d-%H%M")
        filtered, chosen = health_events.chosen(report)
        st.caption(health_labels.EXPORT_CHOSEN.format(chosen=md(chosen)) if chosen else health_labels.EXPORT_ALL)
        export.buttons(
            health_labels.EXPORTS, partial(_data, filtered, chosen), stem=f"maekrak-health-{stamp}", key="health-export"
        )


def _data(report: HealthReport, chosen: str, name: Literal["csv", "json"]) -> bytes:
    return health_export(report, name, chosen=chosen)


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
        if own := own_documents.how_found():
            st.caption(own)


def _seconds(milliseconds: float | None) -> str:
    """Return a duration as people say it, or a dash where there is none."""
    return health_labels.UNKNOWN if milliseconds is None else health_labels.SECONDS.format(seconds=milliseconds / 1000)


def _infos(report: HealthReport) -> tuple[Alert, ...]:
    """Return infos, which are shown once: they stay for this visit, though the next report leaves them out."""
    new = tuple(alert for alert in report.alerts if alert.level == "info")
    if new:
        services.core().monitor.acknowledge_alerts(report)
    shown = {alert.korean: alert for alert in (*st.session_state.get(_SEEN, ()), *new)}
    st.session_state[_SEEN] = tuple(shown.values())
    return tuple(shown.values())


def _calm(report: HealthReport) -> str:
    """Return what to say while nothing is pressing."""
    unwell = [each.label for each in report.providers if each.state in (ProviderState.DEGRADED, ProviderState.COOLING_DOWN)]
    if not unwell:
        return health_labels.ALL_GOOD
    return health_labels.UNWELL.format(count=len(unwell), labels=", ".join(md(label, 40) for label in unwell))


def _tiles(report: HealthReport) -> None:
    totals = report.totals
    with st.container(key="glance"):
        with st.grid("auto", min_column_width=TILE_PX):
            _share_tile(health_labels.SUCCESS, totals.success, totals)
            _share_tile(health_labels.NO_RESULTS, totals.no_results, totals)
            _share_tile(health_labels.TIMEOUT, totals.timeout, totals)
            _share_tile(health_labels.ERROR, totals.error, totals, _errors(totals))
            average = totals.average_results
            st.metric(
                health_labels.AVERAGE_RESULTS,
                health_labels.UNKNOWN if average is None else f"{average:.1f}",
                border=True,
                help=health_labels.AVERAGE_RESULTS_HELP,
            )
            st.metric(
                health_labels.AVERAGE_LATENCY,
                _seconds(totals.average_latency_ms),
                border=True,
                help=health_labels.AVERAGE_LATENCY_HELP.format(p50=_seconds(totals.p50_ms)),
            )
            st.metric(
                health_labels.P95,
                _seconds(totals.p95_ms),
                border=True,
                help=health_labels.P95_HELP.format(p99=_seconds(totals.p99_ms)),
            )
        asked = [event for event in report.events if event.asked]
        probes = sum(event.probe for event in asked)
        st.caption(_besides(totals, len(asked) - probes - totals.asked, probes))


def _share_tile(label: str, count: int, totals: Totals, help_text: str | None = None) -> None:
    value = f"{count:,}"
    if totals.asked:
        value = health_labels.SHARE.format(count=count, percent=round(count / totals.asked * 100))
    st.metric(f"{health_labels.ICONS[label]} {label}", value, border=True, help=help_text)


def _errors(totals: Totals) -> str | None:
    """Return the errors by what they were, or None where there are none."""
    parts = [
        health_labels.ERROR_PART.format(status=labels.STATUSES[status.value], count=count)
        for status, count in totals.by_status.items()
        if count and status not in _NOT_ERRORS
    ]
    return " · ".join(parts) or None


def _besides(totals: Totals, own: int, probes: int) -> str:
    """Return what was counted, and that *own* requests to the library and *probes* were not."""
    facts = [health_labels.ASKED.format(count=totals.asked)]
    if totals.from_cache:
        facts.append(health_labels.FROM_CACHE.format(count=totals.from_cache))
    if totals.not_asked:
        facts.append(health_labels.NOT_ASKED.format(count=totals.not_asked))
    if totals.not_awaited:
        facts.append(health_labels.NOT_AWAITED.format(count=totals.not_awaited))
    if own > 0:
        facts.append(health_labels.OWN_UNCOUNTED.format(count=own))
    if probes:
        facts.append(health_labels.PROBES_UNCOUNTED.format(count=probes))
    return " · ".join(facts)


def _rows(report: HealthReport) -> None:
    """Draw the services that are on as a table, and fold those off by choice below it."""
    on = [each for each in report.providers if each.state is not ProviderState.ABSENT]
    off = [each for each in report.providers if each.state is ProviderState.ABSENT]
    st.markdown(f"### {health_labels.SERVICES}", anchors=False)
    with st.container(key="services"):
        if on:
            st.markdown("\n".join([health_labels.SERVICES_HEAD, *(_row(each, report.until) for each in on)]))
        if infos := _infos(report):
            label = health_labels.INFOS.format(count=len(infos))
            with st.expander(label, key="alerts-info", icon=":material/info:", type="compact"):
                st.markdown("\n".join(f"- {md(alert.korean, 300)}" for alert in infos))
        if off:
            label = health_labels.OFF.format(count=len(off))
            with st.expander(label, key="services-off", icon=":material/power_settings_new:", type="compact"):
                st.caption(health_labels.OFF_NOTE)
                st.markdown("\n".join(f"- **{md(each.label, 40)}** — {md(each.korean, 300)}" for each in off))


def _row(each: ProviderHealth, now: datetime) -> str:
    totals, last, latencies = each.totals, f":gray[{health_labels.NEVER}]", f":gray[{health_labels.NO_LATENCY}]"
    if each.last_success is not None:
        last = health_labels.LAST_SUCCESS.format(when=relative_time(each.last_success, now))
    if totals.p50_ms is not None:
        latencies = health_labels.LATENCIES.format(p50=_seconds(totals.p50_ms), p95=_seconds(totals.p95_ms))
    counts = [words.format(count=getattr(totals, name)) for name, words in health_labels.COUNTS if getattr(totals, name)]
    counted = " · ".join(counts) or f":gray[{health_labels.NO_COUNTS}]"
    return f"| **{md(each.label, 40)}** | {_how(each, now)} | {last} | {latencies} | {counted} |"


def _how(each: ProviderHealth, now: datetime) -> str:
    words = f"{health_labels.STATES[each.state]} {md(each.korean, 300)}"
    if each.last_error is None:
        return words
    # The sentence of a service that is not well already says what went wrong.
    explained = not each.last_error_korean or each.last_error_korean in each.korean
    pattern = health_labels.LAST_ERROR if explained else health_labels.LAST_ERROR_WORDS
    last = pattern.format(when=relative_time(each.last_error.timestamp, now), words=md(each.last_error_korean, 300))
    return f"{words} :small[:gray[{last}]]"


def _timeline(report: HealthReport, span: str) -> None:
    """Draw what became of the requests as stacked bars over Korean time."""
    if not report.timeline:
        return
    totals = report.totals
    st.markdown(f"### {health_labels.TIMELINE}", anchors=False)
    words = health_labels.TIMELINE_ALT.format(
        span=span,
        asked=totals.asked,
        success=totals.success,
        no_results=totals.no_results,
        timeout=totals.timeout,
        error=totals.error,
    )
    hours = (report.until - report.since) / timedelta(hours=1)
    ticks = next((pattern for most, pattern in _TICKS.items() if hours <= most + 0.5), _TICKS[168])
    with st.container(key="timeline"):
        # The bars are handed over beside the specification: when only they change, the chart moves and is not built anew.
        st.vega_lite_chart(_bars(report), _specification(ticks), alt=words, width="stretch")


def _bars(report: HealthReport) -> dict[str, list[object]]:
    """Return a rectangle for each kind in each stretch, empty ones left out but for the first kind, which holds the axis."""
    columns: dict[str, list[object]] = {name: [] for name in ("start", "end", "low", "high", "kind", "count", "time")}
    slices = report.timeline
    length = slices[1].start - slices[0].start if len(slices) > 1 else report.until - slices[0].start
    for piece in slices:
        low = 0
        for name, label, _ in _KINDS:
            count = getattr(piece, name)
            if not count and name != _KINDS[0][0]:
                continue
            row = (_place(piece.start + length * GAP / 2), _place(piece.start + length * (1 - GAP / 2)), low, low + count)
            said = f"{piece.start.astimezone(KOREA):%m-%d %H:%M}–{(piece.start + length).astimezone(KOREA):%H:%M}"
            for column, value in zip(columns.values(), (*row, label, count, said), strict=True):
                column.append(value)
            low += count
    return columns


def _place(moment: datetime) -> float:
    """Return *moment* in milliseconds as if Korea's clock were that of Greenwich: the chart is drawn on a UTC axis."""
    offset = KOREA.utcoffset(None)
    return (moment.timestamp() + offset.total_seconds()) * 1000


def _specification(ticks: str) -> dict[str, object]:
    time_axis = {"title": None, "format": ticks, "grid": False, "tickCount": 8, "labelOverlap": True}
    count_axis = {"title": health_labels.AXIS_TITLE, "tickMinStep": 1, "tickCount": 4, "format": "d"}
    return {
        "height": HEIGHT,
        "padding": {"left": 0, "top": 0, "right": 0, "bottom": 0},
        "config": {"view": {"stroke": None}},
        "mark": {"type": "rect"},
        "encoding": {
            "x": {"field": "start", "type": "temporal", "scale": {"type": "utc"}, "axis": time_axis},
            "x2": {"field": "end"},
            "y": {"field": "low", "type": "quantitative", "axis": count_axis},
            "y2": {"field": "high"},
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": {"domain": [label for _, label, _ in _KINDS], "range": [colour for _, _, colour in _KINDS]},
                "legend": {"title": None, "orient": "top", "offset": 6, "padding": 0},
            },
            "tooltip": [
                {"field": "time", "title": health_labels.TIP_TIME},
                {"field": "kind", "title": health_labels.TIP_KIND},
                {"field": "count", "title": health_labels.TIP_COUNT},
            ],
        },
    }
