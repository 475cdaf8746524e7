"""Korean texts of conversations that several places say or that are too long for theirs."""

from __future__ import annotations

from search_core.domain import MessageKind

WHAT_IT_DOES = (
    ":material/subtitles: 자막에서 답을 찾아 **장면**과 함께 알려드려요. 장면을 누르면 영상이 그곳으로 가요",
    ":material/travel_explore: 영상에 없는 내용은 **웹에서** 찾고, 출처를 붙여요",
    ":material/fact_check: 답마다 **온라인에서 확인**을 누르면 영상의 말과 웹의 자료를 나란히 견줘요",
)
LEAD_FREE = "영상을 고르면 자막에서 답을 찾아요. 고르지 않고 물어보면 웹에서 찾아요."

UNTITLED = "이름 없는 대화"
DELETE_NOTE = "“{title}”의 질문과 답이 모두 지워지고, 되돌릴 수 없어요. 여기서 한 조사는 딥리서치에 남아요."

FROM_WEB = ":blue-badge[:material/language: Web]"
UNCERTAIN_SPEECH = "음성 인식이 불확실한 곳을 옮긴 답이에요({moments}). 영상에서 직접 들어 확인해 주세요."
WEB_EXTRACT = ":small[:gray[출처에서 뽑은 문장이에요]]"
WRITING = "답을 쓰고 있어요…"
SEARCHING = "웹에서 찾고 있어요…"
STOPPED = {MessageKind.ANSWER: "답변을 멈췄어요.", MessageKind.CHECK: "확인을 멈췄어요."}
BROKEN_OFF = "답이 중간에 끊겼어요."
SOURCES = "출처 {count}곳"
UNSUPPORTED = "출처에서 확인 안 됨"
UNSUPPORTED_NOTE = "‘출처에서 확인 안 됨’이 붙은 문장은 근거를 출처의 글에서 찾지 못했어요."
LEDGER = "검색 범위"
WITHOUT_WEB_NOTE = "웹 대신 {video}대화{own}만으로 덧붙인 답이에요"
CHECK, CHECK_ABOUT = "온라인에서 확인", "온라인에서 확인 :gray[· {question}]"
CHECKING, CHECKED, NOT_CHECKED = "웹에서 확인하고 있어요", "웹에서 확인했어요", "웹에서 확인하지 못했어요"
COPY = "같은 글을 옮겼거나 같은 곳에서 낸 글이라 따로 세지 않았어요"
