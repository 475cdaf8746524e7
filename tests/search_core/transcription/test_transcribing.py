"""Sound goes in, sentences with their moments come out, whatever the endpoint is like."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_core.domain import RecogniserKind, TranscriptionPhase
from tests.loopback import speech_endpoint as played
from tests.loopback.language_model import REFUSALS, LanguageModelServer, web_page
from tests.loopback.tone_speech import sentences, speak

from .conftest import ServiceOf, recording, worst_moment_s

SECONDS = 150.0
SAID = sentences(SECONDS)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory):
    return recording(tmp_path_factory.mktemp("sound") / "talk.flac", speak(SECONDS, SAID))


def transcribe(service_of: ServiceOf, sound, **changes):
    service = service_of(**changes)
    job = service.start(sound)
    transcription = job.result()
    assert job.progress.phase is TranscriptionPhase.DONE
    return transcription


def test_every_sentence_comes_at_its_moment(service_of: ServiceOf, endpoint: LanguageModelServer, sound, tmp_path: Path):
    """Three pieces overlap and are joined: nothing is told twice or lost, and moments are within a tenth of a second."""
    transcription = transcribe(service_of, sound)
    assert worst_moment_s(transcription.segments, SAID) < 0.1
    assert transcription.uncertain == ()
    assert (transcription.language, transcription.recogniser.kind) == ("ko", RecogniserKind.ENDPOINT)
    assert transcription.duration_s == pytest.approx(SECONDS, abs=0.1)
    assert len(endpoint.asked) == 3
    assert endpoint.asked[0].body["timestamp_granularities[]"] == "segment"
    assert list((tmp_path / "data" / "work").iterdir()) == []


@pytest.mark.parametrize(
    "disease",
    [
        pytest.param(played.without_moments(), id="refuses verbose_json"),
        pytest.param(played.ignoring_moments, id="answers verbose_json with json"),
        pytest.param(played.hearing(first_s=30.0), id="hears thirty seconds"),
        pytest.param(played.without_moments(played.hearing(first_s=30.0)), id="hears thirty seconds without moments"),
        pytest.param(played.at_most(20), id="answers 413"),
        pytest.param(played.at_most(40, 400), id="answers 400 to long sounds"),
        pytest.param(played.without_opus, id="refuses opus"),
        pytest.param(played.looping("구독과 좋아요 부탁드립니다", longer_than_s=29.0), id="loops in long sounds"),
        pytest.param(played.failing_first(2, REFUSALS["overloaded"]), id="is overloaded twice"),
        pytest.param(played.failing_first(3, REFUSALS["rate limit"]), id="limits its rate"),
        pytest.param(played.failing_first(1, web_page), id="answers with a page once"),
    ],
)
def test_a_disease_of_the_endpoint_costs_nothing(service_of: ServiceOf, endpoint: LanguageModelServer, sound, disease):
    """Whatever the endpoint refuses, cuts or repeats, every sentence is there once, within a second of its moment."""
    endpoint.hear = disease
    transcription = transcribe(service_of, sound)
    assert worst_moment_s(transcription.segments, SAID) < 1.0
    assert transcription.uncertain == ()
