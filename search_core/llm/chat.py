"""``POST /chat/completions``: an answer while it is written, or in one piece, read to its end or to a typed error.

The openai client lets some broken streams pass (openai 3.52, measured): one that ends early ends without an error, and a JSON or
HTML body instead of a stream is a stream of nothing. So an answer is complete only when the model says that it stopped. It passes
some broken replies on, too: a 200 of HTML comes back as ``str``, a wrong JSON object as a completion with ``choices=None``; an
empty body ends in ``JSONDecodeError``. So every answer is checked before it is believed.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import openai
from openai.types.chat import ChatCompletion

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.endpoint import CLIENT_ERRORS, Endpoint, retry_connect, to_model_error
from search_core.llm.failures import model_error, unreadable_answer
from search_core.llm.prompt import AnswerSchema, ChatMessage, Completion
from search_core.llm.thoughts import Thoughts
from search_core.text.korean import detect_language

MAX_ANSWER_CHARS = 20_000
MAX_STREAM_BYTES = 16 * 1024 * 1024
"""A token of a few characters comes in an event of some 300 bytes."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_A_STREAM = ("application/json", "text/html")
_END = object()

_Result = TypeVar("_Result")


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
        _drop_frames(error)
        raise error from None
    except CLIENT_ERRORS as error:
        typed = to_model_error(error, streaming=streaming)
        _drop_frames(error)
        raise typed from None


def _drop_frames(error: BaseException) -> None:
    """Let go of the frames that *error* and its causes hold.

    In them wait half-read generators of the client. They are to close here, on their loop, and not when a collector on another
    thread comes upon them.
    """
    cause: BaseException | None = error
    while cause is not None:
        cause.__traceback__ = None
        cause = cause.__cause__ or cause.__context__


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
            said, finish = _read_event(chunk)
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


def _read_event(chunk: object) -> tuple[str, str | None]:
    """Return text and finish reason of one event; the client passes foreign JSON on as it is, so nothing is taken on trust."""
    choices = getattr(chunk, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = getattr(getattr(choice, "delta", None), "content", None)
    finish = getattr(choice, "finish_reason", None)
    return _LONE_SURROGATE.sub("\ufffd", said) if isinstance(said, str) else "", finish if isinstance(finish, str) else None


_MAX_BYTES = 1_000_000
MAX_SUMMARY_CHARS = 300

_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
"""Reasoning models of some local servers think aloud first."""
_ADDRESS = re.compile(
    r"[a-z0-9+.-]://|www\.|(?:data|javascript|mailto):|\b[\w-]{1,63}\.(?:com|net|org|io|kr|co|ru|cn|me|app|dev)\b", re.I
)
_MARKUP = re.compile(r"!\[|\]\s*[(\[:]|<[a-z/!]|`|^\s{0,3}(?:#{1,6}\s|[-*+]\s|>|\|)|\[\d+\]", re.I | re.M)
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
"""Shorter ones ("AI", "TV") are used in Korean sentences as they are."""


async def complete(
    endpoint: Endpoint,
    model: str,
    messages: Sequence[ChatMessage],
    *,
    timeout_s: float | None = None,
    schema: AnswerSchema | None = None,
    max_tokens: int | None = None,
    temperature: float | None = None,
    whole: bool = True,
) -> Completion:
    """Return the answer to *messages* within *timeout_s* seconds, or the endpoint's own; raises LanguageModelError.

    *whole* False takes one, too, that was cut at *max_tokens*.
    """
    answer: object = await endpoint.ask(
        lambda client: client.chat.completions.create(  # type: ignore[call-overload]
            **endpoint.chat_arguments(model, messages, max_tokens, temperature),
            **({"response_format": _format(schema)} if schema else {}),
        ),
        max_bytes=_MAX_BYTES,
        timeout_s=endpoint.timeout_s if timeout_s is None else timeout_s,
    )
    return _read(answer, ("stop",) if whole else ("stop", "length"))


def _format(schema: AnswerSchema) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": schema.name, "strict": True, "schema": schema.schema}}


def _read(completion: object, ends: Sequence[str]) -> Completion:
    """Return the one choice of *completion*, which must have ended in one of *ends*."""
    if not isinstance(completion, ChatCompletion) or not isinstance(completion.choices, list) or not completion.choices:
        raise unreadable_answer("no choices")
    choice = completion.choices[0]
    text = getattr(getattr(choice, "message", None), "content", None)
    if getattr(choice, "finish_reason", None) not in ends:
        raise unreadable_answer("not finished")
    if not isinstance(text, str) or not text.strip():
        raise unreadable_answer("no text")
    usage = completion.usage
    return Completion(text, _count(getattr(usage, "prompt_tokens", None)), _count(getattr(usage, "completion_tokens", None)))


def _count(value: object) -> int | None:
    """Return a number of tokens; foreign JSON can hold anything."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def check_summary(answer: str, given: str, fence: str) -> str:
    """Return *answer* on one line when it can be shown as a summary of *given*; raises LanguageModelError otherwise.

    Instructions hidden in pages are not stopped by asking the model nicely; what is let through here is the boundary. So a
    summary holds no address, no markup, and no Latin word that the page itself does not hold.

    *fence* is the mark around the data in the prompt; an answer that repeats it repeats the prompt.
    """
    text = " ".join(unicodedata.normalize("NFC", _THOUGHTS.sub(" ", answer)).split()).strip("“”\"' ")
    problem = _problem(text, answer, given, fence)
    if problem:
        raise LanguageModelError(
            f"The language model's summary was refused: {problem}.",
            korean="언어 모델이 쓴 요약을 쓸 수 없어요.",
            kind=Kind.UNUSABLE,
        )
    return text


def _problem(text: str, answer: str, given: str, fence: str) -> str | None:
    if not text:
        return "it is empty"
    if len(text) > MAX_SUMMARY_CHARS:
        return f"it is longer than {MAX_SUMMARY_CHARS} characters"
    if fence in text:
        return "it repeats the prompt"
    if detect_language(text) != "ko":
        return "it is not Korean"
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in text):
        return "it holds invisible characters"
    found = [match[0] for match in _ADDRESS.finditer(text)]
    if any("." not in each or ":" in each or each not in given for each in found):  # a bare host that the result names may stay
        return "it holds an address"
    if _MARKUP.search(_THOUGHTS.sub(" ", answer).strip()):
        return "it holds markup"
    known = given.casefold()
    known += re.sub(r"[\s-]", "", known)
    if any(word.casefold() not in known for word in _LATIN_WORD.findall(text)):
        return "it holds words the page does not hold"
    return None
