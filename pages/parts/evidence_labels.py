"""Korean texts of what sources say of a statement, beside what the video says."""

from __future__ import annotations

VIDEO, VIDEO_AT = "영상", "영상 {moment}"
OTHERS, ALL = "다른 출처 {count}곳", "출처 {count}곳"
TOGETHER = "이 출처만으로는 알 수 없고, 함께 봐야 해요: {names}"
SAME = "같은 출처의 다른 말"
MORE = "그 밖에 {count}곳"
JUDGES_HELP = (
    "규칙은 숫자·날짜·이름을 견주고, 의미 모델은 다른 말로 쓴 같은 뜻을 읽어요. 괄호 안은 그 모델이 본 확률이에요. "
    "언어 모델은 둘이 가리지 못한 것을 봐요."
)
NO_QUOTE = "옮길 문장이 없어요"
