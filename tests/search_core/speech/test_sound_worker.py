"""Files that strangers hand in as videos: real ones are heard, all others refused with a reason."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.sound_worker import cut_pieces, read_sound
from tests.loopback.speech_endpoint import samples_in

from .media import CODECS, PICTURES, RATE, Tone, sound, write

TONES = (Tone(1.0, 3.0), Tone(6.0, 7.5))


def listen(path: Path) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the samples of *path*, which are one piece, and what is told at its end."""
    asked = {"path": str(path), "folder": str(path.parent), "piece_s": 600.0, "max_s": 60.0}
    _, piece, end = read_sound(asked)
    start_s, end_s, to = piece["piece"]
    samples = samples_in(to)
    assert (start_s, end_s) == pytest.approx((0.0, len(samples) / RATE), abs=0.1)
    return samples, end


def loud_from_s(samples: np.ndarray) -> list[float]:
    """Return where it becomes loud, and quiet, in seconds."""
    loud = np.abs(samples[: len(samples) // 1600 * 1600].reshape(-1, 1600).astype(int)).mean(axis=1) > 1000
    return [float(at) / 10 for at in np.flatnonzero(np.diff(loud.astype(int))) + 1]


@pytest.mark.parametrize("ending", CODECS)
def test_every_promised_kind_is_heard(tmp_path: Path, ending: str):
    """Each kind of video and recording is decoded, with the tone where it was put."""
    path = write(tmp_path / f"a.{ending}", sound(10, *TONES), picture=ending in PICTURES)
    samples, end = listen(path)
    assert loud_from_s(samples) == pytest.approx([1.0, 3.0, 6.0, 7.5], abs=0.11)
    assert len(samples) / RATE == pytest.approx(10.0, abs=0.1)
    assert not end["damaged"]


def test_the_content_decides_and_moments_count_from_the_start_of_the_picture(tmp_path: Path):
    """A film under the name of a recording is heard all the same; its sound begins forty seconds after the picture."""
    path = write(tmp_path / "a.mkv", sound(10, *TONES), picture=True, late_s=40.0).rename(tmp_path / "a.mp3")
    assert loud_from_s(listen(path)[0]) == pytest.approx([41.0, 43.0, 46.0, 47.5], abs=0.11)


def _patch(path: Path, find: bytes, new: Callable[[bytes], bytes], length: int) -> Path:
    data = bytearray(path.read_bytes())
    at = data.index(find) + len(find)
    data[at : at + length] = new(bytes(data[at : at + length]))
    path.write_bytes(data)
    return path


def no_sound(folder: Path) -> Path:
    return write(folder / "a.mp4", sound(2), picture=True, tracks=0)


def beheaded(folder: Path) -> Path:
    whole = write(folder / "a.mp4", sound(20, *TONES), picture=True)
    whole.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])  # the index of an MP4 stands at its end
    return whole


def endless(folder: Path) -> Path:
    path = write(folder / "a.mkv", sound(2, Tone(0.5, 1.0)))
    return _patch(path, b"\x44\x89\x88", lambda _: struct.pack(">d", 1e12), 8)  # Duration, in milliseconds


def silent_hours(folder: Path) -> Path:
    """Return two minutes in 9 KB whose length is not told."""
    path = write(folder / "a.flac", sound(120))
    return _patch(path, b"fLaC", lambda head: head[:17] + bytes([head[17] & 0xF0]) + bytes(4) + head[22:], 38)


def playlist(folder: Path) -> Path:
    secret, path = write(folder / "secret.wav", sound(1)), folder / "a.mp4"
    path.write_text(f"#EXTM3U\n#EXTINF:1,\nfile://{secret}\n#EXT-X-ENDLIST\n")
    return path


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (no_sound, Kind.NO_SOUND),
        (beheaded, Kind.NOT_MEDIA),
        (endless, Kind.TOO_LONG),
        (silent_hours, Kind.TOO_LONG),
        (playlist, Kind.NOT_MEDIA),
    ],
)
def test_what_cannot_be_heard_is_refused_with_its_reason(tmp_path: Path, make: Callable[[Path], Path], kind: Kind):
    """No sound, damage, bombs of time and samples, and files that are no media each have their own sentence."""
    with pytest.raises(TranscriptionError) as caught:
        listen(make(tmp_path))
    assert caught.value.kind is kind
    assert caught.value.korean.endswith("요.")


def test_damage_in_the_middle_is_told(tmp_path: Path):
    """A recording with a hole of nonsense is heard before and behind it, and says so."""
    path = write(tmp_path / "a.m4a", sound(20, *(Tone(at + 0.5, at + 1.0) for at in range(0, 20, 2))))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = b"\xff" * 2000
    path.write_bytes(data)
    samples, end = listen(path)
    assert end["damaged"]
    assert (loud_from_s(samples)[0], loud_from_s(samples)[-1]) == pytest.approx((0.5, 19.0), abs=0.21)


def test_pieces_hold_every_moment_once():
    """However the sound comes in, pieces follow each other without gap or overlap, each cut in a silence; none is too long."""
    samples = sound(50.0, *(Tone(at, at + 3.0) for at in range(0, 50, 4)))
    pieces = list(cut_pieces((samples[at : at + 5000] for at in range(0, len(samples), 5000)), 12.0))
    assert np.array_equal(np.concatenate([each for _, each in pieces]), samples)
    assert len(pieces) == 5
    assert all(len(each) <= 12.0 * RATE for _, each in pieces)
    for (start_s, piece), (after_s, _) in itertools.pairwise(pieces):
        assert start_s + len(piece) / RATE == pytest.approx(after_s)
        assert after_s % 4 > 2.9, "where no tone is"


def test_a_long_piece_is_cut_in_its_last_minute():
    """A pause before that does not count."""
    samples = sound(100.0, Tone(0.0, 20.0), Tone(22.0, 95.0), Tone(96.0, 100.0))
    (_, first), _ = cut_pieces([samples], 100.0)
    assert len(first) / RATE == pytest.approx(95.5, abs=0.4)
