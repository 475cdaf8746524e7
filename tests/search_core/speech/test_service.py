"""What a page asks of the service: start, follow, cancel, go on; and what is refused before anybody listens."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from search_core.domain.transcription import RecogniserKind
from search_core.errors import MaekrakError, TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.runtime import LoopThread
from search_core.settings import Settings
from search_core.speech.service import AT_ONCE, MAX_WAITING, TranscriptionService
from search_core.speech.sound import SoundFile
from search_core.speech.whisper import WhisperRecogniser
from search_core.storage.cache_file import CacheFile
from tests.loopback.child_processes import running_children
from tests.loopback.language_model import KEY, REFUSALS, LanguageModelServer, Personality, mute, refusing
from tests.loopback.speech_endpoint import in_nanoseconds, listening
from tests.loopback.tone_speech import sentences, speak

from .conftest import ServiceOf, ShortPieces, recording, said_in, worst_moment_s

SECONDS = 90.0
SAID = sentences(SECONDS)


@pytest.fixture(scope="module")
def sound(folder: Path) -> SoundFile:
    return recording(folder / "talk.flac", speak(SECONDS, SAID))


def left_behind(tmp_path: Path) -> list[Path]:
    """Return the files of work that are still there, and fail where a process is."""
    assert running_children("sound_worker") == []
    work = tmp_path / "data" / "work"
    return sorted(work.rglob("*")) if work.is_dir() else []


def failure_of(service: TranscriptionService, sound: SoundFile) -> MaekrakError:
    job = service.start(sound)
    with pytest.raises(MaekrakError) as caught:
        job.result()
    assert job.error is caught.value
    return caught.value


def kind_of(begin: Callable[[], object]) -> Kind:
    with pytest.raises(TranscriptionError) as caught:
        begin()
    return caught.value.kind


def test_a_job_is_followed_by_its_id_and_listened_to_once(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path
):
    """The job has its progress and, of three pieces, every sentence at its moment; it is found again by its id alone.

    A second time, under another name, the kept pieces come back and nobody is asked; another model is.
    """
    service = service_of()
    assert service.missing == ""
    assert service.recogniser is not None
    assert (service.recogniser.kind, service.recogniser.model) == (RecogniserKind.ENDPOINT, "hears")
    job = service.start(sound)
    assert service.job(job.id, "") is job
    assert service.job("another", "") is None
    transcription = job.result()
    assert worst_moment_s(transcription.segments, SAID) < 0.1
    assert (transcription.language, transcription.unheard) == ("ko", ())
    assert transcription.duration_s == pytest.approx(SECONDS, abs=0.1)
    assert (job.snapshot().share, job.error) == (1.0, None)
    asked = len(endpoint.asked)
    assert asked == 3
    assert endpoint.asked[0].body["timestamp_granularities[]"] == "segment"
    assert left_behind(tmp_path) == []
    assert service.start(SoundFile(path=sound.path, name="other.flac")).result() == job.result()
    assert len(endpoint.asked) == asked
    another = Settings(openai_base_url=endpoint.url, openai_api_key=KEY, openai_transcription_model="another")
    service_of(ShortPieces(another, limit_s=60.0)).start(sound).result()
    assert len(endpoint.asked) == 2 * asked


def test_cancelling_ends_everything_and_keeps_what_is_done(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path
):
    """Amid the second request the process and the connection go at once; the next start asks for what is missing only."""
    service = service_of()
    endpoint.hear = lambda asked: listening(asked) if len(endpoint.asked) == 1 else mute()(asked)
    job = service.start(sound)
    while len(endpoint.asked) < 2:
        endpoint.arrived.wait(1)
    assert 30.0 < job.snapshot().done_s < 40.0
    job.cancel()
    assert job.wait(10)
    assert endpoint.left.wait(10)
    assert kind_of(job.result) is Kind.CANCELLED
    assert left_behind(tmp_path) == []
    endpoint.hear = listening
    endpoint.asked.clear()
    again = service.start(sound)
    assert said_in(again.result()) == [each.text for each in SAID]
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("disease", [in_nanoseconds, refusing(400, message="response_format 'verbose_json' is not compatible")])
def test_an_endpoint_without_moments_is_said_to_be_one(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, disease: Personality
):
    """Captions need moments: the reader learns what to set instead, and nothing is kept of what had none."""
    endpoint.hear = disease
    assert "시각을 알려 주는 모델" in failure_of(service_of(), sound).korean
    endpoint.hear = listening
    assert said_in(service_of().start(sound).result()) == [each.text for each in SAID]


def at_once(refused: Personality) -> Personality:
    """Return what says at once how long to wait: no time at all."""
    return lambda asked: refused(asked)._replace(headers=(("retry-after-ms", "1"),))


def test_a_recogniser_that_fails_is_told_and_done_pieces_stay(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path
):
    """An endpoint that is overloaded for good ends the job after five tries, and the first piece is not asked for again."""
    service = service_of()
    overloaded = at_once(REFUSALS["overloaded"])
    endpoint.hear = lambda asked: listening(asked) if len(endpoint.asked) == 1 else overloaded(asked)
    error = failure_of(service, sound)
    assert isinstance(error, TranscriptionError)
    assert error.kind is Kind.UNANSWERED
    assert "이어서 해요" in error.korean
    assert KEY not in f"{error} {error.korean}"
    assert len(endpoint.asked) == 6
    assert left_behind(tmp_path) == []
    endpoint.asked.clear()
    endpoint.hear = lambda asked: (overloaded if len(endpoint.asked) <= 2 else listening)(asked)
    service.start(sound).result()
    assert len(endpoint.asked) == 4


def giant(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"\0\0\0\x18ftypmp42")
        file.truncate(10_000_000_000)


@pytest.mark.parametrize(
    ("make", "kind"),
    [(lambda _: None, Kind.NOT_MEDIA), (giant, Kind.TOO_LARGE), (Path.mkdir, Kind.NOT_MEDIA), (os.mkfifo, Kind.NOT_MEDIA)],
)
def test_a_bad_file_ends_the_job_and_leaves_nothing(
    service_of: ServiceOf, endpoint: LanguageModelServer, tmp_path: Path, make: Callable[[Path], None], kind: Kind
):
    """No file, ten gigabytes, folders and pipes are refused in Korean, without a request or a file left."""
    path = tmp_path / "a.mp4"
    make(path)
    error = failure_of(service_of(), SoundFile(path=path, name="a.mp4"))
    assert isinstance(error, TranscriptionError)
    assert (error.kind, error.korean[-1]) == (kind, ".")
    assert str(tmp_path) not in str(error)
    assert (endpoint.asked, left_behind(tmp_path)) == ([], [])


def test_a_received_file_goes_with_its_job(service_of: ServiceOf, sound: SoundFile, tmp_path: Path):
    """An upload is written in chunks, heard, and removed when the job has ended."""
    service = service_of()
    data = sound.path.read_bytes()
    received = service.receive("talk.flac", (data[at : at + 10_000] for at in range(0, len(data), 10_000)))
    assert received.path.read_bytes() == data
    assert len(service.start(received).result().segments) == len(SAID)
    assert left_behind(tmp_path) == []


def test_what_killed_processes_left_goes_with_the_next_job(service_of: ServiceOf, sound: SoundFile, tmp_path: Path):
    """A folder that was not written into for days is removed, another stays."""
    work = tmp_path / "data" / "work"
    left, held = work / "left", work / "held"
    left.mkdir(parents=True)
    held.mkdir()
    (left / "received").write_bytes(b"x")
    os.utime(left, (0, 0))
    service_of().start(sound).result()
    assert left_behind(tmp_path) == [held]


def test_an_upload_that_breaks_off_or_is_not_wanted_leaves_nothing(service_of: ServiceOf, tmp_path: Path):
    """A connection lost amid an upload, one chunk too many, and an upload that is never started, are cleaned away.

    Where a file stands in the place of the folder, the disk is named as the reason.
    """

    def broken():
        yield bytes(10)
        raise ConnectionResetError

    service = service_of()
    service.max_bytes = 1000
    assert kind_of(lambda: service.receive("a.mp4", iter([bytes(600)] * 3))) is Kind.TOO_LARGE
    with pytest.raises(ConnectionResetError):
        service.receive("a.mp4", broken())
    unwanted = service.receive("a.mp4", iter([b"x"]))
    for _ in range(2):
        service.discard(unwanted)
    assert left_behind(tmp_path) == []
    (tmp_path / "data" / "work").rmdir()
    (tmp_path / "data" / "work").write_text("in the way")
    assert kind_of(lambda: service.receive("a.mp4", iter([b"x"]))) is Kind.NO_ROOM


def test_without_a_decoder_nothing_starts(service_of: ServiceOf, sound: SoundFile, monkeypatch: pytest.MonkeyPatch):
    """Where PyAV is not installed the service names the command that installs it, though a recogniser is set up."""
    service = service_of()
    assert service.missing == ""
    monkeypatch.setitem(sys.modules, "av", None)
    assert service.recogniser is None
    assert kind_of(lambda: service.start(sound)) is Kind.NOT_SET
    assert "make speech" in service.missing


def test_who_is_set_up_is_who_is_missed(tmp_path: Path):
    """Where a local model is set and no endpoint, the sentence of the local one is shown: what its folder lacks."""
    recognisers = (
        ShortPieces(Settings(_env_file=None, openai_base_url="http://127.0.0.1:9/v1"), limit_s=1.0),
        WhisperRecogniser(str(tmp_path), limit_s=1.0, module="tests.loopback.whisper_stand_in"),
    )
    with closing(LoopThread()) as loop, closing(CacheFile(tmp_path / "kept.sqlite", 1)) as store:
        assert "model.bin" in TranscriptionService(loop, recognisers, tmp_path, store).missing


def test_no_more_wait_than_may(service_of: ServiceOf, sound: SoundFile, endpoint: LanguageModelServer):
    """Past two at work and twenty waiting, another is refused; cancelled ones make room."""
    endpoint.hear = mute()
    service = service_of()
    jobs = [service.start(sound) for _ in range(AT_ONCE + MAX_WAITING)]
    assert kind_of(lambda: service.start(sound)) is Kind.BUSY
    for job in jobs:
        job.cancel()
    assert all(job.wait(20) for job in jobs)
    service.start(sound).cancel()
