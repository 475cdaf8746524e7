"""Korean texts of the relevance lab and of labelling, in one place."""

from __future__ import annotations

from search_core.domain import Label

PAGE = "관련도 실험실"
EXPERT = "전문가 · 검색 고르기, 곡선, 설정 견주기, 파일"

# Labelling, where results are
LABELLING = "판정하기"
LABELLING_HELP = "결과마다 관련 있는지 표시해요. 같은 표시를 다시 누르면 지워져요. 표시는 관련도 실험실에서 써요."
LABEL_OF = "{number}번 결과 판정"
LABELS = {Label.RELEVANT: "관련 있음", Label.UNSURE: "애매함", Label.NOT_RELEVANT: "관련 없음"}
SHOWN_NOW = "이 기준에서 보이는 {shown}개 가운데 **{relevant}개가 관련 있어요** (관련 없음 {other}, 판정 안 함 {unjudged})."
HIDDEN_NOW = "숨긴 {hidden}개 가운데 관련 있는 것 {relevant}개, 판정 안 한 것 {unjudged}개."
NOT_KEPT = "이 검색을 보관하지 못했어요. {korean}"
OFF = "검색을 보관하지 않도록 설정되어 있어서 판정할 수 없어요."

# Choosing searches
SCOPE = "어느 검색으로 볼까요?"
SCOPE_ALL, SCOPE_LABELLED, SCOPE_VIDEO, SCOPE_WEEK, SCOPE_SET = (
    "모든 검색",
    "판정한 검색",
    "열린 영상의 검색",
    "최근 7일",
    "모음 “{name}” ({count})",
)
CHOSEN = "검색 **{searches}건** · 결과 {results}개 · 판정 {labels}개 (결과의 {share:.0%})"
BY_SCORER = "{scorer} {count}건"
SCORERS_DIFFER = "채점 방식이 서로 달라요 ({scorers}). 점수의 눈금이 달라서, 기준은 한 방식으로 채점한 검색끼리 볼 때 맞아요."
NARROWED = "표에서 고르면 고른 검색만 봐요. 지금은 표에 있는 검색을 모두 봐요."
COLUMNS = ("질문", "영상", "검색한 때", "판정", "예시")
NONE = (
    "판정한 검색이 아직 없어요. 검색 페이지에서 **판정하기**를 켜고 결과를 판정하면, 몇 점을 기준으로 할지 여기서 약속해 드려요. "
    "먼저 둘러보려면 예시를 불러오세요."
)
NONE_HERE = "여기에 해당하는 검색이 없어요."
LOAD_SAMPLES = "판정한 예시 검색 불러오기"
SAMPLES_LOADED = "예시 검색 {count}건을 불러왔어요. 목록에 “예시”로 표시돼요."
MORE_KEPT = "보관한 검색 {count}건 가운데 최근 {listed}건을 보여드려요."
OPEN = "검색 페이지에서 열기"
DELETE, DELETED = "고른 검색 지우기", "검색 {count}건과 그 판정을 지웠어요."
SET_NAME, SET_SAVE, SET_SAVED = "모음 이름", "고른 검색을 모음으로", "모음 “{name}”에 검색 {count}건을 넣었어요."
HASHED_TITLE = "(검색 서비스 약관 때문에 제목을 보관하지 않은 결과)"

SINCE = "“{query}”를 다시 검색한 사이에 달라진 것 ({before} → {after})"
SINCE_NONE = "두 검색이 보여 주는 결과와 순서가 같아요."

# The threshold
PROMISE = "### {points}점이면 보이는 결과의 {precision:.0%} 이상이 관련 있어요, 대신 관련 결과의 {hidden}가 숨어요"
PROMISE_FROM = "{promise.confidence:.0%} 확신 · 검색 {promise.searches}건의 판정 {promise.labels}개로 셌어요."
THRESHOLD = "기준마다 얼마나 맞나요"
PRECISION, CONFIDENCE = "보이는 것 가운데 관련 있는 몫", "확신"
PRESENT = (
    "지금 기준 {points}점에서는 보이는 결과의 {precision:.0%}가 관련 있고, 관련 결과의 {hidden}가 숨어요. "
    "보이는 것 가운데 {judged:.0%}를 판정했어요."
)
NOTHING_JUDGED = "판정한 결과가 없어서 아직 말할 수 없어요. 아래 결과부터 판정하거나 예시를 불러오세요."
USE_THRESHOLD, THRESHOLD_USED = "이 기준 쓰기", "검색 페이지의 기준을 {points}점으로 바꿨어요."
CURVE_PRECISION, CURVE_RECALL = "정밀도 (보이는 것 가운데)", "재현율 (찾은 것 가운데)"
CURVE_X = "기준 (점)"
CURVE_NOTE = "띠는 90% 구간이에요. 결과가 아니라 검색을 다시 뽑아 쟀어요. 검색이 5건보다 적으면 띠가 없어요."
CURVE_ALT = "기준에 따른 정밀도와 재현율. 지금 기준 {points}점."
ANSWERLESS = "관련 있는 결과가 없는 검색 {count}건 가운데 {empty}건은 이 기준에서 아무것도 보이지 않아요."

# What to judge next
NEXT = "다음에 판정하면 좋은 결과"
NEXT_NOTE = "기준을 가장 빨리 정할 수 있는 순서예요. 맨 위 결과는 글쇠 1, 2, 3으로 판정해요."
NEXT_OF = "{score}점 · 질문: {query}"

# Two settings
COMPARE = "설정 견주기"
FIRST, SECOND = "가", "나"
SETTINGS_NOW, SETTINGS_DEFAULT, SETTINGS_PROPOSED = "지금 설정", "처음 설정", "제안한 비중"
MEASURE_NAMES = {
    "ndcg": "nDCG@10",
    "precision": "P@10",
    "judged": "Judged@10",
    "shown_relevant": "보이는 것 가운데 관련 있음",
    "shown_judged": "보이는 것 가운데 판정함",
    "found": "찾은 관련 결과가 보임",
}
MEASURE = "100점 만점"
DIFFERENCE = "nDCG@10은 검색마다 평균 **{value:+.1f}점** 달라요 (90% 구간 {low:+.1f}~{high:+.1f}점)."
NO_DIFFERENCE = "nDCG@10의 차이는 **보이지 않아요** (90% 구간 {low:+.1f}~{high:+.1f}점에 0이 들어 있어요)."
FEW_SEARCHES = "관련 있는 결과를 판정한 검색이 {count}건뿐이라 차이를 말할 수 없어요. 5건부터 말할 수 있어요."
CHANGES = "검색 {count}건에서 보이는 결과가 달라져요"
NO_CHANGES = "어느 검색에서도 보이는 결과가 달라지지 않아요."
CHANGE_IN, CHANGE_OUT, CHANGE_MOVED = "들어옴", "빠짐", "{before}위 → {after}위"

# Weights from the labels
PROPOSE, PROPOSE_HELP = (
    "판정으로 비중 찾기",
    "비중 하나나 둘을 없애거나 절반, 두 배로 바꿔 보고, 고를 때 쓰지 않은 검색으로 견줘요.",
)
PROPOSE_FEW = "관련 있음과 없음을 모두 판정한 검색이 {missing}건 더 있어야 비중을 찾을 수 있어요. (지금 {searches}건)"
PROPOSE_NONE = "지금보다 낫다고 할 수 있는 비중을 찾지 못했어요."
PROPOSED = (
    "이 비중이 nDCG@10을 **{value:+.1f}점** 올려요 (90% 구간 {low:+.1f}~{high:+.1f}점, 고를 때 쓰지 않은 검색으로 잰 값)."
    " 저절로 적용하지 않아요."
)
USE_PROPOSED, PROPOSED_USED = "이 비중 쓰기", "검색 페이지의 비중을 바꿨어요."

# Profiles
PROFILES = "설정 프로필"
PROFILE_NONE = "직접 맞춘 설정"
PROFILE_HELP = "이름을 붙여 둔 설정이에요. 고르면 아래 조절이 그대로 바뀌고, 주소에도 담겨요."
PROFILE_NAME, PROFILE_SAVE = "이름", "지금 설정을 프로필로"
PROFILE_SAVED, PROFILE_DELETED = "프로필 “{name}”을 두었어요.", "프로필 “{name}”을 지웠어요."
PROFILE_DELETE, PROFILE_FILE = "지우기", "파일로"
PROFILE_IMPORT = "프로필 파일 가져오기 (JSON, 1MB까지)"

# Files
FILES = "가져오기와 내보내기"
EXPORT_JSONL, EXPORT_QRELS, EXPORT_RUN = "판정과 검색 (JSONL)", "판정 (TREC qrels)", "순서 (TREC run)"
IMPORT = "판정 파일 가져오기 (JSONL, 10MB까지)"
IMPORTED = "검색 {count}건을 가져왔어요."
IMPORT_BAD = "{line}번째 줄은 읽지 못했어요. {korean}"
BATCH = "질문 목록을 한꺼번에 검색하기 (CSV, 첫 칸이 질문, 1MB까지)"
BATCH_RUN, BATCH_STOP = "모두 검색하기", "그만두기"
BATCH_ASKED = "질문 {count}개를 지금 고른 검색 서비스에 물어요."
BATCH_STATE = "{done} / {count}개 검색함"
BATCH_DONE, BATCH_STOPPED = "질문 {count}개를 검색해 보관했어요.", "{done}개까지 검색하고 멈췄어요."
BATCH_FAILED = "“{query}”: {korean}"
BATCH_EMPTY = "질문이 없는 파일이에요. 한 줄에 질문 하나씩 적어 주세요."
