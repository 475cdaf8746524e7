"""Research while no search service of the web answers, through page, command line and API, the library and its samples on.

One core for each way to fail, because services that failed are left alone for a while; all of them share one library.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import services
from search_core.commands import main
from search_core.core import SearchCore
from search_core.domain import ResearchEvent, ResearchRequest, ResearchRun, ResearchStatus, SourcesUpdated
from search_core.settings import Settings
from tests.loopback.world import FAILURES, World
from tests.search_core.api.served import served

APP = Path(__file__).parents[2] / "app.py"
QUESTION = "김치찌개는 왜 오래 끓이나요?"
OF_SAMPLES = "메모리 반도체 가격은 왜 오르나요?"
WEB = ("wikipedia", "searxng")


@pytest.fixture(autouse=True)
def _own_main() -> Iterator[None]:
    """Put back the module that was run: AppTest leaves its script there."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


def chosen(world: World, folder: Path, **changes: Any) -> dict[str, Any]:
    return world.settings(
        maekrak_data_dir=folder / "data",
        search_providers=f"library,{','.join(WEB)}",
        embedding_model="kiwi",
        web_search_cache_ttl=0,
        web_search_timeout=0.3,
        api_rate_limit="",
        **changes,
    )


@contextmanager
def away(world: World, folder: Path, failure: str) -> Iterator[SearchCore]:
    """Give a core for which every service of the web fails in one way."""
    for name in WEB:
        world.play(name, failure=failure)
    with closing(SearchCore.from_settings(Settings(**chosen(world, folder)))) as core:
        yield core


@contextmanager
def page_of(core: SearchCore, run_id: str) -> Iterator[AppTest]:
    """Give the research page with a run on it."""
    services.provide(lambda: core)
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.run()
    at.switch_page("pages/research.py")
    at.query_params["run"] = run_id
    try:
        yield at.run()
    finally:
        services.provide(services.from_settings)


def texts(at: AppTest) -> str:
    assert not at.exception, [problem.value for problem in at.exception]
    kinds = (at.markdown, at.caption, at.error, at.warning)
    return "\n".join(str(element.value) for elements in kinds for element in elements).replace("\\", "")


def researched(core: SearchCore, question: str, **more: Any) -> tuple[ResearchRun, list[ResearchEvent]]:
    started = core.research.start(ResearchRequest(question=question, **more))
    events = [event for _, event in core.research.events(started.id, "")]
    return core.research.get(started.id, ""), events


@pytest.mark.parametrize("failure", [failure for failure in FAILURES if failure != "nothing"])
def test_an_outage_is_a_failure_at_every_door(
    world: World, folder: Path, failure: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """However all services fail, API, page and command line say "Search failed" and what to try, and no report stands."""
    with away(world, folder, failure) as core:
        with served(folder / "scripted", core=core) as server, server.client() as client:
            run, *events = told_from_zero(client.post("/api/research", json={"query": QUESTION}))
            kept = client.get(f"/api/research/{run['id']}").json()
        [error] = [event for event in events if event["type"] == "error"]
        assert (error["kind"], events[-1]["status"], kept["status"]) == ("Search failed", "failed", "failed")
        assert "Try again" in error["description"]
        assert "네트워크" in error["korean"]
        assert kept["report"] == ""
        assert kept["coverage"][0] in ("찾은 자료가 없고, 보고서를 쓰지 못했어요.", "자료를 찾았지만 보고서를 쓰지 못했어요.")
        assert "자료가 없다는 뜻이 아니에요" in " ".join(kept["coverage"])
        with page_of(core, run["id"]) as at:
            shown = texts(at)
            assert "웹을 검색하지 못했어요" in shown
            assert "Search failed" in shown
            assert "결과가 없어요" not in shown
            assert {"resume-research", "research-own-documents"} <= {button.key for button in at.button}
    for name, value in chosen(world, folder).items():
        monkeypatch.setenv(name.upper(), str(value))
    capsys.readouterr()
    assert main(["research", QUESTION]) == 1
    printed = capsys.readouterr().out
    assert "Search failed" in printed
    assert "--own-documents" in printed
    assert "조사를 마쳤어요" not in printed


def told_from_zero(response: Any) -> list[dict[str, Any]]:
    """Return what a stream of a run tells: its name under number 0, then its events."""
    assert response.status_code == 200, response.read()
    return [json.loads(line.removeprefix("data: ")) for line in response.iter_lines() if line.startswith("data: ")]


def test_documents_are_no_stand_in(world: World, folder: Path):
    """A question that the samples could answer fails all the same; what they hold is counted as own documents only."""
    with away(world, folder, "500") as core:
        run, events = researched(core, OF_SAMPLES)
    assert run.status is ResearchStatus.FAILED
    assert run.search_failed
    assert run.report == ""
    assert run.domains == {}
    [update] = [event for event in events if isinstance(event, SourcesUpdated)]
    assert update.subtask.own == update.subtask.found > 0
    assert "내 자료에서만" in " ".join(run.coverage)
    assert {source.collection for source in run.sources} == {"sample"}
    assert {source.domain for source in run.sources} == {"내 자료 (예시)"}


def test_own_documents_alone_are_offered_and_named(world: World, folder: Path):
    """The button on the page researches the library, asks nobody, and the first line of the report says so and marks samples."""
    with away(world, folder, "500") as core:
        failed, _ = researched(core, OF_SAMPLES)
        asked = len(world.asked)
        with page_of(core, failed.id) as at:
            at.button(key="research-own-documents").click()
            at.run()
            run_id = "".join(at.query_params["run"])
            for _ in core.research.events(run_id, ""):
                pass
            shown = texts(at.run())
        run = core.research.get(run_id, "")
    assert run.request.own_only
    assert run.request.continues == failed.id
    assert run.status is ResearchStatus.COMPLETE
    count = len(run.sources)
    assert run.report.splitlines()[0] == (
        f"> 내 자료만으로 쓴 보고서예요. 웹은 검색하지 않았어요. 자료 {count}개 중 {count}개는 앱에 들어 있는 예시예요."
    )
    assert run.coverage[1] == "웹은 검색하지 않고 내 자료만 찾아봤어요."
    assert all(source.read for source in run.sources)
    assert len(world.asked) == asked
    assert "내 자료만으로 쓴 보고서예요" in shown
    assert "웹은 검색하지 않음" in shown
    assert "내 자료 (예시)" in shown


def test_nothing_among_own_documents_is_said(world: World, folder: Path):
    """A library without an answer gives no report, and the page says where was looked."""
    with away(world, folder, "500") as core:
        run, _ = researched(core, "qzxv wjkq zzyx?", own_only=True)
    assert run.sources == ()
    assert run.report.startswith("내 자료만 찾아봤고 웹은 검색하지 않았어요. 내 자료에서 찾은 것이 없어서")
    assert run.unanswered == (1,)


def test_a_process_that_was_never_warmed_up_finds_the_samples(world: World, tmp_path: Path):
    """Starting research puts the samples into the library by itself: nobody waits for one that is never filled."""
    with away(world, tmp_path, "500") as core:
        run, _ = researched(core, OF_SAMPLES, own_only=True)
    assert run.sources
    assert run.status is ResearchStatus.COMPLETE
