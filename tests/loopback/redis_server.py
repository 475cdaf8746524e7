"""A real Redis on loopback: started on a free port, killed, paused and started again by the test.

with RedisServer() as server:
    connection = RedisConnection(SecretStr(server.url))
    server.pause()
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from tests.conftest import required_in_ci

_READY = "Ready to accept connections"
_STARTS = 5
"""A port that was free may be taken when the server binds it."""


class RedisServer:
    """Runs ``redis-server`` in a folder of its own, keeping nothing on disk; the port stays the same over restarts.

    Skips the test where there is no ``redis-server`` (fails it in CI). More lines of configuration may be given as *options*.
    """

    def __init__(self, *options: str, password: str = "") -> None:
        program = shutil.which("redis-server")
        if program is None:
            required_in_ci("no redis-server on this machine")
        self._program = str(program)
        self._options = [part for option in options for part in option.split()]
        self._password = password
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Return the address, with the password where there is one."""
        return f"redis://{f':{self._password}@' if self._password else ''}127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="redis-")
        for _ in range(_STARTS):
            with socket.create_server(("127.0.0.1", 0)) as listener:
                self.port = listener.getsockname()[1]
            if self._started():
                return self
        self._folder.cleanup()
        raise RuntimeError("redis-server did not start")

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._folder.cleanup()

    def start(self) -> None:
        """Start a killed server anew, empty, on the same port; returns when it takes connections."""
        if not self._started():
            raise RuntimeError(f"redis-server did not start on port {self.port} again")

    def kill(self) -> None:
        """End the server as kill -9 does; returns when it is gone."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def pause(self) -> None:
        """Let the server fall silent: connections are taken by the system, nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        self._signal(signal.SIGCONT)

    def say(self, *words: str | bytes) -> str:
        """Return the first line of the server's answer to a command, asked over a connection of its own."""
        parts = [word.encode() if isinstance(word, str) else word for word in words]
        command = b"".join([b"*%d\r\n" % len(parts), *(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)])
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection, connection.makefile("rb") as answer:
            if self._password:
                connection.sendall(b"AUTH %b\r\n" % self._password.encode())
                answer.readline()
            connection.sendall(command)
            return answer.readline().decode().strip()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is None:
            raise RuntimeError("the server is not running")
        self._process.send_signal(number)

    def _started(self) -> bool:
        secret = ["--requirepass", self._password] if self._password else []
        bound = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(Path(self._folder.name))]
        process = subprocess.Popen(
            [self._program, *bound, "--save", "", "--appendonly", "no", "--daemonize", "no", *secret, *self._options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        for line in process.stdout:
            if _READY in line:
                self._process = process
                return True
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.communicate()
        return False
