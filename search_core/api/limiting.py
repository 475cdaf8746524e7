"""Limits on how often a caller may call, and on how many requests at the same time."""

from __future__ import annotations

import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError
from pydantic import SecretStr

if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool

logger = logging.getLogger(__name__)

PREFIX = "maekrak:limits"
REDIS_WAIT_S = 0.25
REDIS_PAUSE_S = 30.0
"""Seconds after a failure in which Redis is not asked and each process counts for itself."""


class RateLimits:
    """Counts requests in moving windows: in Redis, for all processes together, where there is one; else in memory.

    While Redis fails, limits still hold: the process counts for itself, and logs that once.
    """

    def __init__(self, redis_url: SecretStr, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._in_memory = MovingWindowRateLimiter(MemoryStorage())
        self._connections = _connections(redis_url.get_secret_value()) if redis_url.get_secret_value() else None
        self._shared = _in_redis(self._connections) if self._connections is not None else None
        self._monotonic = monotonic
        self._retry_at = 0.0
        self._down = False

    async def wait_s(self, limit: RateLimitItem, key: str) -> int:
        """Count a request of *key*; return 0 when it is within *limit*, else the seconds to wait, at least 1."""
        if self._shared is not None and self._monotonic() >= self._retry_at:
            try:
                wait_s = await _count_request(self._shared, limit, key)
            except (StorageError, OSError, ValueError) as error:
                self._leave_redis(error)
            else:
                self._down = False
                return wait_s
        return await _count_request(self._in_memory, limit, key)

    async def aclose(self) -> None:
        """Close the connections to Redis."""
        if self._connections is not None:
            await self._connections.aclose()

    def _leave_redis(self, error: Exception) -> None:
        self._retry_at = self._monotonic() + REDIS_PAUSE_S
        if not self._down:
            cause = type(error.__cause__ or error).__name__
            logger.warning("Redis cannot count the requests of the API (%s); each process counts for itself", cause)
        self._down = True


class OpenRequests:
    """Counts how many requests of each caller are being answered; for one event loop."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def count(self, key: str) -> int:
        """Return how many requests of *key* are being answered."""
        return self._open[key]

    @contextmanager
    def one_more(self, key: str) -> Iterator[None]:
        """Count one more while the ``with`` block runs."""
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


async def _count_request(limiter: MovingWindowRateLimiter, limit: RateLimitItem, key: str) -> int:
    if await limiter.hit(limit, key):
        return 0
    stats = await limiter.get_window_stats(limit, key)
    return max(1, math.ceil(stats.reset_time - time.time()))


def _connections(url: str) -> ConnectionPool:
    """Return connections with a short timeout and one try, which send no client information."""
    from redis.asyncio import ConnectionPool
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    return ConnectionPool.from_url(
        url,
        socket_timeout=REDIS_WAIT_S,
        socket_connect_timeout=REDIS_WAIT_S,
        retry=Retry(NoBackoff(), 0),
        driver_info=None,
        protocol=2,
    )


def _in_redis(connections: ConnectionPool) -> MovingWindowRateLimiter:
    storage = RedisStorage(
        "async+redis://",
        wrap_exceptions=True,
        implementation="redispy",
        key_prefix=PREFIX,
        connection_pool=connections,  # type: ignore[arg-type]
    )
    return MovingWindowRateLimiter(storage)
