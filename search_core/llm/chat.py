"""Streams an answer while it is written: ``POST /chat/completions`` with ``stream``, read to its end or to a typed error.

The openai client lets some broken streams pass (openai 3.52, measured): one that ends early ends without an error, and a JSON or
HTML body instead of a stream is a stream of nothing. So an answer is complete only when the model says that it stopped.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import openai

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.endpoint import CLIENT_ERRORS, Endpoint, retry_connect, to_model_error
from search_core.llm.failures import model_error, unreadable_answer
from search_core.llm.prompt import ChatMessage
from search_core.llm.thoughts import Thoughts

MAX_ANSWER_CHARS = 20_000
MAX_STREAM_BYTES = 16 * 1024 * 1024
"""A token of a few characters comes in an event of some 300 bytes."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_A_STREAM = ("application/json", "text/html")
_END = object()

_Result = TypeVar("_Result")
_Caught = TypeVar("_Caught", bound=BaseException)


class _Patience:
    """Waits for the steps of an answer: *silence_s* at most from one event to the next, *total_s* for all of them.

    Only waiting counts, so a slow reader of the answer is not taken for a slow model.
    """

    def __init__(self, silence_s: float, total_s: float) -> None:
        self._silence_s = silence_s
        self._quiet_left_s = silence_s
        self._left_s = total_s

    async def wait(self, step: Awaitable[_Result]) -> _Result:
        """Return what *step* returns; raises TimeoutError."""
        clock = asyncio.get_running_loop().time
        started = clock()
        async with asyncio.timeout(min(self._quiet_left_s, self._left_s)):
            result = await step
        self._left_s -= clock() - started
        self._quiet_left_s -= clock() - started
        return result

    def reset_silence(self) -> None:
        """Begin a new silence."""
        self._quiet_left_s = self._silence_s


async def stream_chat(
    endpoint: Endpoint, model: str, messages: Sequence[ChatMessage], max_tokens: int | None
) -> AsyncGenerator[str]:
    """Yield the answer's pieces as they come; see ``OpenAICompatible.chat``."""
    patience = _Patience(endpoint.timeout_s, endpoint.total_s)
    said = 0
    streaming = False
    try:
        async with endpoint.client(max_bytes=MAX_STREAM_BYTES) as client:
            asked = endpoint.chat_arguments(model, messages, max_tokens)
            stream = await patience.wait(retry_connect(lambda: client.chat.completions.create(stream=True, **asked)))
            answer = _pieces(stream, patience)
            streaming = True
            async with aclosing(answer) as pieces:
                async for piece in pieces:
                    room = MAX_ANSWER_CHARS - said
                    said += len(piece)
                    yield piece[:room]
                    if said > MAX_ANSWER_CHARS:
                        raise model_error(Kind.CUT, "The language model's answer is too long.")
        if not said:
            raise unreadable_answer("no text")
    except LanguageModelError as error:
        error.partial = said > 0
        raise _drop_frames(error) from None
    except CLIENT_ERRORS as error:
        typed = to_model_error(error, streaming=streaming)
        typed.partial = said > 0
        _drop_frames(error)
        raise typed from None


def _drop_frames(error: _Caught) -> _Caught:
    """Return *error* without the frames that it and its causes hold.

    In them wait half-read generators of the client. They are to close here, on their loop, and not when a collector on another
    thread comes upon them.
    """
    cause: BaseException | None = error
    while cause is not None:
        cause.__traceback__ = None
        cause = cause.__cause__ or cause.__context__
    return error


async def _pieces(stream: openai.AsyncStream[Any], patience: _Patience) -> AsyncGenerator[str]:
    """Yield what is said in *stream* until the model stops; raises LanguageModelError where it ends in another way."""
    kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in _NOT_A_STREAM:
        raise unreadable_answer(f"{kind} instead of a stream")
    thoughts = Thoughts()
    events = 0
    try:
        while (chunk := await patience.wait(anext(stream, _END))) is not _END:
            patience.reset_silence()
            events += 1
            said, finish = _read(chunk)
            shown = thoughts.feed(said)
            if finish is not None:
                shown += thoughts.rest()
            if shown:
                yield shown
            if finish == "stop":
                return
            if finish is not None:
                raise model_error(Kind.CUT, "The language model did not finish its answer.")
    finally:
        await _end(stream)
    if not events and kind != "text/event-stream":
        raise unreadable_answer("not a stream")
    raise model_error(Kind.CUT, "The language model's answer ended before the model had finished.")


async def _end(stream: openai.AsyncStream[Any]) -> None:
    """Close *stream* and its half-read generator, which hold each other (openai 3.52): else they wait for the collector."""
    iterator = stream._iterator
    if isinstance(iterator, AsyncGenerator):
        await iterator.aclose()
    await stream.close()


def _read(chunk: object) -> tuple[str, str | None]:
    """Return text and finish reason of one event; the client passes foreign JSON on as it is, so nothing is taken on trust."""
    choices = getattr(chunk, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = getattr(getattr(choice, "delta", None), "content", None)
    finish = getattr(choice, "finish_reason", None)
    return _LONE_SURROGATE.sub("\ufffd", said) if isinstance(said, str) else "", finish if isinstance(finish, str) else None
