"""An answer in one piece: ``POST /chat/completions`` without ``stream``, held to a schema of JSON where the endpoint can do that.

The client passes some broken replies on without an error (openai 3.52, measured): a 200 of HTML comes back as ``str``, a wrong
JSON object as a completion with ``choices=None``; an empty body ends in ``JSONDecodeError``. So every answer is checked before it
is believed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from openai.types.chat import ChatCompletion

from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.llm.endpoint import Endpoint
from search_core.llm.failures import unreadable_answer
from search_core.llm.prompt import AnswerSchema, ChatMessage, Completion
from search_core.text.korean import detect_language

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
) -> Completion:
    """Return the answer to *messages* within *timeout_s* seconds, or the endpoint's own; raises LanguageModelError."""
    answer: object = await endpoint.ask(
        lambda client: client.chat.completions.create(  # type: ignore[call-overload]
            **endpoint.chat_arguments(model, messages, max_tokens),
            **({"response_format": _format(schema)} if schema else {}),
        ),
        max_bytes=_MAX_BYTES,
        timeout_s=endpoint.timeout_s if timeout_s is None else timeout_s,
    )
    return _read(answer)


def _format(schema: AnswerSchema) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": schema.name, "strict": True, "schema": schema.schema}}


def _read(completion: object) -> Completion:
    """Return the one complete choice of *completion*."""
    if not isinstance(completion, ChatCompletion) or not isinstance(completion.choices, list) or not completion.choices:
        raise unreadable_answer("no choices")
    choice = completion.choices[0]
    text = getattr(getattr(choice, "message", None), "content", None)
    if getattr(choice, "finish_reason", None) != "stop":
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
            kind=LanguageModelFailure.UNUSABLE,
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
    if _ADDRESS.search(text) and not _only_known_hosts(text, given):
        return "it holds an address"
    if _MARKUP.search(_THOUGHTS.sub(" ", answer).strip()):
        return "it holds markup"
    known = given.casefold()
    known += re.sub(r"[\s-]", "", known)
    if any(word.casefold() not in known for word in _LATIN_WORD.findall(text)):
        return "it holds words the page does not hold"
    return None


def _only_known_hosts(text: str, given: str) -> bool:
    """Return whether all that looks like an address are bare host names that the result itself names."""
    return all("." in found and ":" not in found and found in given for found in (match[0] for match in _ADDRESS.finditer(text)))
