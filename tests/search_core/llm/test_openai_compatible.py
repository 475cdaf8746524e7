"""What is set decides what can be asked."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm import ChatMessage, OpenAICompatible
from search_core.llm.openai_compatible import MAX_AUDIO_BYTES, MAX_SPOKEN_CHARS
from search_core.settings import Settings
from tests.loopback.language_model import KEY, REFUSALS, LanguageModelServer, Whole, heard, silence_wav

from .conftest import ModelOf

LOCAL = {"openai_base_url": "http://127.0.0.1:1/v1"}

MODEL, VOICE = {"openai_model": "m"}, {"openai_speech_model": "s", "openai_speech_voice": "v"}
SAID = "엔비디아가 무엇을 발표했나요?"
NO_TEXTS = (b"", b"{", b"[]", b"null", b'{"text": null}', b'{"text": ["a"]}', json.dumps({"text": "가" * 1_000_000}).encode())
UNREADABLE = (
    Whole(200, "text/html", b"<html>login</html>"),
    Whole(200, "text/plain", "그냥 글".encode()),
    *(Whole(200, "application/json", text) for text in NO_TEXTS),
)
NO_SOUND = (
    Whole(200, "application/json", b'{"error": "no"}'),
    Whole(200, "text/html", b"<html>login</html>"),
    Whole(200, "audio/mpeg", b""),
    Whole(200, "audio/mpeg", bytes(33 * 1024 * 1024)),
)


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


def refused(asking) -> LanguageModelError:
    with pytest.raises(LanguageModelError) as caught:
        asyncio.run(asking)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    return caught.value


def test_speech_becomes_text(endpoint: LanguageModelServer, model_of: ModelOf):
    """The file goes out with model and language, under a name that holds nothing but its format; a language may be missing."""
    endpoint.hear = heard(f" {SAID}\n")
    sound = silence_wav()
    assert asyncio.run(model_of().transcribe("내 비밀 녹음.WAV", sound, "ko")) == SAID
    [asked] = endpoint.asked
    assert (asked.path, asked.key) == ("/v1/audio/transcriptions", f"Bearer {KEY}")
    assert asked.body == {"model": "hears", "language": "ko", "response_format": "json"}
    assert asked.files == (("audio.wav", sound),)
    endpoint.hear = heard("")  # silence is understood, and is no error
    assert asyncio.run(model_of().transcribe("a.webm", b"sound", "")) == ""
    assert "language" not in endpoint.asked[-1].body


def test_what_cannot_be_asked_stays_here(endpoint: LanguageModelServer, model_of: ModelOf):
    """A wrong format, nothing at all, more than 25 MB and more than 4096 characters are refused before anything is sent."""
    for name, sound in (("a.exe", b"MZ"), ("a", b"x"), ("a.wav", b""), ("a.wav", bytes(MAX_AUDIO_BYTES + 1))):
        assert refused(model_of().transcribe(name, sound, "ko")).kind is Kind.REJECTED
    for text in ("", " \n", "가" * (MAX_SPOKEN_CHARS + 1)):
        assert refused(model_of().speak(text)).kind is Kind.REJECTED
    assert endpoint.asked == []


def test_unreadable_answers_are_none(endpoint: LanguageModelServer, model_of: ModelOf):
    """Pages, texts without a frame, wrong JSON, and text or sound without end are said to be unreadable."""
    model = model_of()
    for reply in UNREADABLE:
        endpoint.hear = lambda _, reply=reply: reply
        assert refused(model.transcribe("a.wav", silence_wav(), "ko")).kind is Kind.UNREADABLE, reply.body[:20]
    for reply in NO_SOUND:
        endpoint.speak = lambda _, reply=reply: reply
        assert refused(model.speak("안녕하세요")).kind is Kind.UNREADABLE, reply.body[:20]


def test_refusals_have_their_kind(endpoint: LanguageModelServer, model_of: ModelOf):
    """Transcribing and speaking fail as chats do, asked once each."""
    endpoint.hear = endpoint.speak = REFUSALS["quota"]
    assert refused(model_of().transcribe("a.wav", silence_wav(), "ko")).kind is Kind.QUOTA
    assert refused(model_of().speak("안녕하세요")).kind is Kind.QUOTA
    assert len(endpoint.asked) == 2


def test_text_becomes_speech(endpoint: LanguageModelServer, model_of: ModelOf):
    """The text goes out with model and voice, and the bytes come back as they are."""
    assert asyncio.run(model_of().speak("안녕하세요.")) == silence_wav()
    [asked] = endpoint.asked
    assert asked.path == "/v1/audio/speech"
    assert asked.body == {"model": "speaks", "voice": "voice", "input": "안녕하세요.", "response_format": "mp3"}
