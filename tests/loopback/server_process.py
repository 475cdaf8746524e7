"""What real servers on loopback share: a folder of their own, a free port, kills, pauses and starts by the test."""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import psutil

_STARTS = 5
"""A port that was free may be taken when the server binds it."""


class ServerProcess(ABC):
    """Runs a program in a folder of its own while its ``with`` block does; the port stays the same over restarts."""

    ready: ClassVar[str]
    """What the program says when it takes connections."""
    port = 0
    options: dict[str, Any]
    """Those of the process: as whom it runs."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.options = {}

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command that serves on ``port``."""

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="server-"))
        try:
            for _ in range(_STARTS):
                with socket.create_server(("127.0.0.1", 0)) as listener:
                    self.port = listener.getsockname()[1]
                with contextlib.suppress(RuntimeError):
                    self.start()
                    return self
            raise RuntimeError(f"{self.command()[0]} did not start")
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server, also a killed one again on the same port; returns when it takes connections."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        process = subprocess.Popen(self.command(), cwd=self.folder, **pipes, **self.options)
        ready, over = threading.Event(), threading.Event()
        self._reader = threading.Thread(target=self._read, args=(process, ready, over), daemon=True)
        self._reader.start()
        over.wait()
        if not ready.is_set():
            process.wait()
            raise RuntimeError(f"the server did not start on port {self.port}")
        self._process = process

    def kill(self) -> None:
        """End the server as kill -9 does; returns when it is gone."""
        process, self._process = self._process, None
        if process is not None:
            self.signal_all(process, signal.SIGKILL)
            process.wait()
            self._reader.join()

    def pause(self) -> None:
        """Let the server fall silent: connections are taken by the system, nothing is answered."""
        self.signal_all(self._running(), signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        self.signal_all(self._running(), signal.SIGCONT)

    def signal_all(self, process: subprocess.Popen[str], number: signal.Signals) -> None:
        """Signal the server and the processes it has started."""
        with contextlib.suppress(psutil.NoSuchProcess):  # it ended just now
            server = psutil.Process(process.pid)
            for each in (server, *server.children()):
                with contextlib.suppress(psutil.NoSuchProcess):
                    each.send_signal(number)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            raise RuntimeError("the server is not running")
        return self._process

    def _read(self, process: subprocess.Popen[str], ready: threading.Event, over: threading.Event) -> None:
        """Read what the server says, so that it never waits for a reader."""
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                if self.ready in line:
                    ready.set()
                    over.set()
        over.set()
