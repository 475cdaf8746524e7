"""A real PostgreSQL on loopback: a cluster of its own, on a free port, killed, paused and started again by the test."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from itertools import count
from pathlib import Path

import psutil
import psycopg

from tests.conftest import required_in_ci
from tests.loopback.server_process import ServerProcess

_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",  # what a killed server had committed is still there; only a power cut would lose it
    "full_page_writes": "off",
    "max_connections": "150",
    "shared_buffers": "32MB",
    "lc_messages": "C",
}


class PostgreSQLServer(ServerProcess):
    """Runs ``postgres``; its data stay over restarts.

    Skips the test where there is no ``postgres`` (fails it in CI). PostgreSQL refuses to run as root, so under root it runs as
    the user ``postgres`` or ``nobody``.
    """

    ready = "ready to accept connections"
    user = "maekrak"

    def __init__(self, *, password: str = "pg-loopback-password") -> None:
        super().__init__()
        programs = _programs()
        if programs is None:
            required_in_ci("no PostgreSQL server on this machine")
        self._programs = Path(str(programs))
        self.password = password
        self._numbers = count(1)
        self._account = _unprivileged()
        if self._account is not None:
            self.options = {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}

    def _make_cluster(self) -> None:
        secret = self.folder / "password"
        secret.write_text(self.password)
        if self._account is not None:
            for path in (self.folder, secret):
                os.chown(path, self._account.pw_uid, self._account.pw_gid)
        subprocess.run(
            [
                *(str(self._programs / "initdb"), "-D", str(self.folder / "data"), "-U", self.user, "--no-sync"),
                *("--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=UTF8", "--locale=C"),
            ],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self.options,
        )

    def command(self) -> list[str]:
        if not (self.folder / "data").exists():
            self._make_cluster()
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        place = ["-D", str(self.folder / "data"), "-p", str(self.port), "-k", str(self.folder)]
        return [str(self._programs / "postgres"), *place, *(f"--{name}={value}" for name, value in _SETTINGS.items())]

    def url(self, database: str = "postgres", *, password: str | None = None) -> str:
        """Return the address of a database."""
        return f"postgresql://{self.user}:{password or self.password}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"test_{next(self._numbers)}"
        self.say(f"CREATE DATABASE {name}")
        return self.url(name)

    def new_schema(self) -> str:
        """Make an empty schema, which takes a tenth of the time of a database, and return an address that leads into it."""
        name = f"test_{next(self._numbers)}"
        self.say(f"CREATE SCHEMA {name}")
        return f"{self.url()}?options=-csearch_path%3D{name}"

    def say(self, statement: str, url: str = "") -> list[tuple[object, ...]]:
        """Return the rows of *statement*, asked over a connection of its own."""
        with psycopg.connect(url or self.url(), autocommit=True, connect_timeout=30) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """End the server and all its processes as kill -9 does; returns when they are gone."""
        children = [] if self._process is None else psutil.Process(self._process.pid).children()
        super().kill()
        psutil.wait_procs(children)  # a new server refuses to start while one of them holds the shared memory


def _programs() -> Path | None:
    """Return the folder of the newest ``postgres`` and ``initdb``; Debian keeps them off the PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
    initdb = shutil.which("initdb", path=os.pathsep.join([*map(str, installed), os.environ["PATH"]]))
    return Path(initdb).resolve().parent if initdb else None


def _unprivileged() -> pwd.struct_passwd | None:
    """Return the account to run as, None for our own."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
