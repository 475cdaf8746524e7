"""Streams that end with their client, the server, or many at a time; nothing is left behind by any of them."""

from __future__ import annotations

import asyncio
import signal
import socket
import struct
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from sse_starlette import ServerSentEvent
from sse_starlette.sse import AppStatus
from starlette.types import Message

from search_core.answers.chat.job import AnswerJob
from search_core.api import GRACE_S, limit_shutdown
from search_core.api.streams import EventStream, sse_event
from search_core.domain.conversation import AnswerPart, MessageState
from tests.search_core.answers.chat.scripted_chat import Gate, from_web, token
from tests.search_core.api.served import QUESTION, SOON_S, Served, served, telling

OF_SSE_STARLETTE = {"_shutdown_watcher"}
"""One for each event loop, started with the first stream."""
OF_UVICORN = ("Server.", "LifespanOff.", "RequestResponseCycle.")
BODY = {"query": QUESTION}


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


def test_a_reader_that_does_not_read_is_given_up():
    """A client that takes nothing ends its stream, and with it the answer."""
    ended: list[bool] = []

    async def events() -> AsyncGenerator[ServerSentEvent]:
        while True:
            yield sse_event({"type": "token"})

    async def never(*_: object) -> Any:
        await asyncio.Event().wait()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            await never()

    stream = EventStream(events(), on_end=lambda: ended.append(True))
    stream.send_timeout = 0.01
    asyncio.run(stream({"type": "http", "method": "GET"}, never, send))
    assert ended == [True]


def test_the_end_of_the_server_ends_its_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An open answer is stopped, says so, and is kept as that."""
    with served(tmp_path) as server, server.client() as client:
        server.answers.steps = (token("처음"), Gate())
        with client.stream("POST", "/api/chat", json=BODY) as response:
            events = telling(response)
            next(events)
            monkeypatch.setattr(AppStatus, "should_exit", True)  # as a signal to uvicorn does
            assert list(events)[-1]["state"] == "stopped"
        assert wait_new_job(server, set()).snapshot().state is MessageState.STOPPED
        server.wait_idle()


@pytest.mark.parametrize(("limit", "then"), [(None, GRACE_S), (60, 60)])
def test_a_server_without_a_limit_gets_one(limit: int | None, then: int):
    """uvicorn, as Streamlit starts it, would wait for ever for a reader that takes nothing; a limit it was given stays."""
    server = uvicorn.Server(uvicorn.Config(lambda: None, timeout_graceful_shutdown=limit))
    before = signal.signal(signal.SIGTERM, server.handle_exit)
    try:
        limit_shutdown()
        assert server.config.timeout_graceful_shutdown == then
    finally:
        signal.signal(signal.SIGTERM, before)
