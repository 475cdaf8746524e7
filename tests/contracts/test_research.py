"""Research while no search service of the web answers, the library and its samples on.

One core for each way to fail, because services that failed cool down for a while; all of them share one library.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain.research import ResearchEvent, ResearchRequest, ResearchRun, ResearchStatus, SourcesUpdated
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import Page, World
from tests.search_core.whole_core import build_core

QUESTION = "김치찌개는 왜 오래 끓이나요?"
OF_SAMPLES = "메모리 반도체 가격은 왜 오르나요?"
WEB = ("wikipedia", "searxng")
BESIDE_THE_POINT = Page(
    title="축구 경기 결과", url="https://sport.example.kr/1", snippet="어제 열린 축구 경기는 두 골 차로 끝났다."
)


@contextmanager
def away(world: World, folder: Path, failure: str) -> Iterator[SearchCore]:
    """Give a core for which every service of the web fails in one way."""
    for name in WEB:
        world.play(name, failure=failure)
    hurry = {"web_search_timeout": 0.3} if failure == "hang" else {}
    settings = {"search_providers": f"library,{','.join(WEB)}", "web_search_cache_ttl": 0, **hurry}
    with closing(build_core(world, folder, **settings)) as core:
        yield core


def researched(core: SearchCore, question: str) -> tuple[ResearchRun, list[ResearchEvent]]:
    started = core.research.start(ResearchRequest(question=question))
    events = [event for _, event in core.research.events(started.id, "")]
    return core.research.get(started.id, ""), events


@pytest.mark.parametrize("failure", ["hang", "html"])
def test_an_outage_is_a_failure(world: World, folder: Path, failure: str):
    """However all services fail, the run fails and has no report; what the samples hold is counted as own documents only."""
    with away(world, folder, failure) as core:
        run, events = researched(core, OF_SAMPLES)
    assert (run.status, run.search_failed, run.report, run.domains) == (ResearchStatus.FAILED, True, "", {})
    coverage = " ".join(run.coverage)
    assert "자료가 없다는 뜻이 아니에요" in coverage
    assert "내 자료에서만" in coverage
    [update] = [event for event in events if isinstance(event, SourcesUpdated)]
    assert update.subtask.own == update.subtask.found > 0
    assert {(source.collection, source.domain) for source in run.sources} == {("sample", "내 자료 (예시)")}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"failure": "nothing"}, "웹에서는 찾은 것이 없어요."),
        ({"pages": (BESIDE_THE_POINT,)}, "웹에서 찾은 것은 관련이 적어 쓰지 않았어요."),
    ],
    ids=["nothing", "not-relevant"],
)
def test_a_part_for_which_few_answered_says_so(world: World, folder: Path, answer: dict[str, Any], said: str):
    """One service that fails beside one without a usable page is no empty web, in the plan and in the ledger of the run."""
    with away(world, folder, "500") as core:
        world.play("searxng", **answer)
        run, _ = researched(core, QUESTION)
    assert run.plan[0].failure == f"웹 검색 서비스 2곳 중 1곳만 답했어요. {said}"
    assert run.plan[0].failure in run.coverage[1]


SECRET = "청람프로젝트"
ABOUT_OWN = "한빛전자 새 메모리의 대역폭은 얼마인가요?"
DOCUMENT = f"# {SECRET} 한빛전자 메모리 대역폭\n\n한빛전자 새 메모리의 대역폭은 {SECRET} 시험에서 초당 3테라바이트였다.\n"


@pytest.mark.parametrize(("choice", "goes"), [("never", False), ("always", True)])
def test_documents_go_where_they_may(world: World, model: LanguageModelServer, tmp_path: Path, choice: str, goes: bool):
    """Else neither plan nor prompt holds a word of them; the report marks them as not of the web and quotes what was not sent."""
    world.reset()
    (tmp_path / "secret.md").write_text(DOCUMENT, encoding="utf-8")
    settings = {"search_providers": "library,searxng", "web_search_cache_ttl": 0, "openai_own_documents": choice}
    with closing(build_core(world, tmp_path, model, **settings)) as core:
        core.index([tmp_path / "secret.md"])
        model.asked.clear()
        started = core.research.start(ResearchRequest(question=ABOUT_OWN))
        for _ in core.research.events(started.id, ""):
            pass
        run = core.research.get(started.id, "")
    assert (run.status, run.by_model, run.own_sent) == (ResearchStatus.COMPLETE, True, goes)
    assert (f"내 자료: {SECRET}" in "".join(asked.prompt for asked in model.asked)) is goes
    [document] = [source for source in run.sources if source.collection == "user"]
    head, _, own = run.report.partition("## 내 자료에서")
    assert f"> 웹이 아니라 내 자료예요: [{document.number}]" in (head if goes else own)
    assert document.number > max(source.number for source in run.sources if not source.own)
    assert "내 자료" not in run.domains
    if not goes:
        assert SECRET not in "".join(asked.prompt for asked in model.asked)
        assert SECRET not in head
        assert f"대역폭은 {SECRET} 시험에서 초당 3테라바이트였다." in own
        assert any("웹 출처로 세지 않았어요" in line for line in run.coverage)
