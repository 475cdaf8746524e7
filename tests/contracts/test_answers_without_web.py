"""Every service of the web failing in every way, library and samples there: what an answer and a check of it then say.

Each case goes through the public doors: the core's events, the command line, the HTTP API, and the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pages.parts import services
from search_core.commands import main
from search_core.core import SearchCore
from search_core.domain import SearchStatus, WebFailure
from tests.app.conftest import Visit
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.played import OUTCOMES
from tests.loopback.world import World
from tests.search_core.api.served import Served, served, told, types
from tests.search_core.whole_core import (
    ALONE,
    FOUNDER,
    NOT_MENTIONED,
    SECRET,
    SERVICES,
    answered,
    unknowing,
    whole_core,
)

WAYS = [way for way, status in OUTCOMES.items() if status is not SearchStatus.NO_RESULTS]
UNAVAILABLE = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
AS_IF_EMPTY = (
    "[검색 완료]",
    "No web results found",
    "웹에서 찾은 결과가 없어",
    "웹에서 관련 자료를 찾지 못했어요",
    "결과가 없어요",
)
SUBTITLES = "1\n00:00:01,000 --> 00:00:04,000\n오늘은 메모리 장벽 이야기를 합니다.\n"


@dataclass
class Away:
    """A core whose web fails, the API over it, and the environment of a command of its own."""

    core: SearchCore
    api: Served
    environment: dict[str, str]
    talk: Path


@pytest.fixture(scope="module", params=WAYS)
def away(request: pytest.FixtureRequest, world: World, folder: Path) -> Iterator[Away]:
    world.play_all(failure=request.param)
    timeout_s = 0.3 if request.param in ("hang", "drip") else 5.0
    talk = folder / "talk.srt"
    talk.write_text(SUBTITLES, encoding="utf-8")
    with whole_core(world, folder, web_search_timeout=timeout_s) as core, served(folder / "scripted", core=core) as api:
        given = {**world.settings(), "web_search_timeout": timeout_s, "search_providers": ",".join(("library", *SERVICES))}
        given |= {"maekrak_data_dir": folder / "data", "embedding_model": "kiwi"}
        yield Away(core, api, {name.upper(): str(value) for name, value in given.items()}, talk)


def honest(text: str) -> None:
    """Hold *text* to say that the web is away, and nowhere that it has nothing."""
    assert UNAVAILABLE in text
    assert [words for words in AS_IF_EMPTY if words in text] == []


def test_an_answer_says_that_the_web_is_away(away: Away):
    """The first answer stands, the cause is told, and own documents follow as such; nothing is an answer of the web."""
    record = answered(away.core)
    assert record.text.startswith(NOT_MENTIONED)
    assert record.failure is not None
    assert record.failure.failure is WebFailure.UNAVAILABLE
    honest(record.failure.reason)
    honest(record.failure.for_model)
    assert (record.sources, record.web_text, record.web_origin, record.without_web) == ((), "", None, None)
    assert record.own is not None
    assert [(document.title, document.sample) for document in record.own.documents] == [("SK하이닉스 창업자 메모", False)]
    assert not record.own.to_model


def test_the_command_says_that_the_web_is_away(away: Away, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """``ask --check`` prints both causes and the own document under its heading, and exits with 1."""
    for name, value in away.environment.items():
        monkeypatch.setenv(name, value)
    assert main(["ask", FOUNDER, "--video", str(away.talk), "--check"]) == 1
    printed = capsys.readouterr().out
    honest(printed)
    assert printed.count(UNAVAILABLE) == 2
    assert printed.index(UNAVAILABLE) < printed.index("내 자료에서\n") < printed.index(SECRET)
    assert "http" not in printed


def test_the_chat_of_the_api_says_that_the_web_is_away(away: Away):
    """The stream tells the cause and then the own documents, and the session keeps both."""
    with away.api.client() as client:
        events = told(client.post("/api/chat", json={"query": FOUNDER, "video_id": "sample-hbm"}))
        session = client.get(f"/api/sessions/{events[-1]['session_id']}").json()
    told_types = types(events)
    assert told_types[told_types.index("web_searching") :] == ["web_searching", "web_failed", "own_documents", "done"]
    by_type = {event["type"]: event for event in events}
    assert by_type["web_failed"]["failure"] == "unavailable"
    honest(json.dumps(by_type["web_failed"], ensure_ascii=False))
    kept = session["messages"][1]["told"]
    assert kept["own_documents"]["documents"] == by_type["own_documents"]["documents"]
    assert "web_sources" not in kept
    assert "web_answer" not in kept


def test_the_web_search_of_the_api_says_that_the_web_is_away(away: Away):
    """Plain JSON tells the cause; the library is not asked in its place, and a configured web is not called unconfigured."""
    with away.api.client() as client:
        answer = client.post("/api/web-search", json={"query": FOUNDER, "video_id": "sample-hbm"})
    body = answer.json()
    assert (answer.status_code, body["type"], body["failure"]) == (200, "error", "unavailable")
    honest(answer.text)
    assert SECRET not in answer.text


def test_the_page_says_that_the_web_is_away(away: Away):
    """Page and export name the cause and the own documents; the chip for a check is there, and says the same when it is used."""
    visit = opened(away.core)
    shown = settled(visit, away.core)
    honest(shown)
    assert shown.index(UNAVAILABLE) < shown.index("내 자료에서 찾은 내용이에요. 웹 검색 결과가 아니에요")
    assert SECRET in shown
    assert "이 자료의 글은 언어 모델에 보내지 않았어요." in shown
    assert "영상에서는 답을 찾지 못했고, 웹에는 물어보지 못했어요" in shown
    visit.click(next(str(button.key) for button in visit.at.button if str(button.key).startswith("check-")))
    shown = settled(visit, away.core)
    honest(shown)
    assert shown.count(UNAVAILABLE) == 2
    export = away.core.chat.export(newest(away.core), "").data.decode().replace("\\", "")
    honest(export)
    assert export.index("내 자료에서") < export.index(SECRET)


def test_the_page_draws_what_a_model_adds(world: World, folder: Path):
    """The first answer stands, own documents follow with where their text went, and then what the model made of them."""
    world.play_all(failure="500")
    with LanguageModelServer(unknowing) as model, whole_core(world, folder, model) as core:
        shown = settled(opened(core), core)
        assert shown.index(NOT_MENTIONED) < shown.index("웹 대신 영상과 대화, 내 자료만으로 덧붙인 답이에요")
        assert ALONE in shown
        assert "이 자료의 글은 언어 모델에 보냈어요." in shown
        honest(shown)


def test_the_page_says_when_resting_services_can_be_asked(world: World, folder: Path):
    """The chip stays while all services rest, and the check names the wait."""
    world.play_all(failure="429-after")
    with whole_core(world, folder) as core:
        visit = opened(core)
        settled(visit, core)
        visit.click(next(str(button.key) for button in visit.at.button if str(button.key).startswith("check-")))
        shown = settled(visit, core)
    honest(shown)
    assert "잇따라 실패해서 잠시 쉬고 있어요" in shown
    assert re.search(r"\d+(?:초|분) 뒤에 다시 물어볼 수 있어요", shown)


@pytest.fixture(autouse=True)
def _own_services() -> Iterator[None]:
    yield
    services.provide(services.from_settings)


def opened(core: SearchCore) -> Visit:
    """Return a visit of the chat page on which the question was asked of the sample."""
    services.provide(lambda: core)
    visit = Visit(core, {})
    visit.at.switch_page("pages/chat.py")
    visit.look()
    visit.open_sample()
    visit.at.chat_input[0].set_value(FOUNDER)
    visit.look()
    return visit


def newest(core: SearchCore) -> str:
    """Return the id of the conversation that was last changed."""
    return core.chat.conversations("")[0].id


def settled(visit: Visit, core: SearchCore) -> str:
    """Return what the page shows when nothing is under way."""
    for message in core.chat.open(newest(core), "").messages:
        if (job := core.chat.job(message.id)) is not None:
            assert job.wait(60)
    visit.look()
    return visit.texts()
