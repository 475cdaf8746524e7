"""Damaged videos and recordings: each is decoded or refused in Korean, none breaks the process that decodes.

``make hostile`` tries more of them (HOSTILE_EXAMPLES).
"""

from __future__ import annotations

import os
import random
from contextlib import suppress
from pathlib import Path

import av
import pytest

from search_core.errors import TranscriptionError
from search_core.speech.sound_worker import read_sound
from tests.search_core.speech.media import CODECS, PICTURES, Tone, sound, write

EXAMPLES = int(os.environ.get("HOSTILE_EXAMPLES", "60"))
HEAD_BYTES = 600


@pytest.fixture(autouse=True)
def _quiet():
    level = av.logging.get_level()
    av.logging.set_level(av.logging.PANIC)
    yield
    av.logging.set_level(level)


def damage(data: bytes, rng: random.Random) -> bytes:
    """Return *data* cut off or not, with bytes changed here and there, most of them in its head."""
    damaged = bytearray(data[: rng.randrange(1, len(data))] if rng.random() < 0.3 else data)
    for _ in range(rng.choice([1, 1, 3, 10, 50])):
        at = rng.randrange(min(len(damaged), HEAD_BYTES if rng.random() < 0.6 else len(damaged)))
        damaged[at : at + rng.choice([1, 1, 4, 8])] = rng.choice([b"\x00", b"\xff", rng.randbytes(4), rng.randbytes(8)])
    return bytes(damaged)


@pytest.mark.parametrize("ending", CODECS)
def test_damage_is_decoded_or_refused(tmp_path: Path, ending: str):
    """Whatever is changed in a file, nothing but a typed refusal comes back, and never more than an hour of sound."""
    rng = random.Random(ending)
    whole = write(tmp_path / f"whole.{ending}", sound(3, Tone(0.5, 1.5)), picture=ending in PICTURES).read_bytes()
    path = tmp_path / f"a.{ending}"
    asked = {"path": str(path), "folder": str(tmp_path), "piece_s": 600.0, "max_s": 3600.0}
    for _ in range(max(1, EXAMPLES // len(CODECS))):
        path.write_bytes(damage(whole, rng))
        with suppress(TranscriptionError):
            for told in read_sound(asked):
                start_s, end_s, _ = told.get("piece") or (0.0, 0.0, "")
                assert 0.0 <= start_s <= end_s <= 3600.0
