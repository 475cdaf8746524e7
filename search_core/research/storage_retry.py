"""A database that is away for a moment costs a run some time, not its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from search_core.errors import StorageError

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)

TRIES = 60
PAUSE_S = 1.0


async def retry_storage(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what *call* gives on a worker thread, tried for about a minute while it raises StorageError.

    Raises the last StorageError then.
    """
    for tried in range(1, TRIES):
        try:
            return await asyncio.to_thread(call, *args, **kwargs)
        except StorageError as error:
            if tried == 1:
                logger.warning("Research waits for its database: %s", error)
            await asyncio.sleep(PAUSE_S)
    return await asyncio.to_thread(call, *args, **kwargs)
