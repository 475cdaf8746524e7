"""A real Redis on loopback: started on a free port, killed, paused and started again by the test."""

from __future__ import annotations

import shutil
import socket

from tests.conftest import required_in_ci
from tests.loopback.server_process import ServerProcess


class RedisServer(ServerProcess):
    """Runs ``redis-server``, keeping nothing on disk: a killed one starts empty.

    Skips the test where there is no ``redis-server`` (fails it in CI). More lines of configuration may be given as *options*.
    """

    ready = "Ready to accept connections"

    def __init__(self, *options: str, password: str = "") -> None:
        super().__init__()
        self._program = shutil.which("redis-server")
        if self._program is None:
            required_in_ci("no redis-server on this machine")
        self._lines = [part for option in options for part in option.split()]
        self._password = password

    @property
    def url(self) -> str:
        """Return the address, with the password where there is one."""
        return f"redis://{f':{self._password}@' if self._password else ''}127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        secret = ["--requirepass", self._password] if self._password else []
        bound = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        return [str(self._program), *bound, "--save", "", "--appendonly", "no", "--daemonize", "no", *secret, *self._lines]

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
