"""The database of conversations and research: a SQLite file of its own, or PostgreSQL shared by several machines.

How it is opened, and what its errors mean: a cause for the log, a Korean sentence for the page, and what to do next.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from search_core.errors import SettingsError, StorageError
from search_core.settings import Settings
from search_core.storage.json_codec import json_text, json_value
from search_core.storage.sqlite_file import FileFault, fault_of, write_ahead

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import URL, Connection, Engine

logger = logging.getLogger(__name__)

FILE = "maekrak.sqlite"
FILE_KOREAN = {
    FileFault.LOCKED: "다른 곳에서 대화를 저장하고 있어요. 잠시 뒤에 다시 시도해 주세요.",
    FileFault.FULL: "디스크에 남은 공간이 없어요. 공간을 비우고 다시 시도해 주세요.",
    FileFault.BROKEN: f"대화 저장소({FILE})가 손상되었어요. 앱을 끄고 python -m search_core recover 명령을 실행하면 읽을 수 있는"
    " 내용을 살리고, 손상된 파일은 그대로 남겨 둬요.",
    FileFault.CLOSED: "대화 저장소를 열지 못했어요. 데이터 폴더의 권한을 확인해 주세요.",
}
DAMAGED_ROW_KOREAN = "저장된 내용의 일부가 손상되어 읽지 못했어요. 로그를 확인해 주세요."
_EVERY_ENGINE: dict[str, Any] = {"json_serializer": json_text, "json_deserializer": json_value, "hide_parameters": True}
_BUSY_MS = 10_000
"""Another process may be writing; no transaction takes more than some milliseconds."""
_CONNECTIONS = 5
_WAIT_FOR_CONNECTION_S = 10
_LOST_AFTER_S = 15
"""Seconds after which a connection whose other end is gone counts as lost; the default of Linux is two hours."""
CONNECT_S = 5
"""Seconds PostgreSQL may take to answer a new connection; ``connect_timeout`` in the address goes before it."""
_SETTING_UP = 0x6D61656B
"""Key of the advisory lock under which one process makes the tables."""
PAUSE_S = 3.0
"""Seconds during which a database that could not be reached is not tried again."""
_DAMAGE = (ValueError, TypeError, LookupError)
"""What reading rows raises that were not written like that."""


def file_fault(error: BaseException) -> tuple[str, FileFault]:
    """Return cause and kind of what a file says."""
    if isinstance(error, sqlite3.Error | OSError):
        return f"{type(error).__name__}: {error}", fault_of(error)
    return type(error).__name__, FileFault.CLOSED


def server_fault(error: BaseException) -> tuple[str, str, bool]:
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


def file_engine(path: Path) -> Engine:
    """Return an engine for a SQLite file, which is made where there is none."""
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


def reading_engine(path: Path) -> Engine:
    """Return an engine that only reads; where it is not allowed to write beside the file, it is taken as one that never changes.

    SQLite needs to make files beside a database in WAL mode even to read it (sqlite.org/wal.html#readonly).
    """
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_BUSY_MS / 1000, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            connection = sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True, isolation_level=None)
        connection.text_factory = _decode
        return connection

    engine = create_engine(
        "sqlite://",
        creator=connect,
        poolclass=NullPool,
        **_EVERY_ENGINE,
    )
    event.listen(engine, "begin", _begin)
    return engine


def server_engine(url: URL) -> Engine:
    """Return an engine for a PostgreSQL database."""
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
        **_EVERY_ENGINE,
    )


def postgresql_url(address: str) -> URL:
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


def without_credentials(url: URL) -> str:
    """Return what may be said of an address: all but user and password."""
    host = url.host or url.query.get("host") or "localhost"
    return f"{host}:{url.port or 5432}/{url.database}"


def _prepare_file_connection(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA recursive_triggers=ON")
    connection.text_factory = _decode
    write_ahead(connection)


def _decode(text: bytes) -> str:
    """Return text as it is stored; a damaged letter does not hide the rest of its row."""
    return text.decode("utf-8", "replace")


def _begin(connection: Connection) -> None:
    """Begin a transaction; one that reads first and writes then would be refused at once where another writes meanwhile."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def make_tables(connection: Connection) -> None:
    """Make the tables where there are none; raises StorageError when a later version made them."""
    from sqlalchemy import func, insert, select

    from search_core.storage.tables import METADATA, SCHEMA, SHARED_LIBRARY, VERSION

    shared = connection.dialect.name == "postgresql"
    if shared:
        connection.execute(select(func.pg_advisory_xact_lock(_SETTING_UP)))
    SCHEMA.create(connection, checkfirst=True)
    known = check_version(connection)
    for tables in (METADATA, SHARED_LIBRARY) if shared else (METADATA,):
        tables.create_all(connection)
    if not known:
        connection.execute(insert(SCHEMA).values(version=VERSION))


def check_version(connection: Connection) -> bool:
    """Return whether the tables have a version; raises StorageError when a later program made them."""
    from sqlalchemy import select

    from search_core.storage.tables import SCHEMA, VERSION

    version = connection.execute(select(SCHEMA.c.version)).scalar()
    if version is not None and version > VERSION:
        raise StorageError(
            f"The database is of version {version}, this program reads {VERSION}.",
            korean="더 새로운 버전에서 만든 대화 저장소예요. 맥락을 새 버전으로 바꿔 주세요.",
        )
    return version is not None


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds: how its tables are made and looked at, and what a fault of its file means to the user."""

    make: Callable[[Connection], None]
    """Makes the tables where there are none; raises StorageError when a later version made them."""
    check: Callable[[Connection], object]
    """Raises StorageError when a later version made the tables."""
    korean: Mapping[FileFault, str]


CONVERSATIONS = Contents(make_tables, check_version, FILE_KOREAN)


class Database:
    """Opens the database when it is first needed and makes its tables; safe to use from many threads.

    A process holds one. ``url`` is the address as SQLAlchemy writes it, password included; ``place`` is all that logs and
    errors say of it. ``shared`` says whether processes on other machines may use the same database.
    """

    def __init__(
        self, address: str | Path, contents: Contents = CONVERSATIONS, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Take the path of a SQLite file, or the address of a PostgreSQL database; nothing is opened yet.

        Raises SettingsError when the address cannot be read.
        """
        self._contents = contents
        self._read_only: Callable[[], Engine] | None = None
        self._path: Path | None = None
        if isinstance(address, Path):
            path = self._path = address.absolute()
            self._make, self._read_only = partial(file_engine, path), partial(reading_engine, path)
            self.url, self.place, self.shared = SecretStr(f"sqlite:///{path}"), path.name, False
        else:
            url = postgresql_url(address)
            self._make = partial(server_engine, url)
            self.url, self.place, self.shared = (
                SecretStr(url.render_as_string(hide_password=False)),
                without_credentials(url),
                True,
            )
        self.fault: FileFault | None = None
        """What last kept the file from being used, None when it was written since; that it is broken stays."""
        self._monotonic = monotonic
        self._opening = threading.Lock()
        self._writing = threading.Lock()
        self._engine: Engine | None = None
        self._reader: Engine | None = None
        self._claimed = False
        self._folder: int | None = None
        """The folder of the file, open, with a lock that it shares with other processes that have claimed the file."""
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
        """Lend a connection inside one transaction that only reads; raises StorageError when the database cannot be read.

        A file that cannot be written is read all the same.
        """
        with self.explain_errors(AttributeError, ArithmeticError), self._open(reads=True).begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Lend a connection inside one transaction, stored whole or not at all; raises StorageError when it cannot be written."""
        with self.explain_errors(), self._turn(), self._open().execution_options(writes=True).begin() as connection:
            yield connection
        if self.fault is not FileFault.BROKEN:
            self.fault = None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let threads write into a file one after the other: SQLite lets those who wait sleep, and starves some."""
        if not self.shared and not self._writing.acquire(timeout=_BUSY_MS / 1000):
            raise sqlite3.OperationalError("database is locked")
        try:
            yield
        finally:
            if not self.shared:
                self._writing.release()

    def claim(self) -> bool:
        """Count as a user of the file until ``close`` or the end of the process, however that comes.

        Return whether there was no other; False when this one counts already, and where it cannot be known: for a server, on
        Windows, and in a folder that cannot be locked.
        """
        if self._path is None or fcntl is None:
            return False
        with self._opening:
            if self._claimed:
                return False
            self._claimed = True
            try:
                self._folder = os.open(self._path.parent, os.O_RDONLY)
                fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                alone = True
            except OSError:
                alone = False
            if self._folder is not None:
                with suppress(OSError):  # a folder that cannot be locked
                    fcntl.flock(self._folder, fcntl.LOCK_SH)
            return alone

    def exists(self) -> bool:
        """Return whether there is a file; True for a server."""
        return self._path is None or self._path.exists()

    def close(self) -> None:
        """Close the connections; they open again when they are needed."""
        with self._opening:
            for engine in (self._engine, self._reader):
                if engine is not None:
                    engine.dispose()
            self._engine = self._reader = None
            if self._folder is not None:
                os.close(self._folder)
                self._folder = None

    def _open(self, *, reads: bool = False) -> Engine:
        with self._opening:
            if self._failure is not None and self._monotonic() < self._retry_at:
                raise StorageError(str(self._failure), korean=self._failure.korean)
            if self._engine is None:
                try:
                    self._engine = self._set_up_engine()
                except StorageError as error:
                    if not reads or self._read_only is None or self.fault not in (FileFault.CLOSED, FileFault.FULL):
                        raise
                    return self._open_reader(self._read_only, error)
            self._failure = None
            return self._engine

    def _set_up_engine(self) -> Engine:
        """Return an engine over the tables, made where there are none; raises StorageError."""
        with self.explain_errors():
            engine = self._make()
            try:
                with engine.execution_options(writes=True).begin() as connection:
                    self._contents.make(connection)
            except BaseException:
                engine.dispose()
                raise
            return engine

    def _open_reader(self, make: Callable[[], Engine], refused: StorageError) -> Engine:
        """Return an engine for a file that cannot be written; raises *refused* when it has no tables to read."""
        if self._reader is None:
            engine = make()
            try:
                with self.explain_errors(), engine.begin() as connection:
                    self._contents.check(connection)
            except StorageError:
                engine.dispose()
                raise refused from None
            logger.warning("The database can only be read: %s", refused)
            self._reader = engine
        return self._reader

    @contextmanager
    def explain_errors(self, *damage: type[Exception]) -> Iterator[None]:
        """Raise what a database says of a failure, or what a damaged row leads to, as StorageError; *damage* leads there too."""
        from sqlalchemy.exc import SQLAlchemyError

        of_damage: tuple[type[Exception], ...] = (*_DAMAGE, *damage)
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            # Not chained: what a driver says of a refused row repeats parts of it.
            raise self._explanation(getattr(error, "orig", None) or error) from None
        except of_damage as error:
            self.fault = FileFault.BROKEN
            korean = DAMAGED_ROW_KOREAN if self.shared else self._contents.korean[FileFault.BROKEN]
            raise StorageError(f"The database {self.place} holds a damaged row: {type(error).__name__}", korean=korean) from None

    def _explanation(self, error: BaseException) -> StorageError:
        if self.shared:
            cause, korean, unreachable = server_fault(error)
        else:
            cause, fault = file_fault(error)
            korean, unreachable = self._contents.korean[fault], False
            if not isinstance(error, sqlite3.IntegrityError):  # it is the row that is refused then
                self.fault = fault
        failure = StorageError(f"The database {self.place} cannot be used: {cause}", korean=korean)
        if unreachable:
            self._failure, self._retry_at = failure, self._monotonic() + PAUSE_S
        return failure
