"""Korean texts of checks of a whole video that several places say or that are too long for theirs."""

from __future__ import annotations

from typing import NamedTuple

from search_core.domain import ClaimsStatus, Stance

TITLE = "영상에서 한 말을 하나하나 확인해요"
WHAT_IT_DOES = (
    ":material/checklist: 자막에서 **찾아보면 알 수 있는 주장**을 골라, 확인할 만한 순서로 보여줘요",
    ":material/travel_explore: 고른 것마다 웹을 찾아 읽고 **영상의 말과 출처의 말을 나란히** 놓아요",
    ":material/timeline: 결과는 **영상의 시간 위에** 표시돼요. 창을 닫아도 계속되고, 언제든 멈출 수 있어요",
)
WHAT_IT_MEANS = "판단은 찾은 출처가 영상과 같게 말하는지, 다르게 말하는지를 뜻해요. 무엇이 옳은지 가린 것은 아니에요."
FINDING = "자막 {lines:,}줄에서 확인할 만한 주장을 찾고 있어요…"
FINDING_NOTE = "한 시간짜리 영상도 몇 초면 돼요. 아직 아무에게도 물어보지 않아요."
NO_TRANSCRIPT = "자막이 없는 영상이라 주장을 찾을 수 없어요"
NO_TRANSCRIPT_NEXT = "자막 파일이 있으면 ‘다른 영상’을 눌러 함께 열어 주세요. 확인하고 싶은 주장을 아래에 직접 적어도 돼요."
NO_CLAIMS_NEXT = (
    "문장 {sentences}개를 살펴봤는데, 숫자·날짜·기록처럼 찾아볼 수 있는 말이 없었어요. "
    "확인하고 싶은 주장이 있으면 아래에 직접 적어 주세요."
)
NO_CERTAIN_CLAIMS_NEXT = (
    "문장 {sentences}개를 살펴봤어요. 덜 확실한 주장을 펼쳐 읽어 보거나, 확인하고 싶은 주장을 직접 적어 주세요."
)
AGAIN_FINDING = "다시 살펴보기"
NO_DATE = "영상이 나온 날을 몰라서 상충과 이후 변경을 가리지 못할 수 있어요. ‘영상 정보 고치기’에서 날짜를 넣을 수 있어요."
CHOSEN_OWN = "**고른 {claims}개 확인** · 웹 검색 없이 내 자료하고만"
CHOSEN_OWN_NOTE = "물어볼 수 있는 웹 검색 서비스가 없어요. 검색 상태에서 켜는 방법을 볼 수 있어요."
BEST = 12
EDIT_EMPTY = "확인할 주장을 적어 주세요."
LESS_CERTAIN_NOTE = (
    "목록에서 뺀 문장 가운데 주장일 수도 있는 것이에요. 앞뒤 문장 없이는 뜻이 통하지 않을 수 있어요. "
    "재 보니 절반쯤이 주장이었어요. 읽어 보고 직접 골라 주세요."
)


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
WHENS = {"all": "모든 출처", "before": "영상보다 먼저", "after": "영상보다 나중"}
ROWS_OWN, ROWS_NONE = "내 자료 {count}건", "무엇을 찾아봤나요"
WAYS_ON = {"chat": "대화에서 묻기", "research": "딥리서치로 조사하기", "search": "검색하기"}
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
OTHERS, OTHERS_HELP = "다른 주장 고르기", "이 영상에서 확인할 주장을 다시 골라요."

DELETE_NOTE = "“{title}” 영상의 주장 {count}개를 확인한 결과가 모두 지워지고, 되돌릴 수 없어요."
