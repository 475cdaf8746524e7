"""Servers in processes of their own: the app as ``streamlit run app.py``, or any other module that serves."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
START_S = 90
"""Upper bound for a cold start on a busy machine."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return the environment of an app that searches its library alone, unless *more* says otherwise."""
    inherited = {name: value for name, value in os.environ.items() if name != "CI"}
    own = {"MAEKRAK_DATA_DIR": str(data), "SEARCH_PROVIDERS": "library", "EMBEDDING_MODEL": "kiwi", "SEARXNG_URL": ""}
    return {**inherited, **own, **more}


def streamlit(port: int, script: str = "app.py") -> list[str]:
    return ["streamlit", "run", script, "--server.port", str(port), "--server.address", "127.0.0.1"]


@contextmanager
def running_app(data: Path, *, script: str = "app.py", **more: str) -> Iterator[str]:
    """Run the app, or another *script*, on a free port with *more* in its environment, and yield its address."""
    port = free_port()
    with running(streamlit(port, script), port, "URL:", environment(data, **more)) as address:
        yield address


@contextmanager
def running(module: Sequence[str], port: int, sign: str, variables: Mapping[str, str]) -> Iterator[str]:
    """Run a Python module that serves on *port*, and yield its address; see `process`."""
    with process(module, sign, variables):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def process(module: Sequence[str], sign: str, variables: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run a Python module with its arguments, and yield it with its log; it is up when it has printed *sign*.

    A server that does not start, does not end or writes a traceback fails the test with its log.
    """
    command = [sys.executable, "-m", *module]
    server = subprocess.Popen(command, cwd=ROOT, env=dict(variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log: list[str] = []
    up = threading.Event()

    def read() -> None:
        assert server.stdout is not None
        for line in server.stdout:
            log.append(line)
            if sign in line:
                up.set()
        up.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert up.wait(START_S), "".join(log)
        assert server.poll() is None, "".join(log)
        yield server, log
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            pytest.fail("the server did not end by itself:\n" + "".join(log[-30:]))
        reader.join(5)
        if server.stdout is not None:
            server.stdout.close()
        assert not any("Traceback" in line for line in log), "".join(log)
