"""Sound goes in, sentences with their moments come out, whatever the endpoint is like."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_core.domain.transcription import RecogniserKind, Transcription
from search_core.errors import TranscriptionError
from search_core.speech.sound import SoundFile
from tests.loopback.language_model import LanguageModelServer, refusing
from tests.loopback.speech_endpoint import in_nanoseconds, listening
from tests.loopback.tone_speech import sentences, speak

from .conftest import ServiceOf, recording, worst_moment_s

SECONDS = 90.0
SAID = sentences(SECONDS)


@pytest.fixture(scope="module")
def sound(folder: Path) -> SoundFile:
    return recording(folder / "talk.flac", speak(SECONDS, SAID))


def transcribe(service_of: ServiceOf, sound: SoundFile) -> Transcription:
    return service_of().start(sound).result()


def test_every_sentence_comes_at_its_moment(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path
):
    """Three pieces follow each other: nothing is told twice or lost, and moments are within a tenth of a second."""
    transcription = transcribe(service_of, sound)
    assert worst_moment_s(transcription.segments, SAID) < 0.1
    assert transcription.unheard == ()
    assert (transcription.language, transcription.recogniser.kind) == ("ko", RecogniserKind.ENDPOINT)
    assert transcription.duration_s == pytest.approx(SECONDS, abs=0.1)
    assert len(endpoint.asked) == 3
    assert {each.files[0][0] for each in endpoint.asked} == {"audio.wav"}
    assert endpoint.asked[0].body["timestamp_granularities[]"] == "segment"
    assert list((tmp_path / "data" / "work").iterdir()) == []


@pytest.mark.parametrize("disease", [in_nanoseconds, refusing(400, message="response_format 'verbose_json' is not compatible")])
def test_an_endpoint_without_moments_is_said_to_be_one(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, disease
):
    """Captions need moments: the reader learns what to set instead, and nothing is kept of what had none."""
    endpoint.hear = disease
    with pytest.raises(TranscriptionError) as caught:
        transcribe(service_of, sound)
    assert "시각을 알려 주는 모델" in caught.value.korean
    endpoint.hear = listening
    assert worst_moment_s(transcribe(service_of, sound).segments, SAID) < 0.1
