"""What leaves the machine, seen from the services and the model that a whole core asks."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain.report import Question, SearchOptions
from search_core.domain.video import TranscriptSegment, VideoContext
from tests.loopback.language_model import LanguageModelServer, saying
from tests.loopback.world import Page, World
from tests.search_core.whole_core import build_core

SECRET = "Halcyon-7731"
OWN_TITLE = "Memory bandwidth plan"
OWN_TEXT = f"The memory bandwidth plan of project {SECRET} doubles HBM memory bandwidth next spring for every accelerator board."
FOREIGN = Page(
    title="Memory bandwidth explained",
    url="https://docs.example.org/bandwidth",
    snippet="Memory bandwidth and HBM decide how long an accelerator waits for its data, engineers say.",
)


@pytest.fixture
def model() -> Iterator[LanguageModelServer]:
    with LanguageModelServer(saying("메모리 대역폭을 설명하는 자료예요.")) as model:
        yield model


def core_over(world: World, folder: Path, model: LanguageModelServer | None = None, **changes: Any) -> SearchCore:
    """Return a core over SearXNG and a library that holds one document and no samples."""
    own = {"library_samples": False, "web_search_cache_ttl": 0, "search_providers": "library,searxng", **changes}
    core = build_core(world, folder, model, **own)
    (folder / "plan.md").write_text(f"# {OWN_TITLE}\n\n{OWN_TEXT}\n", encoding="utf-8")
    core.index([folder / "plan.md"])
    return core


def test_transcripts_and_questions_stay_where_they_belong(world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """No request to any service holds a sentence of the video or a run of its words; no log line holds a question or a key."""
    world.reset()
    world.play("searxng", failure="500")
    caplog.set_level(logging.DEBUG, logger="search_core")
    spoken = "우리 실험실에서는 어제 저녁 새 시제품의 대역폭을 처음으로 쟀습니다."
    video = VideoContext(title="메모리 발표", transcript=(TranscriptSegment(0.0, 5.0, spoken),))
    with closing(core_over(world, tmp_path, search_providers="searxng,tavily,wikipedia")) as core:
        core.search(Question(text="은하수조약돌의 메모리 대역폭은 왜 중요한가?", video=video))
    requests = [request for each in world.requests.values() for request in each]
    assert len(requests) >= 3
    assert not any(request.holds(spoken) or request.holds("시제품의 대역폭을") for request in requests)
    assert caplog.records
    assert "은하수조약돌" not in caplog.text
    assert "CANARY" not in caplog.text


@pytest.mark.parametrize("writes", [True, False])
def test_a_model_writes_a_query_for_services_that_are_free(
    world: World, tmp_path: Path, model: LanguageModelServer, writes: bool
):
    """Wikipedia and SearXNG get it, a metered service does not; switched off, the model is sent nothing of the video."""
    world.reset()
    model.answer = saying('{"query": "메모리 대역폭 은하수조약돌"}')
    video = VideoContext(title="메모리 발표", transcript=(TranscriptSegment(0.0, 5.0, "우리는 대역폭을 쟀습니다."),))
    asked = {"search_providers": "searxng,tavily,wikipedia", "openai_writes_queries": writes}
    with closing(core_over(world, tmp_path, model, **asked)) as core:
        report = core.search(Question(text="메모리 대역폭은 왜 중요한가?", video=video))
        assert bool(core.report_json(report)["written"]) == writes
    got = {service for service, query in world.asked if "은하수조약돌" in query}
    assert got == ({"searxng", "wikipedia"} if writes else set())
    assert any("대역폭을 쟀습니다" in each.prompt for each in model.asked) == writes


@pytest.mark.parametrize(("allowed", "sent"), [("never", False), ("auto", True)])
def test_own_documents_reach_the_model_only_where_allowed(
    world: World, tmp_path: Path, model: LanguageModelServer, allowed: str, sent: bool
):
    """A foreign page is summarised by the model, a foreign document only where the setting says so (loopback is private)."""
    world.reset()
    world.play("searxng", pages=(FOREIGN,))
    with closing(core_over(world, tmp_path, model, openai_own_documents=allowed)) as core:
        options = core.default_options()
        shown = SearchOptions(ranking=replace(options.ranking, threshold=0.0, max_results=50))
        report = core.search(Question(text="memory bandwidth HBM"), shown)
    prompts = "\n".join(asked.prompt for asked in model.asked)
    assert FOREIGN.snippet in prompts
    assert (SECRET in prompts) == sent
    assert {result.title: result.summary_origin for result in report.results} == {
        FOREIGN.title: "model",
        OWN_TITLE: "model" if sent else "extract",
    }
