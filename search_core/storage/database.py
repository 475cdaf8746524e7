"""The database of conversations and research: a SQLite file of its own, or PostgreSQL shared by several machines."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from search_core.errors import SettingsError, StorageError
from search_core.settings import Settings
from search_core.storage.json_codec import json_text, json_value
from search_core.storage.sqlite_file import FileFault, fault_of, write_ahead

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import URL, Connection, Engine

FILE = "maekrak.sqlite"
CONNECT_S = 5
"""Seconds PostgreSQL may take to answer a new connection; ``connect_timeout`` in the address goes before it."""
PAUSE_S = 3.0
"""Seconds during which a database that could not be reached is not tried again."""
_BUSY_MS = 10_000
"""Another process may be writing; no transaction takes more than some milliseconds."""
_CONNECTIONS = 5
_WAIT_FOR_CONNECTION_S = 10
_LOST_AFTER_S = 15
"""Seconds after which a connection whose other end is gone counts as lost; the default of Linux is two hours."""
_FILE_KOREAN = {
    FileFault.LOCKED: "다른 곳에서 대화를 저장하고 있어요. 잠시 뒤에 다시 시도해 주세요.",
    FileFault.FULL: "디스크에 남은 공간이 없어요. 공간을 비우고 다시 시도해 주세요.",
    FileFault.BROKEN: f"대화 저장소가 손상되었어요. 데이터 폴더의 {FILE} 파일을 옮겨 두고 다시 시작해 주세요.",
    FileFault.CLOSED: "대화 저장소를 열지 못했어요. 데이터 폴더의 권한을 확인해 주세요.",
}
_SETTING_UP = 0x6D61656B
"""Key of the advisory lock under which one process makes the tables."""


class Database:
    """Opens the database when it is first needed and makes its tables; safe to use from many threads.

    A process holds one. ``url`` is the address as SQLAlchemy writes it, password included; ``place`` is all that logs and
    errors say of it. ``shared`` tells whether processes on other machines may use the same database.
    """

    def __init__(self, address: str | Path, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Take the path of a SQLite file, or the address of a PostgreSQL database; nothing is opened yet.

        Raises SettingsError when the address cannot be read.
        """
        if isinstance(address, Path):
            path = address.absolute()
            self._make = partial(_file_engine, path)
            self.url, self.place, self.shared = SecretStr(f"sqlite:///{path}"), path.name, False
        else:
            url = _postgresql(address)
            self._make = partial(_server_engine, url)
            self.url, self.place, self.shared = SecretStr(url.render_as_string(hide_password=False)), _named(url), True
        self._monotonic = monotonic
        self._opening = threading.Lock()
        self._engine: Engine | None = None
        self._failure: StorageError | None = None
        self._retry_at = 0.0

    @classmethod
    def of(cls, settings: Settings) -> Database:
        """Return the database that DATABASE_URL names, or ``maekrak.sqlite`` in the data folder; nothing is opened yet.

        Raises SettingsError when the address cannot be read.
        """
        return cls(settings.database_url.get_secret_value() or settings.maekrak_data_dir / FILE)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection inside one transaction that only reads; raises StorageError when the database cannot be read."""
        with self._explained(), self._opened().begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Lend a connection inside one transaction, kept whole or not at all; raises StorageError when it cannot be written."""
        with self._explained(), self._opened().execution_options(writes=True).begin() as connection:
            yield connection

    def close(self) -> None:
        """Close the connections; they open again when they are needed."""
        with self._opening:
            engine, self._engine = self._engine, None
            if engine is not None:
                engine.dispose()

    def _opened(self) -> Engine:
        with self._opening:
            if self._failure is not None and self._monotonic() < self._retry_at:
                raise StorageError(str(self._failure), korean=self._failure.korean)
            if self._engine is None:
                engine = self._make()
                try:
                    with engine.execution_options(writes=True).begin() as connection:
                        _set_up(connection)
                except BaseException:
                    engine.dispose()
                    raise
                self._engine = engine
            self._failure = None
            return self._engine

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            # Not chained: what a driver says of a refused row repeats parts of it.
            raise self._explanation(getattr(error, "orig", None) or error) from None

    def _explanation(self, error: BaseException) -> StorageError:
        cause, korean, unreachable = _server_fault(error) if self.shared else _file_fault(error)
        failure = StorageError(f"The database {self.place} cannot be used: {cause}", korean=korean)
        if unreachable:
            self._failure, self._retry_at = failure, self._monotonic() + PAUSE_S
        return failure


def _file_engine(path: Path) -> Engine:
    from sqlalchemy import URL, create_engine, event

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": _BUSY_MS / 1000, "isolation_level": None},
        pool_size=_CONNECTIONS,
        pool_timeout=_WAIT_FOR_CONNECTION_S,
        json_serializer=json_text,
        json_deserializer=json_value,
        hide_parameters=True,
    )
    event.listen(engine, "connect", _prepare_file_connection)
    event.listen(engine, "begin", _begin)
    return engine


def _server_engine(url: URL) -> Engine:
    from sqlalchemy import create_engine

    arguments: dict[str, Any] = {
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
        json_serializer=json_text,
        json_deserializer=json_value,
        hide_parameters=True,
    )


def _postgresql(address: str) -> URL:
    """Return *address* for psycopg 3; raises SettingsError that does not repeat it."""
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


def _named(url: URL) -> str:
    host = url.host or url.query.get("host") or "localhost"
    return f"{host}:{url.port or 5432}/{url.database}"


def _prepare_file_connection(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA foreign_keys=ON")
    write_ahead(connection)


def _begin(connection: Connection) -> None:
    """Begin a transaction; one that reads first and writes then would be refused at once where another writes meanwhile."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_up(connection: Connection) -> None:
    """Make the tables where there are none; raises StorageError when a later version made them."""
    from sqlalchemy import func, insert, select

    from search_core.storage.tables import METADATA, SCHEMA, VERSION

    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_SETTING_UP)))
    SCHEMA.create(connection, checkfirst=True)
    version = connection.execute(select(SCHEMA.c.version)).scalar()
    if version is not None and version > VERSION:
        raise StorageError(
            f"The database is of version {version}, this program reads {VERSION}.",
            korean="더 새로운 버전에서 만든 대화 저장소예요. 맥락을 새 버전으로 바꿔 주세요.",
        )
    METADATA.create_all(connection)
    if version is None:
        connection.execute(insert(SCHEMA).values(version=VERSION))


def _file_fault(error: BaseException) -> tuple[str, str, bool]:
    """Return cause, Korean sentence and whether to leave the database alone for a while."""
    cause = f"{type(error).__name__}: {error}" if isinstance(error, sqlite3.Error | OSError) else type(error).__name__
    fault = fault_of(error) if isinstance(error, sqlite3.Error | OSError) else FileFault.CLOSED
    return cause, _FILE_KOREAN[fault], False


def _server_fault(error: BaseException) -> tuple[str, str, bool]:
    """Return cause, Korean sentence and whether to leave the database alone for a while.

    The kinds are PostgreSQL's (postgresql.org/docs/current/errcodes-appendix.html, 2026-11-21).
    """
    state = getattr(error, "sqlstate", None) or ""
    text = str(error)
    cause = f"{type(error).__name__} {state}".strip()
    if state.startswith("28") or "password authentication failed" in text or "no password supplied" in text:
        return f"{cause}: user or password refused", "데이터베이스가 로그인을 거절했어요. DATABASE_URL을 확인해 주세요.", True
    if state == "3D000" or ("database" in text and "does not exist" in text):
        return f"{cause}: no such database", "그 이름의 데이터베이스가 없어요. DATABASE_URL을 확인해 주세요.", True
    if state == "42501":
        return f"{cause}: not permitted", "데이터베이스 사용자의 권한이 모자라요. 테이블 권한을 확인해 주세요.", False
    if state[:2] in ("53", "54"):
        return f"{cause}: out of resources", "데이터베이스에 남은 자원이 없어요. 잠시 뒤에 다시 시도해 주세요.", False
    if type(error).__name__ in ("OperationalError", "ConnectionTimeout", "AdminShutdown", "CannotConnectNow"):
        return f"{cause}: not reached", "데이터베이스에 연결하지 못했어요. 서버와 DATABASE_URL을 확인해 주세요.", True
    if type(error).__name__ == "TimeoutError":
        return f"{cause}: no connection free", "데이터베이스가 바빠요. 잠시 뒤에 다시 시도해 주세요.", False
    return cause, "데이터베이스가 요청을 처리하지 못했어요. 잠시 뒤에 다시 시도해 주세요.", False
