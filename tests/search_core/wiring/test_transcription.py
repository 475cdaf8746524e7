"""Transcription as the settings put it together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.settings import Settings
from search_core.transcription.service import TranscriptionService
from search_core.transcription.source import SoundFile, YouTubeSound
from tests.loopback.language_model import KEY, LanguageModelServer
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import sentences, speak
from tests.search_core.transcription.media import write

ServiceOf = Callable[..., TranscriptionService]
SAID = sentences(20.0)


@pytest.fixture
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer(hear=listening) as server:
        yield server


@pytest.fixture
def service_of(tmp_path: Path, endpoint: LanguageModelServer) -> Iterator[ServiceOf]:
    cores: list[SearchCore] = []

    def make(**changes: object) -> TranscriptionService:
        given = {"openai_base_url": endpoint.url, "openai_api_key": KEY, "openai_transcription_model": "hears"}
        own = {
            "maekrak_data_dir": tmp_path / "data",
            "embedding_model": "kiwi",
            "library_samples": False,
            "search_providers": "library",
        }
        cores.append(SearchCore.from_settings(Settings(_env_file=None, **{**own, **given, **changes})))
        return cores[-1].transcription

    yield make
    for core in cores:
        core.close()


def test_the_core_transcribes_a_film(service_of: ServiceOf, endpoint: LanguageModelServer, tmp_path: Path):
    """A video on disk becomes sentences with moments by the endpoint of the settings, kept under the data folder."""
    film = write(tmp_path / "film.mp4", speak(20.0, SAID), picture=True)
    service = service_of()
    transcription = service.start(SoundFile(path=film, name="film.mp4")).result()
    assert [segment.text for segment in transcription.segments] == [sentence.text for sentence in SAID]
    assert transcription.recogniser == service.recogniser
    assert film.exists(), "a file that is not ours stays"
    assert (tmp_path / "data" / "transcription" / "kept").is_dir()
    assert list((tmp_path / "data" / "transcription" / "work").iterdir()) == []


def test_bounds_are_those_of_the_settings(service_of: ServiceOf, tmp_path: Path):
    """Size in megabytes and length in hours are held."""
    service = service_of(transcription_max_mb=3, transcription_max_hours=0.003)
    assert service.max_bytes == 3_000_000
    with pytest.raises(TranscriptionError) as caught:
        service.start(SoundFile(path=write(tmp_path / "a.wav", speak(20.0, SAID)), name="a.wav")).result()
    assert caught.value.kind is Kind.TOO_LONG


def test_youtube_is_a_setting(service_of: ServiceOf):
    """Sound of YouTube is off unless the operator turns it on; without a model a sentence names the setting."""
    assert not service_of().youtube
    with pytest.raises(TranscriptionError):
        service_of().start(YouTubeSound(video_id="abcDEF12_-3"))
    assert service_of(transcription_youtube=True).youtube
    without = service_of(openai_transcription_model="")
    assert without.recogniser is None
    assert "OPENAI_TRANSCRIPTION_MODEL" in without.missing


def test_closing_the_core_ends_what_is_under_way(endpoint: LanguageModelServer, tmp_path: Path):
    """A transcription amid its request is cancelled when the core is closed."""
    endpoint.released.clear()
    given = {"openai_base_url": endpoint.url, "openai_transcription_model": "hears", "maekrak_data_dir": tmp_path / "data"}
    own = {"embedding_model": "kiwi", "library_samples": False, "search_providers": "library"}
    with closing(SearchCore.from_settings(Settings(_env_file=None, **given, **own))) as core:
        source = SoundFile(path=write(tmp_path / "a.wav", speak(20.0, SAID)), name="a.wav")
        job = core.transcription.start(source)
        assert endpoint.arrived.wait(20)
    assert job.done
    assert isinstance(job.error, TranscriptionError)
    assert job.error.kind is Kind.CANCELLED
