"""The API over the real core, with played services and a played language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from tests.loopback.language_model import LanguageModelServer, honest
from tests.loopback.world import World
from tests.search_core.api.served import ME, OTHER, TOKENS, Served, served, told, whole
from tests.search_core.whole_core import FOUNDER, MEMO, SECRET, build_core

QUESTION = "메모리 대역폭은 왜 중요한가?"


@pytest.fixture(scope="module")
def real(world: World, model: LanguageModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run the API over one real core."""
    folder = tmp_path_factory.mktemp("real")
    settings = {"search_providers": "library,wikipedia,searxng", "web_search_cache_ttl": 0}
    with closing(build_core(world, folder, model, **settings)) as core, served(folder / "scripted", core=core) as server:
        yield server


@pytest.fixture(autouse=True)
def _healthy(world: World, model: LanguageModelServer) -> None:
    world.reset()
    model.answer = honest


def test_a_search_is_answered_with_its_report(real: Served):
    """The report is the one the command line prints: results scored against the video, and a reply for each service."""
    with real.client() as client:
        answer = client.post("/api/search", json={"query": QUESTION, "video_id": "sample-hbm", "moment_s": 36.5})
        report = answer.json()
        spoken = [{"start_s": 1, "end_s": 4, "text": "메모리 대역폭이 모자랍니다."}]
        options = {"providers": ["wikipedia"], "threshold": 0.0, "max_results": 1, "verbatim": True}
        body = {"query": QUESTION, "video": {"title": "HBM", "transcript": spoken, "sample": True}, **options}
        chosen = client.post("/api/search", json=body).json()
    assert (report["video"]["video_id"], report["moment_s"], chosen["moment_s"]) == ("sample-hbm", 36.5, None)
    assert {reply["provider"]: reply["status"] for reply in report["replies"]} == dict.fromkeys(
        ("library", "wikipedia", "searxng"), "success"
    )
    assert report["results"]
    assert all(0 <= hit["relevance_score"] <= 1 for hit in report["results"])
    assert [reply["provider"] for reply in chosen["replies"]] == ["wikipedia"]
    assert (chosen["threshold"], len(chosen["results"]), chosen["constructed"]["verbatim"]) == (0.0, 1, True)
    assert chosen["video"]["title"] == "HBM"


def test_a_search_whose_client_leaves_is_stopped(real: Served, world: World):
    """A service that was asked loses its connection when nobody waits for the report any more."""
    world.play("searxng", failure="drip")
    world.arrived.clear()
    world.left.clear()
    connection = real.post_by_hand("/api/search", {"query": QUESTION, "providers": ["searxng"]})
    assert world.arrived.wait(60)
    connection.close()
    assert world.left.wait(60)
    assert world.cut[-1] == "searxng"
    real.wait_idle()


def test_a_search_is_that_of_its_caller(world: World, tmp_path: Path):
    """It finds the caller's own documents and no other's, its events bear the caller's name, and no page finds it."""
    settings = {"search_providers": "library,searxng", "api_tokens": TOKENS, "library_samples": False, "web_search_cache_ttl": 0}
    with closing(build_core(world, tmp_path, **settings)) as core, served(tmp_path / "scripted", core=core) as server:
        core.own_documents.add("minsu", "memo.md", MEMO.encode())
        found = {}
        for name, token in (("minsu", ME), ("younghee", OTHER)):
            with server.client(token) as client:
                report = client.post("/api/search", json={"query": FOUNDER, "providers": ["library", "searxng"]}).json()
            found[name] = SECRET in str(report["results"])
        assert {event.owner for event in core.health().events} == {"minsu", "younghee"}
        assert core._jobs.where(lambda _: True) == ()
    assert found == {"minsu": True, "younghee": False}


def test_what_one_answer_names_the_next_request_takes(real: Served):
    """Over one core a session goes on, claims are checked by the ids of a dry run, research has its card; all is described."""
    video = {"video_id": "sample-hbm"}
    with real.client() as http:
        validate(http.get("/api/openapi.json").json())
        session_id = told(http.post("/api/chat", json={"query": QUESTION, **video}))[-1]["session_id"]
        assert told(http.post("/api/web-search", json={"query": QUESTION, "session_id": session_id}))[-1]["type"] == "done"
        taken = http.post("/api/claims", json={**video, "check": 1, "dry_run": True}).json()
        chosen = [claim["id"] for claim in taken["claims"]]
        _, *checked = whole(http.post("/api/claims", json={**video, "claim_ids": chosen}))
        run, *events = whole(http.post("/api/research", json={"query": QUESTION, "session_id": session_id}))
        assert whole(http.get(f"/api/research/{run.body['id']}/events")) == events
        card = http.get(f"/api/sessions/{session_id}").json()["messages"][5]
    assert {event.body["check"]["claim"]["id"] for event in checked if event.name == "claim"} == set(chosen)
    assert (taken["budget"]["claims"], events[-1].body["status"]) == (1, "complete")
    assert (card["kind"], card["state"]) == ("research", "complete")


def test_a_pasted_transcript_keeps_channel_and_day(real: Served):
    """Subtitles come as one text, and are asked about as a video of their own; a day that is none is refused."""
    text = "1\n00:00:01,000 --> 00:00:04,000\nSK하이닉스의 2024년 매출은 66조 원이었습니다.\n"
    video = {"title": "실적 정리", "channel": "경제 채널", "published_at": "2025-02-01", "transcript": text}
    with real.client() as client:
        session = told(client.post("/api/chat", json={"query": "매출은 얼마인가?", "video": video}))[-1]["session_id"]
        refused = client.post("/api/chat", json={"query": "x", "video": video | {"published_at": "gestern"}})
    kept = real.core.chat.open(session, "").video
    assert (kept.channel, kept.published_at, len(kept.transcript)) == ("경제 채널", datetime(2025, 2, 1, tzinfo=UTC), 1)
    assert (refused.status_code, "2026-11-24" in refused.json()["error"]["message"]) == (400, True)
