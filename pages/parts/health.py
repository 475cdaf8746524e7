"""The part of the health page that is redrawn every few seconds: alerts, four numbers, a chart, services, newest requests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from pages.parts.shared import buttons, services
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.visitor import is_operator, owner
from search_core.domain.reply import SearchEvent
from search_core.health.report import HealthReport, ProviderHealth, ProviderState, TimeSlice, hide_queries
from search_core.language.dates import KOREA
from search_core.search.presenting.dates import relative_time
from search_core.search.presenting.health_text import LEVELS, STATE_NAMES, averages, duration, health_export
from search_core.search.presenting.ledger import status_sentence
from search_core.search.presenting.wording import library_line

LOG_LENGTH = 200
"""Requests in the log on the page; files have all of them."""
OUTCOMES = (
    ("success", "성공", "#2f9e68"),
    ("no_results", "결과 없음", "#9aa3b5"),
    ("timeout", "시간 초과", "#e0913a"),
    ("error", "오류", "#d9545a"),
)
"""Field, name and colour of the bar, from the bottom of a bar to its top."""
EMPTY = ":material/monitoring: **지난 24시간 동안 검색한 기록이 없어요**  \n검색하면 여기에 성공률과 응답 시간이 나타나요."
_LEVEL_LOOKS = {"critical": ("red", "error"), "warning": ("orange", "warning")}
_UNWELL = (ProviderState.DEGRADED, ProviderState.COOLING_DOWN)


def board() -> None:
    """Draw how searching has gone in the last 24 hours, read anew every ten seconds."""
    services.core()  # raises here, so that an unusable setting is reported in place of the page
    # A container of its own: a page under load would otherwise lose the element after a fragment that redraws itself.
    with st.container(key="health"):
        st.fragment(_view, run_every=10)()


def _view() -> None:
    report = services.core().health()
    report = report if is_operator() else hide_queries(report, owner())
    _say_what_is_wrong(report)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="health-head"):
        st.markdown("### 지난 24시간", anchors=False, width="content")
        buttons.download_button(
            buttons.EXPORT,
            partial(health_export, report),
            "json",
            "maekrak-health",
            report.until,
            key="health-export",
            icon=":material/download:",
            type="tertiary",
            help="요청 기록 모두와 숫자를 JSON으로 받아요.",
        )
    if report.totals.asked or report.events:
        _numbers(report)
        _timeline(report.timeline)
    else:
        st.markdown(EMPTY)
    _services(report)
    if report.events:
        _log(report)
    _store(report)


def _say_what_is_wrong(report: HealthReport) -> None:
    for korean in services.core().storage_problems().values():
        st.error(md(korean, 300), icon=":material/database_off:")
    unwell = ", ".join(md(service.label, 40) for service in report.providers if service.state in _UNWELL)
    urgent = [alert for alert in report.alerts if alert.level in _LEVEL_LOOKS]
    if urgent:
        looks = ((*_LEVEL_LOOKS[alert.level], LEVELS[alert.level], md(alert.korean, 300)) for alert in urgent)
        st.markdown("\n\n".join(f":{colour}-badge[:material/{icon}: {level}] {korean}" for colour, icon, level, korean in looks))
    elif unwell:
        st.markdown(f":orange[:material/warning:] 상태가 좋지 않은 검색 서비스가 있어요: {unwell}. 왜 그런지는 아래 표에 있어요.")
    elif report.totals.asked:
        st.markdown(":green[:material/check_circle:] 모두 잘 되고 있어요. 지금은 살펴볼 문제가 없어요.")


def _numbers(report: HealthReport) -> None:
    totals = report.totals
    with st.container(key="glance"):
        for column, (name, label, _) in zip(st.columns(len(OUTCOMES)), OUTCOMES, strict=True):
            count = getattr(totals, name)
            percent = f" ({round(count / totals.asked * 100)}%)" if totals.asked else ""
            column.metric(label, f"{count:,}{percent}", border=True)
        cached = f"저장된 결과로 {totals.from_cache:,}번 바로 답했어요" if totals.from_cache else ""
        averaged = (f"{label} {value}" for label, value in averages(totals))
        st.caption(" · ".join(filter(None, (f"{totals.asked:,}번 물어봤어요", *averaged, cached))))


def _timeline(slices: Sequence[TimeSlice]) -> None:
    names = [label for _, label, _ in OUTCOMES]
    counts = {label: [getattr(span, name) for span in slices] for name, label, _ in OUTCOMES}
    with st.container(key="timeline"):
        st.bar_chart(
            {"시각": [f"{span.start.astimezone(KOREA):%-H시}" for span in slices], **counts},
            x="시각",
            y=names,
            x_label="",
            y_label="요청 수",
            color=[colour for _, _, colour in OUTCOMES],
            sort=False,
            height=230,
            alt="시간마다 요청이 어떻게 끝났는지: " + ", ".join(names),
        )


def _services(report: HealthReport) -> None:
    st.markdown("### 검색 서비스", anchors=False)
    with st.container(key="services"):
        rows = [_row(service, report.until) for service in report.providers]
        st.dataframe(rows, hide_index=True, placeholder="–", alt="검색 서비스의 상태")


def _row(service: ProviderHealth, now: datetime) -> dict[str, object]:
    totals = service.totals
    failed = f"마지막 오류 {relative_time(service.last_error.timestamp, now)}" if service.last_error is not None else ""
    why = service.last_error_korean if failed and service.last_error_korean not in service.korean else ""
    return {
        "검색 서비스": clean(service.label, 40),
        "상태": STATE_NAMES[service.state],
        "마지막 성공": relative_time(service.last_success, now) if service.last_success is not None else None,
        "보통 응답": duration(totals.p50_ms) if totals.asked else None,
        "느린 응답": duration(totals.p95_ms) if totals.asked else None,
        "요청": " · ".join(f"{label} {getattr(totals, name):,}" for name, label, _ in OUTCOMES if getattr(totals, name)),
        "설명": clean(" · ".join(filter(None, (service.korean, failed, why))), 600),
    }


def _log(report: HealthReport) -> None:
    names = {service.name: service.label for service in report.providers}
    with st.expander(f"요청 기록 {len(report.events):,}건", key="events", icon=":material/list:", type="compact"):
        if len(report.events) > LOG_LENGTH:
            st.caption(f"가장 새로운 {LOG_LENGTH}건이에요. 모두 보려면 내보내세요.")
        # Cells of this table are drawn as they are: no Markdown, no HTML, no addresses that can be clicked.
        st.dataframe(
            [_log_row(event, names.get(event.provider, event.provider)) for event in report.events[:LOG_LENGTH]],
            hide_index=True,
            placeholder="–",
            alt="검색 요청 기록, 새것부터",
            column_config={
                "시각": st.column_config.DatetimeColumn(format="M[월] D[일] HH:mm:ss", timezone="Asia/Seoul"),
                "응답": st.column_config.NumberColumn(format="%.1f초"),
            },
        )


def _log_row(event: SearchEvent, label: str) -> dict[str, object]:
    """Return a row of the log; the English cause of a failure appears only in exported files."""
    marks = [status_sentence(event.status), "저장된 결과" if event.from_cache else "", "점검" if event.probe else ""]
    return {
        "시각": event.timestamp,
        "검색어": clean(event.query, 300),
        "검색 서비스": clean(label, 40),
        "건수": event.result_count if event.status.answered else None,
        "응답": event.latency_ms / 1000 if event.asked else None,
        "결과": " · ".join(filter(None, marks)),
    }


def _store(report: HealthReport) -> None:
    store = report.store
    with st.container(key="health-store"):
        if not store.working:
            st.markdown(f":orange[:material/save:] {md(store.korean, 300)}")
        st.caption(f"기록 보관: {md(store.label, 80)}")
        core = services.core()
        if core.asks_own_documents(core.default_options()) and (own := library_line(core.own_documents.state())):
            st.caption(md(own, 300))
