"""What a page asks of the service: start, follow, cancel, go on; and what is refused before anybody listens."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from search_core.domain import RecogniserKind, TranscriptionPhase
from search_core.errors import MaekrakError, TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.transcription.recogniser import SpeechRecogniser
from search_core.transcription.service import AT_ONCE, MAX_WAITING, TranscriptionService
from search_core.transcription.source import SoundFile, YouTubeSound
from search_core.transcription.whisper import WhisperRecogniser
from tests.loopback.child_processes import running_children
from tests.loopback.language_model import KEY, REFUSALS, LanguageModelServer, mute, refusal
from tests.loopback.speech_endpoint import failing_first, listening, moody
from tests.loopback.tone_speech import sentences, speak

from .conftest import ServiceOf, recording, said_in
from .listener import Listener
from .media import write

SECONDS = 90.0
SAID = sentences(SECONDS)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> SoundFile:
    return recording(tmp_path_factory.mktemp("sound") / "talk.flac", speak(SECONDS, SAID))


def left_behind(tmp_path: Path) -> list[Path]:
    """Return the files of work that are still there, and fail where a process is."""
    decoders = running_children("sound_worker")
    assert decoders == []
    work = tmp_path / "data" / "work"
    return sorted(work.rglob("*")) if work.is_dir() else []


def failure_of(service: TranscriptionService, sound: SoundFile) -> MaekrakError:
    job = service.start(sound)
    with pytest.raises(MaekrakError) as caught:
        job.result()
    assert job.error is caught.value
    assert job.progress.phase is TranscriptionPhase.FAILED
    return caught.value


def test_a_job_is_followed_by_its_id(service_of: ServiceOf, sound: SoundFile):
    """The job has its progress and what there is, and is found again by its id alone; the recogniser is named."""
    service = service_of()
    assert service.missing == ""
    assert service.recogniser is not None
    assert (service.recogniser.kind, service.recogniser.model) == (RecogniserKind.ENDPOINT, "hears")
    job = service.start(sound)
    assert service.job(job.id) is job
    assert service.job("another") is None
    assert said_in(job.result()) == [each.text for each in SAID]
    progress = job.progress
    assert (progress.phase, progress.pieces, progress.pieces_done) == (TranscriptionPhase.DONE, 3, 3)
    assert progress.share == 1.0
    assert job.segments == job.result().segments
    assert job.error is None


def test_the_same_sound_is_listened_to_once(service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile):
    """A second time, under another name, the kept transcript comes back and nobody is asked."""
    service = service_of()
    first = service.start(sound).result()
    asked = len(endpoint.asked)
    assert service.start(SoundFile(path=sound.path, name="other.flac")).result() == first
    assert len(endpoint.asked) == asked


def test_cancelling_ends_everything_and_keeps_what_is_done(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path
):
    """Amid the second request the process and the connection go at once; the next start asks for what is missing only."""
    service = service_of()
    endpoint.hear = lambda asked: listening(asked) if len(endpoint.asked) == 1 else mute()(asked)
    job = service.start(sound)
    while len(endpoint.asked) < 2:
        endpoint.arrived.wait(1)
    assert job.progress.pieces_done == 1
    job.cancel()
    assert job.wait(10)
    assert job.progress.phase is TranscriptionPhase.CANCELLED
    assert endpoint.left.wait(10)
    with pytest.raises(TranscriptionError) as caught:
        job.result()
    assert caught.value.kind is Kind.CANCELLED
    assert left_behind(tmp_path) == []
    endpoint.hear = listening
    endpoint.asked.clear()
    again = service.start(sound)
    assert said_in(again.result()) == [each.text for each in SAID]
    assert (len(endpoint.asked), again.progress.pieces_kept) == (2, 1)


def test_a_recogniser_that_fails_is_told_and_done_pieces_stay(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path, pauses: list[float]
):
    """An endpoint that is overloaded for good ends the job after four tries, and the first piece is not asked for again."""
    service = service_of()
    endpoint.hear = lambda asked: listening(asked) if len(endpoint.asked) == 1 else REFUSALS["overloaded"](asked)
    error = failure_of(service, sound)
    assert isinstance(error, TranscriptionError)
    assert error.kind is Kind.UNANSWERED
    assert error.korean.startswith("음성을 받아 적지 못했어요: 언어 모델에 문제가 생겼어요.")
    assert len(endpoint.asked) == 5
    assert [round(each / 2**n, 1) <= 1.0 for n, each in enumerate(pauses)] == [True] * 3
    assert left_behind(tmp_path) == []
    endpoint.hear = listening
    endpoint.asked.clear()
    service.start(sound).result()
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize(("told", "asked", "paused"), [("7", 4, [7.0]), ("3600", 1, [])])
def test_an_endpoint_says_how_long_to_wait(
    service_of: ServiceOf,
    endpoint: LanguageModelServer,
    sound: SoundFile,
    pauses: list[float],
    told: str,
    asked: int,
    paused: list[float],
):
    """Retry-After is waited for, up to a minute; past that the job ends at once."""
    slow = refusal(429, message="slow down")._replace(headers=(("Retry-After", told),))
    endpoint.hear = failing_first(1, lambda _: slow)
    job = service_of().start(sound)
    job.wait()
    assert (len(endpoint.asked), pauses, job.error is None) == (asked, paused, paused != [])


def test_an_endpoint_that_refuses_now_this_now_that_is_left(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile
):
    """After a dozen ways that were taken on trial and refused in earnest, the job ends."""
    endpoint.hear = moody()
    error = failure_of(service_of(), sound)
    assert isinstance(error, TranscriptionError)
    assert error.kind is Kind.UNANSWERED
    assert len(endpoint.asked) < 100


@pytest.mark.parametrize("name", ["bad key", "quota"])
def test_what_no_second_try_can_help_is_asked_once(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, pauses: list[float], name: str
):
    """A wrong key and a spent quota end the job at once."""
    endpoint.hear = REFUSALS[name]
    error = failure_of(service_of(), sound)
    assert KEY not in str(error) + error.korean
    assert (len(endpoint.asked), pauses) == (1, [])


def giant(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b"\0\0\0\x18ftypmp42")
        file.truncate(10_000_000_000)


def folder(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def silent_film(path: Path) -> None:
    write(path, speak(2, []), picture=True, tracks=0)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda _: None, Kind.BROKEN),
        (giant, Kind.TOO_LARGE),
        (folder, Kind.NOT_MEDIA),
        (fifo, Kind.NOT_MEDIA),
        (silent_film, Kind.NO_SOUND),
    ],
)
def test_a_bad_file_ends_the_job_and_leaves_nothing(
    service_of: ServiceOf, endpoint: LanguageModelServer, tmp_path: Path, make: Callable[[Path], None], kind: Kind
):
    """No file, ten gigabytes, folders, pipes and silent films are refused in Korean, without a request or a file left."""
    path = tmp_path / "a.mp4"
    make(path)
    error = failure_of(service_of(), SoundFile(path=path, name="a.mp4"))
    assert isinstance(error, TranscriptionError)
    assert (error.kind, error.korean[-1]) == (kind, ".")
    assert str(tmp_path) not in str(error)
    assert (endpoint.asked, left_behind(tmp_path)) == ([], [])


def test_a_received_file_goes_with_its_job(service_of: ServiceOf, sound: SoundFile, tmp_path: Path):
    """An upload is written in chunks, heard, and removed when the job has ended."""
    service = service_of(Listener(piece_s=60.0))
    data = sound.path.read_bytes()
    received = service.receive("talk.flac", (data[at : at + 10_000] for at in range(0, len(data), 10_000)))
    assert received.path.read_bytes() == data
    assert len(service.start(received).result().segments) == len(SAID)
    assert left_behind(tmp_path) == []


def test_an_upload_that_breaks_off_or_is_not_wanted_leaves_nothing(service_of: ServiceOf, tmp_path: Path):
    """A connection lost amid an upload, one chunk too many, and an upload that is never started, are cleaned away."""
    service = service_of(Listener(), max_bytes=1000)
    with pytest.raises(TranscriptionError) as caught:
        service.receive("a.mp4", iter([bytes(600), bytes(600), bytes(600)]))
    assert caught.value.kind is Kind.TOO_LARGE

    def broken():
        yield bytes(10)
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        service.receive("a.mp4", broken())
    unwanted = service.receive("a.mp4", iter([b"x"]))
    service.discard(unwanted)
    service.discard(unwanted)
    assert left_behind(tmp_path) == []


def test_a_data_folder_that_cannot_be_written_is_told(service_of: ServiceOf, tmp_path: Path):
    """Where a file stands in the place of the folder, the disk is named as the reason."""
    service = service_of(Listener())
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(TranscriptionError) as caught:
        service.receive("a.mp4", iter([b"x"]))
    assert caught.value.kind is Kind.NO_ROOM


def test_without_a_recogniser_nothing_starts(service_of: ServiceOf, sound: SoundFile):
    """Without a model the service says what to set up, in both ways there are."""
    service = service_of(openai_transcription_model="")
    assert service.recogniser is None
    assert "WHISPER_MODEL" in service.missing
    with pytest.raises(TranscriptionError) as caught:
        service.start(sound)
    assert caught.value.kind is Kind.NOT_SET


def test_without_a_decoder_nothing_starts(service_of: ServiceOf, sound: SoundFile, monkeypatch: pytest.MonkeyPatch):
    """Where PyAV is not installed the service names the command that installs it, though a recogniser is set up."""
    service = service_of()
    assert service.missing == ""
    monkeypatch.setitem(sys.modules, "av", None)
    assert service.recogniser is None
    with pytest.raises(TranscriptionError, match="make speech") as caught:
        service.start(sound)
    assert (caught.value.kind, caught.value.korean) == (Kind.NOT_SET, service.missing)
    assert "make speech" in service.missing


def test_youtube_is_left_alone_unless_allowed(service_of: ServiceOf):
    """Where the operator does not allow it, no sound of YouTube is fetched."""
    with pytest.raises(TranscriptionError) as caught:
        service_of().start(YouTubeSound(video_id="dQw4w9WgXcQ"))
    assert caught.value.kind is Kind.NOT_ALLOWED


def test_the_sound_of_a_youtube_video_takes_the_same_way(service_of: ServiceOf, sound: SoundFile, tmp_path: Path):
    """Where it is allowed, what was fetched is heard and goes with the job."""
    asked = []

    async def fetch(video_id: str, into: Path) -> Path:
        asked.append(video_id)
        to = into / "sound.flac"
        to.write_bytes(sound.path.read_bytes())
        return to

    service = service_of(Listener(piece_s=60.0), youtube=True, fetch=fetch)
    assert len(service.start(YouTubeSound(video_id="dQw4w9WgXcQ")).result().segments) == len(SAID)
    assert asked == ["dQw4w9WgXcQ"]
    assert left_behind(tmp_path) == []


def test_no_more_wait_than_may(service_of: ServiceOf, sound: SoundFile, endpoint: LanguageModelServer):
    """Past two at work and twenty waiting, another is refused; cancelled ones make room."""
    endpoint.hear = mute()
    service = service_of()
    jobs = [service.start(sound) for _ in range(AT_ONCE + MAX_WAITING)]
    with pytest.raises(TranscriptionError) as caught:
        service.start(sound)
    assert caught.value.kind is Kind.BUSY
    for job in jobs:
        job.cancel()
    assert all(job.wait(20) for job in jobs)
    service.start(sound).cancel()


@pytest.mark.parametrize(
    ("recogniser", "words"),
    [
        (WhisperRecogniser("", device="cpu", limit_s=10), "설정되지"),
        (WhisperRecogniser("small", device="cpu", limit_s=10, factory="no_such_package_here:Model"), "make whisper"),
    ],
)
def test_what_whisper_lacks_is_said(recogniser: SpeechRecogniser, words: str):
    """Without a model's name, and without the package, a sentence says what to do."""
    assert words in recogniser.missing()
