"""Stands in for ``faster_whisper.transcribe`` 1.2.1: the same names and types, and words that are tones instead of weights.

It is unsure of the first sentence of each sound. Its voice detector calls all of a sound speech.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from tests.loopback.tone_speech import hear

HANGING = "hangs"
DYING = "dies"
ABSENT = "absent"


class Word(NamedTuple):
    """One word of a segment."""

    probability: float


class Segment(NamedTuple):
    """One recognised segment."""

    start: float
    end: float
    text: str
    words: list[Word]
    avg_logprob: float = -0.1


def get_speech_timestamps(audio: np.ndarray) -> list[dict[str, int]]:
    """Return the stretches of speech, in samples."""
    return [{"start": 0, "end": len(audio)}]


class WhisperModel:
    """Hears ``tone_speech``; a folder named so ``hangs`` (and writes ``asked``) or ``dies``; ``absent`` is not here."""

    def __init__(
        self, model_size_or_path: str, device: str = "auto", compute_type: str = "default", local_files_only: bool = False
    ):
        assert local_files_only, "nothing may be downloaded"
        assert os.environ["HF_HUB_OFFLINE"] == "1"
        assert compute_type == "auto", "which is int8 on a processor"
        self._path = Path(model_size_or_path)
        self.model = SimpleNamespace(is_multilingual=not self._path.name.endswith(".en"))
        if self._path.name == ABSENT:
            raise ValueError("Invalid model size 'absent'")

    def transcribe(
        self,
        audio: np.ndarray,
        language: str | None = None,
        multilingual: bool = False,
        vad_filter: bool = False,
        condition_on_previous_text: bool = True,
        word_timestamps: bool = False,
        temperature: tuple[float, ...] = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0),
    ) -> tuple[Iterator[Segment], SimpleNamespace]:
        """Return the segments, recognised as they are asked for, and the language."""
        assert vad_filter
        assert word_timestamps
        assert multilingual
        assert language is None
        assert audio.dtype == np.float32
        assert np.abs(audio).max() <= 1.0
        return self._segments(audio), SimpleNamespace(language=language or "ko")

    def _segments(self, audio: np.ndarray) -> Iterator[Segment]:
        if self._path.name == HANGING:
            (self._path / "asked").touch()
            time.sleep(3600)
        if self._path.name == DYING:
            os._exit(9)
        for number, (start_s, end_s, text) in enumerate(hear((audio * 32768).astype(np.int16))):
            yield Segment(start_s, end_s, f" {text}", [Word(0.9), Word(0.8 if number else 0.2)])
