"""Research over HTTP: a run goes on without its reader, who may come again where they left."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from search_core.api.streams import event_body
from search_core.domain.research import ContentChunk, ResearchEvent, ResearchRequest, ResearchRun, ResearchStatus
from search_core.errors import StorageError
from search_core.research.service import ResearchService
from search_core.runs.run_service import DurableRuns
from search_core.runtime import LoopThread
from search_core.storage.database import Database
from tests.search_core.answers.chat.scripted_chat import NOW, from_video
from tests.search_core.api.served import ME, OTHER, TOKENS, Served, Told, served, stream, told, whole
from tests.search_core.research.acting import ADDRESSES, QUESTION, REPORT, SUBTASKS, Actors, ended, open_research

BODY = {"query": QUESTION, "moment_s": 61.5}
AS_JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def actors() -> Actors:
    return Actors()


@pytest.fixture(scope="module")
def service(actors: Actors, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResearchService]:
    with open_research(tmp_path_factory.mktemp("research") / "maekrak.sqlite", actors.parts(fetches_at_once=4)) as service:
        yield service


@pytest.fixture(scope="module")
def server(service: ResearchService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("api")
    with served(folder, research=service, api_tokens=TOKENS, api_rate_limit="") as server:
        yield server


@pytest.fixture
def client(server: Served, actors: Actors) -> Iterator[httpx.Client]:
    actors.reset()
    with server.client(ME) as client:
        yield client
    actors.release(*actors.holds)


@pytest.fixture(scope="module")
def complete(server: Served, actors: Actors) -> tuple[str, list[Told]]:
    """Return a run that is complete, and what it told from its first event on."""
    actors.reset()
    with server.client(ME) as client:
        run, *events = whole(client.post("/api/research", json=BODY))
    return run.body["id"], events


def started(client: httpx.Client, **fields: Any) -> str:
    """Start a run without following it and return its id."""
    answer = client.post("/api/research", json={**BODY, **fields}, headers=AS_JSON)
    assert answer.status_code == 202, answer.text
    return answer.json()["id"]


def test_a_run_is_told_from_its_name_to_its_end(client: httpx.Client, service: ResearchService):
    """The run is named first; its events follow with their names and numbers, each once and as the service has them."""
    both = {"Accept": "application/json, text/event-stream"}
    answer = client.post("/api/research", json=BODY, headers=both)
    run, *events = whole(answer)
    assert (run.name, run.number) == ("run", 0)
    run_id = run.body["id"]
    assert answer.headers["location"] == f"/api/research/{run_id}"
    assert answer.headers["cache-control"] == "no-store"
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    kinds = [event.name for event in events]
    order = ("thought", "sources_update", "source_read", "sources_complete", "content_chunk", "report", "research_complete")
    assert [*dict.fromkeys(kind for kind in kinds if kind != "status")] == list(order)
    assert kinds[-1] == "research_complete"
    assert [event.body for event in events] == [event_body(event) for _, event in service.events(run_id, "minsu")]


def test_a_client_that_wants_json_gets_the_run(client: httpx.Client, service: ResearchService):
    """A client that accepts JSON and no stream gets the run and its address at once; a complete one cannot go on."""
    answer = client.post("/api/research", json=BODY, headers=AS_JSON)
    run = answer.json()
    assert (answer.status_code, run["status"]) == (202, "queued")
    assert ended(service, run["id"], "minsu").status is ResearchStatus.COMPLETE
    kept = client.get(answer.headers["location"]).json()
    assert (kept["id"], kept["status"], kept["query"], kept["report"]) == (run["id"], "complete", QUESTION, REPORT)
    assert [subtask["text"] for subtask in kept["plan"]] == list(SUBTASKS)
    assert {source["url"] for source in kept["sources"]} == set(ADDRESSES)
    refused = client.post(f"{answer.headers['location']}/resume")
    assert (refused.status_code, refused.json()["error"]["type"]) == (409, "wrong_state")


def test_a_run_is_taken_up_after_each_of_its_events(client: httpx.Client, complete: tuple[str, list[Told]]):
    """A reader that comes again gets what follows its number; a number that is none is refused."""
    address, events = f"/api/research/{complete[0]}/events", complete[1]
    assert whole(client.get(address)) == whole(client.get(address, headers={"Last-Event-ID": "0"})) == events
    assert whole(client.get(address, headers={"Last-Event-ID": "6"})) == events[6:]
    nothing = client.get(address, headers={"Last-Event-ID": str(len(events))})
    assert (nothing.status_code, nothing.content) == (204, b"")
    for number in ("-1", "x", "1.5", "٣", "9" * 10):
        refused = client.get(address, headers={"Last-Event-ID": number.encode()})
        assert (refused.status_code, refused.json()["error"]["type"]) == (400, "bad_value")


def test_a_reader_that_leaves_does_not_stop_the_run(server: Served, client: httpx.Client, actors: Actors):
    """A reader is cut off in the middle of the report; the run goes on, and a second reader gets the rest, each event once."""
    actors.holds = {"write 2"}
    with client.stream("POST", "/api/research", json=BODY) as response:
        events = stream(response)
        run_id = next(events).body["id"]
        seen = [event for event, _ in zip(events, range(12), strict=False)]
    actors.wait_held("write 2")
    server.wait_idle()
    with client.stream("GET", f"/api/research/{run_id}/events", headers={"Last-Event-ID": str(seen[-1].number)}) as response:
        events = stream(response)
        seen.append(next(events))
        actors.release("write 2")
        seen += events
    assert [event.number for event in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].name == "research_complete"
    assert seen == whole(client.get(f"/api/research/{run_id}/events"))


ASKED_OF_A_RUN = (
    ("GET", ""),
    ("DELETE", ""),
    ("GET", "/events"),
    *(("POST", f"/{name}") for name in ("cancel", "finish", "resume")),
)


@pytest.mark.parametrize(("name", "status"), [("cancel", ResearchStatus.STOPPED), ("finish", ResearchStatus.FINISHED_EARLY)])
def test_a_run_is_steered_by_its_owner_alone(
    server: Served, client: httpx.Client, service: ResearchService, actors: Actors, name: str, status: ResearchStatus
):
    """For another caller it is no different from none, whatever is asked; its owner ends it and has it go on."""
    actors.holds = {f"page {ADDRESSES[4]}"}
    run_id = started(client)
    actors.wait_held(*actors.holds)
    with server.client(OTHER) as other:
        for method, path in ASKED_OF_A_RUN:
            theirs, none = (other.request(method, f"/api/research/{each}{path}") for each in (run_id, "nobody"))
            assert (path, theirs.status_code, theirs.json()["error"]["type"]) == (path, 404, "unknown_run")
            assert theirs.json() == none.json()
        assert other.get("/api/research").json() == {"runs": []}
    answer = client.post(f"/api/research/{run_id}/{name}")
    assert (answer.status_code, answer.json()["id"]) == (202, run_id)
    assert ended(service, run_id, "minsu").status is status
    actors.reset()
    assert client.post(f"/api/research/{run_id}/resume").status_code == 202
    assert ended(service, run_id, "minsu").status is ResearchStatus.COMPLETE


def test_a_run_knows_the_conversation_it_belongs_to(server: Served, client: httpx.Client, service: ResearchService):
    """What was said in a session, and its video, come with the question; another video is refused, and another caller."""
    server.answers.steps = from_video("2026년입니다.")
    session = told(client.post("/api/chat", json={"query": "언제 양산되나?", "video_id": "sample-hbm"}))[-1]["session_id"]
    run_id = started(client, session_id=session)
    request = service.get(run_id, "minsu").request
    assert (request.conversation_id, request.owner) == (session, "minsu")
    assert request.video is not None
    assert request.video.video_id == "sample-hbm"
    assert [(turn.question, turn.answer) for turn in request.memory.turns] == [("언제 양산되나?", "2026년입니다.")]
    assert ended(service, run_id, "minsu").status is ResearchStatus.COMPLETE
    other = client.post("/api/research", json={**BODY, "session_id": session, "video_id": "sample-ev"}, headers=AS_JSON)
    assert (other.status_code, other.json()["error"]["type"]) == (409, "other_video")
    with server.client(OTHER) as stranger:
        refused = stranger.post("/api/research", json={**BODY, "session_id": session}, headers=AS_JSON)
    assert (refused.status_code, refused.json()["error"]["type"]) == (404, "unknown_session")


REFUSED: tuple[tuple[dict[str, Any], int, str], ...] = (
    ({}, 400, "missing"),
    ({"query": "  \u200b"}, 400, "bad_question"),
    ({"query": QUESTION, "depth": 3}, 400, "unknown_field"),
    ({"query": QUESTION, "video_id": "nobody"}, 404, "unknown_video"),
    ({"query": QUESTION, "session_id": "nobody"}, 404, "unknown_session"),
)


def test_what_cannot_be_asked_is_a_typed_error(client: httpx.Client):
    """The answer names what is wrong, in English and Korean, and no run is started or changed."""
    before = client.get("/api/research").json()
    for body, status, kind in REFUSED:
        answer = client.post("/api/research", json=body)
        assert (body, answer.status_code, answer.json()["error"]["type"]) == (body, status, kind)
        assert answer.json()["error"]["korean"].endswith("요.")
    assert client.post("/api/research", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    assert client.get("/api/research").json() == before


def test_research_that_is_not_there_says_so(
    server: Served, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """A service that is closed, and one that cannot use its database, are typed errors with the status 503."""
    loop = LoopThread()
    closed = ResearchService(Actors().parts(), DurableRuns(Database(tmp_path / "closed.sqlite"), loop))
    closed.close()
    (tmp_path / "file").touch()
    broken = ResearchService(Actors().parts(), DurableRuns(Database(tmp_path / "file" / "maekrak.sqlite"), loop))
    for service, kind in ((closed, "runs_unavailable"), (broken, "storage")):
        monkeypatch.setattr(server.core, "research", service)
        answer = client.post("/api/research", json=BODY)
        assert (answer.status_code, answer.json()["error"]["type"]) == (503, kind)
        assert str(tmp_path) not in answer.text
    loop.close()


class Scripted:
    """A service with one run of one event, after which it cannot be read."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def get(self, run_id: str, owner: str) -> ResearchRun:
        request = ResearchRequest(question=QUESTION, owner=owner)
        return ResearchRun(id=run_id, request=request, status=ResearchStatus.WRITING, created_at=NOW)

    async def follow(self, run_id: str, owner: str, after: int = 0) -> AsyncGenerator[tuple[int, ResearchEvent]]:
        yield 1, ContentChunk(text="처음", begins=True)
        raise self._error


@pytest.mark.parametrize(
    ("error", "cause"), [(StorageError("disk at /srv", korean="못 읽었어요."), "storage"), (RuntimeError("at /srv"), "internal")]
)
def test_a_run_that_cannot_be_told_any_more_interrupts_its_stream(tmp_path: Path, error: Exception, cause: str):
    """What was told stands, the last word says why in general words, and the reader may come again."""
    with served(tmp_path, research=Scripted(error)) as server, server.client() as client:
        answer = client.get("/api/research/x/events")
        first, last = whole(answer)
    assert (first.name, first.number) == ("content_chunk", 1)
    assert (last.name, last.number) == ("interrupted", None)
    assert last.body["cause"] == cause
    assert last.retry_ms is not None
    assert "/srv" not in json.dumps(last.body)
