"""Transcription as the settings put it together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.settings import Settings
from search_core.speech.sound import SoundFile
from tests.loopback.language_model import KEY, LanguageModelServer
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import sentences, speak
from tests.search_core.speech.media import write

CoreOf = Callable[..., SearchCore]
SAID = sentences(20.0)


@pytest.fixture
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer(hear=listening) as server:
        yield server


@pytest.fixture
def core_of(tmp_path: Path, endpoint: LanguageModelServer) -> Iterator[CoreOf]:
    cores: list[SearchCore] = []

    def make(**changes: object) -> SearchCore:
        given = {"openai_base_url": endpoint.url, "openai_api_key": KEY, "openai_transcription_model": "hears"}
        own = {
            "maekrak_data_dir": tmp_path / "data",
            "embedding_model": "kiwi",
            "library_samples": False,
            "search_providers": "library",
        }
        cores.append(SearchCore.from_settings(Settings(_env_file=None, **{**own, **given, **changes})))
        return cores[-1]

    yield make
    for core in cores:
        core.close()


def test_closing_the_core_ends_what_is_under_way(core_of: CoreOf, endpoint: LanguageModelServer, tmp_path: Path):
    """A transcription amid its request is cancelled when the core is closed."""
    endpoint.released.clear()
    core = core_of()
    job = core.transcription.start(SoundFile(path=write(tmp_path / "a.wav", speak(20.0, SAID)), name="a.wav"))
    assert endpoint.arrived.wait(20)
    core.close()
    assert job.done
    assert isinstance(job.error, TranscriptionError)
    assert job.error.kind is Kind.CANCELLED
