"""Every Korean text of the chat page, in one place; polite, short, no developer words."""

from __future__ import annotations

from pages.parts.labels import ListTexts
from search_core.domain import MessageKind

# Asking
ASK_VIDEO = "이 영상에 대해 물어보세요"
ASK_FREE = "무엇이든 물어보세요"
STOP = "답변 멈추기"

# Before the first question
TITLE = "이 영상에 대해 물어보세요"
WHAT_IT_DOES = (
    ":material/subtitles: 자막에서 답을 찾아 **장면**과 함께 알려드려요. 장면을 누르면 영상이 그곳으로 가요",
    ":material/travel_explore: 영상에 없는 내용은 **웹에서** 찾고, 출처를 붙여요",
    ":material/fact_check: 답마다 **온라인에서 확인**을 누르면 영상의 말과 웹의 자료를 나란히 견줘요",
)
NO_MODEL = "AI 모델이 연결되어 있지 않아서, 자막에서 뽑은 문장으로 답해요."
TITLE_FREE = "어떤 영상 이야기를 해 볼까요?"
LEAD_FREE = "영상을 고르면 자막에서 답을 찾아요. 고르지 않고 물어보면 웹에서 찾아요."

# Conversations
LIST = ListTexts(
    name="chat",
    icon=":material/add_comment:",
    new="새 대화",
    of_video="이 영상의 대화",
    of_all="지난 대화",
    more="지난 대화 {count}개 더 보기",
    listed=12,
    delete_title="이 대화를 지울까요?",
)
UNTITLED = "이름 없는 대화"
WITHOUT_VIDEO = "영상 없이"
ENTRY_COUNT = "메시지 {count}개"
RENAME, RENAME_TITLE, RENAME_LABEL, SAVE = "이름 바꾸기", "대화 이름 바꾸기", "대화 이름", "저장"
DELETE_NOTE = "“{title}”의 질문과 답이 모두 지워지고, 되돌릴 수 없어요. 여기서 한 조사는 딥리서치에 남아요."

# Messages
OLDER = "이전 메시지 {count}개 보기"
HEARING = "받아 적고 있어요…"
SPOKEN = ":material/mic:"
NOT_HEARD = "말씀을 알아듣지 못했어요."
FROM_VIDEO = ":gray-badge[:material/movie: 영상]"
FROM_WEB = ":blue-badge[:material/language: Web]"
UNCERTAIN_SPEECH = "음성 인식이 불확실한 곳을 옮긴 답이에요({moments}). 영상에서 직접 들어 확인해 주세요."
EXTRACT = ":small[:gray[자막에서 뽑은 문장이에요]]"
WEB_EXTRACT = ":small[:gray[출처에서 뽑은 문장이에요]]"
WATCHING = "자막을 살펴보고 있어요…"
WRITING = "답을 쓰고 있어요…"
DECIDING = "답이 충분한지 보고 있어요…"
SEARCHING = "웹에서 찾고 있어요…"
READING = "찾은 글을 읽고 있어요…"
COMPARING = "영상의 말과 견주고 있어요…"
STOPPED = {MessageKind.ANSWER: "답변을 멈췄어요.", MessageKind.CHECK: "확인을 멈췄어요."}
STOPPED_KEPT = "여기까지의 내용은 남겨 두었어요."
FAILED = "답을 만들다가 문제가 생겼어요. 다시 물어봐 주세요."
BROKEN_OFF = "답이 중간에 끊겼어요."
RETRY_ANSWER, RETRY_ANSWER_HELP = "다시 시도", "같은 질문을 한 번 더 물어요"
COPY_ANSWER = "복사"
EDIT_QUESTION, EDIT_QUESTION_HELP = "고쳐 묻기", "질문을 아래 칸에 옮겨 고친 뒤 다시 물어요"
ANNOUNCED, ANNOUNCED_CHECK = "답변이 나왔어요.", "온라인 확인이 끝났어요."
ANNOUNCED_FAILED = "답변이 끝까지 나오지 못했어요."

# The web in place of the video
FALLBACK = "영상에서는 답을 찾지 못해 웹에서 찾아봤어요"
FALLBACK_AWAY = "영상에서는 답을 찾지 못했고, 웹에는 물어보지 못했어요"
SEARCHED_FOR = "검색어 “{query}”"
RETRY = "{pause} 뒤에 다시 물어볼 수 있어요."
FALLBACK_LIVE = "영상에서는 답을 찾지 못해 웹에서 찾고 있어요"
FALLBACK_CUT = "영상에서는 답을 찾지 못했고, 웹에서 찾는 중에 멈췄어요"
ASKED, ASKED_AWAY, ASKED_LIVE = "웹에서 찾아봤어요", "웹에는 물어보지 못했어요", "웹에서 찾고 있어요"
ASKED_CUT = "웹에서 찾는 중에 멈췄어요"
"""The same where there is no video."""
PASSAGES = "살펴본 자막 {count}곳"
SOURCES = "출처 {count}곳"
READ_PAGES = "{total}쪽 중 {read}쪽을 읽었어요"
SOURCE_READ, SOURCE_SNIPPET, SOURCE_FAILED = "본문을 읽었어요", "요약만 봤어요", "본문은 못 읽었어요"
NO_DATE = "날짜 모름"
UNSUPPORTED = "출처에서 확인 안 됨"
UNSUPPORTED_NOTE = "‘출처에서 확인 안 됨’이 붙은 문장은 근거를 출처의 글에서 찾지 못했어요."
LEDGER = "검색 범위"

# Beside the web
FROM_OWN = ":violet-badge[:material/folder: 내 자료]"
OWN = "내 자료에서 찾은 내용이에요. 웹 검색 결과가 아니에요"
SAMPLE = ":gray-badge[예시]"
WITHOUT_WEB = ":gray-badge[:material/cloud_off: 웹 없이]"
WITHOUT_WEB_NOTE = "웹 대신 {video}대화{own}만으로 덧붙인 답이에요"
AND_VIDEO, AND_OWN = "영상과 ", ", 내 자료"

# The check
CHECK, CHECK_ABOUT = "온라인에서 확인", "온라인에서 확인 :gray[· {question}]"
CHECK_HELP = "이 답을 웹의 자료와 견줘 봐요"
CHECK_AGAIN = "다시 확인"
CHECKING, CHECKED, NOT_CHECKED = "웹에서 확인하고 있어요", "웹에서 확인했어요", "웹에서 확인하지 못했어요"
NOTHING_TO_CHECK = "웹에서 찾아봤지만 견줄 말이 없었어요"
COPY = "같은 글을 옮겼거나 같은 곳에서 낸 글이라 따로 세지 않았어요"
MORE_STATEMENTS = "그 밖에 영상의 말 {count}개는 대화를 내보낸 파일에 있어요."
UNREAD = "너무 많아서 견주지 않은 것: {parts}"
UNREAD_STATEMENTS = "영상의 말 {count}개"

# Voice
LISTEN = "소리로 듣기"
MAKING_SOUND = "소리를 만들고 있어요…"
