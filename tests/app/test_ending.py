"""The real server, told to end while it streams."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.loopback.language_model import LanguageModelServer, never_ending
from tests.search_core.api.served import telling

ROOT = Path(__file__).parents[2]
START_S = 100
END_S = 30
FROZEN_END_S = 10
FLOOD_BYTES = 5_000_000
"""More than the system keeps for a reader of a few kilobytes, which is three million."""
"""A server that waits for its streams waits for ever; one that ends them takes a second or two."""
STREAMLIT = ("streamlit", "run", "app.py", "--server.address", "127.0.0.1", "--server.port")
UVICORN = ("uvicorn", "app:app", "--host", "127.0.0.1", "--port")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def app(
    command: tuple[str, ...], folder: Path, port: int, endpoint: str, **more: str
) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run the real app with a language model at *endpoint* and *more* settings, and give it with its log."""
    own = {
        "MAEKRAK_DATA_DIR": str(folder),
        "SEARCH_PROVIDERS": "library",
        "EMBEDDING_MODEL": "kiwi",
        "OPENAI_BASE_URL": endpoint,
        "OPENAI_MODEL": "m",
        "OPENAI_API_KEY": "any",
        "API_RATE_LIMIT": "100000/second",
        "PYTHONUNBUFFERED": "1",
        **more,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", *command, str(port)],
        cwd=ROOT,
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    log: list[str] = []
    up = threading.Event()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            log.append(line)
            if "URL:" in line or "running on" in line:
                up.set()
        up.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert up.wait(START_S), "".join(log)
        assert process.poll() is None, "".join(log)
        yield process, log
    finally:
        process.kill()
        process.wait()
        reader.join(5)
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.parametrize(("command", "number"), [(STREAMLIT, signal.SIGTERM), (UVICORN, signal.SIGINT)])
def test_a_server_told_to_end_ends_its_streams(command: tuple[str, ...], number: signal.Signals, tmp_path: Path):
    """A stream that would never end gets its last word, what it said is kept, and the process goes."""
    body = {"query": "메모리 장벽이 뭐야?", "video_id": "sample-hbm"}
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with LanguageModelServer(never_ending) as endpoint, app(command, tmp_path, port, endpoint.url) as (process, log):
        with (
            httpx.Client(base_url=address, timeout=START_S, trust_env=False) as client,
            client.stream("POST", "/api/chat", json=body) as response,
        ):
            events = telling(response)
            assert next(event for event in events if event["type"] == "token")
            process.send_signal(number)
            last = [event for event in events if event["type"] not in ("token", "answer")]
        assert process.wait(END_S) is not None
    assert [event["type"] for event in last] == ["error", "done"]
    assert last[1]["session_id"]
    assert not any("Traceback" in line for line in log), "".join(log)


def frozen_reader(port: int, path: str, times: int) -> socket.socket:
    """Return the connection of a client that asks for *path* so many times and takes next to nothing of it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(START_S)
    connection.connect(("127.0.0.1", port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * times)
    assert connection.recv(64).startswith(b"HTTP/1.1 200")
    return connection


def test_a_reader_that_takes_nothing_does_not_hold_up_the_end(tmp_path: Path):
    """With streams of which nothing is taken the server ends within seconds, and what it has open is closed all the same."""
    port = free_port()
    with (
        app(STREAMLIT, tmp_path, port, "") as (process, log),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=START_S, trust_env=False) as client,
    ):
        asked = client.post("/api/research", json={"query": "메모리 장벽이 뭐야?", "video_id": "sample-hbm"})
        path = f"{asked.headers['location']}/events"
        story = client.get(path).content
        assert b"event: research_complete" in story
        times = -(-FLOOD_BYTES // len(story))
        with frozen_reader(port, path, times):
            for _ in range(times):  # those of the other reader, who came first, are as far as its connection holds them
                assert client.get(path).status_code == 200
            process.send_signal(signal.SIGTERM)
            asked_at = time.monotonic()
            assert process.wait(END_S) is not None
            took_s = time.monotonic() - asked_at
    assert took_s < FROZEN_END_S
    assert not any("Traceback" in line for line in log), "".join(log)
    with closing(sqlite3.connect(tmp_path / "maekrak.sqlite")) as database:
        beats = [beat for (beat,) in database.execute("SELECT beat_at FROM research_processes")]
    assert beats  # research was open
    assert [beat for beat in beats if not beat.startswith("1970")] == []  # and has taken its leave
