"""A real recogniser, which errs: a talk spoken by espeak-ng, heard by pocketsphinx, on the way that a user has."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.domain import TranscriptOrigin
from search_core.settings import Settings
from search_core.text.sentences import split_sentences
from search_core.video.sentences import spoken_sentences
from search_core.video.subtitles import Subtitles, read_subtitles
from search_core.video.upload import SAMPLES_FOLDER
from tests.conftest import required_in_ci
from tests.loopback.language_model import LanguageModelServer
from tests.loopback.pocketsphinx_ear import ESPEAK, PocketsphinxEar, speak, words_of
from tests.loopback.tone_speech import RATE

from .media import write

TALK = "sample-webb-infrared.en.vtt"
SENTENCES = 15


@dataclass(frozen=True)
class Heard:
    """What was said, and what came out of it."""

    said: list[str]
    seconds: float
    transcript: Subtitles

    @property
    def right(self) -> list[int | None]:
        """Return for each word of the transcript which word of the talk it is, None where it is none."""
        told = words_of(" ".join(segment.text for segment in self.transcript.segments))
        found: list[int | None] = [None] * len(told)
        spoken = words_of(" ".join(self.said))
        for a, b, size in SequenceMatcher(None, spoken, told, autojunk=False).get_matching_blocks():
            found[b : b + size] = range(a, a + size)
        return found


@pytest.fixture(scope="module")
def heard(folder: Path) -> Heard:
    """Return a talk of a minute after ``transcribe`` has written it down."""
    if ESPEAK is None:
        required_in_ci("no espeak-ng on this machine")
    talk = read_subtitles((SAMPLES_FOLDER / TALK).read_text(encoding="utf-8"))
    ear = PocketsphinxEar(split_sentences(" ".join(segment.text for segment in talk.segments)), folder)
    said = ear.sentences[:SENTENCES]
    spoken = speak(" ".join(said))
    sound, out = write(folder / "talk.wav", spoken), folder / "talk.vtt"
    with LanguageModelServer(hear=ear) as endpoint, pytest.MonkeyPatch.context() as patch:
        for name in Settings.model_fields:
            patch.delenv(name.upper(), raising=False)
        patch.setitem(Settings.model_config, "env_file", None)
        given = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "any", "OPENAI_TRANSCRIPTION_MODEL": "pocketsphinx"}
        for name, value in (given | {"MAEKRAK_DATA_DIR": str(folder / "data")}).items():
            patch.setenv(name, value)
        assert main(["transcribe", str(sound), "--out", str(out)]) == 0
    return Heard(said, len(spoken) / RATE, read_subtitles(out.read_text(encoding="utf-8")))


def test_most_words_come_out_and_some_do_not(heard: Heard):
    """Segments are in order within the minute that was spoken; a recogniser that never errs would prove nothing here."""
    transcript = heard.transcript
    assert (transcript.origin, transcript.model, transcript.language) == (TranscriptOrigin.RECOGNITION, "pocketsphinx", "en")
    assert 60 < heard.seconds < 90
    moments = [moment for segment in transcript.segments for moment in (segment.start_s, segment.end_s)]
    assert moments == sorted(moments)
    assert heard.seconds - 3 < moments[-1] <= heard.seconds
    assert 0.6 < sum(word is not None for word in heard.right) / len(heard.right) < 0.95


def test_what_is_marked_holds_wrong_words(heard: Heard):
    """Half of the segments hold a word that was not said: most of these are marked 불확실, and few of the others."""
    ends = list(accumulate(len(words_of(segment.text)) for segment in heard.transcript.segments))
    right = heard.right
    wrong = [None in right[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    marked = [segment.uncertain for segment in heard.transcript.segments]
    both = sum(a and b for a, b in zip(wrong, marked, strict=True))
    assert sum(wrong) / len(wrong) < 0.6
    assert both / sum(marked) >= 0.7
    assert both / sum(wrong) >= 0.6


def test_sentences_end_where_they_were_said_to_end(heard: Heard):
    """The recogniser writes no full stop: most of what claims are looked for in ends with a sentence of the talk."""
    last = {count - 1 for count in accumulate(len(words_of(sentence)) for sentence in heard.said)}
    right = heard.right
    ends = accumulate(len(words_of(sentence.text)) for sentence in spoken_sentences(heard.transcript.segments))
    at_end = [right[end - 1] in last for end in ends if right[end - 1] is not None]
    assert sum(at_end) / len(at_end) >= 0.55
