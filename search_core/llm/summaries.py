"""Korean summaries of search results, asked for and checked.

The client passes some broken replies on without an error (openai 3.52, measured): a 200 of HTML comes back as ``str``, a wrong
JSON object as a completion with ``choices=None``; an empty body ends in ``JSONDecodeError``. So every answer is checked before it
is believed.
"""

from __future__ import annotations

import asyncio

from openai.types.chat import ChatCompletion

from search_core.llm.endpoint import Endpoint, retry_connect
from search_core.llm.failures import CLIENT_ERRORS, to_model_error, unreadable_answer
from search_core.llm.prompt import messages
from search_core.llm.summary_check import check_summary

_MAX_BYTES = 1_000_000


async def summarize(endpoint: Endpoint, model: str, result_title: str, snippet: str, source: str) -> str:
    """Return one or two Korean sentences on a search result; see ``OpenAICompatible.summarize``."""
    prompt = messages(result_title, snippet, source)
    try:
        async with asyncio.timeout(endpoint.timeout_s), endpoint.client(max_bytes=_MAX_BYTES) as client:
            answer: object = await retry_connect(
                lambda: client.chat.completions.create(
                    model=model,
                    messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
                )
            )
    except CLIENT_ERRORS as error:
        raise to_model_error(error) from None
    return check_summary(_text_of(answer), f"{result_title} {snippet} {source}", prompt.fence)


def _text_of(completion: object) -> str:
    """Return the text of the one complete choice of *completion*."""
    if not isinstance(completion, ChatCompletion) or not isinstance(completion.choices, list) or not completion.choices:
        raise unreadable_answer("no choices")
    choice = completion.choices[0]
    text = getattr(getattr(choice, "message", None), "content", None)
    if getattr(choice, "finish_reason", None) != "stop":
        raise unreadable_answer("not finished")
    if not isinstance(text, str) or not text.strip():
        raise unreadable_answer("no text")
    return text
