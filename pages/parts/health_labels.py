"""Every Korean text of the health page, in one place; polite, short, no developer words."""

from __future__ import annotations

from search_core.health import ProviderState
from search_core.presenting.health_text import STATE_NAMES

TITLE = "검색 상태"

# Controls
RANGE = "기간"
RANGES = {1: "1시간", 24: "24시간", 168: "7일"}
AUTO = "자동 새로고침"
AUTO_HELP = "켜 두면 {seconds}초마다 새로 읽어요. 다른 화면으로 가면 멈춰요."
UPDATED = "방금 갱신 · {time}"
UPDATED_STILL = "{time} 기준 · 자동 새로고침 꺼짐"
REFRESH = "새로고침"
EXPORT = "내보내기"
EXPORT_ALL = "요청 기록 모두와 이 기간의 숫자를 받아요. 시각은 한국 시간이에요."
EXPORT_CHOSEN = "아래 조건에 맞는 기록만 받아요: {chosen}. 표의 시각은 한국 시간이에요."
EXPORTS = ("csv", "json")

# Checking now
PROBE = "지금 점검"
PROBE_NOTE = "점검은 켜져 있는 서비스마다 한 번씩 물어봐요. 유료 서비스는 요청 1건이 쓰여요. 아래 숫자에는 넣지 않아요."
PROBING = "검색 서비스를 점검하고 있어요 · {total}곳 중 {done}곳 끝남"
PROBED = "점검을 마쳤어요"
PROBE_CLOSE = "닫기"

# Alerts
LEVELS = {
    "critical": ":red-badge[:material/error: 심각]",
    "warning": ":orange-badge[:material/warning: 주의]",
    "info": ":blue-badge[:material/info: 참고]",
}
ALL_GOOD = ":green[:material/check_circle:] 모두 잘 되고 있어요. 지금은 살펴볼 문제가 없어요."
UNWELL = ":orange[:material/warning:] 상태가 좋지 않은 검색 서비스가 {count}곳 있어요: {labels}. 왜 그런지는 아래 표에 있어요."
UNKNOWN_YET = ":gray[:material/help:] 이 기간에 물어본 적이 없어서 아직 몰라요. ‘지금 점검’을 누르면 서비스마다 한 번씩 물어봐요."
TO_DO = "**살펴볼 것이 {count}가지 있어요.**"
INFOS = "참고할 점 {count}가지 · 한 번만 알려 드려요"

# At a glance
GLANCE = "지난 {span} 한눈에"
OUTCOMES = (
    ("success", "성공", ":green[:material/check_circle:]", "#2f9e68"),
    ("no_results", "결과 없음", ":gray[:material/do_not_disturb_on:]", "#9aa3b5"),
    ("timeout", "시간 초과", ":orange[:material/timer_off:]", "#e0913a"),
    ("error", "오류", ":red[:material/error:]", "#d9545a"),
)
"""Names, icons and colours that stand out on both themes, from the bottom of a bar to its top."""
AVERAGE_RESULTS, AVERAGE_LATENCY, P95 = "평균 결과 수", "평균 응답", "느린 5%"
AVERAGE_RESULTS_HELP = "결과를 찾은 요청 한 번에 받은 결과의 수예요."
AVERAGE_LATENCY_HELP = "묻고 나서 답을 받거나 실패할 때까지 걸린 시간의 평균이에요. 절반은 {p50} 안에 끝났어요."
P95_HELP = "100번 가운데 95번은 이보다 빨리 끝났어요 (p95). 99번은 {p99} 안에 끝났어요."
ASKED = "{count:,}번 물어봤어요"
BESIDES = (
    "저장된 결과로 {count:,}번 바로 답했어요",
    "쉬는 중이거나 준비되지 않아서 {count:,}번은 묻지 않았어요",
    "{count:,}번은 답을 끝까지 기다리지 않아 세지 않았어요",
    "내 자료에서 {count:,}번 찾은 것은 세지 않았어요",
    "점검하며 {count:,}번 물은 것은 세지 않았어요",
)
"""Of replies that were kept, services that were not asked or not awaited, own documents, and checks."""
UNKNOWN = "–"
SECONDS = "{seconds:.1f}초"

# Nothing yet
EMPTY = "지난 {span} 동안 검색한 기록이 없어요"
EMPTY_NEXT = "검색을 한 번 해 보면 여기에 성공률과 응답 시간이 나타나요."
GO_SEARCH = "검색하러 가기"

# Timeline
TIMELINE = "시간에 따라"
TIMELINE_ALT = (
    "지난 {span}의 요청 {totals.asked}건: 성공 {totals.success}, 결과 없음 {totals.no_results}, "
    "시간 초과 {totals.timeout}, 오류 {totals.error}."
)
TIP_TIME, TIP_KIND, TIP_COUNT = "시각", "결과", "건수"
AXIS_TITLE = "요청 수"

# Services
SERVICES = "검색 서비스"
SERVICES_HEAD = "| 검색 서비스 | 상태 | 마지막 성공 | 응답 시간 | 요청 |\n|:--|:--|:--|:--|:--|"
_STATE_LOOKS = {
    ProviderState.HEALTHY: ("green", "check_circle"),
    ProviderState.DEGRADED: ("orange", "warning"),
    ProviderState.COOLING_DOWN: ("violet", "bedtime"),
    ProviderState.ABSENT: ("gray", "power_settings_new"),
    ProviderState.UNASKED: ("gray", "radio_button_unchecked"),
}
STATES = {state: f":{colour}-badge[:material/{icon}: {STATE_NAMES[state]}]" for state, (colour, icon) in _STATE_LOOKS.items()}
LAST_SUCCESS = "{when} 성공"
NEVER = "이 기간에 없음"
LATENCIES = "보통\u00a0**{p50}** · 느릴\u00a0때\u00a0{p95}"
NO_LATENCY = "–"
COUNTS = (
    ("success", "성공\u00a0**{count:,}**"),
    ("no_results", "없음\u00a0{count:,}"),
    ("timeout", "시간\u00a0초과\u00a0{count:,}"),
    ("error", "오류\u00a0{count:,}"),
)
NO_COUNTS = "요청 없음"
LAST_ERROR = "마지막 오류 {when}"
LAST_ERROR_WORDS = "마지막 오류 {when}: {words}"
OFF = "꺼 둔 검색 서비스 {count}곳 · 켜는 방법"
OFF_NOTE = "설정(환경 변수나 `.env` 파일)을 채우고 다시 시작하면 켜져요."

# Events
EVENTS = "요청 기록"
FILTER_STATUS, FILTER_SERVICE, FILTER_TEXT = "결과", "검색 서비스", "검색어로 찾기"
FILTER_ALL = "모두"
FILTER_TEXT_HINT = "검색어나 오류 내용"
FOUND_ALL = "{total:,}건 · 새것부터"
FOUND_SOME = "{total:,}건 중 {count:,}건 · 새것부터"
CHOSEN = "{words} ({total:,}건 중 {count:,}건)"
NONE_FOUND = "조건에 맞는 기록이 없어요."
CLEAR = "조건 지우기"
EVENTS_ALT = "검색 요청 기록, 새것부터"
COLUMNS = ("시각", "결과", "검색어", "검색 서비스", "건수", "응답", "자세히")
KEPT, PROBE_EVENT = "저장된 결과", "점검"

# Where events are stored
STORE = "기록 보관: {label}"
STORE_CAPPED = "보관할 수 있는 만큼만 남아서, 이 기간의 앞부분은 빠져 있을 수 있어요."
STORE_LOST = "시작한 뒤로 저장하지 못한 기록이 {count:,}건 있어요. 이 화면에는 다시 시작하기 전까지 보여요."
