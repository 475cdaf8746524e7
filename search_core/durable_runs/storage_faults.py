"""Handles a database that fails: a step is retried for a minute, then its workflow is left unfinished, not ended."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from search_core.errors import StorageError

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)

DATABASE_FAULTS = (StorageError, SQLAlchemyError, sqlite3.Error)
"""What our store and DBOS raise when the database cannot be read or written."""
TRIES = 60
PAUSE_S = 1.0


class WorkflowAbandoned(BaseException):
    """Leaves a workflow unfinished for ``Takeover``; DBOS records an outcome for every Exception, and for this none."""


async def retry_storage(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what *call* gives on a worker thread, tried for about a minute while it raises StorageError.

    Raises the last StorageError then.
    """
    for tried in range(1, TRIES):
        try:
            return await asyncio.to_thread(call, *args, **kwargs)
        except StorageError as error:
            if tried == 1:
                logger.warning("A run waits for its database: %s", error)
            await asyncio.sleep(PAUSE_S)
    return await asyncio.to_thread(call, *args, **kwargs)
