"""The requests of the time looked at, stretch by stretch."""

from __future__ import annotations

from datetime import datetime, timedelta

import streamlit as st

from pages.parts import health_labels
from search_core.health import HealthReport
from search_core.presenting.dates import KOREA

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


def timeline(report: HealthReport, span: str) -> None:
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
    with st.container(key="timeline"):
        # The bars are handed over beside the specification: when only they change, the chart moves and is not built anew.
        st.vega_lite_chart(_bars(report), _specification(_ticks(report)), alt=words, width="stretch")


def _ticks(report: HealthReport) -> str:
    hours = (report.until - report.since) / timedelta(hours=1)
    return next((pattern for most, pattern in _TICKS.items() if hours <= most + 0.5), _TICKS[168])


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
