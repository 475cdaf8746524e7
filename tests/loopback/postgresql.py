"""A real PostgreSQL on loopback: a cluster of its own, on a free port, killed, paused and started again by the test.

with PostgreSQLServer() as server:
    database = Database(server.new_database())
    server.kill()
"""

from __future__ import annotations

import contextlib
import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from itertools import count
from pathlib import Path
from typing import Self

import psycopg

from tests.conftest import required_in_ci

_READY = "ready to accept connections"
_STARTS = 5
"""A port that was free may be taken when the server binds it."""
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",  # what a killed server had committed is still there; only a power cut would lose it
    "full_page_writes": "off",
    "max_connections": "150",
    "shared_buffers": "32MB",
    "lc_messages": "C",
}


class PostgreSQLServer:
    """Runs ``postgres`` in a folder of its own; data and port stay the same over restarts.

    Skips the test where there is no ``postgres`` (fails it in CI). PostgreSQL refuses to run as root, so under root it runs as
    the user ``postgres`` or ``nobody``.
    """

    user = "maekrak"

    def __init__(self, *, password: str = "pg-loopback-password") -> None:
        programs = _programs()
        if programs is None:
            required_in_ci("no PostgreSQL server on this machine")
        self._programs = Path(str(programs))
        self.password = password
        self._process: subprocess.Popen[str] | None = None
        self._numbers = count(1)
        self._account = _unprivileged()
        self.port = 0

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
        try:
            self._make_cluster()
            for _ in range(_STARTS):
                with socket.create_server(("127.0.0.1", 0)) as listener:
                    self.port = listener.getsockname()[1]
                if self._started():
                    return self
            raise RuntimeError("postgres did not start")
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

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

    def start(self) -> None:
        """Start a killed server again on the same port, with what it had committed; returns when it takes connections."""
        if not self._started():
            raise RuntimeError(f"postgres did not start on port {self.port} again")

    def kill(self) -> None:
        """End the server and all its processes as kill -9 does; returns when they are gone."""
        process, self._process = self._process, None
        if process is not None:
            children = [handle for pid in _children(process) if (handle := _handle(pid)) is not None]
            self._signal_all(process, signal.SIGKILL)
            process.wait()
            self._reader.join()
            for child in children:  # a new server refuses to start while one of them holds the shared memory
                select.select([child], [], [])
                os.close(child)

    def pause(self) -> None:
        """Let the server fall silent: connections are taken by the system, nothing is answered."""
        self._signal_all(self._running(), signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        self._signal_all(self._running(), signal.SIGCONT)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            raise RuntimeError("the server is not running")
        return self._process

    @staticmethod
    def _signal_all(process: subprocess.Popen[str], number: signal.Signals) -> None:
        """Signal the server and the processes it has started, each of which leads a group of its own."""
        for pid in (process.pid, *_children(process)):
            with contextlib.suppress(ProcessLookupError):  # a session that ended just now
                os.kill(pid, number)

    def _make_cluster(self) -> None:
        secret = self._folder / "password"
        secret.write_text(self.password)
        if self._account is not None:
            for path in (self._folder, secret):
                os.chown(path, self._account.pw_uid, self._account.pw_gid)
        subprocess.run(
            [
                *(str(self._programs / "initdb"), "-D", str(self._folder / "data"), "-U", self.user, "--no-sync"),
                *("--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=UTF8", "--locale=C"),
            ],
            check=True,
            capture_output=True,
            cwd=self._folder,
            **self._as_account(),
        )

    def _started(self) -> bool:
        (self._folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        options = [f"--{name}={value}" for name, value in _SETTINGS.items()]
        process = subprocess.Popen(
            [
                *(str(self._programs / "postgres"), "-D", str(self._folder / "data"), "-p", str(self.port)),
                *("-k", str(self._folder)),
                *options,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder,
            **self._as_account(),
        )
        ready, ended = threading.Event(), threading.Event()
        self._reader = threading.Thread(target=_read, args=(process, ready, ended), daemon=True)
        self._reader.start()
        ready.wait()
        if ended.is_set():
            process.wait()
            return False
        self._process = process
        return True

    def _as_account(self) -> dict[str, object]:
        if self._account is None:
            return {}
        return {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}


def _children(process: subprocess.Popen[str]) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def _handle(pid: int) -> int | None:
    """Return what can be waited for until process *pid* is gone; None when it already is."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def _read(process: subprocess.Popen[str], ready: threading.Event, ended: threading.Event) -> None:
    """Read what the server says, so that it never waits for a reader."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            if _READY in line:
                ready.set()
    if not ready.is_set():
        ended.set()
        ready.set()


def _programs() -> Path | None:
    """Return the folder of the newest ``postgres`` and ``initdb``; Debian keeps them off the PATH."""
    found = sorted(
        (path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")),
        key=lambda folder: float(folder.parent.name),
    )
    if found:
        return found[-1]
    both = shutil.which("postgres"), shutil.which("initdb")
    return Path(str(both[1])).resolve().parent if all(both) else None


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
