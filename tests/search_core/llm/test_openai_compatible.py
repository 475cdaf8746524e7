"""What is set decides what can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.llm import ChatMessage, OpenAICompatible
from search_core.settings import Settings

LOCAL = {"openai_base_url": "http://127.0.0.1:1/v1"}
MODEL = {"openai_model": "m"}


def test_what_is_set_decides_what_can_be_asked():
    """Writing wants a model and an address, or a key for the one everybody knows."""
    for settings, available in (({}, False), (MODEL, False), (LOCAL, False), (MODEL | LOCAL, True)):
        assert OpenAICompatible(Settings(**settings)).available() is available
    assert OpenAICompatible(Settings(openai_model="m", openai_api_key="k")).available()


async def _chat(model: OpenAICompatible) -> list[str]:
    return [piece async for piece in model.chat([ChatMessage("user", "?")])]


@pytest.mark.parametrize(
    "ask", [_chat, lambda model: model.summarize("title", "snippet", "example.com")], ids=["chat", "summarize"]
)
def test_without_a_model_nobody_is_asked(ask: Callable[[OpenAICompatible], Coroutine[Any, Any, Any]]):
    """Asking for what is not set is a typed error of its own kind."""
    with pytest.raises(LanguageModelError) as caught:
        asyncio.run(ask(OpenAICompatible(Settings(**LOCAL))))
    assert caught.value.kind is LanguageModelFailure.NOT_SET
