"""Recordings, heard by the product and by a few plain lines of the library it uses, on the same machine in the same minutes."""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import faster_whisper
import psutil
from rapidfuzz.distance import Levenshtein

from search_core.core import SearchCore
from search_core.domain.transcription import Transcription
from search_core.settings import Settings
from search_core.speech.sound import SoundFile

WRONG = 0.2
"""The share of wrong letters from which a line counts as bad."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One recording as both heard it."""

    name: str
    wrong: float
    """Share of letters the product has wrong."""
    plain_wrong: float
    cpu_s_per_min: float
    marks: tuple[tuple[bool, bool], ...]
    """For each line whether it is bad and whether it is marked."""


def hear_all(folder: Path, model: Path) -> list[Heard]:
    """Return what is heard of the recordings in *folder*, each with its words in a text file of the same name."""
    plain = faster_whisper.WhisperModel(str(model), device="cpu", compute_type="int8")
    sounds = [path for path in sorted(folder.iterdir()) if path.suffix != ".txt" and path.with_suffix(".txt").is_file()]
    with (
        tempfile.TemporaryDirectory() as data,
        closing(SearchCore.from_settings(Settings(maekrak_data_dir=Path(data), whisper_model=str(model)))) as core,
    ):
        return [_hear(core, plain, sound) for sound in sounds]


def _hear(core: SearchCore, plain: faster_whisper.WhisperModel, sound: Path) -> Heard:
    said = _letters(sound.with_suffix(".txt").read_text(encoding="utf-8"))
    before = _spent_s()
    job = core.transcription.start(SoundFile(path=sound, name=sound.name))
    ours = job.result()
    spent_s = _spent_s() - before
    theirs = "".join(segment.text for segment in plain.transcribe(str(sound), vad_filter=True)[0])
    return Heard(
        name=sound.name,
        wrong=_wrong(said, _letters(" ".join(segment.text for segment in ours.segments))),
        plain_wrong=_wrong(said, _letters(theirs)),
        cpu_s_per_min=spent_s / ours.duration_s * 60,
        marks=tuple(_marks(said, ours)),
    )


def _spent_s() -> float:
    """Return the seconds of a processor that this process and its children have taken; a recogniser's process stays."""
    here = psutil.Process()
    return sum(each.cpu_times().user + each.cpu_times().system for each in (here, *here.children(recursive=True)))


def _marks(said: str, heard: Transcription) -> list[tuple[bool, bool]]:
    """Return for each line whether a fifth of it is wrong where it fits best into what was *said*, and whether it is marked."""
    marks = []
    for segment in heard.segments:
        letters = _letters(segment.text)
        places = range(max(1, len(said) - len(letters) + 1))
        fits = min(Levenshtein.distance(letters, said[start : start + len(letters)]) for start in places)
        marks.append((fits > WRONG * len(letters), segment.uncertain))
    return marks


def _wrong(said: str, heard: str) -> float:
    return Levenshtein.distance(said, heard) / len(said)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
