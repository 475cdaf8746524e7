"""Korean texts of the page that checks a whole video."""

from __future__ import annotations

from typing import NamedTuple

from pages.parts.labels import RunTexts
from search_core.domain import ClaimsStatus, Stance

PAGE = "영상 확인"
TITLE = "영상에서 한 말을 하나하나 확인해요"
WHAT_IT_DOES = (
    ":material/checklist: 자막에서 **찾아보면 알 수 있는 주장**을 골라, 확인할 만한 순서로 보여줘요",
    ":material/travel_explore: 고른 것마다 웹을 찾아 읽고 **영상의 말과 출처의 말을 나란히** 놓아요",
    ":material/timeline: 결과는 **영상의 시간 위에** 표시돼요. 창을 닫아도 계속되고, 언제든 멈출 수 있어요",
)
WHAT_IT_MEANS = "판단은 찾은 출처가 영상과 같게 말하는지, 다르게 말하는지를 뜻해요. 무엇이 옳은지 가린 것은 아니에요."

# Finding
FINDING = "자막 {lines:,}줄에서 확인할 만한 주장을 찾고 있어요…"
FINDING_NOTE = "한 시간짜리 영상도 몇 초면 돼요. 아직 아무에게도 물어보지 않아요."
NO_TRANSCRIPT = "자막이 없는 영상이라 주장을 찾을 수 없어요"
NO_TRANSCRIPT_NEXT = "자막 파일이 있으면 ‘다른 영상’을 눌러 함께 열어 주세요. 확인하고 싶은 주장을 아래에 직접 적어도 돼요."
NO_CLAIMS = "확인할 만한 주장을 찾지 못했어요"
NO_CLAIMS_NEXT = (
    "문장 {sentences}개를 살펴봤는데, 숫자·날짜·기록처럼 찾아볼 수 있는 말이 없었어요. "
    "확인하고 싶은 주장이 있으면 아래에 직접 적어 주세요."
)
NO_CERTAIN_CLAIMS = "따로 떼어 놓아도 뜻이 통하는 주장을 찾지 못했어요"
NO_CERTAIN_CLAIMS_NEXT = (
    "문장 {sentences}개를 살펴봤어요. 덜 확실한 주장을 펼쳐 읽어 보거나, 확인하고 싶은 주장을 직접 적어 주세요."
)
NOT_READ = "자막을 살펴보지 못했어요"
AGAIN_FINDING = "다시 살펴보기"

# Choosing
NO_DATE = "영상이 나온 날을 몰라서 상충과 이후 변경을 가리지 못할 수 있어요. ‘영상 정보 고치기’에서 날짜를 넣을 수 있어요."
FOUND = "문장 {sentences}개에서 확인할 만한 주장 {claims}개를 찾았어요."
CHOSEN = "**고른 {claims}개 확인** · {budget}"
CHOSEN_NOTE = "찾은 것이 없는 주장은 한 번 더 찾아요. {pages} 누르기 전에는 아무것도 찾지 않아요."
CHOSEN_PAGES, CHOSEN_SNIPPETS = "페이지는 {pages}쪽까지 읽어요.", "페이지는 읽지 않고 검색 결과의 요약만 봐요."
CHOSEN_OWN = "**고른 {claims}개 확인** · 웹 검색 없이 내 자료하고만"
CHOSEN_OWN_NOTE = "물어볼 수 있는 웹 검색 서비스가 없어요. 검색 상태에서 켜는 방법을 볼 수 있어요."
CHOSEN_NONE = "**확인할 주장을 골라 주세요**"
START = "고른 {claims}개 확인하기"
START_NONE = "확인하기"
BEST = 12
PICK_BEST, PICK_BEST_HELP = "확인할 만한 {count}개", "가장 확인할 만한 것부터 {count}개를 골라요"
PICK_ALL, PICK_NONE = "모두 고르기", "모두 빼기"
ORDER = "순서"
BY_SCORE, BY_TIME = "확인할 만한 순", "영상 순서"
EDIT, EDIT_LABEL, SAVE, CANCEL = "고치기", "확인할 주장", "고칠게요", "그대로 두기"
EDIT_EMPTY = "확인할 주장을 적어 주세요."
EDITED, ADDED = "고침", "직접 더함"
SHOW_MORE = "{count}개 더 보기"
LESS_CERTAIN = "덜 확실한 주장 {count}개 보기"
LESS_CERTAIN_NOTE = (
    "목록에서 뺀 문장 가운데 주장일 수도 있는 것이에요. 앞뒤 문장 없이는 뜻이 통하지 않을 수 있어요. "
    "재 보니 절반쯤이 주장이었어요. 읽어 보고 직접 골라 주세요."
)
LESS_CERTAIN_CHOSEN = "이 가운데 {count}개를 골랐어요."
ADD_TITLE = "주장 더하기"
ADD_TEXT, ADD_HINT = "더할 주장", "예: HBM4 표준은 2025년 4월에 나왔다"
ADD_TIME, ADD_TIME_HINT = "시각 (없어도 돼요)", "예: 05:45"
ADD, ADD_BAD_TIME = "더하기", "시각은 05:45나 1:02:07처럼 적어 주세요."
ADD_LATE = "이 영상은 {length}까지예요. 그 안의 시각을 적어 주세요."
REMOVE = "지우기"
NO_MOMENT = "시각 없음"

# The verdicts


class Kind(NamedTuple):
    """A word, a shape and a colour."""

    word: str
    icon: str
    colour: str

    @property
    def mark(self) -> str:
        """Return the shape in its colour, as Markdown."""
        return f":{self.colour}[{self.icon}]"

    @property
    def badge(self) -> str:
        """Return the shape and the word in their colour, as Markdown."""
        return f":{self.colour}-badge[{self.icon} {self.word}]"


KINDS = {
    "contradicts": Kind(Stance.CONTRADICTS.label, ":material/warning:", "red"),
    "changed": Kind(Stance.CHANGED.label, ":material/update:", "violet"),
    "agree": Kind(Stance.AGREE.label, ":material/check_circle:", "green"),
    "adds": Kind(Stance.ADDS.label, ":material/add_box:", "blue"),
    "cannot_tell": Kind(Stance.CANNOT_TELL.label, ":material/help:", "gray"),
    "own_contradicts": Kind("내 자료와 상충", ":material/warning:", "red"),
    "own_changed": Kind("내 자료: 이후 변경", ":material/update:", "violet"),
    "own_agree": Kind("내 자료와 일치", ":material/check_circle:", "green"),
    "failed": Kind("물어보지 못함", ":material/cloud_off:", "gray"),
    "left_out": Kind("확인하지 않음", ":material/remove:", "gray"),
    "going": Kind("확인 중", ":material/pending:", "blue"),
    "waiting": Kind("대기 중", ":material/radio_button_unchecked:", "gray"),
}
"""By the values of stances and of states, in the order of the filters, the most urgent first.

Own documents, which are not the web, have labels of their own.
"""
FOUND_ICON = ":gray[:material/flag:]"

# The timeline
TIMELINE = "영상 위의 판단"
MARK = "{time} {word}: {text}"
MARK_AGAIN = " (장면 {count}곳 중 {place}번째)"
TIMELINE_NOTE = "표시를 누르면 영상이 그 장면으로 가고, 아래에 근거가 펼쳐져요."
WITHOUT_MOMENT = "시각이 없는 {count}개는 아래 목록에 있어요."
FILTER = "판단으로 거르기"
WHEN = "출처가 나온 때로 거르기"
WHENS = {"all": "모든 출처", "before": "영상보다 먼저", "after": "영상보다 나중"}
FILTERED = "{total}개 중 {shown}개를 보고 있어요."
FILTERED_NONE = "고른 조건에 맞는 주장이 없어요. 위에서 조건을 풀어 주세요."

# A claim
SUMMARY = "**{total}개 중 {counts}**"
ROWS_OWN, ROWS_NONE = "내 자료 {count}건", "무엇을 찾아봤나요"
NOT_ASKED = "웹에는 물어보지 못했어요."
IN_VIDEO = "영상"
NOT_COUNTED = "독립된 출처로 세지 않은 글"
OWN_DOCUMENTS = "{name}에서 (웹이 아니에요)"
NOT_THE_WEB = "웹이 아니에요"
READ_OWN = "자료 읽기: {title}"
SEARCHED = "검색어 “{query}”"
GO_ON = "이 주장으로…"
WAYS_ON = {"chat": "대화에서 묻기", "research": "딥리서치로 조사하기", "search": "검색하기"}
CHAT_QUESTION = "“{text}” 이 말은 영상에서 어떤 맥락에서 나왔나요?"
RESEARCH_QUESTION = "“{text}” 이 주장이 맞는지 여러 자료로 알아봐 주세요."

# Under way
PROGRESS = "{total}개 중 {done}개 확인"
FINISHING = "하고 있는 것만 마치고 있어요."
ANNOUNCED = "영상 확인이 끝났어요."

# Ends
ENDS = {
    ClaimsStatus.COMPLETE: ":green[:material/check_circle:] 확인을 마쳤어요",
    ClaimsStatus.FINISHED_EARLY: ":green[:material/task_alt:] 여기까지 확인하고 마무리했어요",
    ClaimsStatus.STOPPED: ":orange[:material/stop_circle:] 확인을 멈췄어요. 확인한 것은 남겨 두었어요",
    ClaimsStatus.FAILED: ":orange[:material/error:] 확인을 끝까지 하지 못했어요",
}
AWAY = ":orange[:material/cloud_off:] 웹을 검색하지 못했어요. 네트워크 연결을 확인하고 이어서 확인해 주세요."
AWAY_OWN = (
    ":orange[:material/cloud_off:] 웹을 검색하지 못해 내 자료하고만 견줬어요. 네트워크 연결을 확인하고 이어서 확인해 주세요."
)
RESUME, RESUME_HELP = "이어서 확인", "이미 확인한 것은 그대로 두고, 남은 것부터 확인해요."
AGAIN = "다시 확인"
OTHERS, OTHERS_HELP = "다른 주장 고르기", "이 영상에서 확인할 주장을 다시 골라요."
COVERAGE = "어디까지 확인했나요"
TAKEN = "{seconds:.1f}초 걸림 · 검색 {metrics.searches}번 · 페이지 {metrics.pages}쪽"
CHANGED_VERDICTS, NEW_SOURCES = "판단이 바뀐 주장", "새 출처가 나온 주장"
NEW_CLAIMS, GONE_CLAIMS = "새로 확인한 주장", "이번에는 확인하지 않은 주장"

# History
RUNS = RunTexts(
    name="claims",
    icon=":material/add:",
    new="새 확인",
    of_video="이 영상의 확인",
    of_all="지난 확인",
    others="다른 영상의 확인 {count}개",
    more="지난 확인 {count}개 더 보기",
    running="확인 중",
    exports=("markdown", "html", "pdf", "docx", "csv", "json"),
    delete_title="이 확인을 지울까요?",
    delete_later="확인을 멈춘 뒤에 지울 수 있어요.",
    finish_help="하고 있는 것만 마치고, 남은 것은 확인하지 않아요.",
    stop_help="바로 멈춰요. 확인한 것은 남아요.",
    again_help="같은 주장을 처음부터 다시 찾아서, 그사이 바뀐 것을 볼 수 있어요.",
    changes="지난 확인 이후 바뀐 것 · {when}",
    earlier_gone="견줄 지난 확인을 찾을 수 없어요. 그사이 지워졌을 수 있어요.",
)
ENTRY_COUNT = "{count}개"
DELETE_NOTE = "“{title}” 영상의 주장 {count}개를 확인한 결과가 모두 지워지고, 되돌릴 수 없어요."
