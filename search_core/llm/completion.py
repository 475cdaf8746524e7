"""An answer in one piece: ``POST /chat/completions`` without ``stream``, held to a schema of JSON where the endpoint can do that.

The client passes some broken replies on without an error (openai 3.52, measured): a 200 of HTML comes back as ``str``, a wrong
JSON object as a completion with ``choices=None``; an empty body ends in ``JSONDecodeError``. So every answer is checked before it
is believed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from openai.types.chat import ChatCompletion

from search_core.llm.endpoint import Endpoint, limit_name, retry_connect
from search_core.llm.failures import CLIENT_ERRORS, to_model_error, unreadable_answer
from search_core.llm.prompt import AnswerSchema, ChatMessage, Completion

_MAX_BYTES = 1_000_000


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
    seconds = endpoint.timeout_s if timeout_s is None else timeout_s
    try:
        async with asyncio.timeout(seconds), endpoint.client(max_bytes=_MAX_BYTES, timeout_s=seconds) as client:
            answer: object = await retry_connect(
                lambda: client.chat.completions.create(  # type: ignore[call-overload]
                    model=model,
                    messages=[{"role": message.role, "content": message.content} for message in messages],
                    **({"response_format": _format(schema)} if schema else {}),
                    **({limit_name(endpoint.base_url): max_tokens} if max_tokens else {}),
                )
            )
    except CLIENT_ERRORS as error:
        raise to_model_error(error) from None
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
