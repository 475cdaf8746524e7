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


@pytest.mark.parametrize(
    ("settings", "available"),
    [
        ({}, False),
        ({"openai_model": "m"}, False),
        (LOCAL, False),
        ({"openai_model": "m", **LOCAL}, True),
        ({"openai_model": "m", "openai_api_key": "k"}, True),
    ],
)
def test_a_model_and_an_endpoint_are_needed(settings: dict[str, str], available: bool):
    """It is available with a model and an address, or a model and a key for the address everybody knows."""
    assert OpenAICompatible(Settings(**settings)).available() is available


@pytest.mark.parametrize(
    ("settings", "can_transcribe", "speaks"),
    [
        ({"openai_model": "m", **LOCAL}, False, False),
        ({"openai_transcription_model": "t"}, False, False),
        ({"openai_transcription_model": "t", **LOCAL}, True, False),
        ({"openai_speech_model": "s", **LOCAL}, False, False),
        ({"openai_speech_voice": "v", **LOCAL}, False, False),
        ({"openai_speech_model": "s", "openai_speech_voice": "v", **LOCAL}, False, True),
    ],
)
def test_voice_is_absent_until_it_is_set(settings: dict[str, str], can_transcribe: bool, speaks: bool):
    """Hearing wants its model, speaking its model and a voice; the model for text is not needed for either."""
    model = OpenAICompatible(Settings(**settings))
    assert (model.can_transcribe(), model.speaks()) == (can_transcribe, speaks)


async def _chat(model: OpenAICompatible) -> list[str]:
    return [piece async for piece in model.chat([ChatMessage("user", "?")])]


@pytest.mark.parametrize(
    "ask",
    [
        _chat,
        lambda model: model.summarize("title", "snippet", "example.com"),
        lambda model: model.transcribe("question.wav", b"RIFF", "ko"),
        lambda model: model.speak("안녕하세요"),
    ],
    ids=["chat", "summarize", "transcribe", "speak"],
)
def test_without_a_model_nobody_is_asked(ask: Callable[[OpenAICompatible], Coroutine[Any, Any, Any]]):
    """Asking for what is not set is a typed error of its own kind."""
    with pytest.raises(LanguageModelError) as caught:
        asyncio.run(ask(OpenAICompatible(Settings(**LOCAL))))
    assert caught.value.kind is LanguageModelFailure.NOT_SET
