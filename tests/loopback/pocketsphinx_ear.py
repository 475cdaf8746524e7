"""A real recogniser behind the transcription endpoint: pocketsphinx 5.1 hears English of espeak-ng, and errs.

It knows the words of one talk, as somebody would set it up for a subject, and writes no signs: a silence ends a segment. The
probability of a segment is the mean of the posterior probabilities of its words, in logarithms as Whisper returns it.
"""

from __future__ import annotations

import io
import json
import math
import re
import shutil
import subprocess
import threading
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pocketsphinx import Decoder
from pocketsphinx.lm import ArpaBoLM

from tests.loopback.language_model import Asked, Whole
from tests.loopback.speech_endpoint import decode, wants_moments
from tests.loopback.tone_speech import RATE

ESPEAK = shutil.which("espeak-ng")
VOICE, SPEED = "en-us", 150
"""Of espeak-ng, and its words a minute."""
NOISE_DB = 11.0
"""The room is so much quieter than the voice; every fifth word is misheard."""
PAUSE_S = 0.25
"""A silence so long ends a segment; between sentences this voice pauses for 0.4 s, at a comma for 0.2 s."""
_FRAME_S = 0.01
_LEAST = 1e-6
_WORD = re.compile(r"[a-z']+")
_VARIANT = re.compile(r"\(\d+\)$")


class HeardWord(NamedTuple):
    """One word with its times in seconds and its posterior probability."""

    text: str
    start_s: float
    end_s: float
    probability: float


def words_of(text: str) -> list[str]:
    """Return *text* as the recogniser writes it."""
    return _WORD.findall(text.lower())


def speak(text: str) -> np.ndarray:
    """Return the samples of *text* as espeak-ng speaks it in a noisy room, the same each time."""
    assert ESPEAK is not None
    command = [ESPEAK, "-v", VOICE, "-s", str(SPEED), "--stdout", text]
    spoken = decode(subprocess.run(command, capture_output=True, check=True).stdout).astype(np.float64)
    loudness = np.sqrt(np.mean(np.square(spoken))) / 10 ** (NOISE_DB / 20)
    noise = np.random.default_rng(1).normal(0, loudness, len(spoken))
    return np.clip(spoken + noise, -32768, 32767).astype(np.int16)


class PocketsphinxEar:
    """A personality of ``LanguageModelServer.hear`` that knows the words of some sentences."""

    def __init__(self, sentences: Sequence[str], folder: Path) -> None:
        """Make a language model of *sentences* in *folder*, without those that hold digits or a word it cannot pronounce."""
        known = Decoder(loglevel="FATAL", lm=None)
        self.sentences = [
            each
            for each in sentences
            if not any(map(str.isdigit, each)) and all(known.lookup_word(word) for word in words_of(each))
        ]
        spoken = [words_of(each) for each in self.sentences]
        model = ArpaBoLM()
        model.read_corpus(io.StringIO("".join(f"<s> {' '.join(words)} </s>\n" for words in spoken)))
        model.compute()
        model.write_file(str(folder / "talk.lm"))
        written = [f"{word}{variant}" for word in sorted({*chain(*spoken)}) for variant in ("", "(2)", "(3)", "(4)")]
        lines = [f"{word} {phones}\n" for word in written if (phones := known.lookup_word(word))]
        (folder / "talk.dict").write_text("".join(lines), encoding="ascii")
        files = {"lm": str(folder / "talk.lm"), "dict": str(folder / "talk.dict")}
        self._decoder = Decoder(loglevel="FATAL", samprate=RATE, fwdflat=False, **files)
        self._turn = threading.Lock()

    def __call__(self, asked: Asked) -> Whole:
        """Answer one request as the endpoint of OpenAI does."""
        samples = decode(asked.files[0][1])
        segments = in_segments(self.hear(samples))
        told: dict[str, Any] = {"text": " ".join(each["text"] for each in segments).strip()}
        if wants_moments(asked):
            told |= {"task": "transcribe", "language": "english", "duration": len(samples) / RATE, "segments": segments}
        return Whole(200, "application/json", json.dumps(told).encode())

    def hear(self, samples: np.ndarray) -> list[HeardWord]:
        """Return the words in *samples*."""
        with self._turn:
            self._decoder.start_utt()
            self._decoder.process_raw(samples.tobytes(), full_utt=True)
            self._decoder.end_utt()
            return [
                HeardWord(_VARIANT.sub("", each.word), each.start_frame * _FRAME_S, (each.end_frame + 1) * _FRAME_S, each.prob)
                for each in self._decoder.seg()
                if each.word[0] not in "<["
            ]


def in_segments(words: Sequence[HeardWord]) -> list[dict[str, Any]]:
    """Return *words* as the segments of ``verbose_json``, one for each stretch without a pause."""
    stretches: list[list[HeardWord]] = []
    for word in words:
        if not stretches or word.start_s - stretches[-1][-1].end_s >= PAUSE_S:
            stretches.append([])
        stretches[-1].append(word)
    return [
        {
            "id": number,
            "start": stretch[0].start_s,
            "end": stretch[-1].end_s,
            "text": " " + " ".join(word.text for word in stretch),
            "avg_logprob": sum(math.log(max(_LEAST, min(1.0, word.probability))) for word in stretch) / len(stretch),
        }
        for number, stretch in enumerate(stretches)
    ]
