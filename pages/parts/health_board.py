"""What the health page reads anew every few seconds, alerts, figures, services and requests, and the controls over it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts import export, labels, own_documents, services
from pages.parts.escaping import clean, md
from pages.parts.frame import choice
from pages.parts.visitor import is_operator, owner
from search_core.domain import SearchEvent, SearchStatus
from search_core.domain.reply import NO_WORD
from search_core.health import Alert, HealthReport, ProviderHealth, ProviderState, hide_queries
from search_core.presenting import health_export, relative_time, status_sentence
from search_core.presenting.dates import KOREA
from search_core.presenting.health_text import STATE_NAMES

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

REFRESH_S = 10
"""Seconds between two readings."""
KEPT_S = 5.0
"""A click on a filter shows the last reading again when it is younger than this."""
DEFAULT_HOURS = 24
RANGE_KEY, AUTO_KEY = "health-range", "health-auto"
_READING = "health-reading"
"""The last report, of how many hours it is, and when it was read on the monotonic clock."""
_NOT_ERRORS = (SearchStatus.SUCCESS, SearchStatus.NO_RESULTS, SearchStatus.TIMEOUT, *NO_WORD)
_SEEN = "health-seen"
TILE_PX = 124
"""A tile is at least this wide."""
HEIGHT = 230
GAP = 0.12
"""Part of a stretch left empty between two bars."""
PAGE_SIZE = 20
STATUS_KEY, SERVICE_KEY, TEXT_KEY = "health-status", "health-service", "health-text"
_LIST = "health-list"
"""Counts changes of the filters: each list begins at its own first page."""
_STATUS_COLOURS = {
    SearchStatus.SUCCESS: "green",
    SearchStatus.NO_RESULTS: "gray",
    SearchStatus.NOT_AWAITED: "gray",
    SearchStatus.COOLING_DOWN: "violet",
    SearchStatus.TIMEOUT: "orange",
    SearchStatus.RATE_LIMITED: "orange",
    SearchStatus.QUOTA_EXHAUSTED: "orange",
    SearchStatus.API_KEY_MISSING: "orange",
}
_TIME, _STATUS, _QUERY, _SERVICE, _COUNT, _LATENCY, _DETAIL = "시각", "결과", "검색어", "검색 서비스", "건수", "응답", "자세히"
_KEPT, _PROBED = "저장된 결과", "점검"
RANGES = {1: "1시간", 24: "24시간", 168: "7일"}
LEVELS = {
    "critical": ":red-badge[:material/error: 심각]",
    "warning": ":orange-badge[:material/warning: 주의]",
    "info": ":blue-badge[:material/info: 참고]",
}
OUTCOMES = (
    ("success", "성공", ":green[:material/check_circle:]", "#2f9e68", "성공\u00a0**{count:,}**"),
    ("no_results", "결과 없음", ":gray[:material/do_not_disturb_on:]", "#9aa3b5", "없음\u00a0{count:,}"),
    ("timeout", "시간 초과", ":orange[:material/timer_off:]", "#e0913a", "시간\u00a0초과\u00a0{count:,}"),
    ("error", "오류", ":red[:material/error:]", "#d9545a", "오류\u00a0{count:,}"),
)
"""Names, icons, colours that stand out on both themes, and words of the table, from the bottom of a bar to its top."""
_STATE_LOOKS = {
    ProviderState.HEALTHY: ("green", "check_circle"),
    ProviderState.DEGRADED: ("orange", "warning"),
    ProviderState.COOLING_DOWN: ("violet", "bedtime"),
    ProviderState.ABSENT: ("gray", "power_settings_new"),
    ProviderState.UNASKED: ("gray", "radio_button_unchecked"),
}
STATES = {state: f":{colour}-badge[:material/{icon}: {STATE_NAMES[state]}]" for state, (colour, icon) in _STATE_LOOKS.items()}
EXPORT_ALL = "요청 기록 모두와 이 기간의 숫자를 받아요. 시각은 한국 시간이에요."
UNWELL = ":orange[:material/warning:] 상태가 좋지 않은 검색 서비스가 {count}곳 있어요: {labels}. 왜 그런지는 아래 표에 있어요."
UNKNOWN_YET = ":gray[:material/help:] 이 기간에 물어본 적이 없어서 아직 몰라요. ‘지금 점검’을 누르면 서비스마다 한 번씩 물어봐요."
AVERAGE_LATENCY_HELP = "묻고 나서 답을 받거나 실패할 때까지 걸린 시간의 평균이에요. 절반은 {p50} 안에 끝났어요."
P95_HELP = "100번 가운데 95번은 이보다 빨리 끝났어요 (p95). 99번은 {p99} 안에 끝났어요."
UNKNOWN = "–"
EMPTY_NEXT = "검색을 한 번 해 보면 여기에 성공률과 응답 시간이 나타나요."
TIMELINE_ALT = (
    "지난 {span}의 요청 {totals.asked}건: 성공 {totals.success}, 결과 없음 {totals.no_results}, "
    "시간 초과 {totals.timeout}, 오류 {totals.error}."
)
SERVICES_HEAD = "| 검색 서비스 | 상태 | 마지막 성공 | 응답 시간 | 요청 |\n|:--|:--|:--|:--|:--|"
STORE_LOST = "시작한 뒤로 저장하지 못한 기록이 {count:,}건 있어요. 이 화면에는 다시 시작하기 전까지 보여요."
_TICKS = {1: "%H:%M", 24: "%-H시", 168: "%-m월 %-d일"}


def controls() -> tuple[int, bool]:
    """Draw what is looked at and whether the board refreshes itself; returns hours and that switch."""
    state = st.session_state
    state.setdefault(RANGE_KEY, DEFAULT_HOURS)
    state.setdefault(AUTO_KEY, True)
    hours = choice("기간", RANGES, key=RANGE_KEY, persist_state="session")
    help_text = f"켜 두면 {REFRESH_S}초마다 새로 읽어요. 다른 화면으로 가면 멈춰요."
    auto = st.toggle("자동 새로고침", key=AUTO_KEY, help=help_text, persist_state="session")
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
    now = time.monotonic()
    reading: tuple[HealthReport | None, int, float] = st.session_state.get(_READING, (None, 0, now))
    report, of_hours, read_at = reading
    if report is None or of_hours != hours or (auto and now - read_at > KEPT_S):
        report = services.core().health(hours)
        report = report if is_operator() else hide_queries(report, owner())
        st.session_state[_READING] = (report, hours, now)
    return report


def _head(hours: int, auto: bool) -> None:
    """Say in a sentence whether all is well, or what to look at."""
    report = _read(hours, auto)
    with st.container(key="health-kept"):  # always there: what follows does not move when a file is repaired
        for korean in services.core().storage_problems().values():
            st.error(md(korean, 300), icon=":material/database_off:")
    urgent = [f"{LEVELS[alert.level]} {md(alert.korean, 300)}" for alert in report.alerts if alert.level != "info"]
    if len(urgent) > 1:
        urgent.insert(0, f"**살펴볼 것이 {len(urgent)}가지 있어요.**")
    unwell = [each.label for each in report.providers if each.state in (ProviderState.DEGRADED, ProviderState.COOLING_DOWN)]
    if not report.totals.asked:
        calm = UNKNOWN_YET
    elif unwell:
        calm = UNWELL.format(count=len(unwell), labels=", ".join(md(label, 40) for label in unwell))
    else:
        calm = ":green[:material/check_circle:] 모두 잘 되고 있어요. 지금은 살펴볼 문제가 없어요."
    with st.container(key="alerts"):
        st.markdown("\n\n".join(urgent) or calm)


def _view(hours: int, auto: bool) -> None:
    report, span = _read(hours, auto), RANGES[hours]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="health-head"):
        st.markdown(f"### 지난 {span} 한눈에", anchors=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="health-tools"):
            words = "방금 갱신 · {time}" if auto else "{time} 기준 · 자동 새로고침 꺼짐"
            st.caption(words.format(time=f"{report.until.astimezone(KOREA):%H:%M:%S}"), width="content")
            if not auto:
                st.button("새로고침", key="health-refresh", type="tertiary", icon=":material/refresh:", on_click=st.rerun)
            _export(report)
    if not report.totals.asked and not report.events:
        with st.container(border=True, key="health-empty"):
            st.markdown(f":material/monitoring: **지난 {span} 동안 검색한 기록이 없어요**  \n{EMPTY_NEXT}")
            st.page_link("pages/search.py", label="검색하러 가기", icon=":material/search:")
    else:
        _tiles(report)
        _timeline(report, span)
    _rows(report)
    if report.events:
        _table(report)
    _store(report)


def _export(report: HealthReport) -> None:
    with st.popover("내보내기", icon=":material/download:", key="health-export", type="tertiary"):
        filtered, chosen = _chosen(report)
        st.caption(f"아래 조건에 맞는 기록만 받아요: {md(chosen)}. 표의 시각은 한국 시간이에요." if chosen else EXPORT_ALL)
        make = partial(health_export, filtered, chosen=chosen)
        export.buttons(("csv", "json"), make, "maekrak-health", report.until, key="health-export")


def _store(report: HealthReport) -> None:
    store = report.store
    lines = [f"기록 보관: {md(store.label, 80)}"]
    lines += ["보관할 수 있는 만큼만 남아서, 이 기간의 앞부분은 빠져 있을 수 있어요."] if store.capped else []
    lines += [STORE_LOST.format(count=store.lost)] if store.lost else []
    with st.container(key="health-store"):
        if not store.working and all(alert.korean != store.korean for alert in report.alerts):
            st.markdown(f":orange[:material/save:] {md(store.korean, 300)}")
        st.caption(" · ".join(lines))
        if own := own_documents.how_found():
            st.caption(own)


def _seconds(milliseconds: float | None) -> str:
    """Return a duration as people say it, or a dash where there is none."""
    return UNKNOWN if milliseconds is None else f"{milliseconds / 1000:.1f}초"


def _infos(report: HealthReport) -> tuple[Alert, ...]:
    """Return infos, which are shown once: they stay for this visit, though the next report leaves them out."""
    new = tuple(alert for alert in report.alerts if alert.level == "info")
    if new:
        services.core().monitor.acknowledge_alerts(report)
    shown = {alert.korean: alert for alert in (*st.session_state.get(_SEEN, ()), *new)}
    st.session_state[_SEEN] = tuple(shown.values())
    return tuple(shown.values())


def _tiles(report: HealthReport) -> None:
    totals = report.totals
    errors = ((status, count) for status, count in totals.by_status.items() if count and status not in _NOT_ERRORS)
    error_help = " · ".join(f"{labels.STATUSES[status.value]} {count:,}" for status, count in errors)
    with st.container(key="glance"):
        with st.grid("auto", min_column_width=TILE_PX):
            for name, label, icon, *_ in OUTCOMES:
                count = getattr(totals, name)
                percent = f" :small[:gray[({round(count / totals.asked * 100)}%)]]" if totals.asked else ""
                about = error_help if name == "error" else ""
                st.metric(f"{icon} {label}", f"{count:,}{percent}", border=True, help=about or None)
            average = totals.average_results
            latency_help = AVERAGE_LATENCY_HELP.format(p50=_seconds(totals.p50_ms))
            results = UNKNOWN if average is None else f"{average:.1f}"
            for label, value, about in (
                ("평균 결과 수", results, "결과를 찾은 요청 한 번에 받은 결과의 수예요."),
                ("평균 응답", _seconds(totals.average_latency_ms), latency_help),
                ("느린 5%", _seconds(totals.p95_ms), P95_HELP.format(p99=_seconds(totals.p99_ms))),
            ):
                st.metric(label, value, border=True, help=about)
        asked = [event for event in report.events if event.asked]
        probes = sum(event.probe for event in asked)
        besides = {
            "저장된 결과로 {:,}번 바로 답했어요": totals.from_cache,
            "쉬는 중이거나 준비되지 않아서 {:,}번은 묻지 않았어요": totals.not_asked,
            "{:,}번은 답을 끝까지 기다리지 않아 세지 않았어요": totals.not_awaited,
            "내 자료에서 {:,}번 찾은 것은 세지 않았어요": len(asked) - probes - totals.asked,
            "점검하며 {:,}번 물은 것은 세지 않았어요": probes,
        }
        counted = (words.format(count) for words, count in besides.items() if count > 0)
        st.caption(" · ".join((f"{totals.asked:,}번 물어봤어요", *counted)))


def _rows(report: HealthReport) -> None:
    """Draw the services that are on as a table, and fold those off by choice below it."""
    on = [each for each in report.providers if each.state is not ProviderState.ABSENT]
    off = [each for each in report.providers if each.state is ProviderState.ABSENT]
    st.markdown("### 검색 서비스", anchors=False)
    with st.container(key="services"):
        if on:
            st.markdown("\n".join([SERVICES_HEAD, *(_row(each, report.until) for each in on)]))
        if infos := _infos(report):
            label = f"참고할 점 {len(infos)}가지 · 한 번만 알려 드려요"
            with st.expander(label, key="alerts-info", icon=":material/info:", type="compact"):
                st.markdown("\n".join(f"- {md(alert.korean, 300)}" for alert in infos))
        if off:
            label = f"꺼 둔 검색 서비스 {len(off)}곳 · 켜는 방법"
            with st.expander(label, key="services-off", icon=":material/power_settings_new:", type="compact"):
                st.caption("설정(환경 변수나 `.env` 파일)을 채우고 다시 시작하면 켜져요.")
                st.markdown("\n".join(f"- **{md(each.label, 40)}** — {md(each.korean, 300)}" for each in off))


def _row(each: ProviderHealth, now: datetime) -> str:
    totals, last, latencies = each.totals, ":gray[이 기간에 없음]", ":gray[–]"
    if each.last_success is not None:
        last = f"{relative_time(each.last_success, now)} 성공"
    if totals.p50_ms is not None:
        latencies = f"보통\u00a0**{_seconds(totals.p50_ms)}** · 느릴\u00a0때\u00a0{_seconds(totals.p95_ms)}"
    counts = [words.format(count=getattr(totals, name)) for name, *_, words in OUTCOMES if getattr(totals, name)]
    counted = " · ".join(counts) or ":gray[요청 없음]"
    return f"| **{md(each.label, 40)}** | {_how(each, now)} | {last} | {latencies} | {counted} |"


def _how(each: ProviderHealth, now: datetime) -> str:
    words = f"{STATES[each.state]} {md(each.korean, 300)}"
    if each.last_error is None:
        return words
    # The sentence of a service that is not well already says what went wrong.
    explained = not each.last_error_korean or each.last_error_korean in each.korean
    pattern = "마지막 오류 {when}" if explained else "마지막 오류 {when}: {words}"
    last = pattern.format(when=relative_time(each.last_error.timestamp, now), words=md(each.last_error_korean, 300))
    return f"{words} :small[:gray[{last}]]"


def _timeline(report: HealthReport, span: str) -> None:
    """Draw what became of the requests as stacked bars over Korean time."""
    if not report.timeline:
        return
    st.markdown("### 시간에 따라", anchors=False)
    words = TIMELINE_ALT.format(span=span, totals=report.totals)
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
        for name, label, *_ in OUTCOMES:
            count = getattr(piece, name)
            if not count and name != OUTCOMES[0][0]:
                continue
            row = (_place(piece.start + length * GAP / 2), _place(piece.start + length * (1 - GAP / 2)), low, low + count)
            said = f"{piece.start.astimezone(KOREA):%m-%d %H:%M}–{(piece.start + length).astimezone(KOREA):%H:%M}"
            for column, value in zip(columns.values(), (*row, label, count, said), strict=True):
                column.append(value)
            low += count
    return columns


def _place(moment: datetime) -> float:
    """Return *moment* in milliseconds as if Korea's clock were that of Greenwich: the chart is drawn on a UTC axis."""
    return (moment.timestamp() + KOREA.utcoffset(None).total_seconds()) * 1000


def _specification(ticks: str) -> dict[str, object]:
    time_axis = {"title": None, "format": ticks, "grid": False, "tickCount": 8, "labelOverlap": True}
    _, names, _, colours, _ = zip(*OUTCOMES, strict=True)
    count_axis = {"title": "요청 수", "tickMinStep": 1, "tickCount": 4, "format": "d"}
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
                "scale": {"domain": names, "range": colours},
                "legend": {"title": None, "orient": "top", "offset": 6, "padding": 0},
            },
            "tooltip": [
                {"field": "time", "title": "시각"},
                {"field": "kind", "title": "결과"},
                {"field": "count", "title": "건수"},
            ],
        },
    }


def _chosen(report: HealthReport) -> tuple[HealthReport, str]:
    """Return *report* with the requests that the filters let through, and in words what they are; no words where all are."""
    state, names = st.session_state, {each.name: each.label for each in report.providers}
    text, statuses = str(state.get(TEXT_KEY) or "").strip(), state.get(STATUS_KEY) or ()
    asked = state.get(SERVICE_KEY) or ()

    def matches(event: SearchEvent) -> bool:
        if (statuses and event.status.value not in statuses) or (asked and event.provider not in asked):
            return False
        said = f"{event.query}\n{_detail(event)}\n{event.error_message or ''}\n{names.get(event.provider, event.provider)}"
        return text.casefold() in said.casefold()

    parts = [text, *(labels.STATUSES[status] for status in statuses), *(names.get(name, name) for name in asked)]
    words = " · ".join(filter(None, parts))
    if not words:
        return report, ""
    found = tuple(filter(matches, report.events))
    return replace(report, events=found), f"{words} ({len(report.events):,}건 중 {len(found):,}건)"


def _table(report: HealthReport) -> None:
    """Draw filters, table and pages; what is chosen there stays while the page refreshes itself."""
    names = {each.name: each.label for each in report.providers}
    st.markdown("### 요청 기록", anchors=False)
    with st.container(key="events"):
        _filters(names)
        found = _chosen(report)[0].events
        words = "{total:,}건 · 새것부터" if len(found) == len(report.events) else "{total:,}건 중 {count:,}건 · 새것부터"
        st.caption(words.format(count=len(found), total=len(report.events)))
        if found:
            _page(found, names)
        else:
            with st.container(border=True, horizontal=True, vertical_alignment="center", key="events-none"):
                st.markdown("조건에 맞는 기록이 없어요.", width="content")
                st.button("조건 지우기", key="events-clear", type="tertiary", icon=":material/close:", on_click=_clear)


def _filters(names: Mapping[str, str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="events-filters"):
        st.text_input(
            "검색어로 찾기",
            key=TEXT_KEY,
            placeholder="검색어나 오류 내용",
            max_chars=200,
            on_change=_first_page,
            persist_state="session",
        )
        services = {name: clean(label, 40) for name, label in names.items()}
        for label, key, options in (("결과", STATUS_KEY, labels.STATUSES), ("검색 서비스", SERVICE_KEY, services)):
            st.multiselect(
                label,
                list(options),
                format_func=options.__getitem__,
                key=key,
                placeholder="모두",
                on_change=_first_page,
                persist_state="session",
            )


def _first_page() -> None:
    st.session_state[_LIST] = st.session_state.get(_LIST, 0) + 1


def _clear() -> None:
    st.session_state.update({TEXT_KEY: "", STATUS_KEY: [], SERVICE_KEY: []})
    _first_page()


def _page(found: Sequence[SearchEvent], names: Mapping[str, str]) -> None:
    pages = math.ceil(len(found) / PAGE_SIZE)
    key = f"events-page-{st.session_state.get(_LIST, 0)}"
    page = int(st.session_state.get(key) or 1)
    first = (page - 1) * PAGE_SIZE if page <= pages else 0  # the list became shorter; the pages below start over, too
    # Cells of this table are drawn as they are: no Markdown, no HTML, no addresses that can be clicked.
    st.dataframe(
        _columns(found[first : first + PAGE_SIZE], names),
        key="events-table",
        hide_index=True,
        height="content",
        placeholder=UNKNOWN,
        alt="검색 요청 기록, 새것부터",
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
    words += [_KEPT] if event.from_cache else []
    return [*words, _PROBED] if event.probe else words


def _column_config() -> dict[str, Any]:
    kinds = {labels.STATUSES[status.value]: _STATUS_COLOURS.get(status, "red") for status in SearchStatus}
    kinds |= {_KEPT: "blue", _PROBED: "violet"}
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
