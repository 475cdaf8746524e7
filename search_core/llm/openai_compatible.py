"""What the app asks of language models: summaries, and answers as they are written."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.prompt import AnswerSchema, ChatMessage, Completion, messages
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.llm.endpoint import Endpoint


class OpenAICompatible:
    """Asks the model of one endpoint; holds no connection between requests, so it belongs to no event loop.

    Its name is a setting, never a default here: the names everybody used until now are shut down early in 2027.

    Every method raises LanguageModelError, with its kind, when there is no answer or none that can be used. Cancelling the task
    closes the connection at once. Nothing is asked a second time, except where no connection came about, or a schema was refused.
    The client, which takes a third of a second to import, is imported with the first request, or by ``get_ready``.
    """

    def __init__(self, settings: Settings) -> None:
        """Take address, key, model and timeout from *settings*; sends no request."""
        self._settings = settings
        self._model = settings.openai_model
        self._takes_schemas = True
        """False once the endpoint has refused a schema and answered without."""
        self._takes_temperature = True
        """False once it has refused that the likeliest answer is asked for, and answered without."""

    @cached_property
    def _endpoint(self) -> Endpoint:
        from search_core.llm.endpoint import Endpoint

        return Endpoint(self._settings)

    def get_ready(self) -> None:
        """Import what the first request would have to wait for; blocks."""
        for name in ("search_core.llm.chat", "openai.resources.chat"):
            import_module(name)

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        """Return one or two Korean sentences on what a search result says."""
        from search_core.llm.chat import check_summary, complete

        fence, asked = messages(result_title, snippet, source)
        answer = await complete(self._endpoint, self._model, asked)
        return check_summary(answer.text, f"{result_title} {snippet} {source}", fence)

    async def chat(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> AsyncGenerator[str]:
        """Yield the answer to *messages* piece by piece, without what the model thinks before it.

        An answer that breaks off ends in an error after all that came was yielded. The model may be silent for ``OPENAI_TIMEOUT``
        seconds, take six times as long in all and write 20 000 characters. Close the generator
        (``aclosing``) or cancel its task to end the request early.
        """
        from search_core.llm.chat import stream_chat

        async with aclosing(stream_chat(self._endpoint, self._model, messages, max_tokens)) as pieces:
            async for piece in pieces:
                yield piece

    async def complete(self, messages: Sequence[ChatMessage], schema: AnswerSchema, *, max_tokens: int) -> Completion:
        """Return the answer to *messages* in one piece, held to *schema* where the endpoint can do that; it may be no JSON.

        An endpoint that refuses the schema is asked once more without. The model may take six times ``OPENAI_TIMEOUT``.
        """
        from search_core.llm.chat import complete

        async def ask(form: AnswerSchema | None) -> Completion:
            seconds = self._endpoint.total_s
            return await complete(self._endpoint, self._model, messages, timeout_s=seconds, schema=form, max_tokens=max_tokens)

        if not self._takes_schemas:
            return await ask(None)
        try:
            return await ask(schema)
        except LanguageModelError as error:
            if error.kind is not Kind.REJECTED:
                raise
        answer = await ask(None)
        self._takes_schemas = False
        return replace(answer, requests=2)

    async def answer_shortly(self, messages: Sequence[ChatMessage], *, max_tokens: int, within_s: float) -> str:
        """Return the likeliest answer to *messages*, in one piece, if only as far as *max_tokens* go, within *within_s* seconds.

        An endpoint that refuses to be asked for the likeliest one is asked once more without.
        """
        from search_core.llm.chat import complete

        async def ask(temperature: float | None) -> str:
            asked: dict[str, Any] = {"timeout_s": within_s, "max_tokens": max_tokens, "temperature": temperature, "whole": False}
            return (await complete(self._endpoint, self._model, messages, **asked)).text

        if self._takes_temperature:
            try:
                return await ask(0.0)
            except LanguageModelError as error:
                if error.kind is not Kind.REJECTED:
                    raise
        answer = await ask(None)
        self._takes_temperature = False
        return answer
