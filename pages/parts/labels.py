"""The Korean texts that pages share and those of the search page, polite, short, no developer words; lengths in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from search_core.domain import PartOrigin

UNEXPECTED = "화면을 그리다가 문제가 생겼어요. 새로 고침해 주세요. 계속되면 관리자에게 알려 주세요."
BAD_SETTINGS = "설정에 문제가 있어서 시작하지 못했어요."

# The frame
BRAND, TITLE = "맥락", "맥락 · 영상의 맥락으로 찾는 검색"
SEARCH_PAGE, CHAT_PAGE, HEALTH_PAGE = "검색", "대화", "검색 상태"
MANAGEMENT = "관리"
TAGLINE = "영상을 보다 생긴 질문을, 그 영상의 맥락으로 찾아요"
WHAT_IT_DOES = (
    ":material/subtitles: 자막에서 **인물·기업·행사**를 알아내 “이 회사”, “그 발표” 같은 말을 풀어서 검색해요",
    ":material/travel_explore: 여러 검색 서비스와 내 자료를 **한 번에** 찾고, 영상과 관련 있는 순서로 보여줘요",
    ":material/play_circle: 결과마다 **출처와 점수 근거**, 영상 속 관련 **장면**을 붙여요",
)

# Logging in, where it is asked for
LOGIN_WHY = "대화와 조사 기록을 나만 볼 수 있게 보관하려고 로그인을 받고 있어요."
LOGIN, LOGIN_WITH, LOGOUT = "로그인", "{name} 계정으로 로그인", "로그아웃"
LOGIN_SOMEBODY = "로그인한 사용자"
LOGIN_NOBODY = "로그인한 계정에서 사용자를 구분할 정보를 받지 못했어요. 이메일을 확인한 계정으로 다시 로그인해 주세요."
LOGIN_NOT_INSTALLED = "로그인에 필요한 Authlib이 설치되지 않았어요. 서버에서 make login을 실행해 주세요."
LOGIN_BROKEN = "로그인 설정에 문제가 있어서 로그인할 수 없어요. 관리자에게 알려 주세요."

# Choosing a video
SAMPLES = "예시 영상"
SAMPLE_BADGE = "예시"
OPEN_TITLE = "내 영상 열기"
TAB_URL, TAB_FILE, TAB_TYPED = "YouTube", "파일", "직접 입력"
URL_LABEL = "YouTube 주소"
URL_HINT = "https://www.youtube.com/watch?v=…"
URL_OPEN = "열기"
URL_BUSY = "영상 정보와 자막을 가져오고 있어요"
URL_ELSE = "자막 파일이 있으면 파일 탭에서 열 수 있어요."
URL_TO_FILE = "파일 탭 열기"
FILE_LABEL = "자막 파일 (SRT, VTT, JSON, TXT · {megabytes}MB까지)"
FILE_REFUSED = "올리지 못한 파일이 있어요. 파일 하나는 {megabytes}MB까지 올릴 수 있어요."
FILE_HELP = "yt-dlp의 .info.json은 자막 파일과 함께 올리면 둘을 합쳐서 읽어요."
FILE_BUSY = "파일을 읽고 있어요"
FILE_CANCEL = "읽기 그만두기"
FILE_TOO_MANY = "파일은 하나만, 또는 .info.json과 자막 파일 하나를 함께 올려 주세요."
UPLOADS_FULL = "올린 파일이 너무 많아요. 페이지를 새로 연 뒤에 다시 올려 주세요."
SOUND_TOO_LARGE = "파일이 너무 커요. 소리만 뽑은 파일(m4a, mp3)을 올리면 훨씬 작아요."
UPLOAD_BROKEN = "파일이 끝까지 오지 않았어요. 다시 올려 주세요."
UPLOADS_BUSY = "지금은 여러 사람이 파일을 올리고 있어요. 잠시 뒤에 다시 올려 주세요."
FILE_KIND = "“{name}” 파일은 읽을 수 없는 종류예요. SRT, VTT, JSON, TXT 파일을 올려 주세요."
TYPED_TITLE, TYPED_TEXT = "영상 제목", "내용이나 자막 (붙여 넣기)"
TYPED_TITLE_HINT = "예: 3분기 실적 발표"
TYPED_OPEN = "이 내용으로 시작"
TYPED_EMPTY = "제목이나 내용을 적어 주세요."
TYPED_NAME = "직접 입력"

# The video panel
CHANGE_VIDEO = "다른 영상"
UNTITLED = "제목 없는 영상"
NO_PLAYER = "이 영상은 여기서 재생할 수 없어서 자막만 보여드려요."
SAMPLE_NOTE = "직접 써서 넣은 예시라서 재생할 영상은 없어요."
PEOPLE, ORGANIZATIONS, EVENTS, KEY_TERMS = "인물", "기업·기관", "행사", "핵심어"
EDIT = "영상 정보 고치기"
EDIT_TITLE, EDIT_DATE = "제목", "날짜"
EDIT_ADD = "적고 Enter로 더하기"
EDIT_NOTE = "고친 내용은 다음 검색부터 쓰여요."
TRANSCRIPT = "자막"
TRANSCRIPT_NONE = "자막이 없는 영상이에요. 제목과 위 정보로 검색해요."
TRANSCRIPT_SEARCH = "자막에서 찾기"
TRANSCRIPT_NO_MATCH = "자막에 없는 말이에요: “{text}”"
TRANSCRIPT_MATCHES = "{count}곳에 나와요"
TRANSCRIPT_RELATED = "질문과 관련된 {count}곳이에요"
TRANSCRIPT_ALL = "자막 전체 보기"
TRANSCRIPT_PLACE = "{first}–{last} / {total}"
CHAPTER = "구간"
CHAPTER_ALL = "구간으로 가기"
EARLIER, LATER = "이전", "다음"
VIDEO_FOLD = "영상 정보와 자막"
MOVED = "위쪽 영상을 {time}로 옮겼어요"
NOW_MARK = "←\u00a0지금"  # an arrow alone on a line says nothing

# Asking
QUESTION = "질문"
QUESTION_HINT = "영상을 보다 궁금해진 것을 물어보세요"
QUESTION_HINT_FREE = "YouTube 주소나 파일을 넣거나, 궁금한 것을 물어보세요"
SEARCH = "검색"
EXAMPLES = "예시"
PARTS = "검색어"
PART_REMOVE = "이 검색어를 빼고 다시 검색해요"
EXCLUDED = "뺀 말"
EXCLUDED_HELP = "질문에서 제외한 말이라 검색어에 넣지 않았어요. 이 말이 들어 있는 결과도 나올 수 있어요."
PART_RESTORE = "다시 넣고 검색해요"
VERBATIM = "원문 그대로"
VERBATIM_HELP = "영상의 맥락을 더하지 않고, 적은 그대로 검색해요."
MEMORY = "앞선 질문 {count}개를 함께 참고해요"
REFERENT = "‘{word}’ = **{meaning}**"
REFERENT_OTHERS = " · 바꾸기:"
REFERENT_CHANGE = "‘{name}’(으)로 바꾸어 다시 검색해요."
REFERENT_UNKNOWN = "‘{word}’: 무엇을 가리키는지 알 수 없었어요. 이름을 넣어 다시 물어봐 주세요."
MEMORY_FORGET = "새로 시작"
ORIGINS: dict[PartOrigin, str] = {
    PartOrigin.QUESTION: "질문",
    PartOrigin.SPEAKER: "영상 인물",
    PartOrigin.ORGANIZATION: "영상 기업·기관",
    PartOrigin.EVENT: "행사",
    PartOrigin.TITLE: "영상 제목",
    PartOrigin.TRANSCRIPT: "자막",
    PartOrigin.MEMORY: "앞선 질문",
    PartOrigin.DATE: "날짜",
}

# Taking a question on
TO_CLAIMS = "이 영상에서 한 말이 맞는지 한꺼번에 확인하기"
CLAIMS_WORTH_A_CHECK = "웹에서 확인해 볼 만한 말"
CLAIMS_COMING = "웹에서 확인해 볼 만한 말을 찾고 있어요…"
CLAIM_HELP = "영상 확인에서 이 말 하나를 골라 둬요. 확인은 거기서 시작해요."
TO_CHAT, TO_RESEARCH = "대화", "딥리서치"
TO_CHAT_HELP = "대화에서 이 질문을 바로 물어봐요."
TO_RESEARCH_HELP = "딥리서치에 이 질문을 적어 둬요. 조사는 거기서 시작해요."

# While searching
PHASES = {
    "understanding": "질문을 이해하고 있어요",
    "asking": "검색 서비스에 묻고 있어요",
    "scoring": "영상과의 관련도를 재고 있어요",
    "summarizing": "외국어 자료를 정리하고 있어요",
}
SEARCHING = "{phase} · {seconds:.1f}초"
WAITING = "{label} 응답 대기 중"
REPLIED = "{label} {count}건 · {seconds:.1f}초"
REPLIED_NONE = "{label} 결과 없음 · {seconds:.1f}초"
RESTING = "{status} ({span} 남음)"
STILL_WAITING = "{count}곳 기다리는 중"
NEWER = "결과가 {count}건 더 왔어요"
NEWER_ORDER = "점수가 달라져서 순서가 바뀌었어요"
NEWER_SHOW = "순서대로 보기"
NEWER_BETTER, NEWER_SHOW_BETTER = "의미까지 보고 다시 채점했어요", "더 정확한 순서로 보기"
NEWER_HELP = "보고 있는 결과가 갑자기 움직이지 않게 그대로 두었어요. 누르면 모든 결과를 점수 순서대로 보여줘요."
NEWS_EARLY = "결과 {count}건이 먼저 나왔어요. {waiting}곳을 더 기다리고 있어요."
NEWS_NEWER = "‘{button}’를 누르면 모두 보여드려요."
NEWS_AWAY = "웹 검색 결과를 가져오지 못했어요."
NEWS_FOUND, NEWS_OWN = "결과 {count}건이 나왔어요.", "내 자료에서 {count}건이 나왔어요."
STOP = "검색 멈추기"
STOPPED = "검색을 멈췄어요. 그때까지 찾은 결과가 없어요."
STOPPED_KEPT = "검색을 멈췄어요. 앞서 찾은 결과를 그대로 두었어요."
VIDEO_GONE = "이 주소의 영상을 찾을 수 없어요. 오래되어 지워졌거나 다른 사람이 연 영상일 수 있어요. 다시 열어 주세요."
BACK_TO_VIDEO = "“{title}”(으)로 돌아가기"
RECENT_VIDEOS = "최근에 연 영상"
GONE = "이 주소의 검색을 찾을 수 없어요. 지워졌거나, 끝나기 전에 서버가 다시 시작되었을 수 있어요. 질문은 그대로 두었어요."
STATUSES = {
    "success": "성공",
    "no_results": "결과 없음",
    "api_key_missing": "키 없음",
    "invalid_api_key": "키가 맞지 않음",
    "quota_exhausted": "사용량 소진",
    "rate_limited": "요청 한도 초과",
    "blocked": "접속 막힘",
    "network_error": "연결 안 됨",
    "timeout": "시간 초과",
    "not_awaited": "기다리지 않음",
    "invalid_response": "읽을 수 없는 답",
    "cooling_down": "쉬는 중",
    "unknown_error": "알 수 없는 오류",
}
OUT_OF_ORDER = "서비스에 문제가 생김"

# Conversations and runs


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTexts:
    """What the sidebar of a page calls its conversations or runs."""

    name: str
    """In keys and in the names of files."""
    icon: str
    new: str
    of_video: str
    of_all: str
    others: str = ""
    """Those about other videos; empty where they are not listed."""
    more: str
    listed: int = 10
    """Those in sight; the rest are behind a fold."""
    delete_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTexts(ListTexts):
    """What a page says of its runs."""

    running: str
    exports: tuple[str, ...]
    delete_later: str
    finish_help: str
    stop_help: str
    again_help: str
    changes: str
    earlier_gone: str


FILES = {
    "markdown": "문서 (Markdown)",
    "html": "웹 문서 (HTML)",
    "pdf": "PDF",
    "docx": "워드 (DOCX)",
    "csv": "표 (CSV)",
    "json": "데이터 (JSON)",
}
DELETE, DELETE_YES, KEEP = "지우기", "지울게요", "그대로 두기"
RUN_QUEUED = "차례를 기다리고 있어요."
RUN_FINISH, RUN_STOP = "지금까지로 마무리", "중지"
ELAPSED_SECONDS, ELAPSED_MINUTES = "{seconds}초째", "{minutes}분 {seconds}초째"
RUN_ENDS = {
    "planned": "계획 확인 대기",
    "complete": "완료",
    "finished_early": "서둘러 마무리",
    "stopped": "멈춤",
    "failed": "끝내지 못함",
}
RUN_ICONS = {
    "planned": ":material/checklist:",
    "complete": ":green[:material/check_circle:]",
    "finished_early": ":green[:material/task_alt:]",
    "stopped": ":orange[:material/stop_circle:]",
    "failed": ":orange[:material/error:]",
}
RUN_ICON = ":blue[:material/progress_activity:]"
STEP_TOOK = "{name} {seconds:.1f}초"
MORE_CHANGES = "그 밖에 {count}개"

# What sources say of a statement
QUOTED_VIDEO, QUOTED_VIDEO_AT, WEB = "영상", "영상 {moment}", "웹"
OTHER_SOURCES, ALL_SOURCES = "다른 출처 {count}곳", "출처 {count}곳"
SOURCES_TOGETHER = "이 출처만으로는 알 수 없고, 함께 봐야 해요: {names}"
SAME_SOURCES = "같은 출처의 다른 말"
MORE_SOURCES = "그 밖에 {count}곳"
JUDGES_HELP = (
    "규칙은 숫자·날짜·이름을 견주고, 의미 모델은 다른 말로 쓴 같은 뜻을 읽어요. 괄호 안은 그 모델이 본 확률이에요. "
    "언어 모델은 둘이 가리지 못한 것을 봐요."
)
NO_QUOTE = "옮길 문장이 없어요"

# Results
ANSWER_LINE_FROM = "결과에서 그대로 옮긴 문장 ·"
ANSWER_LINE_RESULT = "{number}번 결과로"
ANSWER_LINE_COMING = "결과에서 답이 되는 문장을 찾고 있어요."
NO_ANSWER_LINE = "질문에 바로 답하는 문장은 결과에서 찾지 못했어요."
COUNT, OWN_COUNT = "**{count}건**", "내 자료 **{count}건**"
OWN_HEADING = ":material/folder_open: 내 자료에서 {count}건"
OWN_NOTE = "웹이 아니라, 이 앱에 넣어 둔 문서에서 찾았어요."
OWN_SENT = "외국어 문서는 한국어로 요약하려고 언어 모델에도 보내요."
OWN_NOT_SENT = "문서의 글은 언어 모델에 보내지 않아요."
LEDGER_WEB, LEDGER_OWN = "**웹 검색 서비스**", "**내 자료** (웹이 아니에요)"
LEDGER_NOBODY = "물어볼 수 있는 웹 검색 서비스가 없어요."
HIDDEN_COUNT = "숨김 {count}"
SECONDS = "{seconds:.1f}초"
UNSCORED = "점수 없음"
NEW = "🆕"
AND_MORE = "{first} 외 {count}곳"
SUMMARY_BY = {"model": "AI 요약", "extract": "원문"}
MOMENT = "{time} “{quote}”"
MOMENT_HELP = "영상의 이 장면으로 가요"
READ_DOCUMENT = "이 자료 읽기"
WHY = "점수 근거"
HIDDEN = "숨긴 결과 {count}개 ({reasons})"
HIDDEN_NOTE = "점수가 높은 순서예요. 무엇 때문에 숨겼는지 하나하나에 적어 두었어요."
THRESHOLD_LINE = "관련도 기준 {points}점 · 여기부터는 기준보다 낮아요"
SECTION_LINE = "{line} {count}건"
LEDGER = "누구에게 물었나요"
LEFT_OUT = "꺼 둔 검색 서비스에서만 나온 결과 {count}건은 뺐어요."
DOCUMENT = "자료"
DOCUMENT_GONE = "이 자료를 더는 찾을 수 없어요. 지워졌거나 다시 색인되었을 수 있어요."

# Score explained
WHY_HEAD = "| 근거 | 값 | 비중 | 점수 |\n|:--|:--|--:|--:|"
WHY_TOTAL, WHY_FACTOR, WHY_SCORE = "합계", "합계에 곱하는 값", "점수"
WHY_FLOOR = "소수점 아래는 버려요."
WHY_CAPPED = "100점을 넘으면 100점이에요."
WHY_ENTITIES = "영상에서 나온 이름: {names}"
WHY_SEEN = "본 곳: {places}"
WHY_PLACE = "{label} {place}위"
WHY_SHARES = "이 글이 질문과 얼마나 가까운지는 뜻 {meaning}%, 낱말 {words}%로 봤어요."
WHY_DATE = "날짜: {date}"
WHY_ORIGINAL = "원문: {text}"
WHY_UNSCORED = "이번에는 관련도를 재지 못해서 검색 서비스가 준 순서대로 보여드려요."

# Sidebar
TUNING = "조정"
THRESHOLD = "관련도 기준"
THRESHOLD_HELP = "이보다 낮은 결과는 숨겨요. 다시 검색하지 않고 바로 바뀌어요."
HISTOGRAM_ALT = "이번 검색 결과 {count}건의 점수 분포. 기준은 {threshold}점. {groups}."
HISTOGRAM_SHOWN, HISTOGRAM_OVER, HISTOGRAM_BELOW = "보임", "결과 수 초과", "기준 아래"
HISTOGRAM_SCORE, HISTOGRAM_COUNT = "점수", "결과"
ENTITY_FIRST = "영상 속 이름이 나온 결과 먼저"
ENTITY_FIRST_HELP = "영상의 인물·기업·행사가 나온 결과를 앞에 놓아요. 점수는 그대로예요."
RESULT_COUNT = "결과 수"
RESULT_COUNT_HELP = "기준을 넘은 결과를 이만큼까지 보여줘요. 나머지는 숨긴 결과에 있어요."
RESET_ALL = "모두 처음 값으로"
WEIGHT_NAMES = {"recency": "최신 가중"}
"""Labels of the sliders whose name differs from the part's."""
WEIGHT_HELP = {
    "semantic_question": "질문과 뜻이 가까운 결과일수록 점수를 높여요.",
    "semantic_video": "영상에서 하는 이야기와 뜻이 가까운 결과일수록 점수를 높여요.",
    "lexical": "질문의 낱말이 많이 들어 있는 결과일수록 점수를 높여요.",
    "entity": "영상의 인물·기업·행사가 나오는 결과의 점수를 높여요.",
    "agreement": "검색 서비스들이 위쪽에 보여준 결과는 점수를 높이고, 아래쪽 결과는 낮춰요.",
    "recency": "최근에 나온 결과는 점수를 높이고, 오래된 결과는 낮춰요. 날짜를 모르는 결과는 그대로예요.",
}
WEIGHTS_NONE = "뜻·낱말·이름의 비중이 모두 0이라서 모든 점수가 0이에요. 그 가운데 하나라도 올려 주세요."
WEIGHTS = "점수 비중"
WEIGHTS_RESET = "처음 값으로"
PROVIDERS = "검색 서비스"
PROVIDER_NEXT = "다음 검색부터 물어봐요."
PROVIDERS_OFF = "꺼 둔 서비스 {count}곳"
PROVIDERS_NONE = "하나도 켜져 있지 않아요. 검색하려면 하나 이상 켜 주세요."
EXPORT = "내보내기"
EXPORTS = ("markdown", "csv", "json")

# The scorer
SCORER = "채점"
SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}
SCORER_LOADING = "지금은 단어로 정렬했어요. 의미 모델을 준비하고 있어요."
SCORED_BY_MODEL = "지금 보이는 점수는 의미 모델로 매긴 그대로예요. 새로 검색하면 의미 모델이 돌아올 때까지 단어로 채점해요."
SCORER_LOADING_OTHER = "지금은 함께 들어 있는 의미 모델로 채점했어요. 고른 모델이 준비되면 다시 채점해요."
SCORER_RESCORING = "지금은 단어로 정렬했어요. 의미까지 다시 채점하고 있어요."
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
FETCH_CANCEL = "그만두기"

# Outcomes
SEE_HEALTH = "검색 상태 보기"
VIDEO_ONLY_DONE = "웹 없이 계속해요. 영상에서 질문과 관련된 부분 {count}곳만 자막에 보여 드려요."
VIDEO_ONLY_NONE = "웹 없이 계속해요. 영상 자막에서 이 질문과 관련된 부분을 찾지 못했어요."
NOTHING, NOTHING_WEB = "찾은 결과가 없어요", "웹에서 찾은 결과가 없어요"
NOTHING_TRIED = "이렇게 찾아봤어요: {queries}"
NOTHING_BROADER = "더 넓게 찾아볼까요?"
ALL_HIDDEN, ALL_HIDDEN_WEB = "기준보다 높은 결과가 없어요", "웹에서는 기준보다 높은 결과가 없어요"
ALL_HIDDEN_OWN = "내 자료에는 기준보다 높은 결과가 없어요"
LOWER = "기준을 낮추면 {count}건"
CROWDED_OUT = "웹에서 찾은 {count}건은 내 자료보다 점수가 낮아 결과 수에 들지 못했어요"
SHOW_MORE = "결과 {count}건까지 보기"
LIBRARY_FAILED = "내 자료를 찾아보지 못했어요"
REFRESH = "새로 찾기"
SEARCHED = "{when}에 검색한 결과예요."
RETRY, RETRY_AFTER = "다시 시도", "{span} 뒤 다시 시도"
RETRY_IN = "{span} 뒤에 다시 시도해 보세요."
SPAN_SECONDS, SPAN_MINUTES = "{count}초", "{count}분"
MEGABYTES = "{count}MB"
GIGABYTES = "{count}GB"
ANSWERED = "웹 검색 {asked}곳 중 {answered}곳 응답"
NO_ACTIVE = "켜진 검색 서비스가 없어요. 왼쪽에서 하나 이상 켜 주세요."


def span(seconds: float) -> str:
    """Return a stretch of time as ``40초`` or, from a minute on and rounded up, ``2분``."""
    if seconds < 60:
        return SPAN_SECONDS.format(count=math.ceil(seconds))
    return SPAN_MINUTES.format(count=math.ceil(seconds / 60))


def weight(count: int) -> str:
    """Return a number of bytes as ``470MB`` or, from a thousand of those on, ``1.2GB``; less than one counts as one."""
    megabytes = math.ceil(count / 1e6)
    return GIGABYTES.format(count=f"{count / 1e9:,.1f}") if megabytes >= 1000 else MEGABYTES.format(count=megabytes)
