"""Requests to an OpenAI-compatible endpoint (openai 3.52, over httpx2): address, key, limits and typed failures.

Each request has a client of its own and no connection stays open, so nothing here belongs to an event loop.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

import httpx2
import openai

from search_core.errors import UNTRUSTED, LanguageModelError, is_untrusted
from search_core.errors import LanguageModelFailure as Kind
from search_core.models.llm.failures import ALL, THOUGHTS, model_error, read_refusal, too_long, unreadable_answer
from search_core.models.llm.local_models import read_model_size
from search_core.models.llm.prompt import AnswerSchema, ChatMessage, estimate_tokens, fit_messages
from search_core.settings import Settings
from search_core.settings.lists import is_private_host

CLIENT_ERRORS = (openai.OpenAIError, httpx2.HTTPError, TimeoutError, json.JSONDecodeError, UnicodeDecodeError, RecursionError)
"""What a request can raise; RecursionError is JSON nested too deeply."""

_SECONDS = re.compile(r"\d{1,6}(\.\d{1,3})?", re.ASCII)
_COMPLETIONS = re.compile(r"/chat/completions/?$")
OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
SILENCE_SHARE = 1 / 3
"""Longest silence within an answer, as a share of the time that it may take to begin."""
TOTAL_TIMES = 6
"""Longest time for a whole answer, as a multiple of the time that it may take to begin."""
THINKING_TOKENS = 4_000
"""Tokens that a model may think with, besides those of its answer."""
ANSWER_SHARE = 3
"""The answer gets at most a third of the context."""
MOST_TRIES = 6
_WORTH_A_LOOK = 1_000
"""For requests of at least this many tokens, the endpoint's context size is looked up first, as it may be too small."""
_LESS = 0.6
"""If a request was too long and the endpoint does not say what fits, this share of it is tried next."""
_TOO_MUCH, _MOST_SCALE = 1.25, 2.5
"""If an estimate of tokens was too low, later ones are multiplied by the first number; all factors together end at the second."""

_Answer = TypeVar("_Answer")
Send = Callable[[openai.AsyncOpenAI], Awaitable[_Answer]]
"""Sends one request by a client."""


_TAIL_BYTES = 64


class TooMuchError(httpx2.TransportError):
    """Stops an answer that grows too large, or whose compression hides its size."""


def to_model_error(error: Exception, *, streaming: bool = False) -> LanguageModelError:
    """Return the typed error for a request that raised one of ``CLIENT_ERRORS``.

    *streaming* says that the answer had begun, so that a lost connection is a cut answer.
    """
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException | TimeoutError):
        return model_error(Kind.TIMEOUT, "The language model did not answer in time.")
    if isinstance(error, openai.APIStatusError):
        pause = error.response.headers.get("retry-after", "").strip()  # model endpoints send no dates
        return read_refusal(error.status_code, error.body, float(pause) if _SECONDS.fullmatch(pause) else None)
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        if isinstance(error, TooMuchError) or isinstance(error.__cause__, TooMuchError):
            return unreadable_answer("it is too large")
        if streaming:
            return model_error(Kind.CUT, "The connection to the language model broke off.")
        korean = f"언어 모델에 연결하지 못했어요. {UNTRUSTED}" if is_untrusted(error) else ""
        return model_error(Kind.UNREACHABLE, "The language model endpoint cannot be reached.", korean=korean)
    if type(error) is openai.APIError:  # an error sent inside a stream has no status
        return read_refusal(None, error.body)
    return unreadable_answer(type(error).__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A request to a model, before it is adapted to its endpoint."""

    model: str
    messages: Sequence[ChatMessage]
    max_tokens: int
    """Most tokens of the answer itself, without thoughts."""
    temperature: float | None = None
    schema: AnswerSchema | None = None

    @property
    def tokens(self) -> int:
        """Return the approximate number of tokens sent."""
        return sum(estimate_tokens(message.content) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Habits:
    """What an endpoint accepts, as observed, for adapting further requests."""

    limit: str = "max_tokens"
    """Name of the parameter that limits the answer; empty if it accepts none."""
    schemas: bool = True
    temperature: bool = True
    context: int | None = None
    """Tokens that question and answer may have together."""
    scale: float = 1.0
    """Tokens that it counts for each one estimated."""
    thinks: bool = False
    """Whether it thinks before it answers; its thoughts count against the limit of the answer."""
    unopened: bool = False
    """Whether its thoughts end with a mark but begin without one."""
    one_at_a_time: bool = False
    """Whether it answers one request after the other."""
    token_s: float = 0.0
    """Seconds for each token of the last request until its answer began."""

    def after(self, error: LanguageModelError, request: ChatRequest) -> Habits | None:
        """Return the habits with which to repeat *request* after *error*; None if it cannot be adapted."""
        if error.kind is Kind.TOO_LONG and error.refuses != ALL:
            return self._with_less(error, request.tokens)
        if error.refuses == THOUGHTS and not self.thinks:
            return replace(self, thinks=True)
        if error.kind is not Kind.REJECTED:
            return None
        if self.limit and error.refuses == self.limit:
            return replace(self, limit="max_completion_tokens" if self.limit == "max_tokens" else "")
        if self.schemas and request.schema is not None and error.refuses in ("", "response_format"):
            return replace(self, schemas=False)
        if self.temperature and request.temperature is not None and error.refuses in ("", "temperature"):
            return replace(self, temperature=False)
        return None

    def _with_less(self, error: LanguageModelError, tokens: int) -> Habits:
        """Return these habits with the context size that *error* states, for a request of about *tokens*."""
        if error.fits is None:
            return replace(self, context=int((self.context or tokens) * _LESS))
        scale = self.scale * _TOO_MUCH if self.context == error.fits else self.scale
        return replace(self, context=error.fits, scale=max(scale, min((error.needs or 0) / max(1, tokens), _MOST_SCALE)))


class Endpoint:
    """Holds an endpoint's address, key and observed habits; opens clients limited in time and size."""

    def __init__(self, settings: Settings, *, timeout_s: float | None = None) -> None:
        """Take address, key and timeout (unless *timeout_s* is given) from *settings*; sends no request."""
        self._key = settings.openai_api_key.get_secret_value()
        address = _COMPLETIONS.sub("", settings.openai_base_url)
        self.base_url = address or (OPENAI_URL if self._key else "")
        self.first_s = settings.openai_timeout if timeout_s is None else timeout_s
        self.silence_s = self.first_s * SILENCE_SHARE
        self.total_s = TOTAL_TIMES * self.first_s if timeout_s is None else timeout_s
        own = self.base_url == OPENAI_URL
        self.habits = Habits(limit="max_completion_tokens", thinks=True) if own else Habits()
        self._size_known = not is_private_host(self.base_url)
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    def chat_arguments(self, request: ChatRequest, habits: Habits) -> dict[str, Any]:
        """Return the arguments of a chat completion; raises LanguageModelError if the request is too long."""
        tokens = request.max_tokens + (THINKING_TOKENS if habits.thinks else 0)
        messages: Sequence[ChatMessage] | None = request.messages
        if habits.context:
            tokens = min(tokens, habits.context // ANSWER_SHARE)
            messages = fit_messages(request.messages, (habits.context - tokens) / habits.scale)
        if messages is None:
            nothing_left = too_long(habits.context, round(request.tokens * habits.scale))
            nothing_left.refuses = ALL
            raise nothing_left
        arguments: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
        }
        if habits.limit:
            arguments[habits.limit] = tokens
        if request.temperature is not None and habits.temperature:
            arguments["temperature"] = request.temperature
        if request.schema is not None and habits.schemas:
            form = {"name": request.schema.name, "strict": True, "schema": request.schema.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": form}
        return arguments

    async def negotiate(self, request: ChatRequest, send: Callable[[Habits], Awaitable[_Answer]]) -> _Answer:
        """Return the result of *send*, called again with adapted habits after each refusal; habits that help are kept.

        A context size that the endpoint states is kept in any case. Raises LanguageModelError.
        """
        if request.tokens >= _WORTH_A_LOOK:
            await self._read_size(request.model)
        habits, failure = self.habits, None
        for _ in range(MOST_TRIES):
            try:
                answer = await send(habits)
            except LanguageModelError as error:
                other = habits.after(error, request)
                if error.fits and error.refuses != ALL:
                    self.habits = replace(self.habits, context=error.fits)
                if other is None:
                    raise (failure if failure is not None and error.refuses == ALL else error) from None
                habits, failure = other, error
            else:
                latest = self.habits  # other requests may have shown more meanwhile
                self.habits = replace(
                    habits, token_s=latest.token_s, thinks=habits.thinks or latest.thinks, unopened=latest.unopened
                )
                return answer
        raise failure or unreadable_answer("asked in vain")

    def note_habits(self, **habits: Any) -> None:
        """Record *habits* that the endpoint has shown."""
        self.habits = replace(self.habits, **habits)

    async def _read_size(self, model: str) -> None:
        """Ask an endpoint on this machine or network once for its context size and whether it takes one request at a time."""
        if not self._size_known:
            size = await asyncio.to_thread(read_model_size, self.base_url, self._key, model)
            self._size_known = size.final
            self.note_habits(context=size.context, one_at_a_time=size.one_at_a_time)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for this request's turn at an endpoint that answers one request at a time."""
        if not self.habits.one_at_a_time:
            yield
            return
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = (loop, asyncio.Lock())
        async with self._turns[1]:
            yield

    @asynccontextmanager
    async def client(self, *, max_bytes: int, timeout_s: float | None = None) -> AsyncIterator[openai.AsyncOpenAI]:
        """Yield a client limited to *max_bytes* and *timeout_s* of silence; its connections close on leaving.

        Redirects are not followed, so the key goes to the configured host only.
        """
        silence_s = self.first_s if timeout_s is None else timeout_s
        timeout = httpx2.Timeout(silence_s, connect=min(CONNECT_TIMEOUT_S, silence_s))
        transport = httpx2.AsyncClient(
            timeout=timeout,
            limits=httpx2.Limits(max_keepalive_connections=0),
            verify=await asyncio.to_thread(_tls_context),  # slow, but only once
            event_hooks={"response": [_bounding_hook(max_bytes)]},
        )
        async with openai.AsyncOpenAI(
            api_key=self._key or "not-needed",  # local servers want no key, the client wants one
            base_url=self.base_url,
            timeout=timeout,
            max_retries=0,
            http_client=transport,
            default_headers={"Accept-Encoding": "identity"},
        ) as client:
            yield client

    async def ask(self, send: Send[_Answer], *, max_bytes: int, timeout_s: float | None = None) -> _Answer:
        """Return the result of *send* with a client, within *timeout_s* or the endpoint's limit; raises LanguageModelError."""
        try:
            async with (
                asyncio.timeout(self.total_s if timeout_s is None else timeout_s),
                self.client(max_bytes=max_bytes, timeout_s=timeout_s) as client,
            ):
                return await send(client)
        except CLIENT_ERRORS as error:
            raise to_model_error(error) from None


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    """Return the process's one TLS context; loading the authorities takes longer than a local request."""
    return httpx2.create_ssl_context()


def _bounding_hook(max_bytes: int) -> Callable[[httpx2.Response], Awaitable[None]]:
    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise TooMuchError("a packed answer that was not asked for")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = BoundedStream(response.stream, max_bytes)

    return bound


class BoundedStream(httpx2.AsyncByteStream):
    """Passes on an answer's bytes and raises TooMuchError after *max_bytes*."""

    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._stream = stream
        self._left = max_bytes
        self.tail = b""
        """The last bytes that came."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            self.tail = (self.tail + piece)[-_TAIL_BYTES:]
            if self._left < 0:
                raise TooMuchError("an answer beyond its bound")
            yield piece

    async def aclose(self) -> None:
        """Close the underlying stream."""
        await self._stream.aclose()
