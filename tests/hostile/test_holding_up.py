"""Nothing that computes over text of strangers holds up the others: threads, and what shares an event loop.

``make hostile`` tries every entry with a video just under the limits (HOSTILE_BYTES); else the slow ones get a shorter one.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from pages.parts import services, transcript_lines
from search_core.claims.export import ClaimsFormat, export_claims
from search_core.core import SearchCore
from search_core.domain import ClaimsRequest, ClaimsRun, Question, RankingOptions, ResearchRequest, VideoContext
from search_core.presenting.export import ExportFormat, export
from search_core.research import ResearchFormat, export_run
from tests.app.conftest import Visit
from tests.app.conftest import _own_main as _own_main
from tests.hostile.long_videos import CUES, NAMES, labelled_line, long_results, long_sources, long_video, subtitles, video_mapping
from tests.hostile.longest_gap import least_gaps
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.world import World
from tests.search_core.api.served import Served, served
from tests.search_core.claims.export.exported import NOW as CHECKED_AT
from tests.search_core.research.report_material import material, run, writer
from tests.search_core.whole_core import build_core

WHOLE = int(os.environ.get("HOSTILE_BYTES", "0")) > 1_000_000
SLOW = (CUES, NAMES) if WHOLE else (300, 30)
"""Captions and names of each kind, for what takes seconds or minutes with all of them."""
RESULTS, LINES = (40, 400) if WHOLE else (10, 5)
PAGE_CHARS = 20_000 if WHOLE else 4_000
BAR_S = 0.2
ROOM_S = 1_000
QUESTION = "그 회사는 왜 메모리 대역폭을 늘리나요?"


@dataclass(frozen=True)
class Scene:
    """Holds the real core with its API on a server, a long video of all captions, and one for what is slow."""

    core: SearchCore
    api: Served
    video: VideoContext
    slow: VideoContext

    def research(self) -> None:
        """Research, from the plan to the report."""
        started = self.core.research.start(ResearchRequest(question=QUESTION, video=self.slow))
        for _ in self.core.research.events(started.id, ""):
            pass
        assert self.core.research.get(started.id, "").report

    def write_report(self) -> None:
        """Write a report by extract from long pages."""
        sources, pages = long_sources(RESULTS, PAGE_CHARS)

        async def write() -> None:
            async for _ in writer().write(material(sources=sources, pages=pages)):
                pass

        self.core._loop.run(write())

    def search_by_api(self) -> None:
        """Post a video as long as a body may be."""
        mapping = video_mapping(300, 30)
        body = {"query": QUESTION, "video": {name: mapping[name] for name in ("title", "speakers", "transcript", "language")}}
        with self.api.client() as client:
            assert client.post("/api/search", json=body).status_code == 200

    def chat(self) -> None:
        """Begin a conversation, ask in it, and look at it again."""
        conversation = self.core.chat.new("", self.slow)
        job = self.core.chat.ask(conversation.id, "", QUESTION)
        assert job.wait(ROOM_S)
        record = self.core.chat.open(conversation.id, "").messages[-1].record
        assert record is not None
        assert record.text

    def check(self) -> None:
        """Hold what the video says against the web."""
        for _ in self.core.check_online(Question(text=QUESTION, video=self.slow)):
            pass

    def store(self) -> None:
        """Keep the video, list it and open it again, as a file and with a conversation."""
        assert self.core.videos.open(self.core.videos.keep(self.video, ""), "") == self.video
        assert self.core.videos.recent("")
        conversation = self.core.chat.new("", self.video)
        assert self.core.chat.open(conversation.id, "").video == self.video

    def read_file(self) -> None:
        """Read a file of subtitles that is handed in."""
        reading = self.core.start_reading_file("talk.vtt", subtitles(CUES))
        assert len(reading.result().transcript) == CUES

    def look(self) -> None:
        """Look at the transcript, search in it, and visit the pages."""
        here = Visit(self.core, {})  # type: ignore[arg-type]
        session = here.session
        session.video = session.found = self.video
        session.lines = transcript_lines.lines_of(self.video.transcript)
        session.serial += 1
        for page in ("search", "chat", "research", "lab"):
            here.open(page)
        here.open("search")
        assert here.keys("line-")
        here.enter("transcript-query", "메모리")
        assert here.keys("line-")

    def import_labels(self) -> None:
        """Hand in labelled searches whose results are not scored."""
        here = Visit(self.core, {}, "lab")  # type: ignore[arg-type]
        here.fold("lab-expert")
        here.fold("fold-labels")
        lines = (json.dumps(labelled_line(number, 10), ensure_ascii=False) for number in range(LINES))
        here.at.file_uploader(key="lab-import").upload("labels.jsonl", "\n".join(lines).encode(), "application/json")
        here.look()
        assert f"{LINES}" in here.at.success[0].value

    def export(self) -> None:
        """Write a search, research and a check of claims in every form."""
        report = self.core.report_on(Question(text=QUESTION), long_results(RESULTS))
        report = self.core.arrange(report, RankingOptions(threshold=0.0))
        for form in get_args(ExportFormat):
            assert export(report, form).data
        sources, _ = long_sources(RESULTS, 1)
        text = "\n\n".join(f"{source.snippet} [{source.number}]" for source in sources)
        researched = run(text, sources, request=ResearchRequest(question=QUESTION, video=self.video))
        for form in get_args(ResearchFormat):
            assert export_run(researched, form)
        claims = self.core.find_claims(replace(self.slow, transcript=self.slow.transcript[:300])).claims
        checked = ClaimsRun.begin("run-1", ClaimsRequest(video=self.video, claims=claims[:RESULTS]), CHECKED_AT)
        for form in get_args(ClaimsFormat):
            assert export_claims(checked, form)


WORK: dict[str, Callable[[Scene], Any]] = {
    "file handed in": Scene.read_file,
    "stored and opened": Scene.store,
    "transcript and pages": Scene.look,
    "search": lambda scene: scene.core.search(Question(text=QUESTION, video=scene.slow)),
    "search by API": Scene.search_by_api,
    "chat": Scene.chat,
    "online check": Scene.check,
    "claims": lambda scene: scene.core.find_claims(scene.slow),
    "research": Scene.research,
    "report": Scene.write_report,
    "import of labels": Scene.import_labels,
    "exports": Scene.export,
}


@pytest.fixture(scope="module")
def scene(world: World, model: LanguageModelServer, folder: Path) -> Iterator[Scene]:
    """Run one core and its API for all, as warm as a server is."""
    settings = {"search_providers": "library,wikipedia,searxng", "web_search_cache_ttl": 0}
    with ExitStack() as stack:
        core = stack.enter_context(closing(build_core(world, folder, model, **settings)))
        core.warm_up()
        core.wait_until_warm()
        api = stack.enter_context(served(folder / "scripted", core=core))
        with api.client() as client:
            client.get("/api/videos")
        services.provide(lambda: core)
        stack.callback(services.provide, services.from_settings)
        main = sys.modules["__main__"]
        stack.callback(sys.modules.__setitem__, "__main__", main)
        core.research.open()
        gc.collect()
        gc.freeze()  # as a server does
        stack.callback(gc.unfreeze)
        video = long_video()
        yield Scene(core, api, video, video if WHOLE else long_video(*SLOW))


@pytest.mark.parametrize("name", WORK)
@pytest.mark.timeout(1_800 if WHOLE else 300)
def test_nobody_is_held_up(scene: Scene, name: str):
    """Beside work on inputs just under the limits no thread waits longer for its turn, and no event loop stands longer."""
    assert scene.api.loop is not None
    gaps = least_gaps(lambda: WORK[name](scene), [scene.core._loop._loop, scene.api.loop], bar_s=BAR_S)
    print(f"{name}: threads {gaps.threads * 1000:.0f} ms, loops {gaps.loops * 1000:.0f} ms")
    assert gaps.longest <= BAR_S, gaps
