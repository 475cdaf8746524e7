"""A real Redis on loopback: started on a free port, killed, paused and started again by the test."""

from __future__ import annotations

import shutil
from typing import Any

import redis

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

    def say(self, *words: str | bytes) -> Any:
        """Return the server's answer to a command, asked over a connection of its own."""
        with redis.Redis(port=self.port, password=self._password or None) as connection:
            return connection.execute_command(*words)
