"""What the README says of deep research where something fails or is stopped, each sentence quoted and held."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from search_core.domain import (
    ContentChunk,
    PlanOrigin,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    SearchReport,
    SearchStatus,
    SourceRead,
)
from search_core.errors import PageFailure, PageReadError
from search_core.reading.page_reader import ReadPage
from search_core.research import Planner, ReportWriter, ResearchService
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole
from tests.search_core.answering.asking import scorer
from tests.search_core.research.acting import QUESTION, SUBTASKS, Actors, followed, until
from tests.search_core.research.report_material import model
from tests.search_core.scripted import result

README = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
Opened = Callable[..., AbstractContextManager[ResearchService]]


def says(sentence: str) -> None:
    assert sentence in README


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(tmp_path_factory.mktemp("readme") / "maekrak.sqlite")
    yield database
    database.close()


@pytest.fixture
def server() -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        yield server


@pytest.fixture
def opened(database: Database) -> Opened:
    """Return what opens a desk with the real writer; the rest is played unless it is given."""

    @contextmanager
    def desk(actors: Actors, writer: ReportWriter | None = None, **parts: object) -> Iterator[ResearchService]:
        loop = LoopThread()
        played = actors.parts()
        opened = ResearchService(replace(played, writer=writer or ReportWriter(None, scorer()), **parts), database, loop)
        try:
            yield opened
        finally:
            opened.close()
            loop.close()

    return desk


def ended(desk: ResearchService, **request: object) -> ResearchRun:
    run = desk.start(ResearchRequest(question=QUESTION, **request))
    followed(desk, run.id)
    return desk.get(run.id, "")


def with_documents(actors: Actors, *, samples: bool = False) -> Callable[[str, ResearchRequest], object]:
    """Return a search that finds a document of the library beside what the web gives, be that nothing."""

    async def search(text: str, request: ResearchRequest) -> SearchReport:
        report = await actors.search(text, request)
        where = {"url": f"library:{text}.md", "collection": "sample" if samples else "user"}
        own = result(f"{text} 사내 문서", snippet=f"{text} 이야기예요.", **where)
        web = () if request.own_only else report.results
        return replace(report, results=(*web, own), web_wanted=not request.own_only)

    return search


def test_an_outage_fails(opened: Opened):
    """Every search fails while documents are found: the run has failed, without a report."""
    says("When no search service of the web answers for any subtask, the run fails with `Search failed` and what to try;")
    says("documents of your own never stand in for the web.")
    actors = Actors(fails={f"search {text}": SearchStatus.NETWORK_ERROR for text in SUBTASKS})
    with opened(actors, search=with_documents(actors)) as desk:
        run = ended(desk)
    assert (run.status, run.report) == (ResearchStatus.FAILED, "")
    assert [failure.kind for failure in run.failures] == ["Search failed"]
    assert "다시 시도" in run.failures[0].korean
    assert all(source.own for source in run.sources)


def test_a_partial_outage_is_told_in_the_report(opened: Opened):
    """One of five searches fails: the head of the report names it, and so does the ledger."""
    says("When some subtasks cannot be searched for, the report says which at its head.")
    actors = Actors(fails={f"search {SUBTASKS[2]}": SearchStatus.TIMEOUT})
    with opened(actors) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert run.report.splitlines()[0] == (
        f"> 웹 검색 서비스에 물어보지 못한 부분이 있어요. 자료가 없다는 뜻이 아니에요: 3. {SUBTASKS[2]}"
    )
    assert f"답하지 못한 부분이에요: 3. {SUBTASKS[2]}" in run.coverage
    assert run.coverage[0] == "나눠 조사한 5가지 중 4가지로 보고서를 썼고 1가지는 답하지 못했어요."


def test_a_model_that_fails_costs_what_it_was_asked_for(server: LanguageModelServer, opened: Opened):
    """Dying over the plan it leaves a plan by rules; dying over the report, its words and quotations."""
    says("A model that fails over the plan costs the plan only: rules plan, and the failure is told by type.")
    says("A model that fails over the report leaves what it wrote, continued by quotations.")

    def answer(asked: Asked) -> Whole | Stream:
        planning = "Decompose the question" in asked.prompt
        return (play.dying(3) if planning else play.dying(12, "앞부분만 썼어요 그리고 끊겨요 여기서"))(asked)

    server.answer = answer
    talking = model(server.url)
    with opened(Actors(), ReportWriter(talking, scorer()), plan=Planner(talking, scorer()).plan) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert run.plan_origin is PlanOrigin.RULES
    assert [failure.kind for failure in run.failures] == ["LanguageModelError", "LanguageModelError"]
    assert "앞부분만 썼어요" in run.report
    assert "이 페이지의 본문이에요" in run.report


def test_pages_that_cannot_be_read(opened: Opened):
    """None can: the report says that it rests on snippets."""
    says("Pages that cannot be read are passed over, and where none can, the report rests on snippets and says so.")

    async def read(_: str) -> ReadPage:
        raise PageReadError(PageFailure.BLOCKED, "403", korean="막혀 있어요.")

    with opened(Actors(), read=read) as desk:
        run = ended(desk)
    assert run.status is ResearchStatus.COMPLETE
    assert run.report.startswith("> 페이지 본문을 읽지 못해서 검색 결과의 짧은 요약만으로 쓴 보고서예요.")


def test_a_stop_says_what_there_is(server: LanguageModelServer, opened: Opened):
    """Stopped before the report, and while it was written: the ledger claims no more than that."""
    says("*중지* keeps what there is;")
    says("the ledger then says what was found, and that the report was not written, or not to its end.")
    actors = Actors(holds={"page https://a.example/1"})
    with opened(actors) as desk:
        run = desk.start(ResearchRequest(question=QUESTION))
        actors.wait_held("page https://a.example/1")
        actors.wait(lambda: actors.began["page https://e.example/2"] == 1)
        desk.cancel(run.id, "")
        followed(desk, run.id)
        before = desk.get(run.id, "")
    assert before.status is ResearchStatus.STOPPED
    assert before.sources
    assert before.coverage[0].endswith("의 자료를 찾았지만 보고서를 쓰지 못했어요.")
    assert "썼어요" not in " ".join(before.coverage)
    assert not any(source.reading for source in before.sources)
    assert len(before.unanswered) == len(SUBTASKS)

    server.answer = play.never_ending
    with opened(Actors(), ReportWriter(model(server.url), scorer())) as desk:
        run = desk.start(ResearchRequest(question=QUESTION))
        until(desk, run.id, ContentChunk, begins=False)
        desk.cancel(run.id, "")
        followed(desk, run.id)
        amid = desk.get(run.id, "")
    assert amid.status is ResearchStatus.STOPPED
    assert amid.coverage[0] == "나눠 조사한 5가지 중 5가지의 자료를 찾았지만 보고서를 끝까지 쓰지 못했어요."


def test_a_finish_writes_from_what_there_is(opened: Opened):
    """One search never comes back; the report is of the others, and the ledger says so."""
    says("*지금까지로 마무리* writes from what there is.")
    actors = Actors(holds={f"search {SUBTASKS[4]}"})
    with opened(actors) as desk:
        run = desk.start(ResearchRequest(question=QUESTION))
        actors.wait_held(f"search {SUBTASKS[4]}")
        read = (event for _, event in desk.events(run.id, "") if isinstance(event, SourceRead) and event.source.read)
        assert len(list(islice(read, 8))) == 8
        desk.finish(run.id, "")
        followed(desk, run.id)
        kept = desk.get(run.id, "")
    assert kept.status is ResearchStatus.FINISHED_EARLY
    assert kept.unanswered == (5,)
    assert "이 페이지의 본문이에요" in kept.report
    assert kept.coverage[0] == "나눠 조사한 5가지 중 4가지로 보고서를 썼고 1가지는 답하지 못했어요."


def test_own_documents_are_marked(opened: Opened):
    """Beside the web they are the last sources, marked, and in no count of the web; alone, the first line says so."""
    says("searches the library alone, and the report's first line says so.")
    says("Beside web results they are sources marked as 내 자료, samples as 예시, and are not counted as web.")
    actors = Actors()
    limits = replace(actors.parts().limits, results_per_subtask=3)
    with opened(actors, search=with_documents(actors, samples=True), limits=limits) as desk:
        beside = ended(desk)
        alone = ended(desk, own_only=True)
    own = [source for source in beside.sources if source.own]
    assert {source.domain for source in own} == {"내 자료 (예시)"}
    assert [source.own for source in beside.sources] == [False] * 10 + [True] * len(own)
    assert set(beside.domains) == {f"{name}.example" for name in "abcde"}
    assert any(line.startswith("웹 출처 10개 중") for line in beside.coverage)
    assert alone.report.startswith("> 내 자료만으로 쓴 보고서예요. 웹은 검색하지 않았어요.")


def test_what_is_cut_is_in_the_ledger(opened: Opened):
    """Pages longer than may be read, and together longer than a report may rest on, are both counted."""
    says("what was cut is in the ledger")
    actors = Actors()
    limits = replace(actors.parts().limits, content_length=20)
    with opened(actors, ReportWriter(None, scorer(), max_total_length=100), limits=limits) as desk:
        run = ended(desk)
    assert "10개는 길어서 앞부분만 읽었어요." in run.coverage
    assert "모두 합치면 너무 길어서 출처 10개는 질문과 가까운 문장만 보고 썼어요." in run.coverage


def test_a_plan_has_as_many_parts_as_said():
    """Two to five by a model, one to five by rules."""
    says("two to five by a model with the video's context, one to five by rules without one.")
    from search_core.research.plan_answer import MAX_SUBTASKS, read_subtasks
    from search_core.research.plan_rules import parts_of
    from search_core.research.planning import MIN_SUBTASKS

    assert (MIN_SUBTASKS, MAX_SUBTASKS) == (2, 5)
    assert len(read_subtasks(json.dumps([f"{number}번째 질문은 무엇인가요 {number}" for number in range(9)]))) == 5
    plan = asyncio.run(Planner(None, scorer()).plan(ResearchRequest(question="가격은 얼마야? 언제 나와?")))
    assert len(plan.subtasks) == 1
    assert len(parts_of("한국, 미국, 일본, 중국, 독일, 영국, 프랑스의 금리를 알려줘")) == 5
