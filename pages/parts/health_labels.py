"""Korean texts of the health page that are tables or too long for their place."""

from __future__ import annotations

from search_core.health import ProviderState
from search_core.presenting.health_text import STATE_NAMES

RANGES = {1: "1시간", 24: "24시간", 168: "7일"}
EXPORT_ALL = "요청 기록 모두와 이 기간의 숫자를 받아요. 시각은 한국 시간이에요."
EXPORT_CHOSEN = "아래 조건에 맞는 기록만 받아요: {chosen}. 표의 시각은 한국 시간이에요."
EXPORTS = ("csv", "json")
LEVELS = {
    "critical": ":red-badge[:material/error: 심각]",
    "warning": ":orange-badge[:material/warning: 주의]",
    "info": ":blue-badge[:material/info: 참고]",
}
UNWELL = ":orange[:material/warning:] 상태가 좋지 않은 검색 서비스가 {count}곳 있어요: {labels}. 왜 그런지는 아래 표에 있어요."
UNKNOWN_YET = ":gray[:material/help:] 이 기간에 물어본 적이 없어서 아직 몰라요. ‘지금 점검’을 누르면 서비스마다 한 번씩 물어봐요."
OUTCOMES = (
    ("success", "성공", ":green[:material/check_circle:]", "#2f9e68"),
    ("no_results", "결과 없음", ":gray[:material/do_not_disturb_on:]", "#9aa3b5"),
    ("timeout", "시간 초과", ":orange[:material/timer_off:]", "#e0913a"),
    ("error", "오류", ":red[:material/error:]", "#d9545a"),
)
"""Names, icons and colours that stand out on both themes, from the bottom of a bar to its top."""
AVERAGE_LATENCY_HELP = "묻고 나서 답을 받거나 실패할 때까지 걸린 시간의 평균이에요. 절반은 {p50} 안에 끝났어요."
P95_HELP = "100번 가운데 95번은 이보다 빨리 끝났어요 (p95). 99번은 {p99} 안에 끝났어요."
BESIDES = (
    "저장된 결과로 {count:,}번 바로 답했어요",
    "쉬는 중이거나 준비되지 않아서 {count:,}번은 묻지 않았어요",
    "{count:,}번은 답을 끝까지 기다리지 않아 세지 않았어요",
    "내 자료에서 {count:,}번 찾은 것은 세지 않았어요",
    "점검하며 {count:,}번 물은 것은 세지 않았어요",
)
"""Of replies that were kept, services that were not asked or not awaited, own documents, and checks."""
UNKNOWN = "–"
EMPTY_NEXT = "검색을 한 번 해 보면 여기에 성공률과 응답 시간이 나타나요."
TIMELINE_ALT = (
    "지난 {span}의 요청 {totals.asked}건: 성공 {totals.success}, 결과 없음 {totals.no_results}, "
    "시간 초과 {totals.timeout}, 오류 {totals.error}."
)
SERVICES_HEAD = "| 검색 서비스 | 상태 | 마지막 성공 | 응답 시간 | 요청 |\n|:--|:--|:--|:--|:--|"
_STATE_LOOKS = {
    ProviderState.HEALTHY: ("green", "check_circle"),
    ProviderState.DEGRADED: ("orange", "warning"),
    ProviderState.COOLING_DOWN: ("violet", "bedtime"),
    ProviderState.ABSENT: ("gray", "power_settings_new"),
    ProviderState.UNASKED: ("gray", "radio_button_unchecked"),
}
STATES = {state: f":{colour}-badge[:material/{icon}: {STATE_NAMES[state]}]" for state, (colour, icon) in _STATE_LOOKS.items()}
COUNTS = (
    ("success", "성공\u00a0**{count:,}**"),
    ("no_results", "없음\u00a0{count:,}"),
    ("timeout", "시간\u00a0초과\u00a0{count:,}"),
    ("error", "오류\u00a0{count:,}"),
)
COLUMNS = ("시각", "결과", "검색어", "검색 서비스", "건수", "응답", "자세히")
KEPT, PROBE_EVENT = "저장된 결과", "점검"
STORE_LOST = "시작한 뒤로 저장하지 못한 기록이 {count:,}건 있어요. 이 화면에는 다시 시작하기 전까지 보여요."
