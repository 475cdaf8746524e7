"""Streams that end with their client, the server, or many at a time; nothing is left behind by any of them."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from search_core.api import StreamRules
from search_core.domain import AnswerPart, MessageState
from tests.search_core.api.served import QUESTION, SOON_S, Served, served, telling, told, types
from tests.search_core.chat.scripted_chat import Gate, Script, from_video, from_web, token

OF_SSE_STARLETTE = {"_shutdown_watcher"}
"""One for each event loop, started with the first stream."""
OF_UVICORN = ("Server.", "LifespanOff.", "RequestResponseCycle.")
BODY = {"query": QUESTION}
PIECE = "메모리 대역폭 " * 20_000
"""More than half a megabyte: thirty of them are more than the system keeps for a reader."""


class Counting(Script):
    """A script that lets a test wait until none of its answers is under way."""

    def __init__(self, *steps: object) -> None:
        super().__init__(*steps)  # type: ignore[arg-type]
        self._count = 0
        self.changed = threading.Condition()

    @property
    def under_way(self) -> int:
        return self._count

    @under_way.setter
    def under_way(self, count: int) -> None:
        if not hasattr(self, "changed"):
            self._count = count
            return
        with self.changed:
            self._count = count
            self.changed.notify_all()

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self._count == count, SOON_S)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a server that allows hundreds of streams of one caller."""
    folder = tmp_path_factory.mktemp("streams")
    with served(folder, api_rate_limit="", api_streams_per_caller=1000, counting=Counting) as server:
        yield server


def leave(connection: socket.socket) -> None:
    """Close a connection as a process does that is killed."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    """Return what arrives up to *mark*."""
    read = b""
    while mark not in read:
        part = connection.recv(65_536)
        assert part, read[-500:]
        read += part
    return read


def left_behind(server: Served) -> set[str]:
    """Return what runs on the server's loop beside the server itself."""
    return {name for name in server.tasks() - OF_SSE_STARLETTE if not name.startswith(OF_UVICORN)}


def test_many_streams_at_once(server: Served):
    """Answers streamed at the same time are each complete and in order."""
    gate, count = Gate(), 20
    server.answers.steps = (token("처음 "), gate, *[token(f"{place} ") for place in range(20)], *from_video("끝"))

    async def one(client: httpx.AsyncClient, first: asyncio.Semaphore) -> list[dict]:
        async with client.stream("POST", "/api/chat", json=BODY) as response:
            events = []
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    events.append(json.loads(line.removeprefix("data: ")))
                    if len(events) == 1:
                        first.release()
            return events

    async def all_at_once() -> list[list[dict]]:
        first = asyncio.Semaphore(0)
        limits = httpx.Limits(max_connections=count)
        async with httpx.AsyncClient(base_url=server.address, timeout=SOON_S, limits=limits, trust_env=False) as client:
            streams = [asyncio.create_task(one(client, first)) for _ in range(count)]
            for _ in range(count):
                await asyncio.wait_for(first.acquire(), SOON_S)
            assert server.open_requests() == count
            gate.open()
            return list(await asyncio.gather(*streams))

    streams = asyncio.run(all_at_once())
    assert len(streams) == count
    for events in streams:
        assert [event["content"] for event in events if event["type"] == "token"][:21] == ["처음 ", *[f"{n} " for n in range(20)]]
        assert events[-1]["state"] == "complete"
    server.wait_idle()
    assert left_behind(server) == set()


@pytest.mark.parametrize("path", ["chat", "web-search"])
def test_clients_leave_and_nothing_stays(server: Served, path: str):
    """Clients that are gone in the middle of a stream end their answers; what there was is kept, and nothing runs on."""
    searching, sources, *_ = from_web("")
    server.answers.steps = (token("여기까지"), Gate())
    server.checks.steps = (searching, sources, token("여기까지", AnswerPart.WEB), Gate())
    script = server.answers if path == "chat" else server.checks
    before = {entry.id for entry in server.chat.conversations("")}
    connections = [server.post_by_hand(f"/api/{path}", BODY) for _ in range(10)]
    for connection in connections:
        read_until(connection, "여기까지".encode())
    assert script.under_way == 10
    for connection in connections:
        leave(connection)
    script.wait_for(0)
    server.wait_idle()
    assert left_behind(server) == set()
    assert server.rules.stopping.waiting == 0
    sessions = [entry.id for entry in server.chat.conversations("") if entry.id not in before]
    answers = [server.chat.open(session, "").messages[-1] for session in sessions]
    assert len(answers) == 10
    for answer in answers:
        job = server.chat.job(answer.id)
        assert job is not None
        assert job.wait(SOON_S)
        assert job.followers == 0
        kept = job.snapshot()
        assert kept.state is MessageState.STOPPED
        assert kept.record is not None
        assert "여기까지" in (kept.record.text, kept.record.web_text)


def test_clients_that_leave_before_the_first_event(server: Served):
    """A check whose client leaves while the search goes on ends, too."""
    searching, *_ = from_web("")
    server.checks.steps = (searching, Gate())
    connection = server.post_by_hand("/api/web-search", BODY)
    server.checks.wait_for(1)
    leave(connection)
    server.checks.wait_for(0)
    server.wait_idle()
    assert left_behind(server) == set()


def test_a_reader_that_does_not_read_is_given_up(tmp_path: Path):
    """A client that takes nothing loses its connection, and its answer ends; others are not held up."""
    rules = StreamRules(send_s=0.5)
    with served(tmp_path, rules=rules, api_rate_limit="", counting=Counting) as server:
        gate = Gate()
        server.answers.steps = (*[token(PIECE) for _ in range(30)], gate)
        frozen = server.post_by_hand("/api/chat", BODY)
        assert gate.reached.wait(SOON_S)
        server.answers.wait_for(0)
        server.wait_idle()
        assert server.connections() == 0
        server.answers.steps = from_video("네.")
        with frozen, server.client() as client:
            assert told(client.post("/api/chat", json=BODY))[-1]["state"] == "complete"
        server.wait_idle()
        assert left_behind(server) == set()


def test_the_end_of_the_server_does_not_wait_for_a_reader_that_does_not_read(tmp_path: Path):
    """A stream that cannot send its last word is cut off a moment after the sign, and the server ends."""
    rules = StreamRules(send_s=1000, farewell_s=0.1)
    with served(tmp_path, rules=rules, api_rate_limit="", counting=Counting) as server:
        gate = Gate()
        server.answers.steps = (*[token(PIECE) for _ in range(30)], gate)
        frozen = server.post_by_hand("/api/chat", BODY)
        assert gate.reached.wait(SOON_S)
        rules.stopping.begin()
        server.answers.wait_for(0)
        server.wait_idle()
        assert server.connections() == 0
    frozen.close()


def test_a_silent_stream_is_kept_alive(tmp_path: Path):
    """While no event comes, comments keep the connection open."""
    gate = Gate()
    with served(tmp_path, rules=StreamRules(ping_s=0.05)) as server:
        server.answers.steps = (token("처음"), gate)
        with server.client() as client, client.stream("POST", "/api/chat", json=BODY) as response:
            lines = response.iter_lines()
            assert next(line for line in lines if line.startswith(": ping"))
            gate.open()
            assert any('"type": "done"' in line for line in lines)


def test_the_end_of_the_server_ends_its_streams(tmp_path: Path):
    """Open and new streams get a last word and the end; a check without an event so far is a typed 503."""
    searching, *_ = from_web("")
    with served(tmp_path, counting=Counting) as server:
        server.answers.steps = (token("처음"), Gate())
        server.checks.steps = (searching, Gate())
        with server.client() as client, client.stream("POST", "/api/chat", json=BODY) as response:
            events = telling(response)
            next(events)
            held: list[httpx.Response] = []
            waiting = threading.Thread(target=lambda: held.append(client.post("/api/web-search", json=BODY)))
            waiting.start()
            server.checks.wait_for(1)
            server.rules.stopping.begin()
            rest = list(events)
            waiting.join(SOON_S)
        assert types(rest) == ["error", "done"]
        assert rest[-1]["state"] == "stopped"
        assert rest[0]["korean"].endswith("요.")
        assert held[0].status_code == 503
        assert held[0].json()["error"]["type"] == "stopping"
        assert int(held[0].headers["retry-after"]) >= 1
        server.answers.wait_for(0)
        server.checks.wait_for(0)
        server.wait_idle()
        server.answers.steps = (Gate(),)
        with server.client() as client:  # after the sign nothing is waited for any more
            assert types(told(client.post("/api/chat", json=BODY))) == ["error", "done"]
