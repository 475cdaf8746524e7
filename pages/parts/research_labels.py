"""Korean texts of research that several places say or that are too long for theirs."""

from __future__ import annotations

from search_core.domain import PlanOrigin, ResearchStatus, SubtaskState

WHAT_IT_DOES = (
    ":material/account_tree: 여러 가지를 묻는 질문은 **나눠서** 웹에서 찾아요. 나눈 것은 언제든 고칠 수 있어요",
    ":material/menu_book: 찾은 페이지를 **직접 읽고**, 문장마다 출처를 붙인 보고서를 써요",
    ":material/pause_circle: 창을 닫아도 계속돼요. **중지**해도 여기까지의 내용은 남고, 이어서 할 수 있어요",
)
OWN_STAYS = "내 자료는 AI 모델에 보내지 않아요. 찾은 문장만 그대로 옮겨요."
QUESTION_HINT = "이 영상을 보며 깊이 알아보고 싶은 것을 적어 주세요"
QUESTION_HINT_FREE = "깊이 알아보고 싶은 것을 적어 주세요"
MODE_ON = "켜져 있어요. 질문을 보내면 웹을 깊이 조사해서 보고서로 답해요. 한 번 더 누르면 대화로 돌아가요."
BADGE = ":violet-badge[:material/travel_explore: 딥리서치]"
WAITS = ":blue[:material/checklist:] 이렇게 나눠서 조사할까요?"
ENDS = {
    ResearchStatus.COMPLETE: ":green[:material/check_circle:] 조사를 마쳤어요",
    ResearchStatus.FINISHED_EARLY: ":green[:material/task_alt:] 지금까지 찾은 자료로 마무리했어요",
    ResearchStatus.STOPPED: ":orange[:material/stop_circle:] 조사를 멈췄어요. 여기까지의 내용은 남겨 두었어요",
    ResearchStatus.FAILED: ":red[:material/error:] 조사를 끝까지 하지 못했어요",
}
SEARCH_FAILED = (
    ":orange[:material/cloud_off:] **웹을 검색하지 못했어요.** "
    "네트워크 연결을 확인하고 다시 시도하거나, 내 자료만으로 조사해 보세요."
)
OWN_ONLY = "내 자료만으로 조사"
OWN_ONLY_HELP = "웹은 검색하지 않고, 넣어 둔 자료에서만 찾아요. 보고서 첫 줄에 그렇게 적어요."
SEARCH_AGAIN, SEARCH_AGAIN_HELP = "다시 시도", "세운 계획 그대로 웹에서 다시 찾아요."
RESUME, RESUME_HELP = "이어서 조사", "이미 찾고 읽은 것은 다시 하지 않고, 남은 것부터 조사해요."
PLANNING = "질문을 나누고 있어요…"
ORIGINS = {
    PlanOrigin.MODEL: "AI가 질문을 나눴어요",
    PlanOrigin.RULES: "질문의 부분대로 나눴어요",
    PlanOrigin.USER: "직접 정한 계획이에요",
}
STEPS = {
    SubtaskState.WAITING: "대기 중",
    SubtaskState.SEARCHING: "찾는 중…",
    SubtaskState.FAILED: "검색하지 못했어요",
    SubtaskState.LEFT_OUT: "조사하지 못했어요",
}
READ_STEP_WAITS, READ_STEP_DONE, READ_STEP_FAILED = "대기 중", "{count}개 읽음", "{count}개 못 읽음"
EDIT, EDIT_TITLE, EDIT_LABEL = "고치기", "하위 질문 고치기", "하위 질문 {number}"
AGREE, GIVE_UP = "이 계획으로 시작", "그만두기"
AGREE_NOTE = "고치거나 빼거나 더할 수 있어요. 시작하기 전까지는 아무것도 찾지 않아요."
UNCITED = "보고서에 인용하지 않은 {sources}"
NO_SITE = "사이트 모름"
COVERAGE = "어디까지 조사했나요"
METRICS = (
    ("나누기", "query_decomposition"),
    ("찾기", "search_duration_ms"),
    ("읽기", "scrape_duration_ms"),
    ("쓰기", "analysis_duration_ms"),
    ("모두", "total_ms"),
)

DELETE_NOTE = "“{question}”의 보고서와 출처가 모두 지워지고, 되돌릴 수 없어요."
