"""The real server in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_S = 100
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
