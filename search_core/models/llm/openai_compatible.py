"""What the app asks of language models: summaries, and streamed answers."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.language.korean import detect_language
from search_core.models.llm.prompt import AnswerSchema, ChatMessage, Completion, data_mark, summary_messages
from search_core.models.llm.thoughts import Restart, append_piece
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.models.llm.endpoint import ChatRequest, Endpoint

logger = logging.getLogger(__name__)

MAX_ANSWER_TOKENS = 700
MAX_SUMMARY_TOKENS = 300
_IN_KOREAN = "반드시 한국어로만 답해 주세요."
_FOREIGN_LETTERS, _FOREIGN_DENSE_LETTERS = 40, 15
"""Letters in another language (the second: in Chinese or Japanese) from which an answer is foreign; fewer may be a name."""
_SEEN_CHARS = 300
"""Characters of an answer after which its language is judged."""


class OpenAICompatible:
    """Asks the model of one endpoint; keeps no connection between requests and belongs to no event loop.

    Every method raises LanguageModelError, with its kind, if there is no usable answer. Cancelling the task closes the
    connection at once. A request is only repeated if a refusal says what to change, which is remembered. The client takes
    a third of a second to import, which the first request does, or ``get_ready``.
    """

    def __init__(self, settings: Settings) -> None:
        """Take address, key, model and timeout from *settings*; sends no request."""
        self._settings = settings
        self._model = settings.openai_model
        self.patience_s = settings.openai_timeout
        """Time limit in seconds for a step that waits for whole answers."""

    @cached_property
    def _endpoint(self) -> Endpoint:
        from search_core.models.llm.endpoint import Endpoint

        return Endpoint(self._settings)

    def get_ready(self) -> None:
        """Import the modules that the first request needs; blocks."""
        for name in ("search_core.models.llm.chat", "openai.resources.chat"):
            import_module(name)

    def _request(self, messages: Sequence[ChatMessage], max_tokens: int, **more: Any) -> ChatRequest:
        from search_core.models.llm.endpoint import ChatRequest

        return ChatRequest(model=self._model, messages=messages, max_tokens=max_tokens, **more)

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        """Return one or two Korean sentences summarising a search result."""
        from search_core.models.llm.chat import check_summary, complete

        messages = summary_messages(result_title, snippet, source)
        answer = await complete(self._endpoint, self._request(messages, MAX_SUMMARY_TOKENS))
        return check_summary(answer.text, f"{result_title} {snippet} {source}", data_mark(messages[-1]))

    def chat(self, messages: Sequence[ChatMessage], *, max_tokens: int = MAX_ANSWER_TOKENS) -> AsyncGenerator[str]:
        """Yield the answer to *messages* in pieces, without the model's thoughts.

        A ``Restart`` voids all pieces before it, which turned out to be thoughts. An answer that breaks off, or repeats its last
        200 characters, raises an error after its last piece. The model may take ``OPENAI_TIMEOUT`` seconds to begin, a third of
        that from one piece to the next, and six times that in all. Close the generator (``aclosing``) or cancel its task to end
        the request early.
        """
        from search_core.models.llm.chat import stream_chat

        return stream_chat(self._endpoint, self._request(messages, max_tokens))

    async def complete(self, messages: Sequence[ChatMessage], schema: AnswerSchema, *, max_tokens: int) -> Completion:
        """Return the whole answer to *messages*, constrained to *schema* if the endpoint supports it; may still be no JSON."""
        from search_core.models.llm.chat import complete

        return await complete(self._endpoint, self._request(messages, max_tokens, schema=schema))

    async def answer_shortly(self, messages: Sequence[ChatMessage], *, max_tokens: int, within_s: float) -> str:
        """Return a short, deterministic answer to *messages*: at most *max_tokens*, within *within_s* seconds.

        An endpoint that was slower the last time is not asked.
        """
        from search_core.models.llm.chat import complete
        from search_core.models.llm.failures import model_error

        request = self._request(messages, max_tokens, temperature=0.0)
        if request.tokens * self._endpoint.habits.token_s > within_s:
            raise model_error(Kind.TIMEOUT, "The language model is slower than it may be.")
        return (await complete(self._endpoint, request, timeout_s=within_s, whole=False)).text


async def chat_in_korean(
    model: OpenAICompatible, messages: Sequence[ChatMessage], max_tokens: int = MAX_ANSWER_TOKENS
) -> AsyncGenerator[str]:
    """Yield *model*'s answer in pieces; an answer in another language is requested once more and replaced.

    Raises LanguageModelError, UNUSABLE where it repeats itself or its request.
    """
    answer = ""
    async with aclosing(_answer_to(model, messages, max_tokens)) as pieces:
        async for piece in pieces:
            answer = append_piece(answer, piece)
            yield piece
            if len(answer) > _SEEN_CHARS and is_foreign(answer):
                break
    if not is_foreign(answer):
        return
    logger.warning("The language model answered in another language and is asked for Korean")
    reminder = messages[-1]._replace(
        content=f"{messages[-1].content}\n{_IN_KOREAN}"
    )  # at the end: what is before is not read anew
    again, begins = [*messages[:-1], reminder], True
    async with aclosing(_answer_to(model, again, max_tokens)) as pieces:
        async for piece in pieces:
            yield Restart(piece) if begins else piece
            begins = False


async def _answer_to(model: OpenAICompatible, messages: Sequence[ChatMessage], max_tokens: int) -> AsyncGenerator[str]:
    answer, mark = "", data_mark(messages[-1])
    async with aclosing(model.chat(messages, max_tokens=max_tokens)) as pieces:
        async for piece in pieces:
            answer = append_piece(answer, piece)
            if mark and mark in answer:
                raise LanguageModelError(
                    "The language model repeats its request.",
                    korean="언어 모델이 답하지 않고 받은 글을 되풀이했어요.",
                    kind=Kind.UNUSABLE,
                )
            yield piece


def is_foreign(text: str) -> bool:
    """Return whether *text* is prose in another language than Korean, not just a name."""
    language = detect_language(text)
    letters = sum(map(str.isalpha, text))
    return language not in ("", "ko") and letters >= (_FOREIGN_LETTERS if language == "en" else _FOREIGN_DENSE_LETTERS)
