"""Long speech at a real client's endpoint: what is sent, what is recognised, what is refused."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest

from search_core.domain.transcription import RecognizedPiece
from search_core.domain.video import TranscriptSegment
from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.models.llm.speech_recogniser import EndpointRecogniser
from search_core.settings import Settings
from tests.loopback.language_model import KEY, LanguageModelServer, Whole, refusal

ANSWER = {
    "task": "transcribe",
    "language": "korean",
    "duration": 3.0,
    "text": " 안녕하세요.  반갑습니다.",
    "segments": [
        {"id": 0, "start": 0.0, "end": 1.5, "text": " 안녕하세요.", "tokens": [1], "avg_logprob": -0.2},
        {"id": 1, "start": 1.5, "end": 3, "text": " 반갑습니다.", "tokens": [2], "avg_logprob": -0.31},
    ],
}


def answering(value: object):
    return lambda _: Whole(200, "application/json", json.dumps(value).encode())


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "000001.wav"
    path.write_bytes(b"RIFF sound")
    return path


@pytest.fixture
def endpoint():
    with LanguageModelServer(hear=answering(ANSWER)) as server:
        yield server


def recogniser_at(endpoint: LanguageModelServer, *, limit_s: float = 60.0, **changes: object) -> EndpointRecogniser:
    given = {"openai_base_url": endpoint.url, "openai_api_key": KEY, "openai_transcription_model": "hears"}
    return EndpointRecogniser(Settings(_env_file=None, **{**given, **changes}), limit_s=limit_s)


def recognise(endpoint: LanguageModelServer, sound: Path, **changes) -> RecognizedPiece:
    asking = recogniser_at(endpoint, **changes).recognise(sound, on_progress=None)
    return asyncio.run(asking)


def test_segments_come_with_their_moments(endpoint: LanguageModelServer, sound: Path):
    """Model, form and wish for segments go out with the sound, under a name that shows only its format."""
    piece = recognise(endpoint, sound)
    assert piece == RecognizedPiece(
        segments=(TranscriptSegment(0.0, 1.5, "안녕하세요."), TranscriptSegment(1.5, 3.0, "반갑습니다.", uncertain=True)),
        language="ko",
    )
    [asked] = endpoint.asked
    assert (asked.path, asked.key) == ("/v1/audio/transcriptions", f"Bearer {KEY}")
    assert asked.body == {"model": "hears", "response_format": "verbose_json", "timestamp_granularities[]": "segment"}
    assert asked.files == (("audio.wav", b"RIFF sound"),)


def test_a_language_is_known_by_name_or_code(endpoint: LanguageModelServer, sound: Path):
    """OpenAI sends the name, others the code; anything else is none."""
    codes = {"korean": "ko", "English": "en", "ja": "ja", "zh-CN": "zh", "klingon": "", "": "", 3: "", None: ""}
    for language, code in codes.items():
        endpoint.hear = answering({**ANSWER, "language": language})
        assert (language, recognise(endpoint, sound).language) == (language, code)


def test_segments_of_any_shape_are_read(endpoint: LanguageModelServer, sound: Path):
    """Moments that are no numbers are not a number, segments without words are left out, and a text alone is one segment."""
    odd = [
        {"start": "soon", "end": None, "text": "하나"},
        {"start": [1], "text": "둘", "avg_logprob": "low"},
        {"text": " "},
        {"start": 1, "end": 2},
        5,
    ]
    endpoint.hear = answering({**ANSWER, "segments": odd})
    segments = recognise(endpoint, sound).segments
    assert [each.text for each in segments] == ["하나", "둘"]
    assert all(math.isnan(each.start_s) for each in segments)
    assert not any(each.uncertain for each in segments)
    endpoint.hear = answering({**ANSWER, "segments": []})
    [segment] = recognise(endpoint, sound).segments
    assert math.isnan(segment.start_s)
    endpoint.hear = answering({**ANSWER, "text": " ", "segments": []})
    assert recognise(endpoint, sound).segments == ()


def refused(endpoint: LanguageModelServer, sound: Path, **changes: object) -> LanguageModelError:
    with pytest.raises(LanguageModelError) as caught:
        recognise(endpoint, sound, **changes)
    return caught.value


def test_an_unreadable_answer_is_none(endpoint: LanguageModelServer, sound: Path):
    """Pages, wrong shapes and more than any speech are said to be unreadable."""
    for value in ({"text": ["a"]}, {"text": "x" * 16_000_001}):
        endpoint.hear = answering(value)
        assert refused(endpoint, sound).kind is Kind.UNREADABLE
    endpoint.hear = lambda _: Whole(200, "text/html", b"<html>login</html>")
    assert refused(endpoint, sound).kind is Kind.UNREADABLE


def test_a_busy_endpoint_is_asked_again(endpoint: LanguageModelServer, sound: Path):
    """After the pause that it names, five times in all; one that names an hour, or refuses the sound, is asked once."""
    for status, pause, times in ((503, ("retry-after-ms", "1"), 5), (429, ("Retry-After", "3600"), 1), (413, ("x", "y"), 1)):
        endpoint.asked.clear()
        endpoint.hear = lambda _, status=status, pause=pause: refusal(status, message="no")._replace(headers=(pause,))
        assert refused(endpoint, sound).status == status
        assert len(endpoint.asked) == times


def test_an_answer_may_take_as_long_as_is_said(endpoint: LanguageModelServer, sound: Path):
    """The time for a piece is its own, not that of a chat."""
    endpoint.released.clear()
    assert refused(endpoint, sound, limit_s=0.2, openai_timeout=100).kind is Kind.TIMEOUT


def test_a_missing_setting_is_named(endpoint: LanguageModelServer):
    """Without a model or an endpoint a Korean sentence says what is missing."""
    assert recogniser_at(endpoint).missing() == ""
    assert "OPENAI_TRANSCRIPTION_MODEL" in recogniser_at(endpoint, openai_transcription_model="").missing()
    assert recogniser_at(endpoint, openai_base_url="", openai_api_key="").missing() != ""
