"""The database of conversations and research: a SQLite file of its own, or PostgreSQL shared by several machines."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from search_core.errors import StorageError
from search_core.settings import Settings
from search_core.storage.database_engines import (
    check_version,
    file_engine,
    make_tables,
    postgresql_url,
    reading_engine,
    server_engine,
    without_credentials,
)
from search_core.storage.database_faults import DAMAGED_ROW_KOREAN, FILE, FILE_KOREAN, file_fault, server_fault
from search_core.storage.sqlite_file import FileFault

if TYPE_CHECKING:  # SQLAlchemy takes 0.2 s to import, which the first page need not wait for
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

PAUSE_S = 3.0
"""Seconds during which a database that could not be reached is not tried again."""
_DAMAGE = (ValueError, TypeError, LookupError)
"""What reading rows raises that were not written like that."""


class Database:
    """Opens the database when it is first needed and makes its tables; safe to use from many threads.

    A process holds one. ``url`` is the address as SQLAlchemy writes it, password included; ``place`` is all that logs and
    errors say of it. ``shared`` says whether processes on other machines may use the same database.
    """

    def __init__(self, address: str | Path, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Take the path of a SQLite file, or the address of a PostgreSQL database; nothing is opened yet.

        Raises SettingsError when the address cannot be read.
        """
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
        self._engine: Engine | None = None
        self._reader: Engine | None = None
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
        with self.explain_errors(), self._open().execution_options(writes=True).begin() as connection:
            yield connection
        if self.fault is not FileFault.BROKEN:
            self.fault = None

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
                    make_tables(connection)
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
                    check_version(connection)
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
            korean = DAMAGED_ROW_KOREAN if self.shared else FILE_KOREAN[FileFault.BROKEN]
            raise StorageError(f"The database {self.place} holds a damaged row: {type(error).__name__}", korean=korean) from None

    def _explanation(self, error: BaseException) -> StorageError:
        if self.shared:
            cause, korean, unreachable = server_fault(error)
        else:
            cause, fault = file_fault(error)
            korean, unreachable = FILE_KOREAN[fault], False
            if not isinstance(error, sqlite3.IntegrityError):  # it is the row that is refused then
                self.fault = fault
        failure = StorageError(f"The database {self.place} cannot be used: {cause}", korean=korean)
        if unreachable:
            self._failure, self._retry_at = failure, self._monotonic() + PAUSE_S
        return failure
