"""A service whose endpoint listens on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from search_core.domain.transcription import Transcription
from search_core.domain.video import TranscriptSegment
from search_core.models.llm.speech_recogniser import EndpointRecogniser
from search_core.runtime import LoopThread
from search_core.settings import Settings
from search_core.speech.recogniser import SpeechRecogniser
from search_core.speech.service import TranscriptionService
from search_core.speech.sound import SoundFile
from search_core.storage.cache_file import CacheFile
from tests.loopback.language_model import KEY, LanguageModelServer
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import Sentence

from .media import write

ServiceOf = Callable[..., TranscriptionService]


class ShortPieces(EndpointRecogniser):
    """Asks the endpoint for pieces of forty seconds, so that short sounds have several."""

    piece_s = 40.0


@pytest.fixture
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer(hear=listening) as server:
        yield server


@pytest.fixture
def service_of(tmp_path: Path, endpoint: LanguageModelServer) -> Iterator[ServiceOf]:
    with ExitStack() as made:
        loop = made.enter_context(closing(LoopThread()))
        store = made.enter_context(closing(CacheFile(tmp_path / "kept.sqlite", 64 << 20)))

        def make(recogniser: SpeechRecogniser | None = None) -> TranscriptionService:
            settings = Settings(openai_base_url=endpoint.url, openai_api_key=KEY, openai_transcription_model="hears")
            recognisers = (recogniser or ShortPieces(settings, limit_s=60.0),)
            return made.enter_context(closing(TranscriptionService(loop, recognisers, tmp_path / "data" / "work", store)))

        yield make


def recording(path: Path, samples) -> SoundFile:
    """Return *samples* written to *path*, as a source."""
    return SoundFile(path=write(path, samples), name=path.name)


def said_in(transcription: Transcription) -> list[str]:
    """Return the texts of the segments."""
    return [segment.text for segment in transcription.segments]


def worst_moment_s(segments: tuple[TranscriptSegment, ...], said: list[Sentence]) -> float:
    """Return by how much the beginning of a sentence is off at most; the texts must be the same."""
    assert [segment.text for segment in segments] == [sentence.text for sentence in said]
    return max(abs(segment.start_s - sentence.start_s) for segment, sentence in zip(segments, said, strict=True))
