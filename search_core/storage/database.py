"""The database of conversations and research: a SQLite file of its own, or PostgreSQL shared by several machines.

How the database is opened, and what its errors mean: a cause for the log, a Korean sentence, and what to do next.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from search_core.errors import SettingsError, StorageError
from search_core.settings import Settings
from search_core.storage.json_codec import json_text, json_value
from search_core.storage.sqlite_file import FileFault, fault_of, fault_sentences, write_ahead

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import URL, Connection, Engine

FILE = "maekrak.sqlite"
FILE_KOREAN = fault_sentences(
    f"대화 저장소({FILE})",
    "앱을 끄고 그 파일을 다른 곳으로 옮기거나, backup 명령으로 만들어 둔 사본을 그 자리에 넣어 주세요.",
)
DAMAGED_ROW_KOREAN = "저장된 내용의 일부가 손상되어 읽지 못했어요. 로그를 확인해 주세요."
_EVERY_ENGINE: dict[str, Any] = {"json_serializer": json_text, "json_deserializer": json_value, "hide_parameters": True}
_BUSY_MS = 10_000
"""Milliseconds to wait while another process writes; no transaction takes more than a few."""
_CONNECTIONS = 5
_WAIT_FOR_CONNECTION_S = 10
_LOST_AFTER_S = 15
"""Seconds after which an unreachable peer's connection counts as lost; Linux's default is two hours."""
CONNECT_S = 5
"""Seconds PostgreSQL may take to answer a new connection; ``connect_timeout`` in the address goes before it."""
_SETTING_UP = 0x6D61656B
"""Key of the advisory lock under which one process makes the tables."""
REMEDY = "stop the app, and move the file away or put back the copy that `backup` made"
_OPENS_WITH = 64 << 10
"""Bytes of free space that SQLite needs to open a file, also for reading; the index of its log takes half of them."""
PAUSE_S = 3.0
"""Seconds during which a database that could not be reached is not tried again."""
_DAMAGE = (ValueError, TypeError, LookupError)
"""Errors from reading a row that this program did not write."""


def server_fault(error: BaseException) -> tuple[str, str, bool]:
    """Return the cause, a Korean sentence, and whether to pause using the database.

    The kinds are PostgreSQL's (postgresql.org/docs/current/errcodes-appendix.html, 2026-11-21).
    """
    state = getattr(error, "sqlstate", None) or ""
    text = str(error)
    cause = f"{type(error).__name__} {state}".strip()
    if state.startswith("28") or "password authentication failed" in text or "no password supplied" in text:
        return f"{cause}: user or password refused", "데이터베이스가 로그인을 거절했어요. DATABASE_URL을 확인해 주세요.", True
    if state == "3D000" or ("database" in text and "does not exist" in text):
        return f"{cause}: no such database", "그 이름의 데이터베이스가 없어요. DATABASE_URL을 확인해 주세요.", True
    if type(error).__name__ in ("OperationalError", "ConnectionTimeout", "AdminShutdown", "CannotConnectNow"):
        return f"{cause}: not reached", "데이터베이스에 연결하지 못했어요. 서버와 DATABASE_URL을 확인해 주세요.", True
    if type(error).__name__ == "TimeoutError":
        return f"{cause}: no connection free", "데이터베이스가 바빠요. 잠시 뒤에 다시 시도해 주세요.", False
    return cause, "데이터베이스가 요청을 처리하지 못했어요. 권한과 남은 자원을 확인하고 다시 시도해 주세요.", False


def file_engine(path: Path) -> Engine:
    """Return an engine for a SQLite file, which is created if missing."""
    from sqlalchemy import URL, create_engine, event

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": _BUSY_MS / 1000, "isolation_level": None},
        pool_size=_CONNECTIONS,
        pool_timeout=_WAIT_FOR_CONNECTION_S,
        **_EVERY_ENGINE,
    )
    event.listen(engine, "connect", _prepare_file_connection)
    event.listen(engine, "begin", _begin)
    return engine


def server_engine(url: URL) -> Engine:
    """Return an engine for a PostgreSQL database."""
    from sqlalchemy import create_engine

    arguments: dict[str, object] = {
        "application_name": "maekrak",
        "connect_timeout": CONNECT_S,
        "keepalives_idle": 5,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": _LOST_AFTER_S * 1000,
    }
    return create_engine(
        url,
        # Prepared statements do not survive a pooler between us and the server.
        connect_args={name: value for name, value in arguments.items() if name not in url.query} | {"prepare_threshold": None},
        pool_size=_CONNECTIONS,
        max_overflow=_CONNECTIONS,
        pool_timeout=_WAIT_FOR_CONNECTION_S,
        pool_pre_ping=True,
        **_EVERY_ENGINE,
    )


def postgresql_url(address: str) -> URL:
    """Return *address* for psycopg 3; raises SettingsError, which does not repeat it."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(address)
        readable = url.drivername.partition("+")[0] in ("postgresql", "postgres") and bool(url.database)
    except (ArgumentError, ValueError):
        readable = False
    if not readable:
        raise SettingsError(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name, special characters written as %XX.",
            korean="DATABASE_URL을 읽을 수 없어요. postgresql://사용자:비밀번호@호스트:5432/이름 꼴로 적어 주세요."
            " 비밀번호의 특수 문자는 %XX로 바꿔 주세요.",
        )
    return url.set(drivername="postgresql+psycopg")


def _prepare_file_connection(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA recursive_triggers=ON")
    write_ahead(connection)


def _begin(connection: Connection) -> None:
    """Begin a write transaction at once, because one that reads first could be refused when it writes."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def make_tables(connection: Connection) -> None:
    """Create the tables if missing; raises StorageError if a later version made them."""
    from sqlalchemy import func, insert, select

    from search_core.storage.tables import METADATA, SCHEMA, SHARED_LIBRARY, VERSION

    shared = connection.dialect.name == "postgresql"
    if shared:
        connection.execute(select(func.pg_advisory_xact_lock(_SETTING_UP)))
    SCHEMA.create(connection, checkfirst=True)
    version = connection.execute(select(SCHEMA.c.version)).scalar()
    if version is not None and version > VERSION:
        raise StorageError(
            f"The database is of version {version}, this program reads {VERSION}.",
            korean="더 새로운 버전에서 만든 대화 저장소예요. 맥락을 새 버전으로 바꿔 주세요.",
        )
    for tables in (METADATA, SHARED_LIBRARY) if shared else (METADATA,):
        tables.create_all(connection)
    if version is None:
        connection.execute(insert(SCHEMA).values(version=VERSION))


class Database:
    """Opens the database on first use and creates its tables; thread-safe.

    One per process. ``url`` is SQLAlchemy's address with the password; ``place`` is its form for logs and errors. ``shared``
    says whether processes on other machines may use the same database.
    """

    def __init__(
        self,
        address: str | Path,
        make: Callable[[Connection], None] = make_tables,
        korean: Mapping[FileFault, str] = FILE_KOREAN,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the path of a SQLite file, or the address of a PostgreSQL database; opens nothing.

        *make* creates missing tables and refuses those of a later version, *korean* says what faults of the file mean. Raises
        SettingsError when the address cannot be read.
        """
        self._make_tables, self._korean = make, korean
        self._path: Path | None = None
        if isinstance(address, Path):
            path = self._path = address.absolute()
            self._make = partial(file_engine, path)
            self.url, self.place, self.shared = SecretStr(f"sqlite:///{path}"), path.name, False
        else:
            url = postgresql_url(address)
            self._make = partial(server_engine, url)
            host = url.host or url.query.get("host") or "localhost"
            self.url, self.shared = SecretStr(url.render_as_string(hide_password=False)), True
            self.place = f"{host}:{url.port or 5432}/{url.database}"
        self.fault: FileFault | None = None
        """The last fault of the file; None once it has been written since, except that BROKEN stays."""
        self._monotonic = monotonic
        self._opening = threading.Lock()
        self._writing = threading.Lock()
        self._engine: Engine | None = None
        self._failure: StorageError | None = None
        self._retry_at = 0.0

    @classmethod
    def of(cls, settings: Settings) -> Database:
        """Return the database in DATABASE_URL, or ``maekrak.sqlite`` in the data folder; opens nothing.

        Raises SettingsError when the address cannot be read.
        """
        return cls(settings.database_url.get_secret_value() or settings.maekrak_data_dir / FILE)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a connection in a read-only transaction; raises StorageError if the database cannot be read."""
        with self.explain_errors(AttributeError, ArithmeticError), self._open().begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Provide a connection in a transaction, committed whole or not at all; raises StorageError if that fails."""
        with self.explain_errors(), self._turn(), self._open().execution_options(writes=True).begin() as connection:
            yield connection
        if self.fault is not FileFault.BROKEN:
            self.fault = None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let threads write into a file in turn: SQLite would let some wait forever."""
        if not self.shared and not self._writing.acquire(timeout=_BUSY_MS / 1000):
            raise sqlite3.OperationalError("database is locked")
        try:
            yield
        finally:
            if not self.shared:
                self._writing.release()

    def exists(self) -> bool:
        """Return whether the file exists; True for a server."""
        return self._path is None or self._path.exists()

    def problem(self) -> str:
        """Return a Korean sentence about what makes, or recently made, the database unusable; empty if nothing does."""
        if self._path is not None and not self._path.exists():  # which is no problem where it may be made
            folder = next(folder for folder in self._path.parents if folder.exists())
            return "" if os.access(folder, os.W_OK | os.X_OK) else self._korean[FileFault.CLOSED]
        try:
            with self.reading():
                pass
        except StorageError as error:
            return error.korean
        return self._korean[self.fault] if self.fault not in (None, FileFault.LOCKED) else ""

    def _disk_is_full(self) -> bool:
        """Return whether SQLite has no room to open the file; it reports that like any disk error."""
        with suppress(OSError):
            return self._path is not None and disk_usage(self._path.parent).free < _OPENS_WITH
        return False

    def close(self) -> None:
        """Close the connections; they reopen on use."""
        with self._opening:
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None

    def _open(self) -> Engine:
        with self._opening:
            if self._failure is not None and self._monotonic() < self._retry_at:
                raise StorageError(str(self._failure), korean=self._failure.korean)
            if self._engine is None:
                self._engine = self._set_up_engine()
            self._failure = None
            return self._engine

    def _set_up_engine(self) -> Engine:
        """Return an engine over the tables, which are created if missing; raises StorageError."""
        with self.explain_errors():
            engine = self._make()
            try:
                with engine.execution_options(writes=True).begin() as connection:
                    self._make_tables(connection)
            except BaseException:
                engine.dispose()
                raise
            return engine

    @contextmanager
    def explain_errors(self, *damage: type[Exception]) -> Iterator[None]:
        """Turn database errors, and errors caused by damaged rows (*damage*), into StorageError."""
        from sqlalchemy.exc import SQLAlchemyError

        of_damage: tuple[type[Exception], ...] = (*_DAMAGE, *damage)
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            # Not chained: what a driver says of a refused row repeats parts of it.
            raise self._explanation(getattr(error, "orig", None) or error) from None
        except of_damage as error:
            self.fault = FileFault.BROKEN
            korean = DAMAGED_ROW_KOREAN if self.shared else self._korean[FileFault.BROKEN]
            cause = f"The database {self.place} holds a damaged row: {type(error).__name__}"
            raise StorageError(cause if self.shared else f"{cause}; {REMEDY}", korean=korean) from None

    def _explanation(self, error: BaseException) -> StorageError:
        if self.shared:
            cause, korean, unreachable = server_fault(error)
        else:
            of_file = isinstance(error, sqlite3.Error | OSError)
            cause = f"{type(error).__name__}: {error}" if of_file else type(error).__name__
            fault = fault_of(error) if of_file else FileFault.CLOSED
            if fault is FileFault.CLOSED and self._disk_is_full():
                fault = FileFault.FULL
            korean, unreachable = self._korean[fault], False
            if not isinstance(error, sqlite3.IntegrityError):  # an integrity error refuses one row only
                self.fault = fault
                cause += f"; {REMEDY}" if fault is FileFault.BROKEN else ""
        failure = StorageError(f"The database {self.place} cannot be used: {cause}", korean=korean)
        if unreachable:
            self._failure, self._retry_at = failure, self._monotonic() + PAUSE_S
        return failure
