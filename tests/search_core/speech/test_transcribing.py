"""Sound goes in, sentences with their moments come out, whatever the endpoint is like."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_core.domain import RecogniserKind, Transcription, TranscriptionPhase, UncertainReason
from search_core.settings import Settings
from search_core.speech.recogniser import SHORT_S
from search_core.speech.source import SoundFile
from tests.loopback import speech_endpoint as played
from tests.loopback.language_model import LanguageModelServer, web_page
from tests.loopback.tone_speech import sentences, speak

from .conftest import ServiceOf, ShortPieces, recording, worst_moment_s
from .listener import Listener

SECONDS = 90.0
SAID = sentences(SECONDS)


@pytest.fixture(scope="module")
def sound(folder: Path) -> SoundFile:
    return recording(folder / "talk.flac", speak(SECONDS, SAID))


def transcribe(service_of: ServiceOf, sound: SoundFile) -> Transcription:
    job = service_of().start(sound)
    transcription = job.result()
    assert job.snapshot().phase is TranscriptionPhase.DONE
    return transcription


def test_every_sentence_comes_at_its_moment(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, tmp_path: Path
):
    """Three pieces follow each other: nothing is told twice or lost, and moments are within a tenth of a second."""
    transcription = transcribe(service_of, sound)
    assert worst_moment_s(transcription.segments, SAID) < 0.1
    assert transcription.uncertain == ()
    assert (transcription.language, transcription.recogniser.kind) == ("ko", RecogniserKind.ENDPOINT)
    assert transcription.duration_s == pytest.approx(SECONDS, abs=0.1)
    assert len(endpoint.asked) == 3
    assert {each.files[0][0] for each in endpoint.asked} == {"audio.mp3"}
    assert endpoint.asked[0].body["timestamp_granularities[]"] == "segment"
    assert list((tmp_path / "data" / "work").iterdir()) == []


@pytest.mark.parametrize(
    "disease",
    [
        pytest.param(played.ignoring_moments, id="answers verbose_json with json"),
        pytest.param(played.hearing(played.in_nanoseconds), id="tells nanoseconds"),
        pytest.param(played.without_moments(played.hearing(first_s=30.0)), id="hears thirty seconds without moments"),
        pytest.param(played.at_most(20), id="answers 413"),
        pytest.param(played.at_most(30, 400), id="answers 400 to long sounds"),
    ],
)
def test_a_disease_of_the_endpoint_costs_moments_alone(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile, disease
):
    """Whatever the endpoint refuses or cuts, every word is there once, in segments of fifteen seconds that begin with it."""
    endpoint.hear = disease
    transcription = transcribe(service_of, sound)
    assert " ".join(each.text for each in transcription.segments) == " ".join(each.text for each in SAID)
    by_text = {each.text.split()[0]: each for each in SAID}
    for segment in transcription.segments:
        assert segment.end_s - segment.start_s <= SHORT_S
        assert segment.start_s == pytest.approx(by_text[segment.text.split()[0]].start_s, abs=0.5)
    assert transcription.uncertain == ()


def test_an_endpoint_that_answers_with_a_page_once_is_asked_again(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile
):
    """The second try costs nothing."""
    endpoint.hear = played.failing_first(1, web_page)
    assert worst_moment_s(transcribe(service_of, sound).segments, SAID) < 0.1


def test_an_endpoint_that_hears_thirty_seconds_gets_short_pieces(
    service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile
):
    """Of a minute and a half it returns the first thirty seconds: all is asked for again in pieces of fifteen."""
    endpoint.hear = played.hearing(first_s=30.0)
    recogniser = ShortPieces(Settings(openai_base_url=endpoint.url, openai_transcription_model="hears"), limit_s=60.0)
    recogniser.piece_s = 120.0
    transcription = service_of(recogniser).start(sound).result()
    assert " ".join(each.text for each in transcription.segments) == " ".join(each.text for each in SAID)
    assert len(endpoint.asked) == 1 + len(transcription.segments)


def test_words_that_repeat_are_marked(service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile):
    """A loop is told once in each of the three pieces, as doubtful; what was said before it is not."""
    endpoint.hear = played.looping("구독과 좋아요 부탁드립니다", after=1)
    transcription = transcribe(service_of, sound)
    marked = [segment.text for segment in transcription.segments if transcription.doubt(segment) is UncertainReason.REPEATED]
    assert marked == ["구독과 좋아요 부탁드립니다"] * 3
    assert transcription.doubt(transcription.segments[0]) is None


def test_words_in_silence_are_marked(service_of: ServiceOf, endpoint: LanguageModelServer, sound: SoundFile):
    """What Whisper says where nobody speaks is shown as doubtful."""
    endpoint.hear = played.hearing(played.inventing("시청해 주셔서 감사합니다"))
    transcription = transcribe(service_of, sound)
    marked = {segment.text for segment in transcription.segments if transcription.doubt(segment) is UncertainReason.SILENCE}
    assert marked == {"시청해 주셔서 감사합니다"}


def test_sound_that_is_not_understood_is_marked(service_of: ServiceOf, endpoint: LanguageModelServer, folder: Path):
    """An endpoint that gives no words for a minute and a half of sound gives no segments, and the reader learns where."""
    endpoint.hear = played.hearing(lambda _heard, _seconds: [])
    transcription = transcribe(service_of, recording(folder / "loud.flac", speak(SECONDS, sentences(SECONDS, every_s=2.0))))
    assert transcription.segments == ()
    assert {each.reason for each in transcription.uncertain} == {UncertainReason.UNHEARD}


def test_silence_needs_no_request(service_of: ServiceOf, endpoint: LanguageModelServer, tmp_path: Path):
    """A recording without speech has an empty transcript, which is no failure."""
    transcription = transcribe(service_of, recording(tmp_path / "silence.flac", speak(20, [])))
    assert (transcription.segments, transcription.uncertain, endpoint.asked) == ((), (), [])


def test_a_long_recording_keeps_its_moments(service_of: ServiceOf, tmp_path: Path):
    """Over ten minutes in five pieces, with a sentence in each half minute, each is within half a second of its moment."""
    said = sentences(600.0, every_s=30.0, first_s=15.0)
    service = service_of(Listener(piece_s=125.0))
    transcription = service.start(recording(tmp_path / "long.flac", speak(600.0, said))).result()
    assert worst_moment_s(transcription.segments, said) < 0.5
    assert transcription.duration_s == pytest.approx(600.0, abs=0.5)
