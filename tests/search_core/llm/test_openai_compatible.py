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


MODEL, VOICE = {"openai_model": "m"}, {"openai_speech_model": "s", "openai_speech_voice": "v"}


def test_what_is_set_decides_what_can_be_asked():
    """Writing wants a model and an address, or a key for the one everybody knows; hearing and speaking want their own."""
    for settings, available in (({}, False), (MODEL, False), (LOCAL, False), (MODEL | LOCAL, True)):
        assert OpenAICompatible(Settings(**settings)).available() is available
    assert OpenAICompatible(Settings(openai_model="m", openai_api_key="k")).available()
    hearing = {"openai_transcription_model": "t"}
    for settings, can in (
        (MODEL | LOCAL, (False, False)),
        (hearing, (False, False)),
        (hearing | LOCAL, (True, False)),
        ({"openai_speech_model": "s", **LOCAL}, (False, False)),
        ({"openai_speech_voice": "v", **LOCAL}, (False, False)),
        (VOICE | LOCAL, (False, True)),
    ):
        model = OpenAICompatible(Settings(**settings))
        assert (model.can_transcribe(), model.speaks()) == can


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
