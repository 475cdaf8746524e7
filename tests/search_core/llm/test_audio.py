"""A real client and endpoints that transcribe and speak, well and badly."""

from __future__ import annotations

import asyncio
import json
import traceback

import pytest

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.audio import MAX_AUDIO_BYTES, MAX_SPOKEN_CHARS
from tests.loopback.language_model import KEY, REFUSALS, LanguageModelServer, Whole, heard, silence_wav

from .conftest import ModelOf

SAID = "엔비디아가 무엇을 발표했나요?"


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
