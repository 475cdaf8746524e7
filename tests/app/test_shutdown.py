"""The real server ends its streams when it is stopped."""

from __future__ import annotations

import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.app.served_app import START_S, STREAMLIT, UVICORN, app, free_port
from tests.loopback.language_model import KEY, Asked, LanguageModelServer, Stream, Whole, never_ending, refusal
from tests.search_core.api.served import telling

END_S = 30
"""A server that waits for its streams waits for ever; one that ends them takes a second or two."""
FROZEN_END_S = 10
FLOOD_BYTES = 5_000_000
"""More than the system buffers for a reader of a few kilobytes, which is three million."""
ENDLESS = "끝없이 말해 줘"


def model(asked: Asked) -> Whole | Stream:
    """Talk without end where that is asked for, and refuse everything else."""
    return never_ending(asked) if ENDLESS in asked.prompt else refusal(401, message=f"Incorrect API key provided: {KEY}")


@contextmanager
def endless_answer(client: httpx.Client) -> Iterator[Iterator[dict[str, Any]]]:
    """Lend the events of an answer that is being written."""
    with client.stream("POST", "/api/chat", json={"query": ENDLESS, "video_id": "sample-hbm"}) as response:
        events = telling(response)
        assert next(event for event in events if event["type"] == "token")
        yield events


def assert_ended(events: Iterator[dict[str, Any]], log: list[str]) -> None:
    """Check that an answer has its last words and that nothing was logged as broken."""
    last = [event for event in events if event["type"] not in ("token", "answer")]
    assert [event["type"] for event in last] == ["error", "done"]
    assert last[1]["session_id"]
    assert not any("Traceback" in line for line in log), "".join(log)


def client_of(port: int) -> httpx.Client:
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=START_S, trust_env=False)


def test_an_interrupted_server_ends_its_streams(tmp_path: Path):
    """Under uvicorn, a stream that would never end gets its last events, its answer is stored, and the process goes."""
    port = free_port()
    with LanguageModelServer(model) as endpoint, app(UVICORN, tmp_path, port, endpoint.url) as (process, log):
        with client_of(port) as client, endless_answer(client) as events:
            process.send_signal(signal.SIGINT)
            assert_ended(events, log)
        assert process.wait(END_S) is not None


def frozen_reader(port: int, path: str, times: int) -> socket.socket:
    """Return the connection of a client that asks for *path* so many times and reads next to nothing of it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(START_S)
    connection.connect(("127.0.0.1", port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times)
    assert connection.recv(64).startswith(b"HTTP/1.1 200")
    return connection


def test_a_reader_that_reads_nothing_does_not_hold_up_the_end(tmp_path: Path):
    """Under Streamlit, a terminated server ends within seconds: streams get their last events, and what is open is closed."""
    port = free_port()
    with (
        LanguageModelServer(model) as endpoint,
        app(STREAMLIT, tmp_path, port, endpoint.url) as (process, log),
        client_of(port) as client,
    ):
        asked = client.post("/api/research", json={"query": "메모리 장벽이 뭐야?", "video_id": "sample-hbm"})
        path = f"{asked.headers['location']}/events"
        story = client.get(path).content
        assert b"event: research_complete" in story
        times = -(-FLOOD_BYTES // len(story))
        with frozen_reader(port, path, times):
            for _ in range(times):  # those of the first reader, who came first, are as far as its connection takes them
                assert client.get(path).status_code == 200
            with endless_answer(client) as events:
                asked_at = time.monotonic()
                process.send_signal(signal.SIGTERM)
                assert_ended(events, log)
            assert process.wait(END_S) is not None
            took_s = time.monotonic() - asked_at
    assert took_s < FROZEN_END_S
    with closing(sqlite3.connect(tmp_path / "maekrak.sqlite")) as database:
        beats = [beat for (beat,) in database.execute("SELECT beat_at FROM research_processes")]
    assert beats  # research was open
    assert [beat for beat in beats if not beat.startswith("1970")] == []  # and was closed
