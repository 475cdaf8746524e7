"""The research page as its visitor meets it, without a browser: every click runs the real page over scripted runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from search_core.domain.research import (
    STOPPED_KOREAN,
    STOPPED_MARKER,
    ReportWritten,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SourcesComplete,
    SourcesUpdated,
    SubtaskState,
)
from tests.app.conftest import Visit
from tests.app.core_double import SAMPLE, CoreDouble
from tests.app.research_double import (
    NOTE,
    SEARCH_FAILED,
    SNIPPETS,
    SOURCES,
    TEXTS,
    ResearchDouble,
    ended,
    parts,
    planned,
    searched,
)
from tests.app.runs_double import ScriptedRun

QUESTION = "HBM4의 대역폭은 얼마이고 무엇이 달라졌나요?"
TRAPS = ("![그림](", "](javascript:", "\n# 큰 제목", "```mermaid", "<img src=")


class ResearchVisit(Visit):
    @property
    def research(self) -> ResearchDouble:
        return self.core.research

    @property
    def runs(self) -> list[ResearchRun]:
        return [scripted.run for scripted in self.research.runs.values()]

    @property
    def newest(self) -> ScriptedRun:
        return list(self.research.runs.values())[-1]

    def ask_for(self, text: str = QUESTION, *, plan_first: bool = False) -> None:
        if self.button("research-mode").proto.type == "secondary":
            self.click("research-mode")
        self.set("toggle", "plan-first", plan_first)
        self.ask(text)

    def act(self, name: str) -> None:
        """Click the button of that *name* on the card of the newest run."""
        self.click(f"{name}-{self.newest.run.id}")

    def offers(self, name: str) -> bool:
        return self.has_button(f"{name}-{self.newest.run.id}")

    def unfold(self, name: str) -> None:
        self.fold(f"{name}-{self.newest.run.id}")

    def advance(self, until: Callable[[ResearchRun], object] = lambda run: run.status.ended) -> None:
        """Let the newest run publish events until it is as wanted, and look."""
        while not until(self.newest.run):
            assert self.newest.script, "the script of the run has ended, and it is not as it should be"
            self.newest.advance(1)
        self.look()


@pytest.fixture
def researching(visit):

    def open_page(story: str = "good", *, slow: bool = False, video: bool = True, core: CoreDouble | None = None, **params):
        if core is None:
            core = CoreDouble()
            core.research = ResearchDouble(story)
            core.research.slow = slow
        return visit(core=core, kind=ResearchVisit, video=video and not params, **params)

    return open_page


def test_what_hinders_research_is_said(researching):
    """An empty question and a service that is away are a sentence each, and what was typed stays in the box, but for thanks."""
    here = researching()
    here.ask_for("   ")
    assert "질문을 적어 주세요." in here.texts()
    here.ask_for("고마워요")
    assert ([box.value for box in here.at.info], here.errors(), here.draft) == (["반가워요\\!"], "", "")
    assert here.runs == []
    here.research.broken = "심층 조사를 시작하지 못했어요."
    here.ask_for()
    assert "심층 조사를 시작하지 못했어요." in here.texts()
    assert here.draft == QUESTION


def test_a_run_keeps_its_moment(researching):
    """It is about the moment at the box, and stays so when it is asked for once more, past what is kept of searches."""
    here = researching()
    here.click(here.keys("line-")[2])
    here.look()
    here.ask_for()
    here.click("drop-moment")
    here.act("again-run")
    assert [(run.request.moment_s, run.request.fresh) for run in here.runs] == [(40.0, False), (40.0, True)]


def test_a_run_goes_through_its_steps(researching):
    """Message, count and spread, the states of the parts, the reading, the words: each is seen while it happens."""
    here = researching(slow=True)
    here.ask_for()
    here.look()
    assert "조사 계획을 세우고 있어요." in here.texts()
    here.advance(until=lambda run: run.plan_origin)
    assert "AI가 질문을 나눴어요" in here.texts()
    assert all(text in here.texts() for text in TEXTS)
    assert "대기 중" in here.texts()
    here.advance(until=lambda run: run.plan[2].state is SubtaskState.FAILED)
    assert "출처 3개 · 사이트 2곳 (news.example.com 2, memory.example.org 1)" in here.texts()
    assert "검색 서비스에 물어보지 못했어요." in here.texts()
    assert "초째" in here.texts()
    here.advance(until=lambda run: run.report)
    assert "보고서를 쓰고 있어요." in here.texts()
    assert "memory.example.org 1) · 본문 1개 읽음" in here.texts()
    assert "HBM4 표준의" in here.texts()
    assert here.button(f"finish-run-{here.newest.run.id}").disabled
    assert not here.button(f"stop-run-{here.newest.run.id}").disabled


def test_a_run_finished_before_it_found_anything_has_written_nothing(researching):
    """No report was written from what was found; one that was stopped is looked at below."""
    here = researching(slow=True)
    here.ask_for()
    nothing = ReportWritten(text="자료를 찾기 전이에요.", by_model=False)
    here.newest.script = [*planned(), nothing, ended(ResearchStatus.FINISHED_EARLY, unanswered=(1, 2, 3))]
    here.advance()
    assert "자료를 찾기 전에 마무리했어요" in here.texts()
    assert "찾은 자료로 마무리했어요" not in here.texts()


@pytest.mark.parametrize("text", [STOPPED_MARKER, f"> 요약만 썼어요.\n\n## 요약\n\n{STOPPED_MARKER}"])
def test_a_run_stopped_before_its_report_says_so(researching, text: str):
    """No heading stands over nothing and no step is green; the plan is unfolded, and what was found stands below it."""
    here = researching(slow=True)
    here.ask_for()
    here.newest.script = [*planned(), *searched(), ReportWritten(text=text, by_model=True), ended(ResearchStatus.STOPPED)]
    here.advance()
    page = here.texts()
    assert "조사를 멈췄어요. 보고서는 아직 쓰지 않았어요" in page
    false = (STOPPED_KOREAN, "**보고서**", ":green[:material", "여기까지의 내용은")
    assert [words for words in false if words in page] == []
    [plan] = [fold for fold in here.at.expander if fold.label == "생각의 과정 · 하위 질문 3개"]
    assert plan.proto.expanded
    assert ":gray[:material/check_circle:] HBM4의 대역폭은" in page
    here.unfold("found")
    assert len(here.keys("moment-source-")) == 1


def test_a_report_cites_its_sources_and_marks_what_they_do_not_say(researching):
    """The run knows question and video; numbers are links, unsupported sentences are marked, sources are listed by site."""
    here = researching()
    here.ask_for()
    [run] = here.runs
    assert (run.request.question, run.request.video, run.request.plan_first) == (QUESTION, SAMPLE, False)
    assert here.draft == ""
    here.unfold("found")
    assert '[\\[1\\]](https://news.example.com/hbm4?id=1 "JEDEC' in here.markdown()
    assert '"). :orange-badge[출처에서 확인 안 됨]' in here.markdown()
    page = here.texts()
    for words in (
        "‘출처에서 확인 안 됨’이 붙은 문장은",
        "조사를 마쳤어요",
        "답하지 못한 부분: 3. 값은 얼마나 오르나요?",
        "관련도 82 · :green[:material/check_circle: 본문을 읽었어요]",
        "memory.example.org/report · 날짜 모름 · 관련도 71 · 요약만 봤어요",
        ":orange[본문은 못 읽었어요 (자동 접근을 막음)]",
        "- 나눠 조사한 3가지 중 2가지를 다뤘고",
        "\n- · Google 맞춤검색: 2건 · 0.2초",
    ):
        assert words in page
    assert page.index(":small[**news.example.com** :gray[2]]") < page.index(":small[**memory.example.org** :gray[1]]")
    assert not any(map(here.offers, ("stop-run", "finish-run", "resume-run")))
    here.click(*here.keys("moment-source-"))
    assert here.session.now_s == 320.0
    assert any("지금" in here.button(key).label for key in here.keys("line-"))
    here.look()
    assert "생각의 과정 · 하위 질문 3개" in here.folds()
    own = replace(run.sources[0], url="library:library/hbm.md", domain="내 자료 (예시)", collection="sample")
    here.newest.run = replace(run, sources=(own, *run.sources[1:]), own_sent=False)
    here.look()
    here.unfold("found")
    assert "내 자료는 AI 모델에 보내지 않았어요." in here.texts()
    assert "관련도 82" in here.texts()
    assert "hbm.md" not in here.texts()


def test_who_made_the_plan_and_what_failed_is_said(researching):
    """A whole question and an extract say so; a model's failure is a Korean warning, its type in the fold of the coverage."""
    here = researching()
    here.ask_for("첫 질문 (rules)")
    assert "AI가 질문을 나눴어요" not in here.texts()
    assert NOTE in here.texts()
    assert SNIPPETS in here.texts()
    here.click("new-chat")
    here.look()
    here.ask_for("다른 질문 (model-died)")
    assert here.errors() == ""
    assert [box.value for box in here.at.warning] == ["언어 모델과 연결이 끊겨서 발췌로 대신했어요\\."]
    [coverage] = [fold for fold in here.at.expander if fold.label == "검색 내역"]
    assert "The model hung up" not in coverage.markdown[0].value
    assert "조사를 마쳤어요" in here.texts()


def test_that_the_web_is_away_is_said_once(researching):
    """One sentence says what to do, beside the way to go on; own documents that were found stand below, and no box is red."""
    here = researching(slow=True)
    here.ask_for()
    own = replace(SOURCES[0], url="library:library/hbm.md", domain="내 자료", collection="sample")
    trouble = replace(parts(SubtaskState.FAILED)[0], failure="검색 서비스에 물어보지 못했어요.")
    gone = [SourcesUpdated(subtask=trouble, count=1, domains={}), SourcesComplete(sources=(own,)), SEARCH_FAILED]
    here.newest.script = [*planned(), *gone, ended(ResearchStatus.FAILED, unanswered=(1, 2, 3))]
    here.advance()
    away = "네트워크 연결과 검색 서비스 설정을 확인하고 다시 조사해 주세요."
    assert (here.texts().count("웹을 검색하지 못했어요"), here.texts().count(away)) == (1, 1)
    assert (here.errors(), list(here.at.warning)) == ("", [])
    for again in (trouble.failure, "답하지 못한 부분", "대기 중", SEARCH_FAILED.korean):
        assert again not in here.texts()
    assert SEARCH_FAILED.kind not in here.texts()
    here.unfold("found")
    assert here.offers("resume-run")
    assert here.keys("title-source-")


def test_a_run_is_stopped_resumed_and_finished_early(researching):
    """A stopped report keeps its words and can go on; finishing writes from what there is and names what is unanswered."""
    here = researching("long", slow=True)
    here.ask_for()
    here.advance(until=lambda run: len(run.report) > 40)
    here.act("stop-run")
    here.look()
    assert "긴 보고서를 이어 가고" in here.texts()
    assert STOPPED_KOREAN in here.texts()
    assert STOPPED_MARKER not in here.texts()
    assert "조사를 멈췄어요. 여기까지의 내용은 남겨 두었어요" in here.texts()
    here.research.story = "good"
    here.act("resume-run")
    assert len(here.runs) == 1
    here.advance(until=lambda run: run.status is ResearchStatus.SEARCHING)
    here.act("finish-run")
    here.advance()
    assert "지금까지 찾은 자료로 마무리했어요" in here.texts()
    assert "답하지 못한 부분" in here.texts()
    here.research.slow = False
    here.act("resume-run")
    assert here.runs[-1].status is ResearchStatus.COMPLETE


def test_the_plan_waits_for_the_visitor(researching):
    """Its parts, a line each, are changed before anything is searched for; an empty plan is refused."""
    here = researching()
    here.ask_for(plan_first=True)
    plan = f"plan-{here.runs[0].id}"
    assert "이렇게 나눠서 조사할까요?" in here.texts()
    assert here.at.text_area(key=plan).value == "\n".join(TEXTS)
    here.at.text_area(key=plan).set_value(" \n")
    here.act("agree-run")
    assert "하위 질문은 1개에서 5개까지 둘 수 있어요." in here.texts()
    here.at.text_area(key=plan).set_value("HBM4의 대역폭은 몇 배인가요?\n\n 전력은 줄었나요? ")
    here.act("agree-run")
    assert [part.text for part in here.runs[0].plan] == ["HBM4의 대역폭은 몇 배인가요?", "전력은 줄었나요?"]
    assert "조사를 마쳤어요" in here.texts()
    here.ask_for(plan_first=True)
    here.act("give-up-run")
    assert here.runs[1].status is ResearchStatus.STOPPED


def test_the_address_brings_a_run_back(researching):
    """It stands in its conversation, where another visit can stop it; one that is gone or of another owner is not shown."""
    first = researching(slow=True)
    first.ask_for()
    first.advance(until=lambda run: run.status is ResearchStatus.SEARCHING)
    second = researching(core=first.core, run=first.newest.run.id)
    assert (second.session.video, second.param("chat"), second.param("run")) == (SAMPLE, first.param("chat"), "")
    assert "웹에서 찾고 있어요." in second.texts()
    second.act("stop-run")
    first.look()
    assert "조사를 멈췄어요" in first.texts()
    stranger = second.research.start(ResearchRequest(question="남의 질문", owner="somebody"))
    for unknown in ("never-was", stranger.id):
        second.at.query_params["run"] = unknown
        second.look()
        assert "조사를 찾을 수 없어요. 지워졌거나 다른 사람의 조사일 수 있어요." in second.texts()
        assert second.param("run") == ""
        assert "남의 질문" not in second.texts()
    assert second.at.chat_input


def test_a_run_of_no_conversation_stands_by_itself(researching):
    """It is opened by its address under its question, and asked anew as another of its kind."""
    core = CoreDouble()
    run = core.research.start(ResearchRequest(question=QUESTION, video=SAMPLE))
    here = researching(core=core, run=run.id)
    assert (here.param("run"), here.session.video) == (run.id, SAMPLE)
    assert "조사를 마쳤어요" in here.texts()
    here.act("again-run")
    assert here.param("run") == here.newest.run.id != run.id


def test_hostile_words_stay_words(researching):
    """What strangers wrote is escaped in the report and around it: no picture, link, heading or HTML."""
    here = researching("hostile")
    here.ask_for()
    here.unfold("found")
    page = here.markdown() + "\n".join(str(box.value) for box in here.at.warning)
    assert "onerror" in page
    assert [trap for trap in TRAPS if trap in page] == []


def test_research_in_the_chat_is_turned_on_and_off(researching):
    """On, a question begins a run with what was said and leaves a card; off, it is answered; each stands where it was asked."""
    here = researching()
    here.ask_for("첫 질문")
    assert here.at.chat_input[0].placeholder == "무엇을 조사할까요?"
    here.click("research-mode")
    here.ask("HBM4는 언제 나오나요?")
    assert (len(here.runs), len(here.core.chat.jobs)) == (1, 1)
    here.ask_for()
    asked = here.runs[1].request
    assert (asked.question, asked.video, asked.conversation_id) == (QUESTION, SAMPLE, here.param("chat"))
    assert "대역폭이 두 배" in asked.memory.turns[-1].answer
    said = here.texts().partition("첫 질문")[2]
    assert 0 < said.index("HBM4는 언제 나오나요?") < said.index(QUESTION)
    assert here.folds().count("검색 내역") == 2
