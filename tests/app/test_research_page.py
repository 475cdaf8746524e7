"""The research page as its visitor meets it, without a browser: every click runs the real page over scripted runs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from pages.parts import research_history, run_history, services
from pages.parts.research_view import elapsed, spread
from search_core.domain import STOPPED_KOREAN, STOPPED_MARKER, ResearchRequest, ResearchRun, ResearchStatus, SubtaskState
from tests.app.conftest import Visit
from tests.app.core_double import SAMPLE, CoreDouble
from tests.app.research_double import NOTE, SNIPPETS, TEXTS, Going, ResearchDouble

QUESTION = "HBM4의 대역폭은 얼마이고 무엇이 달라졌나요?"


class Inquiring(Visit):
    """A visitor of the research page."""

    @property
    def research(self) -> ResearchDouble:
        return self.core.research

    @property
    def runs(self) -> list[ResearchRun]:
        return [going.run for going in self.research.runs.values()]

    def ask_for(self, text: str = QUESTION, *, plan_first: bool = False) -> None:
        self.at.text_input(key="research-question").set_value(text)
        if plan_first:
            self.at.toggle(key="plan-first").set_value(True)
        self.click("start-research")

    def markdown(self) -> str:
        return "\n".join(str(element.value) for element in self.at.markdown)

    def keys(self, start: str) -> list[str]:
        return [str(button.key) for button in self.at.button if str(button.key).startswith(start)]

    @property
    def address(self) -> str:
        """Return the run in the address of the page."""
        value = self.at.query_params.get("run", "")
        return value if isinstance(value, str) else value[0]

    @property
    def newest(self) -> Going:
        return list(self.research.runs.values())[-1]

    def tell(self, until: Callable[[ResearchRun], object] = lambda run: run.status.ended) -> None:
        """Let the newest run tell until it is as wanted, or all it has to tell, and look."""
        while not until(self.newest.run):
            assert self.newest.script, "the run has told all, and is not as it should be"
            self.newest.tell(1)
        self.look()


@pytest.fixture
def inquiring():
    """Return a function that opens the research page; a sample video is on the desk unless told otherwise."""

    def open_page(story: str = "good", *, slow: bool = False, video: bool = True, core: CoreDouble | None = None, **params):
        if core is None:
            core = CoreDouble()
            core.research = ResearchDouble(story)
            core.research.slow = slow
        services.provide(lambda: core)
        here = Inquiring(core, {})
        here.at.switch_page("pages/research.py")
        for name, value in params.items():
            here.at.query_params[name] = value
        here.look()
        if video and not params:
            here.open_sample()
        return here

    yield open_page
    services.provide(services.from_settings)


def test_without_a_run_the_next_step_is_there(inquiring):
    """The page says what research does, offers videos, and then questions about the one that was chosen."""
    here = inquiring(video=False)
    assert "여러 가지를 묻는 질문은 **나눠서** 웹에서 찾아요" in here.texts()
    assert here.has_button("open-sample-0")
    here.open_sample()
    here.click("research-example-0")
    assert here.at.text_input(key="research-question").value == "이 회사 최근 실적은?"
    assert here.runs == []


def test_without_a_model_the_page_says_that_the_report_is_an_extract(inquiring):
    """It is told before anything is asked."""
    core = CoreDouble()
    core.settings.openai_model = ""
    assert "찾은 자료에서 뽑은 문장으로 보고서를 만들어요" in inquiring(core=core).texts()


def test_a_question_is_researched_with_the_video(inquiring):
    """The run knows the question and the video, is in the address, and the box is empty for the next one."""
    here = inquiring()
    here.ask_for()
    assert [(run.request.question, run.request.video) for run in here.runs] == [(QUESTION, SAMPLE)]
    assert here.address == here.runs[0].id
    assert here.at.text_input(key="research-question").value == ""
    assert here.runs[0].request.plan_first is False


def test_an_empty_question_is_told_so(inquiring):
    """Nothing begins, and the page says what is missing."""
    here = inquiring()
    here.ask_for("   ")
    assert "질문을 적어 주세요." in here.texts()
    assert here.runs == []
    assert here.address == ""


def test_a_run_that_cannot_begin_says_why_and_keeps_the_question(inquiring):
    """What was typed is still in the box."""
    here = inquiring()
    here.research.broken = "심층 조사를 시작하지 못했어요."
    here.ask_for()
    assert "심층 조사를 시작하지 못했어요." in here.texts()
    assert here.at.text_input(key="research-question").value == QUESTION


def test_a_run_goes_through_its_steps(inquiring):
    """Message, count and spread, the states of the parts, the reading, the words: each is seen while it happens."""
    here = inquiring(slow=True)
    here.ask_for()
    assert "질문을 나누고 있어요…" in here.texts()
    here.tell(until=lambda run: run.plan_origin)
    assert "AI가 질문을 나눴어요" in here.texts()
    assert all(text in here.texts() for text in TEXTS)
    assert "대기 중" in here.texts()
    here.tell(until=lambda run: run.plan[2].state is SubtaskState.FAILED)
    assert "웹에서 찾고 있어요." in here.texts()
    assert "출처 3개 · 사이트 2곳 (news.example.com 2, memory.example.org 1)" in here.texts()
    assert "검색 서비스에 물어보지 못했어요." in here.texts()
    assert "초째" in here.texts()
    assert {"finish-research", "stop-research"} <= set(here.keys(""))
    here.tell(until=lambda run: run.report)
    assert "쓰는 중…" in here.texts()
    assert "1개 읽음 · 1개 못 읽음" in here.texts()
    assert "HBM4 표준의" in here.texts()
    assert here.button("finish-research").disabled
    assert not here.button("stop-research").disabled
    assert here.keys("edit-subtask-") == []


def test_a_report_cites_its_sources_and_marks_what_they_do_not_say(inquiring):
    """Numbers are links, a sentence without support is marked and explained, progress and its buttons are gone."""
    here = inquiring()
    here.ask_for()
    assert '[\\[1\\]](https://news.example.com/hbm4?id=1 "JEDEC' in here.markdown()
    assert '내년에는 세 배가 된다 [\\[2\\]](https://memory.example.org/report "HBM4 doubles the interface' in here.markdown()
    assert '"). :orange-badge[출처에서 확인 안 됨]' in here.markdown()
    assert "‘출처에서 확인 안 됨’이 붙은 문장은" in here.texts()
    assert "조사를 마쳤어요" in here.texts()
    assert "답하지 못한 부분: 3. 값은 얼마나 오르나요?" in here.texts()
    assert not {"stop-research", "finish-research", "resume-research"} & set(here.keys(""))
    assert ":shimmer[" not in here.markdown()
    assert here.has_button("start-research")


def test_sources_stand_by_site_with_all_that_is_known_of_them(inquiring):
    """Title, address, date, relevance, whether it was read or why not; the site with the best source first."""
    here = inquiring()
    here.ask_for()
    page = here.texts()
    assert page.index(":small[**news.example.com** :gray[2]]") < page.index(":small[**memory.example.org** :gray[1]]")
    assert "관련도 82 · :green[:material/check_circle: 본문을 읽었어요]" in page
    assert "memory.example.org/report · 날짜 모름 · 관련도 71 · 요약만 봤어요" in page
    assert ":orange[본문은 못 읽었어요 (자동 접근을 막음)]" in page
    assert "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다." in page


def test_an_own_document_is_known_by_its_title(inquiring):
    """Its address in the library is nothing that anybody could open."""
    here = inquiring()
    here.ask_for()
    (going,) = here.research.runs.values()
    first = replace(going.run.sources[0], url="library:library/hbm.md", domain="내 자료 (예시)", collection="sample")
    going.run = replace(going.run, sources=(first, *going.run.sources[1:]))
    here.look()
    assert "관련도 82" in here.texts()
    assert "hbm.md" not in here.texts()


def test_a_moment_of_a_source_moves_the_video(inquiring):
    """The button of the source leads to the line that is said there."""
    here = inquiring()
    here.ask_for()
    assert here.keys("moment-source-") == ["moment-source-1"]
    here.click("moment-source-1")
    here.look()
    assert here.at.session_state["page-session"].now_s == 320.0


def test_the_coverage_and_the_times_stand_at_the_end(inquiring):
    """Who was asked for what is an item under its part; times are in seconds."""
    here = inquiring()
    here.ask_for()
    assert "- 나눠 조사한 3가지 중 2가지를 다뤘고" in here.texts()
    assert "\n  - Google 맞춤검색: 2건 · 0.2초" in here.texts()
    assert "나누기 1.3초 · 찾기 0.4초 · 읽기 2.1초 · 쓰기 3.4초 · 모두 7.3초" in here.texts()


def test_a_plan_of_rules_and_an_extract_say_so(inquiring):
    """Who made the plan and why, and that nobody wrote the report and pages were not read."""
    here = inquiring("rules")
    here.ask_for()
    assert "질문의 부분대로 나눴어요" in here.texts()
    assert NOTE in here.texts()
    assert "언어 모델 없이 자료에서 뽑은 발췌예요." in here.texts()
    assert SNIPPETS in here.texts()


def test_where_nobody_could_be_asked_the_page_says_what_to_try(inquiring):
    """Type and description stand under the Korean sentence, no report is promised, and the run can go on."""
    here = inquiring("no-search")
    here.ask_for()
    failure = here.at.error[0].value.replace("\\", "")
    assert "네트워크 연결을 확인하고 잠시 뒤에 다시 시도해 주세요." in failure
    assert "Search failed · No search service could be asked" in failure
    assert "웹을 검색하지 못했어요" in here.texts()
    assert "쓰지 못했어요" in here.texts()
    assert "대기 중" not in here.texts()
    assert here.texts().count("조사하지 못했어요") == len(TEXTS)
    assert here.has_button("resume-research")


def test_a_failure_that_was_overcome_is_no_alarm(inquiring):
    """The run is complete, the failure of the model is a warning beside the report."""
    here = inquiring("model-died")
    here.ask_for()
    assert len(here.at.error) == 0
    assert "언어 모델과 연결이 끊겨서" in here.at.warning[0].value
    assert "LanguageModelError" in here.at.warning[0].value
    assert "조사를 마쳤어요" in here.texts()


def test_stopping_keeps_the_words_and_the_mark(inquiring):
    """The partial report stays, with the mark in Korean; the run can go on, and another can begin."""
    here = inquiring("long", slow=True)
    here.ask_for()
    here.tell(until=lambda run: len(run.report) > 40)
    here.click("stop-research")
    here.look()
    assert "긴 보고서를 이어 가고" in here.texts()
    assert STOPPED_KOREAN in here.texts()
    assert STOPPED_MARKER not in here.texts()
    assert "조사를 멈췄어요. 여기까지의 내용은 남겨 두었어요" in here.texts()
    assert not here.has_button("stop-research")
    here.research.slow = False
    here.research.story = "good"
    first = here.address
    here.click("resume-research")
    assert [run.request.continues for run in here.runs] == ["", first]
    assert here.address == here.runs[1].id


def test_finishing_now_writes_from_what_there_is(inquiring):
    """The run ends early with a report and the parts that stayed without an answer."""
    here = inquiring(slow=True)
    here.ask_for()
    here.tell(until=lambda run: run.status is ResearchStatus.SEARCHING)
    here.click("finish-research")
    here.tell()
    assert "지금까지 찾은 자료로 마무리했어요" in here.texts()
    assert "답하지 못한 부분" in here.texts()
    assert here.has_button("resume-research")


def test_the_plan_waits_for_the_visitor(inquiring):
    """Parts are changed, taken out and added before anything is searched for; then the run goes on with them."""
    here = inquiring()
    here.ask_for(plan_first=True)
    run = here.runs[0]
    assert run.request.plan_first
    assert "이렇게 나눠서 조사할까요?" in here.texts()
    assert [here.at.text_input(key=f"part-{run.id}-{n}").value for n in (1, 2, 3)] == list(TEXTS)
    here.at.text_input(key=f"part-{run.id}-1").set_value("HBM4의 대역폭은 몇 배인가요?")
    here.click("remove-part-2")
    here.click("add-part")
    here.at.text_input(key=f"part-{run.id}-4").set_value("전력은 줄었나요?")
    here.click("agree")
    assert [part.text for part in here.runs[0].plan] == ["HBM4의 대역폭은 몇 배인가요?", TEXTS[2], "전력은 줄었나요?"]
    assert "직접 정한 계획이에요" not in here.texts()
    assert "조사를 마쳤어요" in here.texts()


def test_a_plan_of_nothing_is_refused_and_a_waiting_run_can_be_given_up(inquiring):
    """What was typed stays, the page says how many parts there can be, and giving up ends the run."""
    here = inquiring()
    here.ask_for(plan_first=True)
    run = here.runs[0]
    for number in (1, 2, 3):
        here.at.text_input(key=f"part-{run.id}-{number}").set_value("")
    here.click("agree")
    assert "하위 질문은 1개에서 5개까지 둘 수 있어요." in here.texts()
    assert here.has_button("agree")
    here.click("give-up")
    assert here.runs[0].status is ResearchStatus.STOPPED
    assert "조사를 멈췄어요" in here.texts()


def test_no_more_than_five_parts(inquiring):
    """With five parts none can be added, and the last one cannot be taken out."""
    here = inquiring()
    here.ask_for(plan_first=True)
    here.click("add-part")
    assert not here.button("add-part").disabled
    here.click("add-part")
    assert here.button("add-part").disabled
    for number in (1, 2, 3, 4):
        here.click(f"remove-part-{number}")
    assert here.button("remove-part-5").disabled


def test_a_part_is_changed_while_the_run_goes_on(inquiring):
    """The dialog takes the new text, the run goes on, and the plan says that it is the visitor's."""
    here = inquiring(slow=True)
    here.ask_for()
    here.tell(until=lambda run: run.status is ResearchStatus.SEARCHING)
    here.click("edit-subtask-2")
    run = here.runs[0]
    here.at.text_area(key=f"subtask-{run.id}-2").set_value("HBM3보다 몇 배 빠른가요?")
    here.click("save-subtask")
    here.look()
    assert "HBM3보다 몇 배 빠른가요?" in here.texts()
    assert "고침" in here.texts()
    assert not here.has_button("save-subtask")


def test_an_edit_that_comes_too_late_keeps_what_was_typed(inquiring):
    """The run writes meanwhile: the dialog stays with its text and says why; the other button leaves."""
    here = inquiring(slow=True)
    here.ask_for()
    here.tell(until=lambda run: run.status is ResearchStatus.SEARCHING)
    here.click("edit-subtask-1")
    run = here.runs[0]
    here.tell()
    here.at.text_area(key=f"subtask-{run.id}-1").set_value("너무 늦은 질문")
    here.click("save-subtask")
    assert "보고서를 쓰기 전까지만 고칠 수 있어요." in here.texts()
    assert here.at.text_area(key=f"subtask-{run.id}-1").value == "너무 늦은 질문"
    here.click("keep-subtask")
    assert not here.has_button("save-subtask")
    assert "조사를 마쳤어요" in here.texts()


def test_the_address_brings_a_run_back_as_it_was(inquiring):
    """Another visit with the run in the address shows the same page, with the video of the run."""
    first = inquiring()
    first.ask_for()
    second = inquiring(core=first.core, run=first.address)
    assert second.at.session_state["page-session"].video == SAMPLE
    assert second.address == first.address
    told = [text for text in first.markdown().splitlines() if "방금" not in text]
    assert [text for text in second.markdown().splitlines() if "방금" not in text] == told


def test_a_run_under_way_goes_on_after_a_reload(inquiring):
    """The second visit sees the run at work, can stop it, and the first one sees that."""
    first = inquiring(slow=True)
    first.ask_for()
    first.tell(until=lambda run: run.status is ResearchStatus.SEARCHING)
    second = inquiring(core=first.core, run=first.address)
    assert "웹에서 찾고 있어요." in second.texts()
    second.click("stop-research")
    first.look()
    assert "조사를 멈췄어요" in first.texts()


def test_a_run_that_is_gone_says_so(inquiring):
    """An unknown run, or one of somebody else, is a sentence and an empty page, not an error."""
    here = inquiring(run="never-was")
    assert "조사를 찾을 수 없어요. 지워졌거나 다른 사람의 조사일 수 있어요." in here.texts()
    assert here.address == ""
    assert here.has_button("start-research")
    stranger = here.research.start(ResearchRequest(question="남의 질문", owner="somebody"))
    other = inquiring(core=here.core, run=stranger.id)
    assert "조사를 찾을 수 없어요." in other.texts()
    assert "남의 질문" not in other.texts()


def test_pages_change_and_the_run_stays(inquiring):
    """Leaving the page and coming back shows the run again, and puts it back into the address."""
    here = inquiring()
    here.ask_for()
    run = here.address
    here.open_health()
    here.at.switch_page("pages/research.py")
    here.look()
    assert here.address == run
    assert "조사를 마쳤어요" in here.texts()


def test_another_video_is_another_question(inquiring):
    """The run of the first video is put away when another is chosen, and is found again in the list."""
    here = inquiring()
    here.ask_for()
    run = here.address
    here.click("change-video")
    assert here.address == ""
    here.click("open-sample-1")
    assert here.address == ""
    assert "오래 걸려도 깊이 찾아볼게요" in here.texts()
    here.click(f"run-{run}")
    assert here.address == run
    assert here.at.session_state["page-session"].video == SAMPLE


def test_runs_about_the_video_stand_first(inquiring):
    """The list has the runs of this video with date and state, the open one marked; the rest behind a fold."""
    core = CoreDouble()
    core.research.start(ResearchRequest(question="영상 없이 물은 것"))
    here = inquiring(core=core)
    here.ask_for("첫 질문")
    here.ask_for("둘째 질문 (no-search)")
    labels = [button.label.replace("\\", "") for button in here.at.button if str(button.key).startswith("run-")]
    assert [label.split("  \n")[0].split("] ", 1)[1] for label in labels] == ["**둘째 질문 (no-search)**", "첫 질문"]
    assert "실패" in labels[0]
    assert "완료" in labels[1]
    assert "방금 전" in labels[1]
    assert "다른 조사 1개" in here.texts()


def test_many_runs_are_behind_a_fold(inquiring, monkeypatch):
    """Only the newest are in sight."""
    monkeypatch.setattr(run_history, "LISTED", 2)
    here = inquiring()
    for place in range(4):
        here.ask_for(f"질문 {place}")
    assert len(here.keys("run-")) == 2
    assert "지난 조사 2개 더 보기" in here.texts()


def test_a_run_is_deleted_only_after_a_second_yes(inquiring):
    """The dialog asks; the page is empty afterwards; a run that goes on cannot be deleted."""
    here = inquiring()
    here.ask_for()
    here.click("delete-run")
    assert "되돌릴 수 없어요" in here.texts()
    here.click("delete-run-no")
    assert len(here.runs) == 1
    here.click("delete-run")
    here.click("delete-run-yes")
    assert here.runs == []
    here.look()
    assert here.address == ""
    here.research.slow = True
    here.ask_for()
    assert here.button("delete-run").disabled


def test_a_new_question_can_be_asked_at_once(inquiring):
    """Putting the run away leaves the page for the next one; asking the same again begins anew."""
    here = inquiring()
    here.ask_for()
    here.click("research-again")
    assert [run.request.question for run in here.runs] == [QUESTION, QUESTION]
    assert [run.request.continues for run in here.runs] == ["", ""]
    assert [run.request.fresh for run in here.runs] == [False, True]
    here.click("new-research")
    assert here.address == ""
    assert "오래 걸려도 깊이 찾아볼게요" in here.texts()


def test_what_has_changed_since_the_last_run_is_told(inquiring):
    """Both sides of a statement, new sources and the summary stand behind a fold; without an earlier run there is none."""
    here = inquiring("old")
    here.ask_for()
    assert not any("바뀐 것" in fold.label for fold in here.at.expander)
    old = here.runs[0]
    here.research.runs[old.id].run = replace(old, created_at=old.created_at - timedelta(days=30))
    here.research.story = "good"
    here.ask_for()
    fold = next(fold for fold in here.at.expander if "지난 조사 이후 바뀐 것" in fold.label)
    assert "테라바이트" not in "".join(part.value for part in fold.markdown)
    here.at.session_state[f"changes-{here.address}"] = True
    here.look()
    page = here.texts()
    assert "숫자나 날짜가 달라졌어요 (1.6테라바이트 → 2테라바이트)" in page
    assert ":small[:gray[지난 조사]] HBM4 표준의 대역폭은 한 묶음에 초당 최대 1.6테라바이트다" in page
    assert ":small[:gray[이번 조사]] HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다" in page
    assert "**새 출처**" in page
    assert "JEDEC, HBM4 표준 발표" in page.split("**새 출처**")[1]


def test_other_questions_are_not_compared(inquiring):
    """Neither another question nor a run that came to nothing nor the one it goes on from is held against it."""
    here = inquiring("no-search")
    here.ask_for()
    here.research.story = "good"
    here.ask_for("다른 질문")
    here.ask_for()
    assert not any("바뀐 것" in fold.label for fold in here.at.expander)
    here.research.slow = True
    here.ask_for("셋째 질문")
    here.click("finish-research")
    here.tell()
    here.research.slow = False
    here.click("resume-research")
    assert here.runs[-1].status is ResearchStatus.COMPLETE
    assert not any("바뀐 것" in fold.label for fold in here.at.expander)


@pytest.mark.parametrize(("name", "start"), [("markdown", b"# HBM4"), ("html", b"<!doctype html>"), ("docx", b"PK")])
def test_a_run_is_taken_away_as_a_file(inquiring, name, start):
    """Each format is made when it is asked for, with the words of the report."""
    here = inquiring()
    here.ask_for()
    data = research_history._file(here.address, "", name)
    assert data[: len(start)].lower() == start.lower()
    words = data.decode("utf-8", "ignore")
    if name == "docx":
        words = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
    assert "2테라바이트" in words


def test_hostile_words_stay_words(inquiring):
    """What strangers wrote is escaped wherever it stands: no picture, no foreign link, no heading."""
    here = inquiring("hostile")
    here.ask_for()
    page = here.markdown() + "\n".join(str(box.value) for box in here.at.warning)
    assert "onerror" in page
    for trap in ("![그림](", "](javascript:", "\n# 큰 제목", "```mermaid", "<img src="):
        assert trap not in page


@pytest.fixture
def chatting(inquiring):
    """Return a visitor of the chat page with a sample video and one answered question."""
    here = inquiring()
    here.at.switch_page("pages/chat.py")
    here.look()
    here.at.chat_input[0].set_value("HBM4는 언제 나오나요?")
    here.look()
    return here


def test_the_button_in_the_chat_turns_research_on_and_off(chatting):
    """It is highlighted while it is on and the box says what happens; off, a question is answered in the chat again."""
    assert chatting.button("research-mode").proto.type == "secondary"
    chatting.click("research-mode")
    assert chatting.button("research-mode").proto.type == "primary"
    assert chatting.at.chat_input[0].placeholder == "깊이 조사할 것을 물어보세요"
    chatting.click("research-mode")
    assert chatting.button("research-mode").proto.type == "secondary"
    chatting.at.chat_input[0].set_value("전력은요?")
    chatting.look()
    assert chatting.runs == []
    assert len(chatting.core.chat.jobs) == 2


def research_in_chat(here, text: str = QUESTION) -> None:
    """Send *text* to research from the chat, whose switch is on or is put on."""
    if here.button("research-mode").proto.type == "secondary":
        here.click("research-mode")
    here.at.chat_input[0].set_value(text)
    here.look()


def test_with_research_on_a_question_begins_a_run_with_what_was_said(chatting):
    """The run knows video, conversation and memory; the visitor stays, and a card with a link to its page stands there."""
    conversation = next(iter(chatting.core.chat.talks))
    research_in_chat(chatting)
    asked = chatting.runs[0].request
    assert (asked.question, asked.video, asked.conversation_id) == (QUESTION, SAMPLE, conversation)
    assert [turn.question for turn in asked.memory.turns] == ["HBM4는 언제 나오나요?"]
    assert "대역폭이 두 배" in asked.memory.turns[0].answer
    assert len(chatting.core.chat.jobs) == 1
    assert "조사를 마쳤어요" in chatting.texts()
    assert [link.proto.label for link in chatting.at.get("page_link")] == ["딥리서치에서 보기"]


def test_the_first_question_of_a_conversation_can_be_researched(inquiring):
    """A conversation about the video begins with it."""
    here = inquiring()
    here.at.switch_page("pages/chat.py")
    here.look()
    research_in_chat(here)
    conversation = next(iter(here.core.chat.talks))
    assert here.runs[0].request.conversation_id == conversation
    assert here.at.query_params["chat"] in (conversation, [conversation])
    assert QUESTION in here.texts()


def test_two_runs_of_a_conversation_stand_where_they_were_asked(chatting):
    """Each has its card, between what was said before and after it, with plan, sources and coverage."""
    research_in_chat(chatting)
    chatting.click("research-mode")
    chatting.at.chat_input[0].set_value("전력은요?")
    chatting.look()
    research_in_chat(chatting, "다음 세대는 언제인가요?")
    words = chatting.texts()
    places = [words.index(text) for text in ("HBM4는 언제 나오나요?", QUESTION, "전력은요?", "다음 세대는 언제인가요?")]
    assert places == sorted(places)
    folds = [fold.label for fold in chatting.at.expander]
    for label in ("생각의 과정 · 하위 질문", "출처", "어디까지 조사했나요"):
        assert sum(fold.startswith(label) for fold in folds) == 2, label


def test_a_run_in_the_chat_is_stopped_and_gone_on_with(chatting):
    """The card stops its run; what there is stands, and another card goes on from it, once."""
    chatting.research.slow = True
    research_in_chat(chatting)
    run_id = chatting.runs[0].id
    chatting.click(f"stop-run-{run_id}")
    assert "조사를 멈췄어요" in chatting.texts()
    chatting.research.slow = False
    chatting.click(f"resume-run-{run_id}")
    assert [run.request.continues for run in chatting.runs] == ["", run_id]
    assert "조사를 마쳤어요" in chatting.texts()
    assert not chatting.has_button(f"resume-run-{run_id}")


def test_a_run_in_the_chat_is_finished_early(chatting):
    """The report is written from what there is."""
    chatting.research.slow = True
    research_in_chat(chatting)
    chatting.newest.slow = False
    chatting.click(f"finish-run-{chatting.runs[0].id}")
    assert "지금까지 찾은 자료로 마무리했어요" in chatting.texts()


def test_a_plan_that_waits_is_agreed_to_in_the_chat(chatting):
    """A run of this conversation that was started elsewhere, to see its plan first, goes on from its card."""
    conversation = next(iter(chatting.core.chat.talks))
    run = chatting.research.start(ResearchRequest(question=QUESTION, conversation_id=conversation, plan_first=True))
    chatting.look()
    assert "이렇게 나눠서 조사할까요?" in chatting.texts()
    chatting.click(f"agree-run-{run.id}")
    assert "조사를 마쳤어요" in chatting.texts()


def test_a_run_that_cannot_be_stopped_says_why(chatting):
    """A run that somebody deleted meanwhile is not stopped: the reason stands on the page."""
    chatting.research.slow = True
    research_in_chat(chatting)
    stop = chatting.button(f"stop-run-{chatting.runs[0].id}")
    chatting.research.runs.clear()
    stop.click()
    chatting.look()
    assert [box.value for box in chatting.at.error]


def test_hostile_words_in_a_card_stay_words(chatting):
    """What strangers wrote is escaped in the card, too."""
    research_in_chat(chatting, "적대적인 글 (hostile)")
    page = chatting.markdown() + "\n".join(str(box.value) for box in chatting.at.warning)
    assert "onerror" in page
    for trap in ("![그림](", "](javascript:", "\n# 큰 제목", "```mermaid", "<img src="):
        assert trap not in page


def test_research_that_cannot_begin_leaves_the_question_in_the_chat(chatting):
    """The reason stands in the conversation, and the question in the box."""
    chatting.research.broken = "심층 조사를 시작하지 못했어요."
    chatting.click("research-mode")
    chatting.at.chat_input[0].set_value(QUESTION)
    chatting.look()
    assert "심층 조사를 시작하지 못했어요." in chatting.texts()
    assert chatting.at.chat_input[0].proto.value == QUESTION
    assert chatting.has_button("research-mode")


def test_times_and_sites_are_said_as_people_do():
    """A minute has its own word, more than three sites are summed up."""
    assert (elapsed(5.9), elapsed(-1), elapsed(65)) == ("5초째", "0초째", "1분 5초째")
    assert spread({"a.kr": 4, "b.kr": 2, "c.kr": 1, "d.kr": 1}) == "사이트 4곳 (a\\.kr 4, b\\.kr 2, c\\.kr 1 외)"
