"""Every service of the web failing, library and samples there: what an answer and a web search then say."""

from __future__ import annotations

import json
from pathlib import Path

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
