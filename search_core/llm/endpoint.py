"""The one way to an OpenAI-compatible endpoint (openai 3.52, over httpx2): address, key, bounds and typed failures.

Each request has a client of its own and no connection stays open, so nothing here belongs to an event loop. What servers say is
left out of every text: some repeat the key, some the question.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, TypeVar

import httpx2
import openai

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.failures import model_error, unreadable_answer
from search_core.llm.prompt import ChatMessage
from search_core.settings import Settings

CLIENT_ERRORS = (openai.OpenAIError, httpx2.HTTPError, TimeoutError, json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What a request can raise; RecursionError is JSON nested too deeply."""

_SECONDS = re.compile(r"\d{1,6}(\.\d{1,3})?", re.ASCII)
_FORBIDDEN = "언어 모델이 이 키로는 쓸 수 없다고 해요."
_BY_STATUS = {
    400: Kind.REJECTED,
    401: Kind.REFUSED_KEY,
    403: Kind.REFUSED_KEY,
    404: Kind.NO_MODEL,
    408: Kind.TIMEOUT,
    413: Kind.REJECTED,
    422: Kind.REJECTED,
    429: Kind.RATE_LIMITED,
}
_BY_CODE = {
    "insufficient_quota": Kind.QUOTA,
    "rate_limit_exceeded": Kind.RATE_LIMITED,
    "invalid_api_key": Kind.REFUSED_KEY,
    "model_not_found": Kind.NO_MODEL,
    "context_length_exceeded": Kind.REJECTED,
}
OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
NO_KEY = "not-needed"
"""Local servers want no key, the client wants one."""
TOTAL_TIMES = 6
"""An answer that keeps coming may take this many times the seconds it may be silent."""

_Answer = TypeVar("_Answer")
Send = Callable[[openai.AsyncOpenAI], Awaitable[_Answer]]
"""Sends one request by a client."""


class TooMuchError(httpx2.TransportError):
    """Stops an answer that grows beyond its bound, or that is packed so that its size cannot be bounded."""


def to_model_error(error: Exception, *, streaming: bool = False) -> LanguageModelError:
    """Return the typed error of a request that raised one of ``CLIENT_ERRORS``.

    *streaming* says that the answer had begun, so that a lost connection is a cut answer.
    """
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException | TimeoutError):
        return model_error(Kind.TIMEOUT, "The language model did not answer in time.")
    if isinstance(error, openai.APIStatusError):
        return _status_error(error)
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        if isinstance(error, TooMuchError) or isinstance(error.__cause__, TooMuchError):
            return unreadable_answer("it is too large")
        if streaming:
            return model_error(Kind.CUT, "The connection to the language model broke off.")
        return model_error(Kind.UNREACHABLE, "The language model endpoint cannot be reached.")
    if type(error) is openai.APIError:  # an error sent inside a stream has no status
        kind = _by_code(error) or Kind.UNAVAILABLE
        return model_error(kind, "The language model endpoint ended its answer with an error.")
    return unreadable_answer(type(error).__name__)


def _status_error(error: openai.APIStatusError) -> LanguageModelError:
    status = error.status_code
    if _by_code(error) is Kind.QUOTA:
        return model_error(Kind.QUOTA, f"The language model's quota is exhausted (HTTP {status}).", status=status)
    kind = _BY_STATUS.get(status, Kind.UNAVAILABLE)
    korean = _FORBIDDEN if status == httpx2.codes.FORBIDDEN else ""
    what = f"The language model endpoint answered HTTP {status}."
    return model_error(kind, what, korean=korean, status=status, retry_after_s=_retry_after_s(error))


def _retry_after_s(error: openai.APIStatusError) -> float | None:
    """Return the pause that the answer asks for in seconds; dates are left out, endpoints of models do not send them."""
    header = error.response.headers.get("retry-after", "").strip()
    return float(header) if _SECONDS.fullmatch(header) else None


def _by_code(error: openai.APIError) -> Kind | None:
    """Return the kind that the error's own code or type names; both are foreign JSON and can be of any type."""
    named = (_BY_CODE[name] for name in (error.code, error.type) if isinstance(name, str) and name in _BY_CODE)
    return next(named, None)


class Endpoint:
    """Holds where to ask and with which key; opens clients that are bounded in time and size."""

    def __init__(self, settings: Settings, *, timeout_s: float | None = None) -> None:
        """Take address, key and timeout from *settings*, the latter unless *timeout_s* is given; sends no request."""
        self._key = settings.openai_api_key.get_secret_value()
        self.base_url = settings.openai_base_url or (OPENAI_URL if self._key else "")
        self.timeout_s = settings.openai_timeout if timeout_s is None else timeout_s
        self.total_s = TOTAL_TIMES * settings.openai_timeout if timeout_s is None else timeout_s

    def chat_arguments(
        self, model: str, messages: Sequence[ChatMessage], max_tokens: int | None, temperature: float | None = None
    ) -> dict[str, Any]:
        """Return what a chat completion is asked with; OpenAI's newer models refuse the name of the bound that others know."""
        limit = "max_completion_tokens" if self.base_url == OPENAI_URL else "max_tokens"
        said = [{"role": message.role, "content": message.content} for message in messages]
        bounds = {limit: max_tokens or None, "temperature": temperature}
        return {"model": model, "messages": said, **{name: value for name, value in bounds.items() if value is not None}}

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

    async def ask(self, send: Send[_Answer], *, max_bytes: int, timeout_s: float | None = None) -> _Answer:
        """Return what *send* brings by a client, within *timeout_s* seconds or the endpoint's own; raises LanguageModelError."""
        try:
            async with (
                asyncio.timeout(self.total_s if timeout_s is None else timeout_s),
                self.client(max_bytes=max_bytes, timeout_s=timeout_s) as client,
            ):
                return await retry_connect(lambda: send(client))
        except CLIENT_ERRORS as error:
            raise to_model_error(error) from None


async def retry_connect(ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Return what *ask* returns, asked a second time where no connection came about; nothing was sent then."""
    try:
        return await ask()
    except openai.APIConnectionError as error:
        if not isinstance(error.__cause__, httpx2.ConnectError):
            raise
    return await ask()


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
