"""Every service of the web failing, library and samples there: what an answer and a check of it then say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.parts import services
from search_core.core import SearchCore
from tests.app.conftest import Visit
from tests.loopback.world import World
from tests.search_core.api.served import served, told, types
from tests.search_core.whole_core import FOUNDER, SECRET, whole_core

UNAVAILABLE = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: "
AS_IF_EMPTY = (
    "[검색 완료]",
    "No web results found",
    "웹에서 찾은 결과가 없어",
    "웹에서 관련 자료를 찾지 못했어요",
    "결과가 없어요",
)


def assert_outage_named(text: str) -> None:
    """Hold *text* to say that the web is away, and nowhere that it has nothing."""
    assert UNAVAILABLE in text
    assert [words for words in AS_IF_EMPTY if words in text] == []


def test_the_api_names_the_outage(world: World, folder: Path):
    """The first answer stays, the cause follows, then own documents as such; a web search answers in plain JSON without them."""
    world.play_all(failure="html")
    asked = {"query": FOUNDER, "video_id": "sample-hbm"}
    with whole_core(world, folder) as core, served(folder / "scripted", core=core) as api, api.client() as client:
        events = told(client.post("/api/chat", json=asked))
        session = client.get(f"/api/sessions/{events[-1]['session_id']}").json()
        record = core.chat.open(events[-1]["session_id"], "").messages[1].record
        answer = client.post("/api/web-search", json=asked)
    streamed = types(events)
    assert streamed[streamed.index("web_searching") :] == ["web_searching", "web_failed", "own_documents", "done"]
    by_type = {event["type"]: event for event in events}
    assert by_type["web_failed"]["failure"] == "unavailable"
    assert_outage_named(json.dumps(by_type["web_failed"], ensure_ascii=False))
    assert record.text.startswith("자막에서 답을 찾지 못했어요.")
    assert_outage_named(record.failure.for_model)
    assert [(document.title, document.sample) for document in record.own.documents] == [("SK하이닉스 창업자 메모", False)]
    assert (record.own.to_model, record.web_origin, record.without_web) == (False, None, None)
    stored = session["messages"][1]["record"]
    assert stored["own"]["documents"] == by_type["own_documents"]["documents"]
    assert (stored["sources"], stored["web_text"]) == ([], "")
    body = answer.json()
    assert (answer.status_code, body["type"], body["failure"]) == (200, "error", "unavailable")
    assert_outage_named(answer.text)
    assert SECRET not in answer.text


def test_the_page_names_the_outage(world: World, folder: Path):
    """Page and export name the cause and the own documents; a check says the same, and, while services cool down, the wait."""
    world.play_all(failure="429-after")
    with whole_core(world, folder) as core:
        visit = opened(core)
        shown = settled(visit, core)
        assert_outage_named(shown)
        assert shown.index(UNAVAILABLE) < shown.index(":material/folder_open: 내 자료에서")
        for said in (SECRET, "이 자료의 글은 언어 모델에 보내지 않았어요.", "웹에 연결하지 못했어요"):
            assert said in shown
        visit.click(next(str(button.key) for button in visit.at.button if str(button.key).startswith("check-")))
        shown = settled(visit, core)
        assert_outage_named(shown)
        assert shown.count(UNAVAILABLE) == 2
        assert "앞선 요청이 실패해서 잠시 쉬고 있어요" in shown
        assert "잠시 뒤에 다시 물어볼 수 있어요" in shown
        export = core.chat.export(newest(core), "").decode().replace("\\", "")
    assert_outage_named(export)
    assert export.index("내 자료에서") < export.index(SECRET)


@pytest.fixture(autouse=True)
def _own_services() -> Iterator[None]:
    yield
    services.provide(services.from_settings)


def opened(core: SearchCore) -> Visit:
    """Return a visit on which the question was asked of the sample."""
    services.provide(lambda: core)
    visit = Visit(core, {})
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
