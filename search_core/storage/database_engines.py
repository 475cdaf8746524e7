"""How the database is opened: engines for a SQLite file, for one that can only be read, and for PostgreSQL, and its tables."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search_core.errors import SettingsError, StorageError
from search_core.storage.json_codec import json_text, json_value
from search_core.storage.sqlite_file import write_ahead

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import URL, Connection, Engine

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

    from search_core.storage.tables import METADATA, SCHEMA, VERSION

    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_SETTING_UP)))
    SCHEMA.create(connection, checkfirst=True)
    known = check_version(connection)
    METADATA.create_all(connection)
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
