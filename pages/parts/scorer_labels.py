"""What the sidebar and the results say about the scorer at work."""

from __future__ import annotations

SCORER = "채점"
SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}
SCORER_LOADING = "지금은 단어로 정렬했어요. 의미 모델이 준비되면 더 정확하게 다시 채점해요."
SCORER_LOADING_OTHER = "지금은 함께 들어 있는 의미 모델로 채점했어요. 고른 모델이 준비되면 다시 채점해요."
SCORER_RESCORING = "지금은 단어로 정렬했어요. 더 정확하게 다시 채점하고 있어요."
SCORER_RESCORING_OTHER = "다른 의미 모델로 다시 채점하고 있어요."
SCORER_RESCORED = "더 정확한 채점으로 바꿨어요."
SCORER_RESCORED_OTHER = "지금 쓰는 의미 모델로 다시 채점했어요."
SCORER_NOT_RESCORED = "의미 모델이 답하지 않아 단어로 정렬한 순서를 그대로 두었어요."
SCORER_NOT_RESCORED_OTHER = "의미 모델이 답하지 않아 순서를 그대로 두었어요."

LOOK_UP = "모델 크기 알아보기"
LOOK_UP_HELP = "모델 저장소에 {model} 모델의 크기를 물어봐요. 내려받기는 그다음에 따로 눌러야 시작해요."
LOOKING_UP = "{model} 모델의 크기를 묻고 있어요."
OFFERED = "{model} · {total} · 디스크에 남은 공간 {free}"
OFFERED_PART = "{model} · {total} 가운데 {here}를 받아 두었어요 · 디스크에 남은 공간 {free}"
FETCH = "내려받기 ({missing})"
FETCH_HELP = "받는 동안에도 지금 방식으로 검색할 수 있어요. 다 받으면 이 모델로 다시 채점해요."
FETCHING = "모델 내려받는 중 · {here} / {total}"
FETCH_CHECKING = "받은 모델을 확인하는 중"
FETCH_BEGINS = "모델 내려받기를 시작하는 중"
FETCH_AGAIN = "다시 시도"
CANCEL = "그만두기"
