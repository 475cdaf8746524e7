"""The chat page as its visitor meets it, without a browser: every click runs the real page over scripted answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pages.parts import services
from pages.parts.chat_state import SHOWN
from search_core.domain import Message, MessageKind, MessageState
from tests.app.chat_double import LEDGER, SOURCES, STRANGER, SUMMARY, UNKNOWN, ChatDouble, Job
from tests.app.conftest import Visit
from tests.app.core_double import SAMPLE, CoreDouble


class Talking(Visit):
    """A visitor of the chat page."""

    @property
    def chat(self) -> ChatDouble:
        return self.core.chat

    def ask_chat(self, text: str = "대역폭은요?") -> None:
        self.at.chat_input[0].set_value(text)
        self.look()

    def answers(self) -> list[Job]:
        return [job for job in self.chat.jobs.values() if job.message.kind is MessageKind.ANSWER]

    def checks(self) -> list[Job]:
        return [job for job in self.chat.jobs.values() if job.message.kind is MessageKind.CHECK]

    def keys(self, start: str) -> list[str]:
        return [str(button.key) for button in self.at.button if str(button.key).startswith(start)]

    @property
    def address(self) -> str:
        """Return the conversation in the address of the page."""
        value = self.at.query_params["chat"]
        return value if isinstance(value, str) else value[0]

    def tables(self) -> str:
        return "\n".join(element.value for element in self.at.markdown if "|:--|" in element.value)


@pytest.fixture
def talking():
    """Return a function that opens the chat page; a sample video is on the desk unless told otherwise."""

    def open_page(answers: str = "sure", checks: str = "found", *, video: bool = True, core: CoreDouble | None = None, **params):
        if core is None:
            core = CoreDouble()
            core.chat = ChatDouble(answers, checks)
        services.provide(lambda: core)
        here = Talking(core, {})
        here.at.switch_page("pages/chat.py")
        for name, value in params.items():
            here.at.query_params[name] = value
        here.look()
        if video and not params:
            here.open_sample()
        return here

    yield open_page
    services.provide(services.from_settings)


def test_without_a_video_the_next_step_is_there(talking):
    """The page says in three lines what can be asked, and offers videos to ask about."""
    here = talking(video=False)
    assert "자막에서 답을 찾아 **장면**과 함께" in here.texts()
    assert "영상에 없는 내용은 **웹에서** 찾고" in here.texts()
    assert here.has_button("open-sample-0")
    assert not here.has_button("stop-answer")


def test_an_example_is_asked_with_one_click(talking):
    """An example begins a conversation about the video and is answered."""
    here = talking()
    here.click("chat-example-0")
    assert [talk.entry.title for talk in here.chat.talks.values()] == ["이 회사 최근 실적은?"]
    assert next(iter(here.chat.talks.values())).video == SAMPLE
    assert "대역폭이 두 배" in here.texts()


def test_without_a_model_the_page_says_that_answers_are_quotes(talking):
    """Before the first question and at the answer itself it is told that nobody wrote it."""
    core = CoreDouble()
    core.settings.openai_model, core.chat.answers = "", "extract"
    here = talking(core=core)
    assert "AI 모델이 연결되어 있지 않아서, 자막에서 뽑은 문장으로 답해요." in here.texts()
    here.ask_chat()
    assert "자막에서 뽑은 문장이에요" in here.texts()


def test_an_answer_cites_moments_as_links_and_as_buttons(talking):
    """Each moment is a link in the text and a button under it, which moves the video there."""
    here = talking()
    here.ask_chat()
    assert "[\\[0:40\\]](#t=40)" in "\n".join(element.value for element in here.at.markdown)
    moments = here.keys("at-")
    assert [key.rsplit("-", 1)[1] for key in moments] == ["t40", "t320"]
    here.click(moments[1])
    here.look()
    assert here.at.session_state["page-session"].now_s == 320.0


def test_what_was_heard_badly_is_said_under_an_answer(talking):
    """A model's answer that cites a stretch where speech recognition is uncertain names that moment; no other does."""
    core = CoreDouble()
    core.chat.answers = "misheard"
    here = talking(core=core)
    here.ask_chat()
    assert "음성 인식이 불확실한 곳을 옮긴 답이에요([05:20](#t=320))." in here.texts()
    core.chat.answers = "sure"
    here = talking()
    here.ask_chat()
    assert "음성 인식이 불확실한 곳" not in here.texts()


def test_an_answer_is_drawn_as_it_is_written(talking):
    """While it is written the page says what is being done and offers to stop; at the end both are gone."""
    here = talking()
    here.chat.slow = True
    here.ask_chat()
    assert "자막을 살펴보고 있어요…" in here.texts()
    here.look()
    here.look()
    assert "HBM4의" in here.texts()
    assert "답을 쓰고 있어요…" in here.texts()
    assert here.has_button("stop-answer")
    here.answers()[0].tell()
    here.look()
    assert not here.has_button("stop-answer")
    assert "…" not in here.texts().replace(SAMPLE.title, "").split("영상")[0]
    assert len(here.keys("check-")) == 1


def test_stopping_keeps_what_there_is(talking):
    """A stopped answer keeps its words and says that it was stopped."""
    here = talking("long")
    here.chat.slow = True
    here.ask_chat()
    here.look()
    here.look()
    here.click("stop-answer")
    assert here.answers()[0].message.state is MessageState.STOPPED
    assert "긴" in here.texts()
    assert "답변을 멈췄어요" in here.texts()
    assert not here.has_button("stop-answer")
    assert here.keys("check-") == []


def test_a_question_while_another_is_answered_goes_back_into_the_box(talking):
    """What cannot be sent is not lost, and the page says why."""
    here = talking()
    here.chat.slow = True
    here.ask_chat()
    here.ask_chat("다음 질문")
    assert "앞선 답변이 아직 나오고 있어요." in here.texts()
    assert here.at.chat_input[0].proto.value == "다음 질문"
    assert len(here.answers()) == 1


def test_a_refused_first_question_begins_no_conversation(talking):
    """The sentence is there, the text is back in the box, and no empty conversation stays in the list."""
    here = talking()
    here.ask_chat("거절해 주세요")
    assert "이 질문은 받을 수 없어요." in here.texts()
    assert here.at.chat_input[0].proto.value == "거절해 주세요"
    assert here.chat.talks == {}
    assert "chat" not in here.at.query_params


def test_what_broke_off_says_so(talking):
    """The notice of an answer that broke off stands under it."""
    here = talking("broken")
    here.ask_chat()
    assert "모델과의 연결이 끊겼어요. 여기까지 받았어요." in here.texts()


def test_what_failed_says_so_and_the_chat_goes_on(talking):
    """The sentence about an unexpected end stands under the answer; the next question is answered."""
    here = talking()
    here.chat.slow = True
    here.ask_chat()
    job = here.answers()[0]
    assert job.message.record is not None
    job.message = replace(
        job.message, state=MessageState.FAILED, record=replace(job.message.record, error="답하는 중에 문제가 생겼어요.")
    )
    here.look()
    assert "답하는 중에 문제가 생겼어요." in here.texts()
    here.chat.slow = False
    here.ask_chat("또 물어요")
    assert here.answers()[1].done


def test_where_the_video_says_nothing_the_web_answers(talking):
    """Passages looked at, the query, sources linked, what is not borne out, who was asked; it can be checked like any answer."""
    here = talking("fallback")
    here.ask_chat("실적은?")
    text = here.texts()
    assert UNKNOWN in text
    assert "영상에서는 답을 찾지 못해 웹에서 찾아봤어요" in text
    assert "살펴본 자막 3곳" in text
    assert f"[[1]]({SOURCES[0].url} " in text
    assert "내년에는 세 배가 된대요 [[2]](https://memory.example.org/report " in text
    assert 'Profit doubled year over year."). :orange-badge[출처에서 확인 안 됨]' in text
    assert LEDGER[2] in text
    assert "검색어 “q”" in text
    assert len(here.keys("check-")) == 1
    here.at.session_state[f"passages-{here.answers()[0].id}"] = True
    here.look()
    here.click(here.keys("line-passage-")[2])
    assert here.at.session_state["page-session"].now_s == 700.0


def test_where_the_web_fails_the_first_answer_stands(talking):
    """One sentence is added to the answer from the video, which can be checked later."""
    here = talking("no-web")
    here.ask_chat("실적은?")
    assert UNKNOWN in here.texts()
    assert "웹 검색을 사용할 수 없어 영상 기반 답변만 표시합니다." in here.texts()
    assert len(here.keys("check-")) == 1


def test_a_pause_is_told_until_it_is_over(talking):
    """Who reads the answer later is not told to wait for what has passed."""
    here = talking("resting")
    here.ask_chat("실적은?")
    assert "쉬고 있어요 (55초 남음)). 55초 뒤에 다시 물어볼 수 있어요." in here.texts()
    for job in here.answers():
        job.message = replace(job.message, created_at=job.message.created_at - timedelta(minutes=2))
    here.look()
    assert "잠시 쉬고 있어요)." in here.texts()
    assert "남음" not in here.texts()
    assert "뒤에 다시 물어볼 수" not in here.texts()


def test_where_the_web_is_turned_off_the_passages_are_shown(talking):
    """Without permission to search, what was looked at is all that is added."""
    here = talking("off")
    here.ask_chat("실적은?")
    assert "살펴본 자막 3곳" in here.texts()
    assert "웹에서 찾" not in "\n".join(element.value for element in here.at.markdown)


def test_a_check_shows_sources_then_the_table_then_words(talking):
    """One click makes the check; its parts stand in this order, and the button is gone."""
    here = talking()
    here.ask_chat()
    here.click(here.keys("check-")[0])
    assert here.keys("check-") == []
    parts = ["Web", "출처 3곳", "영상이 나온 날까지의 자료", SUMMARY, "가람반도체의 3분기 영업이익은", "3쪽 중 2쪽을 읽었어요"]
    flat = "\n".join(f"{kind} {text}" for kind, text in _walk(here.at.main)).replace("\\", "")
    places = [flat.find(part) for part in parts]
    assert places == sorted(places)
    assert -1 not in places


def _walk(block):
    for child in block.children.values():
        if hasattr(child, "children"):
            yield child.type, str(getattr(child, "label", "") or "")
            yield from _walk(child)
        else:
            yield child.type, str(getattr(child, "value", "") or "")


def test_the_table_keeps_times_apart_and_does_not_count_copies(talking):
    """Evidence from before, from after and of unknown date stands apart; copies and repetitions say that they do not count."""
    here = talking()
    here.ask_chat()
    here.click(here.keys("check-")[0])
    before, after = here.tables().split("**영상이 나온 뒤의 자료**")
    after, undated = after.split("**날짜를 모르는 자료**")
    assert before.count(":red-badge[상충]") == 2
    assert before.count("같은 이야기를 옮긴 글이라 세지 않았어요") == 1
    assert before.count("영상을 그대로 옮긴 글이라 세지 않았어요") == 1
    assert "| [00:40](#t=40) | :red-badge[상충] | “대역폭을" in before
    assert ":violet-badge[이후 변경]" in after
    assert ":gray-badge[확인 불가]" in undated
    assert "날짜 모름" in undated
    assert [key.rsplit("-", 1)[1] for key in here.keys("at-")][2:] == ["t40", "t320", "t700"]
    assert "영상의 말 2개" in here.texts()


def test_sources_say_whether_they_were_read(talking):
    """Title, site and date of each source, and whether its page was read or only its summary is known."""
    here = talking()
    here.ask_chat()
    here.click(here.keys("check-")[0])
    text = here.texts()
    assert f"[NVIDIA suppliers report strong memory demand]({SOURCES[1].url})" in text
    assert text.count("본문을 읽었어요") == 2
    assert "블로그 · 날짜 모름 · 본문은 못 읽었어요" in text


def test_a_check_goes_through_its_steps(talking):
    """While it is made the page says what is being done; sources come before the table."""
    here = talking()
    here.ask_chat()
    here.chat.slow = True
    here.click(here.keys("check-")[0])
    assert "웹에서 찾고 있어요…" in here.texts()
    here.checks()[0].tell(1)
    here.look()
    assert "출처 3곳" in here.texts()
    assert "찾은 글을 읽고 있어요…" in here.texts()
    assert here.tables() == ""
    here.checks()[0].tell(2)
    here.look()
    assert "상충" in here.tables()
    assert "답을 쓰고 있어요…" in here.texts()


def test_a_check_of_an_earlier_answer_says_what_was_asked(talking):
    """Where another question stands between them; right under its answer it needs no saying."""
    here = talking()
    here.ask_chat("대역폭은 얼마야?")
    here.ask_chat("다음은요?")
    first, second = here.keys("check-")
    here.click(second)
    assert "에 대한 확인이에요" not in here.texts()
    here.click(first)
    assert "위에서 물은 “대역폭은 얼마야?”에 대한 확인이에요." in here.texts()


def test_an_answer_can_be_checked_while_another_is_written(talking):
    """The check of an earlier answer runs beside the answer to the next question."""
    here = talking()
    here.ask_chat()
    here.chat.slow = True
    here.ask_chat("다음은요? (long)")
    here.click(here.keys("check-")[0])
    assert not here.answers()[1].done
    here.checks()[0].tell()
    here.look()
    assert "상충" in here.tables()
    assert here.has_button("stop-answer")


def test_a_check_that_fails_says_so_in_line_and_can_be_made_again(talking):
    """The sentence stands in the check's own place; one more click makes another."""
    here = talking(checks="failed")
    here.ask_chat()
    here.click(here.keys("check-")[0])
    assert "웹 검색을 사용할 수 없어 영상 기반 답변만 표시합니다." in here.texts()
    here.chat.checks = "found"
    here.click(here.keys("check-again-")[0])
    assert "상충" in here.tables()
    assert here.keys("check-") == []


def test_nobody_to_ask_no_button(talking):
    """Where no search service can be asked, the button is not there."""
    core = CoreDouble()
    core.chat.checking = False
    here = talking(core=core)
    here.ask_chat()
    assert here.keys("check-") == []


def test_the_address_brings_a_conversation_back(talking):
    """Another visit with the same address has the video and the messages, without asking again."""
    here = talking()
    here.ask_chat("HBM4 대역폭은?")
    conversation = here.address
    again = talking(core=here.core, chat=conversation)
    assert SAMPLE.title in again.texts()
    assert "HBM4 대역폭은?" in again.texts()
    assert "대역폭이 두 배" in again.texts()
    assert len(again.answers()) == 1


def test_an_answer_under_way_goes_on_after_a_reload(talking):
    """The reloaded page shows what is written and the rest as it comes."""
    here = talking()
    here.chat.slow = True
    here.ask_chat()
    again = talking(core=here.core, chat=here.address)
    assert again.has_button("stop-answer")
    here.answers()[0].tell()
    again.look()
    assert "전력은 그대로라고 설명했어요" in again.texts()


def test_a_conversation_that_is_gone_says_so(talking):
    """An address that leads nowhere ends in a sentence and an empty page to ask on."""
    here = talking(chat="nowhere")
    assert "대화를 찾을 수 없어요." in here.texts()
    assert "chat" not in here.at.query_params


def test_pages_change_and_everything_stays(talking):
    """The conversation is back after a visit of the search page, and so is its address."""
    here = talking()
    here.ask_chat()
    conversation = here.at.query_params["chat"]
    here.at.switch_page("pages/search.py")
    here.look()
    assert SAMPLE.title in here.texts()
    here.at.switch_page("pages/chat.py")
    here.look()
    assert "대역폭이 두 배" in here.texts()
    assert here.at.query_params["chat"] == conversation


def test_another_video_is_another_conversation(talking):
    """Choosing another video puts the conversation away; it stays in the list of all."""
    here = talking()
    here.ask_chat("HBM4 대역폭은?")
    here.click("change-video")
    assert "chat" not in here.at.query_params
    assert "지난 대화" in here.texts()
    here.click(here.keys("talk-")[0])
    assert SAMPLE.title in here.texts()
    assert "대역폭이 두 배" in here.texts()


def test_conversations_of_a_video_are_listed(talking):
    """A new one begins empty; the earlier one is a click away."""
    here = talking()
    here.ask_chat("첫 질문이에요")
    here.click("new-conversation")
    assert "대역폭이 두 배" not in here.texts()
    here.ask_chat("둘째 질문이에요 (fallback)")
    assert [talk.entry.title for talk in here.chat.talks.values()] == ["첫 질문이에요", "둘째 질문이에요 (fallback)"]
    other = next(key for key in here.keys("talk-") if not key.startswith("talk-open-"))
    here.click(other)
    assert "대역폭이 두 배" in here.texts()


def test_a_conversation_is_renamed(talking):
    """The new name is in the list."""
    here = talking()
    here.ask_chat()
    here.click("rename")
    talk = next(iter(here.chat.talks.values()))
    here.at.text_input(key=f"title-of-{talk.entry.id}").set_value("  대역폭   이야기 ")
    next(button for button in here.at.button if button.label == "저장").click()
    here.look()
    assert next(iter(here.chat.talks.values())).entry.title == "대역폭 이야기"
    assert "대역폭 이야기" in "\n".join(button.label for button in here.at.button)


def test_a_conversation_is_deleted_only_after_a_second_yes(talking):
    """The question names the conversation; only the yes deletes it."""
    here = talking()
    here.ask_chat("지울 대화")
    here.click("delete")
    assert "“지울 대화”의 질문과 답이 모두 지워지고, 되돌릴 수 없어요." in here.texts()
    assert len(here.chat.talks) == 1
    here.click("delete-yes")
    assert here.chat.talks == {}
    assert "chat" not in here.at.query_params


def test_an_answer_is_read_aloud_on_request(talking):
    """One click fetches the sound once; a failure is said in its place."""
    core = CoreDouble()
    core.chat.speaking = core.chat.mute = True
    here = talking(core=core)
    here.ask_chat()
    here.click(here.keys("listen-")[0])
    assert "소리를 제때 받지 못했어요." in here.texts()
    core.chat.mute = False
    here.click(here.keys("listen-")[0])
    here.look()
    assert len(here.at.get("audio")) == 1
    assert len(core.chat.spoken) == 2


def test_a_spoken_question_is_written_down(talking):
    """Until it is known what was said the page says so; then the words stand there."""
    core = CoreDouble()
    core.chat.hearing = core.chat.slow = True
    here = talking(core=core)
    begun = core.chat.new("", SAMPLE)
    core.chat.ask_aloud(begun.id, "", b"RIFF", "question.wav")
    again = talking(core=core, chat=begun.id)
    assert "받아 적고 있어요…" in again.texts()
    here.answers()[0].tell(2)
    again.look()
    assert "대역폭이 얼마나 늘었나요?" in again.texts()
    assert "받아 적고 있어요…" not in again.texts()


def test_a_long_conversation_draws_its_end_first(talking):
    """Only the last messages are drawn; earlier ones come on a click."""
    core = CoreDouble()
    begun = core.chat.new("", SAMPLE)
    for place in range(25):
        core.chat.ask(begun.id, "", f"{place}번 질문이에요")
    here = talking(core=core, chat=begun.id)
    assert "24번 질문이에요" in here.texts()
    assert "9번 질문이에요" not in here.texts().splitlines()
    assert f"이전 메시지 {50 - SHOWN}개 보기" in here.texts()
    here.click("older")
    assert "9번 질문이에요" in here.texts().splitlines()
    assert not here.has_button("older")


def test_hostile_words_stay_words(talking):
    """Nothing a model or a page wrote becomes a picture, a foreign link, HTML or a heading of its own."""
    here = talking("hostile", "hostile")
    here.ask_chat("무엇이든")
    here.click(here.keys("check-")[0])
    for element in here.at.markdown:
        assert "![" not in element.value.replace("\\!\\[", "")
        assert "](javascript" not in element.value
        assert f"]({STRANGER}" not in element.value
        assert f"](<{STRANGER}" not in element.value
        assert "\n# " not in element.value
        assert "](#t=999999)" not in element.value
        assert "```mermaid" not in element.value
        assert not element.allow_html


def test_a_message_without_a_record_is_drawn(talking):
    """What was stored before anything was told does not break the page."""
    core = CoreDouble()
    begun = core.chat.new("", SAMPLE)
    job = core.chat.ask(begun.id, "", "질문")
    job.message = Message(
        id=job.id, kind=MessageKind.ANSWER, state=MessageState.FAILED, about=job.message.about, created_at=job.message.created_at
    )
    here = talking(core=core, chat=begun.id)
    assert "답을 만들다가 문제가 생겼어요. 다시 물어봐 주세요." in here.texts()
