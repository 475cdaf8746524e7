"""A disk that takes no more, as SQLite meets it: connections that SQLAlchemy opens are refused their writes while it is full."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "BEGIN IMMEDIATE")


class FailingDisk:
    """Fills up and has room again as a test says."""

    def __init__(self, refusal: str = "database or disk is full", code: int = sqlite3.SQLITE_FULL) -> None:
        """Take what SQLite says of a write, and its code for that."""
        self.full = False
        self._refusal = refusal
        self._code = code

    @contextmanager
    def mounted(self) -> Iterator[FailingDisk]:
        """Let all SQLite files that are opened from now on lie on this disk."""
        disk = self

        class Cursor(sqlite3.Cursor):
            def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
                disk.check(statement)
                return super().execute(statement, *values)

            def executemany(self, statement: str, *values: Any) -> sqlite3.Cursor:
                disk.check(statement)
                return super().executemany(statement, *values)

        class Connection(sqlite3.Connection):
            def cursor(self, *_: Any, **__: Any) -> sqlite3.Cursor:
                return super().cursor(Cursor)

        def connect(_: Any, __: Any, arguments: Any, named: dict[str, Any]) -> sqlite3.Connection:
            return sqlite3.connect(*arguments, **{**named, "factory": Connection})

        event.listen(Engine, "do_connect", connect)
        try:
            yield self
        finally:
            event.remove(Engine, "do_connect", connect)

    def check(self, statement: str) -> None:
        """Raise what SQLite raises of a statement that writes, while the disk is full."""
        if self.full and statement.lstrip().upper().startswith(_WRITES):
            refused = sqlite3.OperationalError(self._refusal)
            refused.sqlite_errorcode = self._code
            raise refused
