"""The real server ends its streams when it is stopped."""

from __future__ import annotations

import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.browser.servers import START_S, environment, free_port, process, streamlit
from tests.loopback.language_model import KEY, Asked, LanguageModelServer, Stream, Whole, never_ending, refusal
from tests.search_core.api.served import telling

END_S = 30
"""A server that waits for its streams waits for ever; one that ends them takes a second or two."""
FROZEN_END_S = 10
FLOOD_BYTES = 5_000_000
"""More than the system buffers for a reader of a few kilobytes, which is three million."""
FONT = "/app/static/PretendardVariable.woff2"
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
    with ExitStack() as stack:
        endpoint = stack.enter_context(LanguageModelServer(model))
        settings = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any", "PYTHONUNBUFFERED": "1"}
        variables = environment(tmp_path, API_RATE_LIMIT="100000/second", **settings)
        server, log = stack.enter_context(process(streamlit(port), "URL:", variables))
        address = f"http://127.0.0.1:{port}"
        client = stack.enter_context(httpx.Client(base_url=address, timeout=START_S, trust_env=False))
        asked = client.post("/api/research", json={"query": "메모리 장벽이 뭐야?", "video_id": "sample-hbm"})
        assert b"event: research_complete" in client.get(f"{asked.headers['location']}/events").content
        times = -(-FLOOD_BYTES // len(client.get(FONT).content))
        with frozen_reader(port, FONT, times):
            assert client.get(FONT).status_code == 200  # that of the first reader is as far as its connection takes it
            with endless_answer(client) as events:
                asked_at = time.monotonic()
                server.send_signal(signal.SIGTERM)
                last = [event for event in events if event["type"] not in ("token", "answer")]
            assert server.wait(END_S) is not None
            took_s = time.monotonic() - asked_at
    assert took_s < FROZEN_END_S
    assert [(event["type"], event["state"]) for event in last] == [("done", "stopped")]
    assert not any("Traceback" in line for line in log), "".join(log)
    with closing(sqlite3.connect(tmp_path / "maekrak.sqlite")) as database:
        assert database.execute("SELECT id FROM research_processes").fetchall() == []  # research was open and is closed
