"""What a real recogniser, which errs, once heard of a talk (``heard_by_pocketsphinx.json``), on the way that a user has."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from difflib import SequenceMatcher
from io import StringIO
from itertools import accumulate
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.settings import Settings
from search_core.video.sentences import spoken_sentences
from search_core.video.subtitles import Subtitles, read_subtitles
from tests.loopback.language_model import LanguageModelServer, Whole

from .media import Tone, sound, write

HEARD = json.loads(Path(__file__).with_name("heard_by_pocketsphinx.json").read_text(encoding="utf-8"))


def words_of(text: str) -> list[str]:
    """Return *text* as the recogniser writes it."""
    return re.findall(r"[a-z']+", text.lower())


def right_words(transcript: Subtitles) -> list[int | None]:
    """Return for each word of the transcript which word of the talk it is, None where it is none."""
    told = words_of(" ".join(segment.text for segment in transcript.segments))
    found: list[int | None] = [None] * len(told)
    for a, b, size in SequenceMatcher(None, words_of(" ".join(HEARD["said"])), told, autojunk=False).get_matching_blocks():
        found[b : b + size] = range(a, a + size)
    return found


@pytest.fixture(scope="module")
def transcript(folder: Path) -> Subtitles:
    """Return a talk of a minute, a tone wherever somebody spoke, after ``transcribe`` has written it down."""
    tones = [Tone(segment["start"], segment["end"]) for segment in HEARD["answer"]["segments"]]
    talk, out = write(folder / "talk.wav", sound(HEARD["seconds"], *tones)), StringIO()
    answer = Whole(200, "application/json", json.dumps(HEARD["answer"]).encode())
    with LanguageModelServer(hear=lambda _: answer) as endpoint, pytest.MonkeyPatch.context() as patch:
        for name in Settings.model_fields:
            patch.delenv(name.upper(), raising=False)
        patch.setitem(Settings.model_config, "env_file", None)
        given = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_API_KEY": "any", "OPENAI_TRANSCRIPTION_MODEL": "pocketsphinx"}
        for name, value in (given | {"MAEKRAK_DATA_DIR": str(folder / "data")}).items():
            patch.setenv(name, value)
        with redirect_stdout(out):
            assert main(["transcribe", str(talk)]) == 0
    return read_subtitles(out.getvalue())


def test_what_is_marked_holds_wrong_words(transcript: Subtitles):
    """Half of the segments hold a word that was not said: all of these 12 are marked 불확실, and 9 of the others."""
    ends = list(accumulate(len(words_of(segment.text)) for segment in transcript.segments))
    right = right_words(transcript)
    wrong = [None in right[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    marked = [segment.uncertain for segment in transcript.segments]
    both = sum(a and b for a, b in zip(wrong, marked, strict=True))
    assert (len(marked), sum(wrong), sum(marked), both) == (24, 12, 21, 12)


def test_sentences_end_where_they_were_said_to_end(transcript: Subtitles):
    """The recogniser writes no full stop: most of what claims are looked for in ends with a sentence of the talk."""
    last = {count - 1 for count in accumulate(len(words_of(sentence)) for sentence in HEARD["said"])}
    right = right_words(transcript)
    ends = accumulate(len(words_of(sentence.text)) for sentence in spoken_sentences(transcript.segments))
    at_end = [right[end - 1] in last for end in ends if right[end - 1] is not None]
    assert sum(at_end) / len(at_end) >= 0.55
