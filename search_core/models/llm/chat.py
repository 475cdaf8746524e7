"""``POST /chat/completions``: an answer as a stream or whole, complete or with a typed error.

The openai client hides some broken streams (openai 3.52, measured): one that ends early raises no error, and a JSON or HTML body
counts as an empty stream. So an answer is complete only when the model says that it stopped. It also returns some broken
replies: HTML with status 200 as ``str``, a wrong JSON object as a completion with ``choices=None``; an empty body raises
``JSONDecodeError``. So every answer is checked before it is used.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import unicodedata
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

import httpx2
import openai

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.language.korean import detect_language
from search_core.models.llm.endpoint import CLIENT_ERRORS, ChatRequest, Endpoint, Habits, to_model_error
from search_core.models.llm.failures import THOUGHTS, model_error, read_refusal, unreadable_answer
from search_core.models.llm.prompt import Completion
from search_core.models.llm.thoughts import Restart, Thoughts, append_piece, without_thoughts

MAX_ANSWER_CHARS = 20_000
MAX_STREAM_BYTES = 16 * 1024 * 1024
"""Most bytes of a streamed answer; a token of a few characters takes about 300 bytes."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_END = object()
_DONE = b"[DONE]"
_AT_BOUND = re.compile(r"length|max_?tokens", re.IGNORECASE)
_CUT_OFF = re.compile(
    rf"{_AT_BOUND.pattern}|filter|safety|recitation|blocklist|prohibited|error|insufficient|tool|function|cancel|abort",
    re.IGNORECASE,
)
"""Finish reasons of truncated answers; any other ends a complete answer ("stop", "eos", "end_turn", "COMPLETE")."""
REPEATED_CHARS = 200
_DIGITS = re.compile(r"\d")
"""Digits, ignored when an answer is checked for repetition, because models may number the repeated parts."""
_LONGEST_ROUND = 1_400
_REPEATS = "언어 모델이 같은 말을 되풀이해서 멈췄어요."
_BROKEN = "언어 모델의 답이 깨졌어요."

_Result = TypeVar("_Result")


class _Patience:
    """Timeouts of an answer: *first_s* for its first piece, *silence_s* between pieces, *total_s* in all.

    Only waiting counts, so a slow reader of the answer is not taken for a slow model.
    """

    def __init__(self, first_s: float, silence_s: float, total_s: float) -> None:
        self._silence_s = silence_s
        self._quiet_left_s = first_s
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
        """Restart the timeout of silence."""
        self._quiet_left_s = self._silence_s


async def stream_chat(endpoint: Endpoint, request: ChatRequest) -> AsyncGenerator[str]:
    """Yield the answer's pieces as they come; see ``OpenAICompatible.chat``."""

    async def begin(habits: Habits) -> tuple[AsyncGenerator[str], str]:
        """Return the remaining pieces of an answer and its first; until the first, the request can be adapted and repeated."""
        pieces = _answer(endpoint, request, habits)
        try:
            return pieces, await anext(pieces)
        except BaseException:
            await pieces.aclose()
            raise

    async with endpoint.turn():
        begun = time.monotonic()
        pieces, piece = await endpoint.negotiate(request, begin)
        async with aclosing(pieces):
            endpoint.note_habits(token_s=(time.monotonic() - begun) / max(1, request.tokens))
            yield piece
            async for piece in pieces:
                yield piece


async def _answer(endpoint: Endpoint, request: ChatRequest, habits: Habits) -> AsyncGenerator[str]:
    """Yield the pieces of the answer to *request*, adapted by *habits*; at least one; raises LanguageModelError."""
    patience = _Patience(endpoint.first_s, endpoint.silence_s, endpoint.total_s)
    length = 0
    streaming = False
    try:
        async with endpoint.client(max_bytes=MAX_STREAM_BYTES) as client:
            arguments = endpoint.chat_arguments(request, habits)
            stream = await patience.wait(client.chat.completions.create(stream=True, **arguments))
            streaming = True
            async with aclosing(_pieces(endpoint, stream, patience, habits)) as pieces:
                async for piece in pieces:
                    room = MAX_ANSWER_CHARS - length
                    length += len(piece)
                    yield piece if len(piece) <= room else piece[:room]
                    if length > MAX_ANSWER_CHARS:
                        raise model_error(Kind.CUT, "The language model's answer is too long.")
    except LanguageModelError as error:
        _drop_frames(error)
        raise error from None
    except CLIENT_ERRORS as error:
        typed = to_model_error(error, streaming=streaming)
        _drop_frames(error)
        raise typed from None


def _drop_frames(error: BaseException) -> None:
    """Drop the stack frames that *error* and its causes refer to.

    They hold half-read generators of the client, which must close here, on their loop, and not when the garbage collector finds
    them on another thread.
    """
    cause: BaseException | None = error
    while cause is not None:
        cause.__traceback__ = None
        cause = cause.__cause__ or cause.__context__


async def _pieces(
    endpoint: Endpoint, stream: openai.AsyncStream[Any], patience: _Patience, habits: Habits
) -> AsyncGenerator[str]:
    """Yield the text in *stream* until the model stops; raises LanguageModelError for any other end."""
    kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        yield _read(json.loads(await patience.wait(stream.response.aread()))).text
        return
    if kind == "text/html":
        raise unreadable_answer(f"{kind} instead of a stream")
    reading = _Reading(Thoughts(unopened=habits.unopened))
    try:
        while not reading.over and (chunk := await patience.wait(anext(stream, _END))) is not _END:
            patience.reset_silence()
            text = reading.take(chunk)
            if text or isinstance(text, Restart):
                yield text
            if reading.thinks:
                endpoint.note_habits(thinks=True, unopened=reading.thoughts.unopened)
            reading.check()
    finally:
        await _end(stream)
    rest = reading.rest()
    if rest:
        yield rest
    if not reading.events and kind != "text/event-stream":
        raise unreadable_answer("not a stream")
    done = getattr(stream.response.stream, "tail", b"").rstrip().endswith(_DONE)
    if not (reading.over or (done and reading.has_text)):
        raise (
            unreadable_answer("no text")
            if reading.finish
            else model_error(Kind.CUT, "The answer ended before the model had finished.")
        )


class _Reading:
    """Reads the events of one streamed answer."""

    def __init__(self, thoughts: Thoughts) -> None:
        self.thoughts = thoughts
        self.events = 0
        self.has_text = False
        """True once the answer holds more than thoughts."""
        self.finish = ""
        """Why the model stopped, once it has."""
        self.thinks = False
        self._last = ""

    @property
    def over(self) -> bool:
        """Return whether the answer is complete; some servers send a ``stop`` first, before any text."""
        return self.has_text and (bool(self.finish) or self.thoughts.ended)

    def take(self, chunk: object) -> str:
        """Return the text to show after *chunk*."""
        self.events += 1
        text, thought, finish = _read_event(chunk)
        self.finish = finish or self.finish
        self._last = (self._last + _DIGITS.sub("0", text or thought))[-_LONGEST_ROUND:]
        answer = self.thoughts.feed(text)
        if self.finish:
            answer = append_piece(answer, self.thoughts.rest()) if not isinstance(answer, Restart) else answer
        self.thinks = bool(thought) or self.thoughts.unopened
        self.has_text = bool(answer.strip()) or (self.has_text and not isinstance(answer, Restart))
        return answer

    def check(self) -> None:
        """Raise LanguageModelError if the answer did not end normally."""
        last = self._last[-REPEATED_CHARS:]
        if len(last) == REPEATED_CHARS and self._last.find(last, 0, len(self._last) - 1) >= 0:
            raise model_error(Kind.UNUSABLE, "The language model repeats itself.", korean=_REPEATS)
        if self.thoughts.broken:
            raise model_error(Kind.CUT, "The language model writes marks of its template.", korean=_BROKEN)
        if self.thoughts.ended and not self.has_text:
            raise unreadable_answer("no text")
        if _CUT_OFF.search(self.finish):
            raise _cut_off(self.finish, has_text=self.has_text)

    def rest(self) -> str:
        """Return held-back text that is no thought, at the end of the stream."""
        rest = self.thoughts.rest()
        self.has_text = self.has_text or bool(rest.strip())
        return rest


def _cut_off(finish: str, *, has_text: bool) -> LanguageModelError:
    """Return the error of a truncated answer; without text (*has_text*) at its limit, thoughts have used the limit up."""
    error = model_error(Kind.CUT, "The language model did not finish its answer.")
    error.refuses = THOUGHTS if _AT_BOUND.search(finish) and not has_text else ""
    return error


async def _end(stream: openai.AsyncStream[Any]) -> None:
    """Close *stream* and its half-read generator at once: they refer to each other (openai 3.52)."""
    iterator = stream._iterator
    if isinstance(iterator, AsyncGenerator):
        await iterator.aclose()
    await stream.close()


def _read_event(chunk: object) -> tuple[str, str, str]:
    """Return the text, thought and finish reason in one event, which is foreign JSON of any shape."""
    choices = _get(chunk, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    delta = _get(choice, "delta")
    thought = _get(delta, "reasoning_content") or _get(delta, "reasoning")
    finish = _get(choice, "finish_reason")
    text = _LONE_SURROGATE.sub("\ufffd", _text_in(_get(delta, "content")))
    return text, thought if isinstance(thought, str) else "", finish if isinstance(finish, str) else ""


def _get(holder: object, name: str) -> object:
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def _text_in(content: object) -> str:
    """Return the text of *content*, which some servers send in parts with thoughts."""
    if isinstance(content, list):
        return "".join(_text_in(_get(part, "text")) for part in content if _get(part, "type") == "text")
    return content if isinstance(content, str) else ""


_MAX_BYTES = 1_000_000
MAX_SUMMARY_CHARS = 300

_ADDRESS = re.compile(
    r"[a-z0-9+.-]://|www\.|(?:data|javascript|mailto):|\b[\w-]{1,63}\.(?:com|net|org|io|kr|co|ru|cn|me|app|dev)\b", re.I
)
_MARKUP = re.compile(r"!\[|\]\s*[(\[:]|<[a-z/!]|`|^\s{0,3}(?:#{1,6}\s|[-*+]\s|>|\|)|\[\d+\]", re.I | re.M)
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
"""A Latin word; shorter ones ("AI", "TV") are normal in Korean sentences and not checked."""


async def complete(endpoint: Endpoint, request: ChatRequest, *, timeout_s: float | None = None, whole: bool = True) -> Completion:
    """Return the answer to *request*, with *whole* False a truncated one, too; raises LanguageModelError."""
    seconds = endpoint.first_s if timeout_s is None else timeout_s
    requests = 0

    async def send(habits: Habits) -> Completion:
        nonlocal requests
        requests += 1
        answer: object = await endpoint.ask(
            lambda client: client.chat.completions.create(**endpoint.chat_arguments(request, habits)),
            max_bytes=_MAX_BYTES,
            timeout_s=seconds,
        )
        return _read(answer, whole=whole)

    async with endpoint.turn():
        answer = await endpoint.negotiate(request, send)
    return replace(answer, requests=requests)


def _read(completion: object, *, whole: bool = True) -> Completion:
    """Return the one choice of *completion*, which is unchecked JSON; *whole* refuses a truncated one."""
    error = _get(completion, "error")
    if error:
        raise read_refusal(httpx2.codes.OK, error)
    choices = _get(completion, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    finish = _get(choice, "finish_reason")
    text = without_thoughts(_text_in(_get(_get(choice, "message"), "content")))
    reason = finish if isinstance(finish, str) else ""
    if _CUT_OFF.search(reason) and (whole or not _AT_BOUND.search(reason) or not text.strip()):
        raise _cut_off(reason, has_text=bool(text.strip()))
    if not text.strip():
        raise unreadable_answer("no text")
    usage = _get(completion, "usage")
    return Completion(text, _count(_get(usage, "prompt_tokens")), _count(_get(usage, "completion_tokens")))


def _count(value: object) -> int | None:
    """Return a number of tokens, or None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def check_summary(answer: str, page: str, fence: str) -> str:
    """Return *answer* on one line if it can be a summary of *page*; raises LanguageModelError otherwise.

    Asking the model nicely does not stop instructions hidden in pages; this check does. A summary may contain no address, no
    markup, no Latin word that the page lacks, and not *fence*, the mark around the data in the prompt.
    """
    text = " ".join(unicodedata.normalize("NFC", answer).split()).strip("“”\"' ")
    problem = _problem(text, answer, page, fence)
    if problem:
        raise LanguageModelError(
            f"The language model's summary was refused: {problem}.",
            korean="언어 모델이 쓴 요약을 쓸 수 없어요.",
            kind=Kind.UNUSABLE,
        )
    return text


def _problem(text: str, answer: str, page: str, fence: str) -> str | None:
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
    addresses = [match[0] for match in _ADDRESS.finditer(text)]
    if any(
        "." not in address or ":" in address or address not in page for address in addresses
    ):  # a bare host that the result names may stay
        return "it holds an address"
    if _MARKUP.search(answer.strip()):
        return "it holds markup"
    words = page.casefold()
    words += re.sub(r"[\s-]", "", words)
    if any(word.casefold() not in words for word in _LATIN_WORD.findall(text)):
        return "it holds words the page does not hold"
    return None
