"""The chat page as its visitor meets it, without a browser: every click runs the real page over scripted answers.

A name in brackets in a question chooses the script of its answer.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from pages.parts.shared.evidence import NO_BREAK
from pages.parts.workspace.chat_state import SHOWN
from search_core.domain.conversation import Message, MessageKind, MessageState
from search_core.search.presenting.claim_text import RESTATES
from search_core.search.presenting.dates import korean_date
from tests.app.chat_double import LEDGER, SOURCES, STRANGER, SUMMARY, UNKNOWN, ChatDouble, ScriptedJob
from tests.app.conftest import Visit
from tests.app.core_double import BROKEN, SAMPLE, Away, CoreDouble


class ChatVisit(Visit):
    @property
    def chat(self) -> ChatDouble:
        return self.core.chat

    def answers(self) -> list[ScriptedJob]:
        return [job for job in self.chat.jobs if job.kind is MessageKind.ANSWER]

    def check(self) -> ScriptedJob:
        """Have the first answer that offers it checked, and return the check."""
        self.click(self.keys("check-")[0])
        return [job for job in self.chat.jobs if job.kind is MessageKind.CHECK][-1]

    def blocks(self) -> list[str]:
        """Return what is drawn of each statement of a check."""
        drawn = [element.value for element in self.at.markdown if "- :small[:gray[:material/movie: 영상" in element.value]
        return [block.replace("\\", "").replace(NO_BREAK, " ") for block in drawn]


@pytest.fixture
def chatting(visit):

    def open_page(answers: str = "sure", checks: str = "found", *, video: bool = True, core: CoreDouble | None = None, **params):
        if core is None:
            core = CoreDouble()
            core.chat = ChatDouble(answers, checks)
        return visit(core=core, kind=ChatVisit, video=video and not params, **params)

    return open_page


def test_an_answer_cites_moments_and_names_its_faults(chatting):
    """Each moment is a link and a button that moves the video; uncertain speech and a broken connection are named."""
    here = chatting()
    here.ask()
    assert "[\\[0:40\\]](#t=40)" in here.markdown()
    assert "음성 인식이 불확실한 곳" not in here.texts()
    moments = here.keys("at-")
    assert [key.rsplit("-", 1)[1] for key in moments] == ["t40", "t320"]
    here.click(moments[1])
    assert here.look().session_state["page-session"].now_s == 320.0
    here.ask("(misheard)")
    assert "음성 인식이 불확실한 곳을 옮긴 답이에요([05:20](#t=320))." in here.texts()
    here.ask("(broken)")
    assert "모델과의 연결이 끊겼어요. 여기까지 받았어요." in here.texts()


def test_an_answer_is_drawn_as_it_is_written_and_can_be_stopped(chatting):
    """While it is written the page says what is being done and offers to stop; a stopped answer keeps its words."""
    here = chatting()
    here.chat.slow = True
    here.ask()
    assert "자막을 살펴보고 있어요…" in here.texts()
    here.look()
    here.look()
    assert "HBM4의" in here.texts()
    assert "답을 쓰고 있어요…" in here.texts()
    here.answers()[0].advance()
    here.look()
    assert not here.has_button("stop-answer")
    [check] = here.keys("check-")
    assert here.button(check).label == r"온라인에서 확인 :gray[· 대역폭은요\?]"
    here.ask("다음은요? (long)")
    here.look()
    here.look()
    here.click("stop-answer")
    assert here.answers()[1].message.state is MessageState.STOPPED
    assert "긴" in here.texts()
    assert "답변을 멈췄어요" in here.texts()
    assert not here.has_button("stop-answer")
    assert len(here.keys("check-")) == 1


def test_what_fails_says_so_and_the_chat_goes_on(chatting):
    """A question that is refused or has to wait goes back into the box; a failed answer leaves a sentence, and the next comes."""
    here = chatting()
    here.ask("거절해 주세요")
    assert "이 질문은 받을 수 없어요." in here.texts()
    assert here.draft == "거절해 주세요"
    assert (here.chat.conversations(""), here.param("chat")) == ((), "")
    here.chat.slow = True
    here.ask()
    here.ask("다음 질문")
    assert "앞선 답변이 아직 나오고 있어요." in here.texts()
    assert (here.draft, here.session.asked) == ("다음 질문", "대역폭은요?")  # what the last question found stays
    [job] = here.answers()
    assert job.message.record is not None
    failed = replace(job.message.record, error="답하는 중에 문제가 생겼어요.")
    job.message = replace(job.message, state=MessageState.FAILED, record=failed)
    here.look()
    assert "답하는 중에 문제가 생겼어요." in here.texts()
    here.chat.slow = False
    here.ask("또 물어요")
    assert here.answers()[1].done


def test_where_the_video_says_nothing_the_web_answers(chatting):
    """The page shows linked sources and unsupported sentences; the scenes stand in the list, which is a click away later."""
    here = chatting("fallback")
    here.ask("실적은?")
    for words in (
        UNKNOWN,
        "영상에서는 답을 찾지 못해 웹에서 찾아봤어요",
        f"[[1]]({SOURCES[0].url} ",
        'Profit doubled year over year."). :orange-badge[출처에서 확인 안 됨]',
    ):
        assert words in here.texts()
    here.ask("다음 질문은? (sure)")
    here.click(f"show-list-{here.answers()[0].id}")
    here.click("scene-2")
    assert here.session.now_s == 700.0


def test_where_the_web_is_not_there_the_answer_from_the_video_stands(chatting):
    """A pause of the web is named until it is over, and a web turned off adds passages alone."""
    here = chatting("resting")
    here.ask("실적은?")
    assert UNKNOWN in here.texts()
    assert "쉬고 있어요). 잠시 뒤에 다시 물어볼 수 있어요." in here.texts()
    [job] = here.answers()
    job.message = replace(job.message, created_at=job.message.created_at - timedelta(minutes=2))
    here.look()
    assert "잠시 쉬고 있어요)." in here.texts()
    assert "뒤에 다시 물어볼 수" not in here.texts()
    here.click("new-chat")
    here.ask("실적은? (off)")
    assert here.keys("scene-") == ["scene-0", "scene-1", "scene-2"]
    assert "웹에서 찾" not in here.markdown()


def test_a_check_shows_sources_then_the_statements_then_words(chatting):
    """Each statement has its verdict, both sides and its sources; copies and judges are named; no model of entailment is said."""
    here = chatting()
    here.ask()
    here.check()
    assert here.keys("check-") == []
    parts = (":blue-badge[:material/language: Web]", "메모리 이야기", SUMMARY, "다르게 말해요.", "가람반도체의 3분기", LEDGER[0])
    positions = [here.markdown().replace("\\", "").index(part) for part in parts]
    assert positions == sorted(positions)
    assert here.folds()[0] == "출처 3곳"
    assert "검색 내역 · 3곳 중 2곳이 답했어요 · 3쪽 중 2쪽을 읽었어요" in here.folds()
    contradicted, changed, undecided = here.blocks()
    assert contradicted.startswith(":red-badge[:material/warning: 상충] 독립된 출처 1곳이 다르게 말해요.\n")
    assert "“대역폭을 :orange-background[**두 배**]로 올렸습니다" in contradicted
    assert f"]({SOURCES[0].url})" in contradicted
    assert f"· 예시일보 · {korean_date(SOURCES[0].publish_date)} · 영상보다 먼저 · 본문을 읽음" in contradicted
    assert changed.startswith(":violet-badge[:material/update: 이후 변경]")
    assert undecided.startswith(":gray-badge[:material/help: 확인 불가]")
    judged = here.texts()
    assert ":red-badge[:material/warning: 상충] **의미 모델 (86%)** :small[:gray[가람반도체" in judged
    assert "한 회사에서 낸 1곳은 하나로 셌어요: 블로그" in judged
    assert RESTATES in judged
    assert [key.rsplit("-", 1)[1] for key in here.keys("at-")][2:] == ["t40", "t320", "t700"]
    assert judged.count("본문을 읽었어요") == 2
    assert "블로그 · 날짜 모름 · 본문은 못 읽었어요" in judged
    assert "의미 모델 없이" not in judged
    here.click("new-chat")
    here.chat.checks = "rules"
    here.ask()
    here.check()
    assert here.texts().count("의미 모델 없이 규칙만으로 판단했어요.") == 1
    assert len(here.blocks()) == 12
    assert "가람반도체의 3분기 영업이익은" not in here.texts()  # quoted, it repeats what is compared
    assert "그 밖에 영상의 말 3개는 대화를 내보낸 파일에 있어요." in here.texts()


def test_a_check_that_fails_can_be_made_again(chatting):
    """A failed or stopped check says so in its own place and can be made again; without a service no button is there."""
    here = chatting(checks="failed")
    here.ask()
    here.check()
    assert "웹 검색을 사용할 수 없어 영상 기반 답변만 표시합니다." in here.texts()
    assert "에 대한 확인이에요" not in here.texts()
    assert re.search(r"chat-\d 웹에서 확인하지 못했어요\.", here.texts())
    here.chat.checks, here.chat.slow = "found", True
    here.click(here.keys("check-again-")[0])
    here.look()
    [job] = [job for job in here.chat.jobs if not job.done]
    job.cancel()
    here.look()
    assert "답변을 멈췄어요" not in here.texts()
    assert "확인을 멈췄어요." in here.texts()
    here.chat.slow = False
    here.click(here.keys("check-again-")[-1])
    assert "상충" in here.blocks()[0]
    assert here.keys("check-") == []
    here.chat.checking = False
    here.ask("또 물어요")
    assert here.keys("check-") == []


def test_what_came_to_nothing_is_called_what_it_is(chatting):
    """A search that was cut has not looked all through, and a check that found nothing to compare says so."""
    here = chatting("fallback", "silent")
    here.chat.slow = True
    here.ask("실적은?")
    [job] = here.answers()
    while not job.message.record.searched_for:
        job.advance(1)
    job.cancel()
    here.look()
    assert "영상에서는 답을 찾지 못했고, 웹에서 찾는 중에 멈췄어요" in here.texts()
    here.chat.slow = False
    here.ask("(sure)")
    here.check()
    assert "**웹에서 찾아봤지만 비교할 말이 없었어요**" in here.texts()


def test_the_address_brings_a_conversation_back(chatting):
    """Another visit has video and messages without asking again, sees an answer under way, and reads where one is gone."""
    here = chatting()
    here.ask("HBM4 대역폭은?")
    here.chat.slow = True
    here.ask("전력은?")
    again = chatting(core=here.core, chat=here.param("chat"))
    for words in (SAMPLE.title, "HBM4 대역폭은?", "대역폭이 두 배"):
        assert words in again.texts()
    assert len(again.answers()) == 2
    assert again.has_button("stop-answer")
    once = again.texts().count("전력은 그대로라고 설명했어요")
    here.answers()[1].advance()
    again.look()
    assert again.texts().count("전력은 그대로라고 설명했어요") == 2 * once
    again.at.query_params["chat"] = "nowhere"
    again.look()
    assert "대화를 찾을 수 없어요." in again.texts()
    assert again.param("chat") == ""


def test_a_conversation_waits_for_its_database(chatting):
    """The reason stays at each look and each action, the address keeps its id, and what was typed stays in the box."""
    core = CoreDouble()
    core.chat = Away(core.chat)
    conversation = core.chat.new("", SAMPLE).id
    core.chat.ask(conversation, "", "대역폭은 얼마나 늘었나요?")
    here = chatting(core=core, video=False)
    core.chat.away = ("open", "conversations", "ask")
    here.at.query_params["chat"] = conversation
    for _ in range(3):
        here.look()
        assert BROKEN in here.errors()
        assert (here.param("chat"), here.session.video) == (conversation, None)
    core.chat.away = ()
    here.look()
    assert "대역폭은 얼마나 늘었나요?" in here.texts()
    assert (here.errors(), here.param("chat"), here.session.video) == ("", conversation, SAMPLE)
    core.chat.away = ("ask",)
    here.ask("또 물어요")
    assert BROKEN in here.errors()
    assert here.draft == "또 물어요"


def test_a_conversation_goes_with_its_video(chatting):
    """It is back after another page and put away with its video; another one begins empty."""
    here = chatting()
    here.ask("첫 질문이에요")
    first = here.param("chat")
    here.open("records")
    here.open("work")
    assert (here.param("chat"), "대역폭이 두 배" in here.texts()) == (first, True)
    here.click("change-video")
    assert here.param("chat") == ""
    assert "대역폭이 두 배" not in here.texts()
    here = chatting(core=here.core, chat=first)
    here.click("new-chat")
    here.look()
    assert "대역폭이 두 배" not in here.texts()
    assert (here.param("chat"), here.param("job"), here.session.video) == ("", "", SAMPLE)


def test_the_list_of_an_earlier_question_is_shown_again_in_its_place(chatting):
    """One in memory and one that is stored come back without a search; of one that is gone the page says so and searches once."""
    here = chatting()
    here.ask("대역폭은요?")
    here.ask("전력은요?")
    first, second = here.core.jobs
    [show] = here.keys("show-list-")
    assert here.session.report_of == second
    here.click(show)
    assert (here.session.report_of, here.session.asked) == (first, "대역폭은요?")
    assert "**9건** · 숨김 3" in here.texts()
    [other] = here.keys("show-list-")
    assert other != show
    for job in here.core.jobs.values():  # as the page does in the background
        here.core.stored_searches.keep(job.id, "", job.report)
    here.core.jobs.clear()
    here.click(other)
    assert here.session.report_of == second
    for search in (first, second):
        here.core.stored_searches.delete(search, "")
    here.click(show)
    assert "이 질문으로 찾은 결과는 이제 보관하고 있지 않아요." in here.texts()
    assert len(here.core.searches) == 2
    here.click("search-again")
    assert [question.text for question, _ in here.core.searches] == ["대역폭은요?", "전력은요?", "대역폭은요?"]
    assert len(here.answers()) == 2
    assert "이제 보관하고" not in here.texts()


@pytest.mark.parametrize(
    ("text", "told", "left"), [("안녕하세요", "반가워요\\!", ""), ("asdf qwer", "알아듣지 못했어요\\.", "asdf qwer")]
)
def test_what_is_no_question_leaves_the_list_in_sight(chatting, text: str, told: str, left: str):
    """It is answered beside the box, where noise stays and a greeting does not; the list of the question before stands on."""
    here = chatting()
    here.ask("대역폭은요?")
    of, cards = here.session.report_of, here.keys("card-")
    here.ask(text)
    assert ([box.value for box in here.at.info], here.errors(), here.draft) == ([told], "", left)
    assert (here.session.report_of, here.session.asked, here.keys("card-")) == (of, "대역폭은요?", cards)
    assert (len(here.core.searches), len(here.answers())) == (1, 1)
    here.ask("전력은요?")
    assert list(here.at.info) == []


def test_a_long_conversation_draws_its_end_first(chatting):
    """Only the last messages are drawn, earlier ones come on a click; a failed answer and a deleted run say what they are."""
    core = CoreDouble()
    begun = core.chat.new("", SAMPLE)
    *_, gone, job = (core.chat.ask(begun.id, "", f"{number}번 질문이에요") for number in range(25))
    gone.message = replace(gone.message, kind=MessageKind.RESEARCH, record=None)
    job.message = Message(
        id=job.id, kind=MessageKind.ANSWER, state=MessageState.FAILED, about=job.message.about, created_at=job.message.created_at
    )
    here = chatting(core=core, chat=begun.id)
    assert "24번 질문이에요" in here.texts()
    assert "답을 만들다가 문제가 생겼어요. 다시 물어봐 주세요." in here.texts()
    assert "이 조사는 지워져서 더 볼 수 없어요" in here.texts()
    assert "9번 질문이에요" not in here.texts().splitlines()
    assert f"이전 메시지 {50 - SHOWN}개 보기" in here.texts()
    here.click("older")
    assert "9번 질문이에요" in here.texts().splitlines()
    assert not here.has_button("older")


def test_hostile_words_stay_words(chatting):
    """Nothing a model or a page wrote becomes a picture, a foreign link, HTML or a heading of its own."""
    here = chatting("hostile", "hostile")
    here.ask("무엇이든")
    here.check()
    assert "onerror" in here.markdown()
    for element in here.at.markdown:
        value = element.value.replace("\\!\\[", "")
        for trap in ("![", "](javascript", f"]({STRANGER}", f"](<{STRANGER}", "\n# ", "](#t=999999)", "```mermaid"):
            assert trap not in value
        assert not element.allow_html
