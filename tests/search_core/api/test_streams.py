"""Streams that end with their client, the server, or many at a time; nothing is left behind by any of them."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from search_core.answers.chat.job import AnswerJob
from search_core.api import StreamRules
from search_core.domain import AnswerPart, MessageState
from tests.search_core.answers.chat.scripted_chat import Gate, from_video, from_web, token
from tests.search_core.api.served import QUESTION, SOON_S, Served, served, telling, told, types

OF_SSE_STARLETTE = {"_shutdown_watcher"}
"""One for each event loop, started with the first stream."""
OF_UVICORN = ("Server.", "LifespanOff.", "RequestResponseCycle.")
BODY = {"query": QUESTION}
PIECE = "메모리 대역폭 " * 20_000
"""More than half a megabyte: thirty of them are more than the system keeps for a reader."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a server that allows hundreds of streams of one caller."""
    with served(tmp_path_factory.mktemp("streams"), api_rate_limit="", api_streams_per_caller=1000) as server:
        yield server


def sessions(server: Served) -> set[str]:
    """Return the ids of all conversations."""
    return {entry.id for entry in server.chat.conversations("")}


def wait_new_job(server: Served, before: set[str]) -> AnswerJob:
    """Return the answer of the one session that was not there *before*, when it has ended."""
    [session] = sessions(server) - before
    job = server.chat.job(server.chat.open(session, "").messages[-1].id)
    assert job is not None
    assert job.wait(SOON_S)
    return job


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
    before = sessions(server)
    connections = [server.post_by_hand(f"/api/{path}", BODY) for _ in range(10)]
    for connection in connections:
        read_until(connection, "여기까지".encode())
    for connection in connections:
        leave(connection)
    server.wait_idle()
    jobs = [server.chat.job(server.chat.open(session, "").messages[-1].id) for session in sessions(server) - before]
    assert len(jobs) == 10
    for job in jobs:
        assert job is not None
        assert job.wait(SOON_S)
        assert job.followers == 0
        kept = job.snapshot()
        assert kept.state is MessageState.STOPPED
        assert kept.record is not None
        assert "여기까지" in (kept.record.text, kept.record.web_text)
    assert left_behind(server) == set()
    assert server.rules.stopping.waiting == 0


def test_clients_that_leave_before_the_first_event(server: Served):
    """A check whose client leaves while the search goes on ends, too."""
    searching, gate, before = from_web("")[0], Gate(), sessions(server)
    server.checks.steps = (searching, gate)
    connection = server.post_by_hand("/api/web-search", BODY)
    assert gate.reached.wait(SOON_S)
    leave(connection)
    server.wait_idle()
    assert wait_new_job(server, before).snapshot().state is MessageState.STOPPED
    assert left_behind(server) == set()


@pytest.mark.parametrize("stops", [False, True])
def test_a_reader_that_does_not_read_is_given_up(tmp_path: Path, stops: bool):
    """A client that takes nothing, or not even the last word when the server stops, loses its connection, and its answer ends."""
    rules = StreamRules(send_s=1000, farewell_s=0.1) if stops else StreamRules(send_s=0.5)
    with served(tmp_path, rules=rules, api_rate_limit="") as server:
        gate = Gate()
        server.answers.steps = (*[token(PIECE) for _ in range(30)], gate)
        with server.post_by_hand("/api/chat", BODY):
            assert gate.reached.wait(SOON_S)
            if stops:
                rules.stopping.begin()
            wait_new_job(server, set())
            server.wait_idle()
            assert server.connections() == 0
        assert left_behind(server) == set()


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
    searching, gate = from_web("")[0], Gate()
    with served(tmp_path) as server, server.client() as client, ThreadPoolExecutor() as beside:
        server.answers.steps = (token("처음"), Gate())
        server.checks.steps = (searching, gate)
        with client.stream("POST", "/api/chat", json=BODY) as response:
            events = telling(response)
            next(events)
            checking = beside.submit(lambda: client.post("/api/web-search", json=BODY))
            assert gate.reached.wait(SOON_S)
            server.rules.stopping.begin()
            rest = list(events)
        check = checking.result(SOON_S)
        assert types(rest) == ["error", "done"]
        assert rest[-1]["state"] == "stopped"
        assert rest[0]["korean"].endswith("요.")
        assert (check.status_code, check.json()["error"]["type"]) == (503, "stopping")
        assert int(check.headers["retry-after"]) >= 1
        server.wait_idle()
        server.answers.steps = (Gate(),)  # after the sign nothing is waited for any more
        assert types(told(client.post("/api/chat", json=BODY))) == ["error", "done"]
