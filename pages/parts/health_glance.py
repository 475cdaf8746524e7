"""The top of the health page: alerts, and the figures of the chosen span."""

from __future__ import annotations

import streamlit as st

from pages.parts import health_labels, labels, services
from pages.parts.escaping import md
from search_core.domain import SearchStatus
from search_core.domain.reply import NO_WORD
from search_core.health import Alert, HealthReport, ProviderState, Totals

_NOT_ERRORS = (
    SearchStatus.SUCCESS,
    SearchStatus.NO_RESULTS,
    SearchStatus.TIMEOUT,
    *NO_WORD,
)
_SEEN = "health-seen"
TILE_PX = 124
"""A tile is at least this wide."""


def seconds(milliseconds: float | None) -> str:
    """Return a duration as people say it, or a dash where there is none."""
    return health_labels.UNKNOWN if milliseconds is None else health_labels.SECONDS.format(seconds=milliseconds / 1000)


def alerts(report: HealthReport) -> None:
    """Draw what an operator should look at, in words; what is merely good to know is folded."""
    urgent = [alert for alert in report.alerts if alert.level != "info"]
    infos = _infos(report)
    with st.container(key="alerts"):
        if urgent:
            with st.container(border=True, key="alerts-urgent"):
                st.markdown("\n\n".join(_line(alert) for alert in urgent))
        elif report.totals.asked:
            st.markdown(_calm(report))
        if infos:
            label = health_labels.INFOS.format(count=len(infos))
            with st.expander(label, key="alerts-info", icon=":material/info:", type="compact"):
                st.markdown("\n".join(f"- {md(alert.korean, 300)}" for alert in infos))


def _infos(report: HealthReport) -> tuple[Alert, ...]:
    """Return infos, which are shown once: they stay for this visit, though the next report leaves them out."""
    new = tuple(alert for alert in report.alerts if alert.level == "info")
    if new:
        services.core().acknowledge_alerts(report)
    shown = {alert.korean: alert for alert in (*st.session_state.get(_SEEN, ()), *new)}
    st.session_state[_SEEN] = tuple(shown.values())
    return tuple(shown.values())


def _calm(report: HealthReport) -> str:
    """Return what to say while nothing is pressing."""
    unwell = [each.label for each in report.providers if each.state in (ProviderState.DEGRADED, ProviderState.COOLING_DOWN)]
    if not unwell:
        return health_labels.ALL_GOOD
    return health_labels.UNWELL.format(count=len(unwell), labels=", ".join(md(label, 40) for label in unwell))


def _line(alert: Alert) -> str:
    return f"{health_labels.LEVELS[alert.level]} {md(alert.korean, 300)}"


def is_empty(report: HealthReport) -> bool:
    """Return whether no search was made in that time."""
    return not report.totals.asked and not report.events


def nothing_yet(span: str) -> None:
    """Say that there is nothing to count, and where to go."""
    with st.container(border=True, key="health-empty"):
        st.markdown(f":material/monitoring: **{health_labels.EMPTY.format(span=span)}**  \n{health_labels.EMPTY_NEXT}")
        st.page_link("pages/search.py", label=health_labels.GO_SEARCH, icon=":material/search:")


def tiles(report: HealthReport) -> None:
    """Draw the numbers of the time looked at, and say what they leave out."""
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
                seconds(totals.average_latency_ms),
                border=True,
                help=health_labels.AVERAGE_LATENCY_HELP.format(p50=seconds(totals.p50_ms)),
            )
            st.metric(
                health_labels.P95,
                seconds(totals.p95_ms),
                border=True,
                help=health_labels.P95_HELP.format(p99=seconds(totals.p99_ms)),
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
