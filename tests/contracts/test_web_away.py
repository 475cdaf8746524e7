"""The web away, in every way it can be, while the library and its samples answer: what is then shown.

The core is the real one with documents of its own; the library answers every time, and stands in for no web. One data folder
serves all cases, and every case has a core of its own, for services cool down after they failed.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from search_core.core import SearchCore
from search_core.domain.report import Question, SearchReport
from search_core.domain.result import RankingOptions
from search_core.search.presenting.ledger import ledger
from search_core.settings import Settings
from tests.loopback.played import RETRY_AFTER_S
from tests.loopback.world import World
from tests.search_core.api.served import served

QUESTION = "메모리 대역폭은 왜 중요한가?"
NO_SERVICE = "물어볼 수 있는 웹 검색 서비스가 없어요"
AWAY = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
FOUND_NOTHING = ("[검색 완료]", "찾은 결과가 없어요", "검색 결과가 없습니다")
OWN_TITLE = "사내 메모리 대역폭 보고서"
OWN_TEXT = "메모리 대역폭은 가속기가 기다리지 않게 해서 중요하다. 대역폭이 모자라면 계산이 멈춘다."
NOT_SET_UP, COOLING_DOWN = "not set up", "cooling down"
WAYS = {
    "timeout": ("searxng", "hang", "시간 안에 답하지 않았어요"),
    COOLING_DOWN: ("brave", "429-after", "잠시 쉬고 있어요"),
    NOT_SET_UP: ("searxng", None, NO_SERVICE),
}
"""By status: a service, how it fails, and what a reader learns of it."""


@dataclass(kw_only=True)
class Outage:
    """A core whose service of the web fails in one way."""

    reason: str
    core: SearchCore

    def ask(self) -> SearchReport:
        video = next(video for video in self.core.samples() if "HBM" in video.title)
        return self.core.search(Question(text=QUESTION, video=video))

    def assert_named(self, text: str) -> None:
        """Hold that *text* says that the web is away and why, and never that nothing was found."""
        assert AWAY in text
        assert self.reason in text.split(AWAY, 1)[1].splitlines()[0]
        assert not [words for words in FOUND_NOTHING if words in text]
        assert (NO_SERVICE in text) == (self.reason == NO_SERVICE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hold a library with the samples and one document of its own, and nothing stored of earlier searches."""
    folder = tmp_path_factory.mktemp("outage")
    (folder / "own.md").write_text(f"# {OWN_TITLE}\n\n{OWN_TEXT}\n", encoding="utf-8")
    with closing(a_core(settings_of(folder, search_providers="library"))) as core:
        core.index([folder / "own.md"])
        core.search(Question(text=QUESTION))  # waits for the samples
    return folder


def settings_of(folder: Path, **changes: Any) -> dict[str, Any]:
    own = {"maekrak_data_dir": folder / "data", "embedding_model": "kiwi", "web_search_cache_ttl": 0, "api_rate_limit": ""}
    return {**own, **changes}


def a_core(settings: dict[str, Any]) -> SearchCore:
    return SearchCore.from_settings(Settings(**settings))


@contextmanager
def outage_of(way: str, world: World, folder: Path) -> Iterator[Outage]:
    name, failure, reason = WAYS[way]
    reached = {} if way == NOT_SET_UP else world.settings(**({"web_search_timeout": 0.3} if way == "timeout" else {}))
    world.play(name, failure=failure)
    settings = settings_of(folder, **reached, search_providers=f"library,{name}")
    with closing(a_core(settings)) as core:
        outage = Outage(reason=reason, core=core)
        if way == COOLING_DOWN:
            outage.ask()
        yield outage


@pytest.mark.parametrize("way", WAYS)
def test_report_and_files_name_the_outage(way: str, world: World, folder: Path):
    """Report, ledger and files name the reason, also where every result is below the threshold, and agree in numbers."""
    with outage_of(way, world, folder) as outage:
        report, core = outage.ask(), outage.core
        assert not any(line.answered for line in ledger(report.replies) if line.reply.web)
        assert not report.web_results
        if way == COOLING_DOWN:
            assert all(reply.retry_after_s and reply.retry_after_s <= RETRY_AFTER_S for reply in report.replies if reply.web)
        for threshold in (1.0, 0.0):
            placed = core.arrange(report, RankingOptions(threshold=threshold))
            outage.assert_named(core.format_report(placed))
            files = {kind: core.export(placed, kind).decode("utf-8-sig") for kind in ("markdown", "csv", "json")}
            outage.assert_named(files["markdown"].replace("\\", ""))
            outage.assert_named(files["csv"])
            outage.assert_named(json.loads(files["json"])["outcome"])
            assert "내 자료에서" in files["markdown"]
        text = re.findall(r"(?m)^(\d+)\. \*\*(.*?)\*\*", core.format_report(placed))
        rows = [(row[0], row[3]) for row in csv.reader(io.StringIO(files["csv"])) if len(row) > 3 and row[1] == "예"]
        assert text == rows
        assert [result.title for result in placed.results] == [title for _, title in rows]


def test_an_own_video_gets_no_samples(world: World, folder: Path, tmp_path: Path):
    """Beside an analyst's own video only the analyst's own documents answer."""
    world.play("searxng", failure="500")
    settings = settings_of(folder, **world.settings(), search_providers="library,searxng")
    body = {"query": QUESTION, "threshold": 0.0, "video": {"title": "사내 발표", "transcript": [], "sample": True}}
    with closing(a_core(settings)) as core, served(tmp_path, core=core) as api, api.client() as client:
        report = client.post("/api/search", json=body).json()
    assert [result["title"] for result in (*report["results"], *report["hidden"])] == [OWN_TITLE]


def test_samples_turned_off_answer_no_more(folder: Path):
    """With LIBRARY_SAMPLES=false, samples that were indexed before do not answer, nor do they count as documents."""
    with closing(a_core(settings_of(folder, search_providers="library", library_samples=False))) as core:
        report = core.search(Question(text=QUESTION))
        assert [result.title for result in (*report.results, *report.hidden)] == [OWN_TITLE]
