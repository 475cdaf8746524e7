"""Korean summaries by any endpoint that speaks OpenAI's chat completions (openai 3.52, over httpx2).

The client passes some broken replies on without an error: a 200 of HTML comes back as ``str``, a wrong JSON object as a
completion with ``choices=None``; an empty body ends in ``JSONDecodeError``. So every answer is checked before it is believed.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

import httpx2
import openai
from openai.types.chat import ChatCompletion

from search_core.errors import LanguageModelError
from search_core.llm.prompt import messages
from search_core.llm.summary_check import checked_summary

if TYPE_CHECKING:
    from search_core.settings import Settings

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT_S = 5.0
NO_KEY = "not-needed"
"""Local servers want no key, the client wants one."""

_BY_STATUS = MappingProxyType(
    {
        401: "요약 서비스의 키가 맞지 않아요.",
        403: "요약 서비스가 이 키로는 쓸 수 없다고 해요.",
        404: "요약 서비스에 그런 모델이 없어요.",
        429: "요약 서비스의 요청 한도를 넘었어요.",
    }
)
_QUOTA = "insufficient_quota"


class OpenAICompatible:
    """Asks one model of one endpoint; holds no connection between requests, so it belongs to no event loop."""

    def __init__(self, settings: Settings) -> None:
        """Take address, key, model and timeout from *settings*; asks nobody."""
        self._key = settings.openai_api_key.get_secret_value()
        self._base_url = settings.openai_base_url or (OPENAI_URL if self._key else "")
        self._model = settings.openai_model
        self._timeout_s = settings.openai_timeout

    def available(self) -> bool:
        """Tell whether a model and an endpoint are set; does not ask it."""
        return bool(self._model and self._base_url)

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        """Return one or two Korean sentences on what a search result says.

        Raises LanguageModelError when there is no answer, or none that can be shown.
        """
        if not self.available():
            raise LanguageModelError("No language model is set.", korean="요약할 모델이 설정되지 않았어요.")
        prompt = messages(result_title, snippet, source)
        text = _text_of(await self._complete(prompt.system, prompt.user))
        return checked_summary(text, f"{result_title} {snippet} {source}", prompt.fence)

    async def _complete(self, system: str, user: str) -> object:
        timeout = httpx2.Timeout(self._timeout_s, connect=min(CONNECT_TIMEOUT_S, self._timeout_s))
        http_client = httpx2.AsyncClient(timeout=timeout, limits=httpx2.Limits(max_keepalive_connections=0))
        try:
            async with openai.AsyncOpenAI(
                api_key=self._key or NO_KEY,
                base_url=self._base_url,
                timeout=timeout,
                max_retries=0,
                http_client=http_client,
            ) as client:
                return await client.chat.completions.create(
                    model=self._model,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                )
        except (openai.OpenAIError, json.JSONDecodeError, httpx2.HTTPError, UnicodeDecodeError) as error:
            raise _failure(error) from None


def _failure(error: Exception) -> LanguageModelError:
    """Return the typed error of a failed request; messages of servers are left out, for some repeat the key."""
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        return LanguageModelError("The language model did not answer in time.", korean="요약 서비스가 시간 안에 답하지 않았어요.")
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        if _QUOTA in (error.code, error.type):
            return LanguageModelError(
                f"The language model's quota is exhausted (HTTP {status}).", korean="요약 서비스에서 쓸 수 있는 양을 다 썼어요."
            )
        return LanguageModelError(
            f"The language model endpoint answered HTTP {status}.",
            korean=_BY_STATUS.get(status, "요약 서비스에 문제가 생겼어요."),
        )
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return LanguageModelError("The language model endpoint cannot be reached.", korean="요약 서비스에 연결할 수 없어요.")
    return _unreadable(type(error).__name__)


def _text_of(completion: object) -> str:
    """Return the text of the one complete choice of *completion*."""
    if not isinstance(completion, ChatCompletion) or not isinstance(completion.choices, list) or not completion.choices:
        raise _unreadable("no choices")
    choice = completion.choices[0]
    text = getattr(getattr(choice, "message", None), "content", None)
    if getattr(choice, "finish_reason", None) != "stop":
        raise _unreadable("not finished")
    if not isinstance(text, str) or not text.strip():
        raise _unreadable("no text")
    return text


def _unreadable(what: str) -> LanguageModelError:
    return LanguageModelError(f"The language model's answer cannot be read: {what}.", korean="요약 서비스의 답을 읽을 수 없어요.")
