"""One row for each search service: how it is doing, when it last worked, what went wrong last."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from pages.parts import health_labels
from pages.parts.escaping import md
from pages.parts.health_glance import seconds
from search_core.health import HealthReport, ProviderHealth, ProviderState, Totals
from search_core.presenting import relative_time


def rows(report: HealthReport) -> None:
    """Draw the services that are on as a table, and fold those off by choice below it."""
    on = [each for each in report.providers if each.state is not ProviderState.ABSENT]
    off = [each for each in report.providers if each.state is ProviderState.ABSENT]
    st.markdown(f"### {health_labels.SERVICES}", anchors=False)
    with st.container(key="services"):
        if on:
            st.markdown("\n".join([health_labels.SERVICES_HEAD, *(_row(each, report.until) for each in on)]))
        if off:
            label = health_labels.OFF.format(count=len(off))
            with st.expander(label, key="services-off", icon=":material/power_settings_new:", type="compact"):
                st.caption(health_labels.OFF_NOTE)
                st.markdown("\n".join(f"- **{md(each.label, 40)}** — {md(each.korean, 300)}" for each in off))


def _row(each: ProviderHealth, now: datetime) -> str:
    cells = (
        f"**{md(each.label, 40)}**",
        _how(each, now),
        _last_success(each, now),
        _latencies(each.totals),
        _counts(each.totals),
    )
    return f"| {' | '.join(cells)} |"


def _how(each: ProviderHealth, now: datetime) -> str:
    words = f"{health_labels.STATES[each.state]} {md(each.korean, 300)}"
    if each.last_error is None:
        return words
    # The sentence of a service that is not well already says what went wrong.
    explained = not each.last_error_korean or each.last_error_korean in each.korean
    pattern = health_labels.LAST_ERROR if explained else health_labels.LAST_ERROR_WORDS
    last = pattern.format(when=relative_time(each.last_error.timestamp, now), words=md(each.last_error_korean, 300))
    return f"{words} :small[:gray[{last}]]"


def _last_success(each: ProviderHealth, now: datetime) -> str:
    if each.last_success is None:
        return f":gray[{health_labels.NEVER}]"
    return health_labels.LAST_SUCCESS.format(when=relative_time(each.last_success, now))


def _latencies(totals: Totals) -> str:
    if totals.p50_ms is None:
        return f":gray[{health_labels.NO_LATENCY}]"
    return health_labels.LATENCIES.format(p50=seconds(totals.p50_ms), p95=seconds(totals.p95_ms))


def _counts(totals: Totals) -> str:
    parts = [words.format(count=getattr(totals, name)) for name, words in health_labels.COUNTS if getattr(totals, name)]
    return " · ".join(parts) or f":gray[{health_labels.NO_COUNTS}]"
