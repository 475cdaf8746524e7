"""Speech recognised in a process of this machine, by a stand-in with the interface of faster-whisper 1.2.1."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil
import pytest

from search_core.domain.transcription import RecogniserKind
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.sound import SoundFile
from search_core.speech.whisper import WhisperRecogniser
from tests.loopback.child_processes import running_children
from tests.loopback.tone_speech import sentences, speak
from tests.loopback.whisper_stand_in import ABSENT, DYING, HANGING

from .conftest import ServiceOf, recording, worst_moment_s
from .media import write

SECONDS = 40.0
SAID = sentences(SECONDS)
RecogniserOf = Callable[..., WhisperRecogniser]


@pytest.fixture(scope="module")
def sound(folder: Path) -> SoundFile:
    return recording(folder / "talk.flac", speak(SECONDS, SAID))


@pytest.fixture
def whisper_of(tmp_path: Path) -> Iterator[RecogniserOf]:
    with ExitStack() as made:

        def make(model: str, limit_s: float = 60.0) -> WhisperRecogniser:
            module = "tests.loopback.whisper_stand_in"
            return made.enter_context(closing(WhisperRecogniser(model, limit_s=limit_s, module=module)))

        for name in (HANGING, DYING, "my-model", "my-model.en"):
            (folder := tmp_path / name).mkdir()
            for file in ("config.json", "model.bin", "tokenizer.json"):
                (folder / file).touch()

        yield make


def workers() -> list[psutil.Process]:
    return running_children("serve_whisper")


def test_a_local_model_hears_every_sentence(service_of: ServiceOf, whisper_of: RecogniserOf, sound: SoundFile, tmp_path: Path):
    """Samples go to a process of its own, segments, the doubts of the model and language come back; a folder names the model."""
    transcription = service_of(whisper_of(str(tmp_path / "my-model"))).start(sound).result()
    assert worst_moment_s(transcription.segments, SAID) < 0.1
    assert [each.uncertain for each in transcription.segments] == [True, *[False] * (len(SAID) - 1)]
    assert transcription.language == "ko"
    assert (transcription.recogniser.kind, transcription.recogniser.model) == (RecogniserKind.LOCAL, "my-model")


def test_a_folder_without_a_model_is_said_before_anything_is_heard(whisper_of: RecogniserOf, tmp_path: Path):
    """What the folder of the setting lacks is named, without loading anything; a folder that is whole is taken."""
    assert whisper_of(str(tmp_path / "my-model")).missing() == ""
    (tmp_path / "my-model" / "model.bin").unlink()
    assert "my-model)에 model.bin이(가) 없어요" in whisper_of(str(tmp_path / "my-model")).missing()
    assert "config.json, model.bin, tokenizer.json" in whisper_of(str(tmp_path / "nowhere")).missing()
    assert whisper_of("Systran/faster-whisper-small").missing() == ""


def test_speech_without_words_and_an_english_model_are_told(
    service_of: ServiceOf, whisper_of: RecogniserOf, sound: SoundFile, tmp_path: Path
):
    """What the voice detector calls speech and no segment covers is doubtful; a model for English says so."""
    rare = recording(tmp_path / "rare.flac", speak(SECONDS, SAID[:1]))
    model = whisper_of(str(tmp_path / "my-model.en"))
    transcription = service_of(model).start(rare).result()
    [(_, end_s)] = transcription.unheard
    assert end_s == pytest.approx(SECONDS)
    assert ["영어만" in warning for warning in transcription.warnings] == [True]


def test_progress_comes_with_the_words(service_of: ServiceOf, whisper_of: RecogniserOf, sound: SoundFile, tmp_path: Path):
    """What was recognised is told with the moment it ends at, before the whole is there; the end is all of the sound."""
    write(tmp_path / "a.wav", speak(SECONDS, SAID))
    told: list[float] = []
    model = whisper_of(str(tmp_path / "my-model"))
    asyncio.run(model.recognise(tmp_path / "a.wav", on_progress=told.append))
    assert told == pytest.approx([each.end_s for each in SAID], abs=0.1)
    job = service_of(whisper_of(str(tmp_path / "my-model"))).start(sound)
    job.result()
    assert (job.snapshot().share, job.snapshot().done_s) == (1.0, pytest.approx(SECONDS))


def test_a_model_that_is_not_here_is_said_and_not_fetched(service_of: ServiceOf, whisper_of: RecogniserOf, sound: SoundFile):
    """The reader learns what to run on the server, also where the package is missing; nothing was downloaded."""
    without = WhisperRecogniser("small", limit_s=10, module="no_such_package_here")
    assert "make whisper" in without.missing()
    assert "설정되지" in WhisperRecogniser("", limit_s=10).missing()
    with pytest.raises(TranscriptionError) as caught:
        service_of(whisper_of(ABSENT)).start(sound).result()
    assert caught.value.kind is Kind.UNANSWERED
    assert "make whisper WHISPER_MODEL=absent" in caught.value.korean


@pytest.mark.parametrize(("model", "limit_s"), [(HANGING, 1.0), (DYING, 60.0)])
def test_a_process_that_hangs_or_dies_ends_the_job(
    service_of: ServiceOf, whisper_of: RecogniserOf, sound: SoundFile, tmp_path: Path, model: str, limit_s: float
):
    """Past its time the process is killed; the reader learns why it gave nothing, and nobody asks again."""
    with pytest.raises(TranscriptionError) as caught:
        service_of(whisper_of(str(tmp_path / model), limit_s)).start(sound).result()
    assert "멈췄거나 너무 오래" in caught.value.korean
    assert workers() == []


def test_cancelling_ends_the_process_of_the_model(
    service_of: ServiceOf, whisper_of: RecogniserOf, sound: SoundFile, tmp_path: Path
):
    """Amid a piece that would take an hour, the process goes at once."""
    job = service_of(whisper_of(str(tmp_path / HANGING))).start(sound)
    while not (tmp_path / HANGING / "asked").exists():
        assert not job.wait(0.05)
    job.cancel()
    assert job.wait(10)
    [each.wait(10) for each in workers()]
    assert workers() == []
