"""The health report as Korean text for a terminal, and as a file to take away."""

from __future__ import annotations

from datetime import datetime, timedelta

from search_core.domain.plain_json import plain_json
from search_core.health.report import HealthReport, ProviderHealth, ProviderState, Totals
from search_core.search.presenting.dates import relative_time
from search_core.search.presenting.export import json_file

STATE_NAMES = {
    ProviderState.HEALTHY: "정상",
    ProviderState.DEGRADED: "불안정",
    ProviderState.COOLING_DOWN: "쉬는 중",
    ProviderState.ABSENT: "꺼둠",
    ProviderState.UNASKED: "아직 모름",
}
LEVELS = {"critical": "심각", "warning": "주의", "info": "안내"}
_NONE = "없음"


def health_text(report: HealthReport, now: datetime) -> str:
    """Return *report* as lines for a terminal or Markdown; ages are relative to *now*."""
    lines = [f"📊 웹 검색 상태 (최근 {(report.until - report.since) // timedelta(hours=1)}시간)", "", *_numbers(report.totals)]
    lines += ["", "검색 서비스", *(_provider(row, now) for row in report.providers)]
    if report.alerts:
        lines += ["", "알림", *(f"- [{LEVELS[alert.level]}] {alert.korean}" for alert in report.alerts)]
    stored = " · ".join(filter(None, (f"기록: {report.store.label}", report.store.korean)))
    return "\n".join([*lines, "", stored])


def health_export(report: HealthReport) -> bytes:
    """Return *report* with all its events as a JSON file."""
    return json_file(plain_json(report))


def averages(totals: Totals) -> tuple[tuple[str, str], ...]:
    """Return the average outcomes and durations of requests, with Korean labels."""
    average = _NONE if totals.average_results is None else f"{totals.average_results:.1f}"
    return (
        ("평균 결과 수", average),
        ("평균 응답 시간", duration(totals.average_latency_ms)),
        ("응답 시간 p50 / p95", f"{duration(totals.p50_ms)} / {duration(totals.p95_ms)}"),
    )


def duration(milliseconds: float | None) -> str:
    """Return a duration as people say it."""
    if milliseconds is None:
        return _NONE
    return f"{milliseconds / 1000:.1f}초" if milliseconds >= 100 else f"{milliseconds:.0f}ms"


def _numbers(totals: Totals) -> list[str]:
    if not totals.asked:
        lines = ["- 이 기간에 검색 서비스에 물은 요청이 없어요."]
    else:
        answered = (("성공", totals.success), ("결과 없음", totals.no_results))
        counts = (*answered, ("시간 초과", totals.timeout), ("오류", totals.error))
        lines = [f"- {label}: {count} ({_percent(count, totals.asked)})" for label, count in counts]
        lines += ["", *(f"- {label}: {value}" for label, value in averages(totals))]
    if totals.from_cache:
        lines.append(f"- 저장된 답을 쓴 횟수: {totals.from_cache} (요청으로 세지 않아요)")
    return lines


def _provider(row: ProviderHealth, now: datetime) -> str:
    facts = [f"[{STATE_NAMES[row.state]}] {row.korean}"]
    if row.totals.asked:
        facts.append(f"p50 {duration(row.totals.p50_ms)}, p95 {duration(row.totals.p95_ms)}")
    if row.last_success is not None:
        facts.append(f"마지막 성공 {relative_time(row.last_success, now)}")
    if row.last_error is not None:
        facts.append(f"마지막 오류 {relative_time(row.last_error.timestamp, now)}")
    return f"- {row.label} ({row.name}): {' · '.join(facts)}"


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return "<1%" if 0 < share < 0.5 else f"{share:.0f}%"
