"""Korean texts of the relevance lab and of labelling that several places say or that are too long for theirs."""

from __future__ import annotations

from search_core.domain import Label

PAGE = "관련도 실험실"
EXPERT = "전문가 · 검색 고르기, 곡선, 설정 견주기, 파일"
LABELLING_HELP = "결과마다 관련 있는지 표시해요. 같은 표시를 다시 누르면 지워져요. 표시는 관련도 실험실에서 써요."
LABELS = {Label.RELEVANT: "관련 있음", Label.UNSURE: "애매함", Label.NOT_RELEVANT: "관련 없음"}
SHOWN_NOW = "이 기준에서 보이는 {shown}개 가운데 **{relevant}개가 관련 있어요** (관련 없음 {other}, 판정 안 함 {unjudged})."
HIDDEN_NOW = "숨긴 {hidden}개 가운데 관련 있는 것 {relevant}개, 판정 안 한 것 {unjudged}개."
OFF = "검색을 보관하지 않도록 설정되어 있어서 판정할 수 없어요."
SCOPE = "어느 검색으로 볼까요?"
COLUMNS = ("질문", "영상", "검색한 때", "판정", "예시")
NONE = (
    "판정한 검색이 아직 없어요. 검색 페이지에서 **판정하기**를 켜고 결과를 판정하면, 몇 점을 기준으로 할지 여기서 약속해 드려요. "
    "먼저 둘러보려면 예시를 불러오세요."
)
SET_NAME, SET_SAVE, SET_SAVED = "모음 이름", "고른 검색을 모음으로", "모음 “{name}”에 검색 {count}건을 넣었어요."
HASHED_TITLE = "(검색 서비스 약관 때문에 제목을 보관하지 않은 결과)"
PROMISE = "### {points}점이면 보이는 결과의 {precision:.0%} 이상이 관련 있어요, 대신 관련 결과의 {hidden}가 숨어요"
PRESENT = (
    "지금 기준 {points}점에서는 보이는 결과의 {precision:.0%}가 관련 있고, 관련 결과의 {hidden}가 숨어요. "
    "보이는 것 가운데 {judged:.0%}를 판정했어요."
)
FIRST, SECOND = "가", "나"
MEASURE_NAMES = {
    "ndcg": "nDCG@10",
    "precision": "P@10",
    "judged": "Judged@10",
    "shown_relevant": "보이는 것 가운데 관련 있음",
    "shown_judged": "보이는 것 가운데 판정함",
    "found": "찾은 관련 결과가 보임",
}
DIFFERENCE = "nDCG@10은 검색마다 평균 **{value:+.1f}점** 달라요 (90% 구간 {low:+.1f}~{high:+.1f}점)."
NO_DIFFERENCE = "nDCG@10의 차이는 **보이지 않아요** (90% 구간 {low:+.1f}~{high:+.1f}점에 0이 들어 있어요)."
PROPOSE_FEW = "관련 있음과 없음을 모두 판정한 검색이 {missing}건 더 있어야 비중을 찾을 수 있어요. (지금 {searches}건)"
PROPOSED = (
    "이 비중이 nDCG@10을 **{value:+.1f}점** 올려요 (90% 구간 {low:+.1f}~{high:+.1f}점, 고를 때 쓰지 않은 검색으로 잰 값)."
    " 저절로 적용하지 않아요."
)
PROFILES = "설정 프로필"
PROFILE_NONE = "직접 맞춘 설정"
PROFILE_SAVED, PROFILE_DELETED = "프로필 “{name}”을 두었어요.", "프로필 “{name}”을 지웠어요."
PROFILE_IMPORT = "프로필 파일 가져오기 (JSON, 1MB까지)"
IMPORT = "판정 파일 가져오기 (JSONL, 10MB까지)"
BATCH = "질문 목록을 한꺼번에 검색하기 (CSV, 첫 칸이 질문, 1MB까지)"
