"""What the README promises about failing and privacy, sentence by sentence: each test quotes what it holds.

``promised`` fails when the README no longer has the sentence, so neither can change without the other. Services are played on
loopback; the core is the real one, with its samples and a document of one's own.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pages.parts import services
from search_core.commands import main
from search_core.core import SearchCore
from search_core.domain import (
    Question,
    RankingOptions,
    SearchOptions,
    SearchReport,
    SearchStatus,
    TranscriptSegment,
    VideoContext,
)
from search_core.providers import catalogue
from search_core.settings import Settings
from search_core.wiring import build_components
from tests.app.conftest import Visit
from tests.loopback.embeddings import by_kiwi
from tests.loopback.language_model import LanguageModelServer, saying
from tests.loopback.world import Page, World

README = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
QUESTION = "메모리 대역폭은 왜 중요한가?"
AWAY = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
SECRET = "Halcyon-7731"
OWN_TITLE = "Memory bandwidth plan"
OWN_TEXT = f"The memory bandwidth plan of project {SECRET} doubles HBM memory bandwidth next spring for every accelerator board."
FOREIGN = Page(
    title="Memory bandwidth explained",
    url="https://docs.example.org/bandwidth",
    snippet="Memory bandwidth and HBM decide how long an accelerator waits for its data, engineers say.",
)
KOREAN_SUMMARY = "메모리 대역폭을 설명하는 자료예요."


def promised(*sentences: str) -> None:
    """Hold that each of *sentences* stands in the README."""
    missing = [sentence for sentence in sentences if " ".join(sentence.split()) not in README]
    assert missing == []


@pytest.fixture(autouse=True)
def _healthy(world: World) -> None:
    world.reset()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("promises")
    (folder / "plan.md").write_text(f"# {OWN_TITLE}\n\n{OWN_TEXT}\n", encoding="utf-8")
    with closing(SearchCore.from_settings(Settings(**settings_of(folder, search_providers="library")))) as core:
        core.index([folder / "plan.md"])
        core.search(Question(text=QUESTION))  # waits for the samples
    return folder


def settings_of(folder: Path, **changes: Any) -> dict[str, Any]:
    own = {"maekrak_data_dir": folder / "data", "embedding_model": "kiwi", "search_providers": "library,searxng"}
    return {"web_search_cache_ttl": 0, **own, **changes}


@pytest.fixture
def core_of(world: World, folder: Path) -> Iterator[Any]:
    """Return a function that builds cores with the settings it is given; they are closed at the end."""
    made: list[SearchCore] = []

    def build(**changes: Any) -> SearchCore:
        made.append(SearchCore.from_settings(Settings(**settings_of(folder, **{**world.settings(), **changes}))))
        return made[-1]

    yield build
    for core in made:
        core.close()


@pytest.fixture
def command(world: World, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return a function that runs a command under the settings it is given, and returns its exit code and what it printed."""

    def run(*arguments: str, **changes: Any) -> tuple[int, str]:
        for name, value in settings_of(folder, **{**world.settings(), **changes}).items():
            monkeypatch.setenv(name.upper(), str(value))
        code = main(list(arguments))
        return code, capsys.readouterr().out

    return run


def everything(report: SearchReport) -> list[str]:
    return [result.title for result in (*report.results, *report.hidden)]


# When searching fails


def test_the_table_of_statuses_is_whole():
    """A status that a request can end in has its row."""
    promised('No failure can look like "the web has nothing". Each request ends in one of these')
    rows = README.split("Each request ends in one of these")[1].split("A kept answer")[0]
    assert [status.value for status in SearchStatus if f"`{status.value}`" not in rows] == []


def test_a_kept_answer_stands_in_and_is_marked(core_of, world: World, tmp_path: Path):
    """A failed request is answered by what was kept, which says that it is old and counts as an answer of the web."""
    promised("A kept answer may stand in for a failed request for another 24 hours and is marked as such.")
    core = core_of(web_search_cache_ttl=60, maekrak_data_dir=tmp_path / "data", search_providers="searxng")
    core.search(Question(text=QUESTION))
    world.play("searxng", failure="500")
    report = core.search(Question(text=QUESTION), SearchOptions(use_cache=False))
    assert [reply.stale for reply in report.replies] == [True]
    assert not report.web_unavailable
    assert "저장된 결과예요" in core.headline(report)


def test_the_web_is_away_when_each_of_its_services_failed(core_of, world: World):
    """With the library answering, exports, JSON and text say what is specified; own documents follow under their heading."""
    promised(
        "Whether the web could be asked is decided by its services alone; the library always answers and stands in for none "
        "of them.",
        "When each of them failed, or none is set up though the web was to be searched, the page, the exports, the JSON of "
        "`search` "
        "and `POST /api/search` (`outcome`, beside `web_unavailable`) and the command line say `[웹 검색 사용 불가] 외부 "
        "검색 서비스에 "
        "접근할 수 없습니다 (사유: …)` with the reason of each service.",
        'What the library has follows under a heading of its own, "내 자료에서", numbered on, and is never counted as a '
        "result of "
        "the web.",
    )
    world.play("searxng", failure="500")
    for core, why in (
        (core_of(), "SearXNG: 서비스에 문제가 생겨 답하지 못했어요"),
        (core_of(searxng_url=""), "물어볼 수 있는 웹 검색 서비스가 없어요"),
    ):
        report = core.search(Question(text=QUESTION))
        assert report.own_results
        assert not report.web_results
        told = [core.format_report(report), *(core.export(report, name).data.decode() for name in ("markdown", "csv"))]
        assert all(f"{AWAY}{why}" in text.replace("\\", "") for text in told)
        assert "내 자료에서" in told[0]
        values = core.report_json(report)
        assert (values["web_unavailable"], values["outcome"]) == (True, f"{AWAY}{why}).")


def test_the_page_offers_what_can_be_done(core_of, world: World):
    """The notice has a button to try again, one to go on with the video alone, and the way to the health page."""
    promised("The page offers to try again, to go on with the video alone, and the health page.")
    world.play("searxng", failure="500")
    core = core_of()
    services.provide(lambda: core)
    try:
        here = Visit(core, {})  # type: ignore[arg-type]
        here.open_sample()
        here.ask(QUESTION)
        while here.has_button("stop"):
            here.look()
        assert here.has_button("retry")
        assert [link.proto.label for link in here.at.get("page_link")] == ["검색 상태 보기"]
        here.click("video-only")
        assert "영상 자막에서 찾고 있는 말" in here.texts()
    finally:
        services.provide(services.from_settings)


def test_resting_is_not_missing(core_of, world: World):
    """A service that rests is said to rest, with the time left; nobody to ask is something else."""
    promised(
        "A service that cools down is said to rest, with the time left; that there is nobody to ask is said only where no "
        "service of "
        "the web is set up."
    )
    world.play("searxng", failure="429-after")
    core = core_of()
    core.search(Question(text=QUESTION))
    said = core.report_json(core.search(Question(text=QUESTION)))["outcome"]
    assert "SearXNG: 잇따라 실패해서 잠시 쉬고 있어요 (" in said
    assert "초 남음)" in said
    assert "물어볼 수 있는 웹 검색 서비스가 없어요" not in said


def test_the_exit_code_of_search(command, world: World, tmp_path: Path):
    """The web decides; the library only where it alone was to be asked."""
    promised(
        "`search` exits with 1 when the web was to be searched and none of its services answered, and prints what the "
        "library has all "
        "the same.",
        "Where only the library was to be asked (`--providers library`, or a `SEARCH_PROVIDERS` that names nothing else), it "
        "exits "
        "with 1 when the library is empty or cannot be read.",
    )
    assert command("search", QUESTION)[0] == 0
    world.play("searxng", failure="500")
    code, printed = command("search", QUESTION)
    assert (code, "내 자료에서" in printed) == (1, True)
    assert command("search", QUESTION, "--providers", "library")[0] == 0
    assert command("search", QUESTION, search_providers="library")[0] == 0
    empty = {"maekrak_data_dir": tmp_path / "empty", "library_samples": "false"}
    assert command("search", QUESTION, "--providers", "library", **empty)[0] == 1
    assert command("search", QUESTION, **{**empty, "search_providers": "library"})[0] == 1


def test_the_exit_code_of_doctor(command, world: World):
    """The library answering is no web; it counts where there is nothing else."""
    promised(
        "`python -m search_core doctor` prints the same in a terminal and exits with 1 when none of the web services that "
        "are set up "
        "answers, or none is set up; the library counts only where `SEARCH_PROVIDERS` names nothing else. With `--offline` "
        "being set "
        "up is enough."
    )
    code, printed = command("doctor")
    assert (code, "결과: 웹 검색 서비스 1곳 중 1곳이 답했어요 (SearXNG)." in printed) == (0, True)
    world.play("searxng", failure="500")
    code, printed = command("doctor")
    assert (code, "결과: 웹 검색 서비스 1곳이 모두 답하지 않았어요 (SearXNG)." in printed) == (1, True)
    assert command("doctor", "--offline")[0] == 0
    assert command("doctor", searxng_url="")[0] == command("doctor", "--offline", searxng_url="")[0] == 1
    assert command("doctor", search_providers="library")[0] == 0


def test_a_missing_key_is_told_once(command, tmp_path: Path):
    """The second look does not say it again."""
    promised("A missing key is told once, by the page or in the terminal, and not again (`data/told-alerts.json`).")
    settings = {"maekrak_data_dir": tmp_path / "told", "search_providers": "library,brave", "brave_search_api_key": ""}
    sentence = "BRAVE_SEARCH_API_KEY 설정이 비어 있어서 쓰지 않아요."
    assert sentence in command("doctor", "--offline", **settings)[1]
    assert sentence not in command("doctor", "--offline", **settings)[1]
    assert "BRAVE_SEARCH_API_KEY" in (tmp_path / "told/told-alerts.json").read_text(encoding="utf-8")


def test_log_lines_hold_neither_queries_nor_keys(core_of, world: World, caplog: pytest.LogCaptureFixture):
    """Whatever the level, what was asked stays out of the log."""
    promised("Log lines hold neither queries nor keys.")
    caplog.set_level(logging.DEBUG, logger="search_core")
    world.play("searxng", failure="500")
    core_of(search_providers="library,searxng,tavily").search(Question(text="은하수조약돌은 무엇인가?"))
    assert caplog.records
    assert "은하수조약돌" not in caplog.text
    assert "CANARY" not in caplog.text


# Search services, and what is sent to whom


def test_the_browser_has_its_time(tmp_path: Path):
    """What a search may take at most has the browser's time on top of the deadline, and answers wait for that long."""
    promised("The `browser`, asked last, has the whole of `PLAYWRIGHT_TIMEOUT` whatever hung before it.")
    house = build_components(Settings(maekrak_data_dir=tmp_path, web_search_deadline=4.0, playwright_timeout=90_000))
    assert house.manager.deadline_s == 4.0
    assert house.manager.longest_s >= 94.0


def test_bing_is_not_in_the_chain():
    """No file asks it, and the README says why."""
    promised("Bing is not in the chain: the Bing Search API v7 was retired on 2025-08-11.")
    assert not [name for name in catalogue() if "bing" in name]


def test_no_transcript_goes_to_a_search_service(core_of, world: World):
    """What is said in a video stays here, whichever service is asked for what."""
    promised("The transcript itself is never sent to a search service.")
    said = "우리 실험실에서는 어제 저녁 새 시제품의 대역폭을 처음으로 쟀습니다."
    video = VideoContext(title="메모리 발표", transcript=(TranscriptSegment(0.0, 5.0, said),))
    core_of(search_providers="searxng,tavily,wikipedia").search(Question(text=QUESTION, video=video))
    asked = [request for requests in world.requests.values() for request in requests]
    assert asked
    assert not any(request.holds(said) or request.holds("시제품의 대역폭을") for request in asked)


@pytest.mark.parametrize(("allowed", "sent"), [("never", False), ("always", True), ("auto", True)])
def test_own_documents_go_to_a_model_where_that_is_allowed(core_of, world: World, allowed: str, sent: bool):
    """Foreign pages go to the endpoint for a summary; a document only where the setting says so, and an extract stands for it.

    The endpoint is on this machine, so ``auto`` allows it; which endpoints count is held by the tests of the settings.
    """
    promised(
        "With an OpenAI-compatible endpoint configured, title and snippet of foreign results are sent to it for a Korean summary",
        "Documents of the library are sent to that endpoint only where `OPENAI_OWN_DOCUMENTS` allows it: by default (`auto`) "
        "to an "
        "endpoint on this machine or in a private network, with `always` to any, with `never` to none.",
        "A foreign document that may not be sent is summarised by extract; the page says over own documents which of the two "
        "it is.",
    )
    world.play("searxng", pages=(FOREIGN,))
    with LanguageModelServer(saying(KOREAN_SUMMARY)) as model:
        core = core_of(openai_base_url=model.url, openai_model="m", openai_api_key="any", openai_own_documents=allowed)
        report = core.search(Question(text="memory bandwidth HBM"), SearchOptions(ranking=all_shown(core)))
        prompts = "\n".join(asked.prompt for asked in model.asked)
    summaries = {result.title: result for result in report.results}
    assert summaries[FOREIGN.title].summary_origin == "model"
    assert FOREIGN.snippet in prompts
    assert (SECRET in prompts) == sent
    assert summaries[OWN_TITLE].summary_origin == ("model" if sent else "extract")
    assert not report.degradations
    assert page_note(core) == ("언어 모델에도 보내요" if sent else "언어 모델에 보내지 않아요")


def all_shown(core: SearchCore) -> RankingOptions:
    return replace(core.default_options().ranking, threshold=0.0, max_results=50)


def page_note(core: SearchCore) -> str:
    """Return what the search page says over own documents about a language model."""
    said = written_on_page(core, QUESTION)
    return next((words for words in ("언어 모델에도 보내요", "언어 모델에 보내지 않아요") if words in said), "")


def written_on_page(core: SearchCore, question: str) -> str:
    """Return all that the search page says once *question* is answered."""
    services.provide(lambda: core)
    try:
        here = Visit(core, {})  # type: ignore[arg-type]
        here.ask(question)
        while here.has_button("stop"):
            here.look()
        here.at.slider(key="threshold").set_value(0)
        here.look()
        return here.texts()
    finally:
        services.provide(services.from_settings)


def test_an_embedding_server_is_sent_own_documents(core_of):
    """It scores them, whatever is said about the language model."""
    promised(
        "With `EMBEDDING_BASE_URL`, the server of the semantic model is sent the question, passages of the video, and title "
        "and snippet "
        "of every result, documents of the library among them: it scores them. `OPENAI_OWN_DOCUMENTS` does not change that."
    )
    with LanguageModelServer(saying("")) as server:
        server.embed = by_kiwi
        core = core_of(embedding_base_url=server.url, embedding_model="m", openai_own_documents="never")
        core.scorer(wait_s=10)
        spoken = VideoContext(title="HBM", transcript=(TranscriptSegment(0.0, 5.0, "The bandwidth wall is near."),))
        core.search(Question(text="memory bandwidth HBM", video=spoken))
        sent = json.dumps([asked.body.get("input") for asked in server.asked], ensure_ascii=False)
    assert "memory bandwidth HBM" in sent
    assert "The bandwidth wall is near." in sent
    assert SECRET in sent


def test_samples_answer_about_samples(core_of):
    """A sample video and no video at all hear them; an own video does not; the setting silences them for good."""
    promised(
        "Samples answer about sample videos, or where no video is open; beside a video of your own only documents of your "
        "own do. They "
        "are marked 예시 wherever they are shown. With `LIBRARY_SAMPLES=false` they do not answer, though they were indexed "
        "before."
    )
    core, own = core_of(search_providers="library"), VideoContext(title="memory bandwidth HBM")
    for video in (core.samples()[0], None):
        report = core.search(Question(text=QUESTION, video=video))
        assert any(result.sample for result in report.results)
        assert core.format_report(report).count("· 예시 ·") == sum(result.sample for result in report.results)
    assert everything(core.search(Question(text=QUESTION, video=own))) == [OWN_TITLE]
    silent = core_of(search_providers="library", library_samples=False)
    assert everything(silent.search(Question(text="memory bandwidth HBM"))) == [OWN_TITLE]


@pytest.mark.parametrize("model", ["", "m"])
def test_korean_sentences_of_foreign_results_stay(core_of, world: World, model: str):
    """Page, text and exports show them letter for letter, whether a model or an extract made the summary."""
    promised("foreign ones with a Korean summary, Korean sentences in them as they are")
    korean = "“올해 안에 대역폭을 두 배로 넓히겠다”고 회사는 밝혔다."
    snippet = f"{FOREIGN.snippet} The company spoke to reporters after its yearly meeting in the city on Tuesday. {korean}"
    world.play("searxng", pages=(replace(FOREIGN, snippet=snippet),))
    with LanguageModelServer(saying(KOREAN_SUMMARY)) as endpoint:
        core = core_of(search_providers="searxng", openai_base_url=endpoint.url, openai_model=model, openai_api_key="any")
        question = Question(text="memory bandwidth HBM")
        report = core.search(question, SearchOptions(ranking=all_shown(core)))
        said = written_on_page(core, question.text)
    assert report.results[0].summary_origin == ("model" if model else "extract")
    files = [core.export(report, name).data.decode() for name in ("markdown", "csv", "json")]
    assert all(korean in text.replace("\\", "") for text in (core.format_report(report), said, *files))
