"""The one way to an OpenAI-compatible endpoint (openai 3.52, over httpx2): address, key, bounds and typed failures.

Each request has a client of its own and no connection stays open, so nothing here belongs to an event loop.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TypeVar

import httpx2
import openai

from search_core.llm.failures import TooMuchError
from search_core.settings import Settings

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
NO_KEY = "not-needed"
"""Local servers want no key, the client wants one."""
TOTAL_TIMES = 6
"""An answer that keeps coming may take this many times the seconds it may be silent."""

_Answer = TypeVar("_Answer")


class Endpoint:
    """Holds where to ask and with which key; opens clients that are bounded in time and size."""

    def __init__(self, settings: Settings, *, timeout_s: float | None = None) -> None:
        """Take address, key and timeout from *settings*, the latter unless *timeout_s* is given; sends no request."""
        self._key = settings.openai_api_key.get_secret_value()
        self.base_url = settings.openai_base_url or (OPENAI_URL if self._key else "")
        self.timeout_s = settings.openai_timeout if timeout_s is None else timeout_s
        self.total_s = TOTAL_TIMES * settings.openai_timeout if timeout_s is None else timeout_s

    @asynccontextmanager
    async def client(self, *, max_bytes: int, timeout_s: float | None = None) -> AsyncIterator[openai.AsyncOpenAI]:
        """Yield a client whose answers stop at *max_bytes*, and after *timeout_s* of silence; leaving closes its connections.

        Redirects are not followed, so the key goes to the configured host only.
        """
        silence_s = self.timeout_s if timeout_s is None else timeout_s
        timeout = httpx2.Timeout(silence_s, connect=min(CONNECT_TIMEOUT_S, silence_s))
        transport = httpx2.AsyncClient(
            timeout=timeout,
            limits=httpx2.Limits(max_keepalive_connections=0),
            verify=await asyncio.to_thread(_tls_context),  # which takes a while, once
            event_hooks={"response": [_bounding_hook(max_bytes)]},
        )
        async with openai.AsyncOpenAI(
            api_key=self._key or NO_KEY,
            base_url=self.base_url,
            timeout=timeout,
            max_retries=0,
            http_client=transport,
            default_headers={"Accept-Encoding": "identity"},
        ) as client:
            yield client


async def retry_connect(ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Return what *ask* returns, asked a second time where no connection came about; nothing was sent then."""
    try:
        return await ask()
    except openai.APIConnectionError as error:
        if not isinstance(error.__cause__, httpx2.ConnectError):
            raise
    return await ask()


def limit_name(base_url: str) -> str:
    """Return what the endpoint calls the bound on an answer: OpenAI's newer models refuse the name most others alone know."""
    return "max_completion_tokens" if base_url == OPENAI_URL else "max_tokens"


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    """Return the one TLS context of the process; reading the authorities takes longer than a whole request on loopback."""
    return httpx2.create_ssl_context()


def _bounding_hook(max_bytes: int) -> Callable[[httpx2.Response], Awaitable[None]]:
    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise TooMuchError("a packed answer that was not asked for")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, max_bytes)

    return bound


class _Bounded(httpx2.AsyncByteStream):
    """Passes on an answer's bytes and raises TooMuchError when there are more than *max_bytes*."""

    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._stream = stream
        self._left = max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            if self._left < 0:
                raise TooMuchError("an answer beyond its bound")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
