"""Every Korean text of the research page, in one place; polite, short, no developer words."""

from __future__ import annotations

from pages.parts.labels import RunTexts
from search_core.domain import PlanOrigin, ResearchStatus, SubtaskState

# Asking
PAGE = "딥리서치"
TITLE = "오래 걸려도 깊이 찾아볼게요"
WHAT_IT_DOES = (
    ":material/account_tree: 여러 가지를 묻는 질문은 **나눠서** 웹에서 찾아요. 나눈 것은 언제든 고칠 수 있어요",
    ":material/menu_book: 찾은 페이지를 **직접 읽고**, 문장마다 출처를 붙인 보고서를 써요",
    ":material/pause_circle: 창을 닫아도 계속돼요. **중지**해도 여기까지의 내용은 남고, 이어서 할 수 있어요",
)
NO_MODEL = "AI 모델이 연결되어 있지 않아서, 찾은 자료에서 뽑은 문장으로 보고서를 만들어요."
OWN_STAYS = "내 자료는 AI 모델에 보내지 않아요. 찾은 문장만 그대로 옮겨요."
OWN_GOES = "함께 찾은 내 자료도 AI 모델에 보내요."
QUESTION = "조사할 질문"
QUESTION_HINT = "이 영상을 보며 깊이 알아보고 싶은 것을 적어 주세요"
QUESTION_HINT_FREE = "깊이 알아보고 싶은 것을 적어 주세요"
START = "조사 시작"
PLAN_FIRST = "계획 먼저 보기"
PLAN_FIRST_HELP = "질문을 어떻게 나눴는지 먼저 보고, 고친 뒤에 시작해요."
EXAMPLE_HELP = "질문 칸에 넣어요"
FROM_CHAT = "대화로 돌아가기"

# The mode switch in the chat
MODE = "딥리서치"
MODE_ON = "켜져 있어요. 질문을 보내면 웹을 깊이 조사해서 보고서로 답해요. 한 번 더 누르면 대화로 돌아가요."
MODE_OFF = "켜면 질문을 여러 개로 나눠 웹을 깊이 조사하고 보고서로 답해요."
ASK = "깊이 조사할 것을 물어보세요"

# The card in the chat
BADGE = ":violet-badge[:material/travel_explore: 딥리서치]"
OPEN = "딥리서치에서 보기"
OPEN_LIVE = "딥리서치에서 계획 고치기"
THOUGHTS = "생각의 과정 · 하위 질문 {count}개"
WAITS = ":blue[:material/checklist:] 이렇게 나눠서 조사할까요?"

# Under way
SPREAD = "사이트 {count}곳 ({most})"
SPREAD_MORE = " 외"

# Ends
ENDS = {
    ResearchStatus.COMPLETE: ":green[:material/check_circle:] 조사를 마쳤어요",
    ResearchStatus.FINISHED_EARLY: ":green[:material/task_alt:] 지금까지 찾은 자료로 마무리했어요",
    ResearchStatus.STOPPED: ":orange[:material/stop_circle:] 조사를 멈췄어요. 여기까지의 내용은 남겨 두었어요",
    ResearchStatus.FAILED: ":red[:material/error:] 조사를 끝까지 하지 못했어요",
}
FINISHED_EMPTY = ":orange[:material/task_alt:] 자료를 찾기 전에 마무리했어요"
STOPPED_EMPTY = ":orange[:material/stop_circle:] 조사를 멈췄어요. 보고서는 아직 쓰지 않았어요"
SEARCH_FAILED = (
    ":orange[:material/cloud_off:] **웹을 검색하지 못했어요.** "
    "네트워크 연결을 확인하고 다시 시도하거나, 내 자료만으로 조사해 보세요."
)
OWN_ONLY = "내 자료만으로 조사"
OWN_ONLY_HELP = "웹은 검색하지 않고, 넣어 둔 자료에서만 찾아요. 보고서 첫 줄에 그렇게 적어요."
OWN_ONLY_FACT = "웹은 검색하지 않음"
SEARCH_AGAIN, SEARCH_AGAIN_HELP = "다시 시도", "세운 계획 그대로 웹에서 다시 찾아요."
RESUME = "이어서 조사"
RESUME_HELP = "이미 찾고 읽은 것은 다시 하지 않고, 남은 것부터 조사해요."
AGAIN = "다시 조사"
AGAIN_ON_THE_WEB = "웹까지 다시 조사"
UNANSWERED = "답하지 못한 부분: {parts}"

ANNOUNCED = "조사가 끝났어요."

# The plan
PLAN, PLAN_FOLD = "계획", "계획 · 하위 질문 {count}개"
PLANNING = "질문을 나누고 있어요…"
ORIGINS = {
    PlanOrigin.MODEL: "AI가 질문을 나눴어요",
    PlanOrigin.RULES: "질문의 부분대로 나눴어요",
    PlanOrigin.USER: "직접 정한 계획이에요",
}
YOURS = "고침"
STEPS = {
    SubtaskState.WAITING: "대기 중",
    SubtaskState.SEARCHING: "찾는 중…",
    SubtaskState.FAILED: "검색하지 못했어요",
    SubtaskState.LEFT_OUT: "조사하지 못했어요",
}
STEP_NOTHING = "찾은 것이 없어요"
STEP_READ = "본문 {count}개 읽음"
READ_STEP, WRITE_STEP = "페이지 읽기", "보고서 쓰기"
READ_STEP_WAITS, READ_STEP_DONE, READ_STEP_FAILED = "대기 중", "{count}개 읽음", "{count}개 못 읽음"
READ_STEP_NONE = "읽은 페이지가 없어요"
READ_STEP_ON = "{count}개 읽는 중…"
WRITE_STEP_WAITS, WRITE_STEP_ON, WRITE_STEP_DONE = "대기 중", "쓰는 중…", "다 썼어요"
WRITE_STEP_CUT, WRITE_STEP_NONE = "여기까지 썼어요", "쓰지 못했어요"
EDIT, EDIT_TITLE, EDIT_LABEL = "고치기", "하위 질문 고치기", "하위 질문 {number}"
EDIT_NOTE = "이미 찾은 하위 질문을 고치면 그것만 다시 찾아요."
SAVE, CANCEL = "고칠게요", "그대로 두기"

# The plan that waits
AGREE_TITLE = "이렇게 나눠서 조사할까요?"
AGREE_NOTE = "고치거나 빼거나 더할 수 있어요. 시작하기 전까지는 아무것도 찾지 않아요."
AGREE = "이 계획으로 시작"
ADD, REMOVE = "하위 질문 더하기", "빼기"
GIVE_UP = "그만두기"

# The report
REPORT = "보고서"
WAITING_REPORT = "자료를 모으는 대로 여기에 보고서를 써요."
EXTRACT = "AI 모델 없이 자료에서 뽑은 발췌예요."
OWN_SENT, OWN_WITHHELD = "내 자료도 AI 모델에 보냈어요.", "내 자료는 AI 모델에 보내지 않았어요."

CONTENTS = "목차"

# Sources
UNCITED = "보고서에 인용하지 않은 {sources}"
SOURCES_LATER = "모든 검색이 끝나면 출처를 관련도 순으로 보여드려요."
NO_SITE = "사이트 모름"
READING = "읽는 중…"
READ, UNREAD, UNTRIED = "본문을 읽었어요", "본문은 못 읽었어요 ({why})", "요약만 봤어요"
RELEVANCE = "관련도 {points}"

# After it
COVERAGE = "어디까지 조사했나요"
METRICS = (
    ("나누기", "query_decomposition"),
    ("찾기", "search_duration_ms"),
    ("읽기", "scrape_duration_ms"),
    ("쓰기", "analysis_duration_ms"),
    ("모두", "total_ms"),
)
COMPARING = "지난 조사와 견주고 있어요…"
CHANGED, NEW_STATEMENTS, GONE_STATEMENTS = "바뀐 내용", "새로운 내용", "빠진 내용"
BEFORE, AFTER = "지난 조사", "이번 조사"
NEW_SOURCES, GONE_SOURCES, CHANGED_SOURCES = "새 출처", "이번에 나오지 않은 출처", "내용이 바뀐 출처"

# History
RUNS = RunTexts(
    name="research",
    icon=":material/add:",
    new="새 조사",
    of_video="이 영상의 조사",
    of_all="지난 조사",
    others="다른 조사 {count}개",
    more="지난 조사 {count}개 더 보기",
    running="조사 중",
    exports=("markdown", "html", "pdf", "docx"),
    delete_title="이 조사를 지울까요?",
    delete_later="조사를 멈춘 뒤에 지울 수 있어요.",
    finish_help="더 찾지 않고, 지금까지 찾은 자료로 보고서를 써요.",
    stop_help="바로 멈춰요. 여기까지의 내용은 남아요.",
    again_help="같은 질문을 처음부터 다시 조사해서, 그사이 바뀐 것을 볼 수 있어요.",
    changes="지난 조사 이후 바뀐 것 · {when}",
    earlier_gone="견줄 지난 조사를 찾을 수 없어요. 그사이 지워졌을 수 있어요.",
)
DELETE_NOTE = "“{question}”의 보고서와 출처가 모두 지워지고, 되돌릴 수 없어요."
