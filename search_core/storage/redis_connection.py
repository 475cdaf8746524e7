"""The connection to Redis: short timeouts, no retries, and a pause after a failure."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import SecretStr

from search_core.errors import SettingsError, StorageError

if TYPE_CHECKING:
    from redis import Redis

T = TypeVar("T")

TIMEOUT_S = 0.25
"""redis-py 8.1 waits 5 s and tries ten times: a silent Redis would hold a search for more than 45 s (measured 2026-11-20)."""
PAUSE_S = 5.0
_UNUSABLE = (
    "REDIS_URL must look like redis://[user:password@]host:port/0, rediss://… or unix:///path, special characters written as %XX."
)
_UNUSABLE_KOREAN = (
    "REDIS_URL을 읽을 수 없어요. redis://[사용자:비밀번호@]호스트:포트/0, rediss://… 또는 unix:///경로 꼴로 적어 주세요."
    " 비밀번호의 특수 문자는 %XX로 바꿔 주세요."
)
_NOT_INSTALLED = "REDIS_URL is set, but the client of Redis is not installed: run `make scaling`, or leave REDIS_URL empty."
_NOT_INSTALLED_KOREAN = (
    "REDIS_URL을 쓰려면 Redis 클라이언트가 필요해요. 서버에서 make scaling을 실행하거나 REDIS_URL을 비워 주세요."
)


class RedisConnection:
    """The Redis at an address; thread-safe.

    No packet is waited for longer than *timeout_s* seconds. After a failure to reach Redis further calls fail at once for
    ``PAUSE_S`` seconds, then one tries again. ``place`` is host and port, all that logs and errors say of the address.
    """

    def __init__(
        self,
        url: SecretStr,
        *,
        timeout_s: float = TIMEOUT_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take REDIS_URL; connects on first use.

        Raises SettingsError when the address cannot be read or redis-py is not installed.
        """
        if importlib.util.find_spec("redis") is None:
            raise SettingsError(_NOT_INSTALLED, korean=_NOT_INSTALLED_KOREAN)
        options = _read(url.get_secret_value())
        self.place = str(options["path"]) if "path" in options else f"{options['host']}:{options.get('port', 6379)}"
        self._client = _client(options, timeout_s)
        self._monotonic = monotonic
        self._failure: StorageError | None = None
        self._retry_at = 0.0

    def call(self, work: Callable[[Redis], T]) -> T:
        """Return the result of *work*.

        Raises StorageError when Redis cannot be reached or refuses; its text holds nothing that Redis said.
        """
        import redis

        if (failure := self._failure) is not None and self._monotonic() < self._retry_at:
            raise StorageError(str(failure), korean=failure.korean)
        try:
            result = work(self._client)
        except redis.TimeoutError:
            raise self._down("no answer in time", "Redis가 제때 답하지 않아요. 서버가 살아 있는지 확인해 주세요.") from None
        except redis.AuthenticationError:
            raise self._down("wrong user or password", "Redis가 비밀번호를 받지 않았어요. REDIS_URL을 확인해 주세요.") from None
        except redis.OutOfMemoryError:
            raise self._error("out of memory", "Redis에 남은 메모리가 없어요. maxmemory 설정을 확인해 주세요.") from None
        except redis.ResponseError as error:  # its text may repeat the command, which holds a query
            raise self._error(
                type(error).__name__, "Redis가 명령을 거절했어요. 권한과 저장된 키의 종류를 확인해 주세요."
            ) from None
        except (redis.RedisError, OSError, ValueError) as error:  # a host that is no name, an answer that is not Redis'
            raise self._down(type(error).__name__, "Redis에 연결하지 못했어요. 서버와 REDIS_URL을 확인해 주세요.") from None
        self._failure = None
        return result

    def close(self) -> None:
        """Close the connections; they reopen on use."""
        self._client.close()

    def _down(self, cause: str, korean: str) -> StorageError:
        self._retry_at = self._monotonic() + PAUSE_S
        self._failure = self._error(cause, korean)
        return self._failure

    def _error(self, cause: str, korean: str) -> StorageError:
        return StorageError(f"Redis at {self.place} cannot be used: {cause}", korean=korean)


def _read(url: str) -> dict[str, Any]:
    """Return the redis-py options for *url*; raises SettingsError, which does not repeat it."""
    from redis.connection import Connection, parse_url

    try:
        options: dict[str, Any] = parse_url(url)  # type: ignore[no-untyped-call]
        kind = options.get("connection_class", Connection)
        kind(**{name: value for name, value in options.items() if name != "connection_class"})  # unknown ones are a TypeError
    except (TypeError, ValueError):
        options = {}
    if "path" not in options and "host" not in options:
        raise SettingsError(_UNUSABLE, korean=_UNUSABLE_KOREAN)
    return options


def _client(options: dict[str, Any], timeout_s: float) -> Redis:
    """Return a client with short timeouts and one try, which sends nothing about itself."""
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    bounded: dict[str, Any] = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": None,
        "decode_responses": False,
        "protocol": 2,
    }
    return redis.Redis.from_pool(redis.ConnectionPool(**options | bounded))
