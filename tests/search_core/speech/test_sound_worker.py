"""Files that strangers hand in as videos: real ones are heard, all others refused with a reason."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.sound_worker import SoundWorker

from .media import CODECS, PICTURES, Tone, sound, write

TONES = (Tone(1.0, 3.0), Tone(6.0, 7.5))


def listen(path: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the pieces of *path* and what is told at its end."""
    pieces = []
    with closing(SoundWorker()) as worker:
        worker.answer({"do": "open", "path": str(path), "piece_s": 600.0, "max_s": 60.0}, b"")
        while True:
            told = worker.answer({"do": "next", "to": str(path.with_suffix(".pcm"))}, b"")
            if told["piece"] is None:
                return pieces, told
            pieces.append(told)


@pytest.mark.parametrize("ending", CODECS)
def test_every_promised_kind_is_heard(tmp_path: Path, ending: str):
    """Each kind of video and recording is decoded, with the tone where it was put."""
    path = write(tmp_path / f"a.{ending}", sound(10, *TONES), picture=ending in PICTURES)
    [piece], end = listen(path)
    assert piece["piece"] == pytest.approx([0.0, 10.0], abs=0.1)
    assert piece["sounding"] == pytest.approx([0.8, 7.7], abs=0.1)
    assert piece["silences"] == [pytest.approx(each, abs=0.1) for each in ([3.0, 6.0], [7.5, 10.0])]
    assert (end["cut"], end["damaged"]) == (False, 0)


def test_the_content_decides_and_moments_count_from_the_start_of_the_picture(tmp_path: Path):
    """A film under the name of a recording is heard all the same; its sound begins five seconds after the picture."""
    path = write(tmp_path / "a.mkv", sound(10, *TONES), picture=True, late_s=5.0).rename(tmp_path / "a.mp3")
    [piece], _ = listen(path)
    assert piece["piece"][0] + piece["sounding"][0] == pytest.approx(5.8, abs=0.1)


def test_a_gap_is_silence(tmp_path: Path):
    """Sound that begins forty seconds after the picture has forty seconds of silence before it."""
    [piece], _ = listen(write(tmp_path / "a.mkv", sound(10, *TONES), picture=True, late_s=40.0))
    assert piece["piece"] == pytest.approx([0.0, 50.0], abs=0.1)
    assert piece["silences"][0] == pytest.approx([0.0, 41.0], abs=0.1)


def _patch(path: Path, find: bytes, new: Callable[[bytes], bytes], length: int) -> Path:
    data = bytearray(path.read_bytes())
    at = data.index(find) + len(find)
    data[at : at + length] = new(bytes(data[at : at + length]))
    path.write_bytes(data)
    return path


def no_sound(folder: Path) -> Path:
    return write(folder / "a.mp4", sound(2), picture=True, tracks=0)


def many_tracks(folder: Path) -> Path:
    return write(folder / "a.mkv", sound(0.5), tracks=120)


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


def one_a_second(folder: Path) -> Path:
    """Return two seconds that claim to have one sample a second, 32,000 seconds of them."""
    path = write(folder / "a.flac", sound(2))
    return _patch(path, b"fLaC", lambda head: head[:14] + bytes([0, 0, 0x10 | head[16] & 0x0F]) + head[17:], 38)


def playlist(folder: Path) -> Path:
    secret, path = write(folder / "secret.wav", sound(1)), folder / "a.mp4"
    path.write_text(f"#EXTM3U\n#EXTINF:1,\nfile://{secret}\n#EXT-X-ENDLIST\n")
    return path


def document(folder: Path) -> Path:
    path = folder / "a.mp4"
    path.write_bytes(b"%PDF-1.7\n" + bytes(1000))
    return path


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (no_sound, Kind.NO_SOUND),
        (many_tracks, Kind.HOSTILE),
        (beheaded, Kind.BROKEN),
        (endless, Kind.TOO_LONG),
        (silent_hours, Kind.TOO_LONG),
        (one_a_second, Kind.TOO_LONG),
        (playlist, Kind.NOT_MEDIA),
        (document, Kind.NOT_MEDIA),
    ],
)
def test_what_cannot_be_heard_is_refused_with_its_reason(tmp_path: Path, make: Callable[[Path], Path], kind: Kind):
    """No sound, damage, bombs of tracks, time and samples, and files that are no media each have their own sentence."""
    with pytest.raises(TranscriptionError) as caught:
        listen(make(tmp_path))
    assert caught.value.kind is kind
    assert caught.value.korean.endswith("요.")


def test_a_file_that_ends_too_early_is_heard_as_far_as_it_goes(tmp_path: Path):
    """Half a WebM gives its first half, and tells that it was cut or simply ends there."""
    path = write(tmp_path / "a.webm", sound(20, Tone(1.0, 2.0)), picture=True)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    pieces, _ = listen(path)
    assert pieces[0]["sounding"][0] == pytest.approx(0.8, abs=0.1)


def test_damage_in_the_middle_is_told(tmp_path: Path):
    """A recording with a hole of nonsense is heard before and behind it, and says so."""
    path = write(tmp_path / "a.m4a", sound(20, *(Tone(at, at + 1.0) for at in range(0, 20, 2))))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = b"\xff" * 2000
    path.write_bytes(data)
    [piece], end = listen(path)
    assert end["damaged"] > 0
    assert piece["sounding"] == pytest.approx([0.0, 19.2], abs=0.1)
