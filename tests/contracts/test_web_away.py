"""All services of the web failing, in every way they can, while the library and its samples answer: what each door says.

The core is the real one with documents of its own; the library answers every time, and stands in for no web. One data folder
serves all cases, and every case has a core of its own, for services rest after they failed.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from pages.parts import services
from search_core.commands import main
from search_core.core import SearchCore
from search_core.domain import Question, RankingOptions, SearchReport, SearchStatus
from search_core.provider_kit import ProviderInfo
from search_core.settings import Settings
from tests.app.conftest import Visit
from tests.loopback.played import RETRY_AFTER_S
from tests.loopback.world import PLAYED, World
from tests.search_core.api.served import served

QUESTION = "메모리 대역폭은 왜 중요한가?"
AWAY = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
FOUND_NOTHING = ("[검색 완료]", "찾은 결과가 없어요", "검색 결과가 없습니다")
OWN_TITLE = "사내 메모리 대역폭 보고서"
OWN_TEXT = "메모리 대역폭은 가속기가 기다리지 않게 해서 중요하다. 대역폭이 모자라면 계산이 멈춘다."
OWN_SRT = "1\n00:00:01,000 --> 00:00:04,000\n메모리 대역폭은 왜 중요한가, 그 이야기를 합니다.\n"
SHORT_S = 0.3
NOT_SET_UP, RESTING = "not set up", "resting"
SAID = {
    SearchStatus.INVALID_API_KEY: "키가 맞지 않아요",
    SearchStatus.QUOTA_EXHAUSTED: "쓸 수 있는 양을 다 썼어요",
    SearchStatus.RATE_LIMITED: "요청 한도를 넘었어요",
    SearchStatus.BLOCKED: "접속을 막았어요",
    SearchStatus.NETWORK_ERROR: "연결되지 않았어요",
    SearchStatus.TIMEOUT: "시간 안에 답하지 않았어요",
    SearchStatus.INVALID_RESPONSE: "읽을 수 없는 답을 보냈어요",
}
"""What a reader is told of each way to fail."""


def ways() -> dict[str, list[tuple[str, str]]]:
    """Return by status the services that can fail so, each with how; two of them are enough."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, service in PLAYED.items():
        for failure, status in service.failures().items():
            told = found.setdefault(status.value, [])
            if not status.answered and failure != "drip" and name not in dict(told) and len(told) < 2:
                told.append((name, failure))
    return {status: told for status, told in found.items() if told}


WAYS = ways()
CASES = (*WAYS, RESTING, NOT_SET_UP)


@dataclass(kw_only=True)
class Outage:
    """A core whose services of the web all fail in one way, and the settings it has."""

    way: str
    core: SearchCore
    settings: dict[str, Any]

    @property
    def reason(self) -> str:
        """Return what has to be said of why."""
        if self.way == NOT_SET_UP:
            return "물어볼 수 있는 웹 검색 서비스가 없어요"
        return "잠시 쉬고 있어요 (" if self.way == RESTING else SAID[SearchStatus(self.way)]

    def ask(self) -> SearchReport:
        video = next(video for video in self.core.samples() if "HBM" in video.title)
        return self.core.search(Question(text=QUESTION, video=video))

    def environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Give the command line the same settings."""
        for name, value in self.settings.items():
            plain = value.get_secret_value() if isinstance(value, SecretStr) else value
            monkeypatch.setenv(name.upper(), str(plain))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hold a library with the samples and one document of its own, and nothing kept of earlier searches."""
    folder = tmp_path_factory.mktemp("outage")
    (folder / "own.md").write_text(f"# {OWN_TITLE}\n\n{OWN_TEXT}\n", encoding="utf-8")
    (folder / "own.srt").write_text(OWN_SRT, encoding="utf-8")
    with closing(a_core(settings_of(folder, search_providers="library"))) as core:
        core.index([folder / "own.md"])
        core.search(Question(text=QUESTION))  # waits for the samples
    return folder


def settings_of(folder: Path, **changes: Any) -> dict[str, Any]:
    own = {"maekrak_data_dir": folder / "data", "embedding_model": "kiwi", "web_search_cache_ttl": 0, "api_rate_limit": ""}
    return {**own, **changes}


def a_core(settings: dict[str, Any]) -> SearchCore:
    return SearchCore.from_settings(Settings(**settings))


@pytest.fixture(params=CASES)
def outage(world: World, folder: Path, request: pytest.FixtureRequest) -> Iterator[Outage]:
    way = str(request.param)
    failing = {RESTING: WAYS["rate_limited"], NOT_SET_UP: [("searxng", "")]}.get(way) or WAYS[way]
    reached = {} if way == NOT_SET_UP else world.settings()
    if way == "timeout":
        reached["web_search_timeout"] = SHORT_S
    for name, failure in failing:
        world.play(name, failure="429-after" if way == RESTING else failure or None)
    settings = settings_of(folder, **reached, search_providers=",".join(("library", *dict(failing))))
    with closing(a_core(settings)) as core:
        outage = Outage(way=way, core=core, settings=settings)
        if way == RESTING:
            outage.ask()
        yield outage


def test_every_way_to_fail_is_among_the_cases():
    """The played services can fail in seven ways; resting and not being set up come on top."""
    assert {SearchStatus(way) for way in WAYS} == set(SAID)


def held(text: str, outage: Outage) -> None:
    """Hold that *text* says that the web is away and why, and never that nothing was found."""
    assert AWAY in text
    assert outage.reason in text.split(AWAY, 1)[1].splitlines()[0]
    assert not [words for words in FOUND_NOTHING if words in text]
    if outage.way in (NOT_SET_UP, RESTING):
        assert ("물어볼 수 있는 웹 검색 서비스가 없어요" in text) == (outage.way == NOT_SET_UP)


def test_the_page_says_so_above_own_documents(outage: Outage):
    """The page has the specified text with its reason, what can be done, and below it own documents under their heading."""
    services.provide(lambda: outage.core)
    try:
        here = Visit(outage.core, {})  # type: ignore[arg-type]
        here.open_sample()
        here.ask(QUESTION)
        while here.has_button("stop"):
            here.look()
        text = here.texts()
        held(text, outage)
        assert {"retry", "video-only"} <= {button.key for button in here.at.button}
        assert [link.proto.label for link in here.at.get("page_link")] == ["검색 상태 보기"]
        heading = next(each.value for each in here.at.markdown if "내 자료에서" in each.value)
        assert text.index(AWAY) < text.index(heading)
        assert "웹 검색 사용 불가 · 내 자료 **" in text
        assert ":violet-badge[예시]" in text
        here.at.slider(key="threshold").set_value(100)
        here.look()
        held(here.texts(), outage)
        assert here.has_button("lower-threshold")
    finally:
        services.provide(services.from_settings)


def test_the_command_line_says_so_and_exits_1(
    outage: Outage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The text has the sentence and then own documents, samples marked; the exit code is 1; hidden results change neither."""
    outage.environment(monkeypatch)
    assert main(["search", QUESTION, "--threshold", "0"]) == 1
    printed = capsys.readouterr().out
    if outage.way != RESTING:  # a new process has not been told to wait
        held(printed, outage)
    assert AWAY in printed
    assert f"'{QUESTION}' 내 자료에서" in printed
    assert OWN_TITLE in printed
    assert " · 예시 · 관련도" in printed
    assert main(["search", QUESTION, "--threshold", "1"]) == 1
    printed = capsys.readouterr().out
    assert AWAY in printed
    assert "숨긴 결과" in printed
    assert main(["search", QUESTION, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["web_unavailable"], report["outcome"].startswith(AWAY)) == (True, True)
    assert {result["collection"] for result in report["results"]} <= {"user", "sample"}


def test_the_api_says_so(outage: Outage, tmp_path: Path):
    """The JSON has the sentence; every result is of a collection, and the replies say which services are the web."""
    with served(tmp_path, core=outage.core) as api, api.client() as client:
        report = client.post("/api/search", json={"query": QUESTION, "video_id": "sample-hbm"}).json()
    held(report["outcome"], outage)
    assert report["web_unavailable"]
    assert report["results"]
    assert {result["collection"] for result in report["results"]} <= {"user", "sample"}
    assert [reply["status"] for reply in report["replies"] if not reply["web"]] == ["success"]


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_the_exports_say_so(outage: Outage, threshold: float):
    """Markdown, CSV and JSON hold the sentence, also where every result is below the threshold."""
    placed = outage.core.arrange(outage.ask(), RankingOptions(threshold=threshold))
    markdown = outage.core.export(placed, "markdown").data.decode().replace("\\", "")
    held(markdown, outage)
    assert "내 자료에서" in markdown
    held(outage.core.export(placed, "csv").data.decode("utf-8-sig"), outage)
    held(json.loads(outage.core.export(placed, "json").data)["outcome"], outage)


def test_numbers_agree_between_text_and_files(outage: Outage):
    """A result has one number, whichever way it is looked at."""
    report = outage.core.arrange(outage.ask(), RankingOptions())
    text = re.findall(r"(?m)^(\d+)\. \*\*(.*?)\*\*", outage.core.format_report(report))
    table = list(csv.reader(io.StringIO(outage.core.export(report, "csv").data.decode("utf-8-sig"))))[1:]
    rows = [(row[0], row[3]) for row in table if len(row) > 3 and row[1] == "예"]
    markdown = re.findall(r"(?m)^(\d+)\. \[?(.+?)(?:\]\(|$| · )", outage.core.export(report, "markdown").data.decode())
    assert text == rows
    assert [number for number, _ in markdown][: len(rows)] == [number for number, _ in rows]
    assert [result.title for result in report.results] == [title for _, title in rows]


def test_an_own_video_hears_no_samples(
    world: World, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    """Beside an analyst's own video only the analyst's own documents answer, on the page, the command line and the API."""
    world.play("searxng", failure="500")
    settings = settings_of(folder, **world.settings(), search_providers="library,searxng")
    for name, value in settings.items():
        monkeypatch.setenv(name.upper(), str(value))
    main(["search", QUESTION, "--video", str(folder / "own.srt"), "--threshold", "0", "--json"])
    told = json.loads(capsys.readouterr().out)
    body = {"query": QUESTION, "threshold": 0.0, "video": {"title": "사내 발표", "transcript": [], "sample": True}}
    with closing(a_core(settings)) as core, served(tmp_path, core=core) as api, api.client() as client:
        asked = client.post("/api/search", json=body).json()
        services.provide(lambda: core)
        try:
            here = Visit(core, {})  # type: ignore[arg-type]
            here.at.file_uploader(key="upload-0").upload("own.srt", OWN_SRT.encode(), "application/x-subrip")
            here.look()
            here.ask(QUESTION)
            while here.has_button("stop"):
                here.look()
            here.at.slider(key="threshold").set_value(0)
            here.look()
            assert "내 자료 **1건**" in here.texts()
            assert OWN_TITLE in here.texts()
        finally:
            services.provide(services.from_settings)
    for report in (told, asked):
        assert [result["title"] for result in (*report["results"], *report["hidden"])] == [OWN_TITLE]


def test_samples_turned_off_answer_no_more(folder: Path):
    """With LIBRARY_SAMPLES=false, samples that were indexed before do not answer, nor do they count as documents."""
    with closing(a_core(settings_of(folder, search_providers="library", library_samples=False))) as core:
        report = core.search(Question(text=QUESTION))
        assert [result.title for result in (*report.results, *report.hidden)] == [OWN_TITLE]


def test_an_empty_library_is_said_to_be_empty(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The library alone, asked about an own video on a fresh machine, says how to fill it and not that nothing was found."""
    monkeypatch.setenv("MAEKRAK_DATA_DIR", str(tmp_path / "fresh"))
    monkeypatch.setenv("EMBEDDING_MODEL", "kiwi")
    assert main(["search", QUESTION, "--providers", "library", "--video", str(folder / "own.srt")]) == 1
    printed = capsys.readouterr().out
    assert "내 자료를 찾아보지 못했어요. 내 자료: 내 자료가 비어 있어요. `python -m search_core index 폴더`" in printed
    assert not [words for words in (*FOUND_NOTHING, "웹 검색 사용 불가") if words in printed]


def test_the_web_is_counted_by_its_services(outage: Outage):
    """The ledger and its head line tell of the library apart from the web, and the listed services say which they are."""
    report = outage.ask()
    web = [line for line in outage.core.ledger(report) if line.web]
    assert not any(line.answered for line in web)
    assert not report.web_results
    infos = {info.name: info for info in outage.core.providers() if isinstance(info, ProviderInfo)}
    assert [name for name, info in infos.items() if not info.web] == ["library"]
    if outage.way == RESTING:
        assert all(reply.retry_after_s and reply.retry_after_s <= RETRY_AFTER_S for reply in report.replies if reply.web)
