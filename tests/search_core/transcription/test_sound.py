"""The process that decodes, seen from this side: bounded in time, killed when it is over, nothing read as a whole."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from search_core.domain import SoundForm
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.transcription.loudness import TimeSpan
from search_core.transcription.sound import Sound
from tests.loopback.child_processes import running_children

from .media import Tone, sound, write


def decoders() -> list[psutil.Process]:
    return running_children("sound_worker")


def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path):
    """Past the time for a step the process is killed, and the file is called what it is."""
    path = write(tmp_path / "a.flac", sound(900.0, Tone(0.0, 900.0)))

    async def listen() -> None:
        listened = Sound(path, tmp_path, max_bytes=10**9, max_s=3600.0, step_limit_s=60.0)
        try:
            await listened.open(600.0)
            listened.step_limit_s = 0.01
            await listened.next_piece()
        finally:
            listened.close()

    with pytest.raises(TranscriptionError) as caught:
        asyncio.run(listen())
    assert caught.value.kind is Kind.HOSTILE
    assert decoders() == []


def test_parts_are_written_as_they_are_asked_for(tmp_path: Path):
    """A second of Opus and a second of MP3 are packed, a second of samples is 32,000 bytes."""
    path = write(tmp_path / "a.flac", sound(10.0, Tone(1.0, 9.0)))

    async def listen() -> dict[SoundForm, bytes]:
        listened = Sound(path, tmp_path, max_bytes=10**9, max_s=3600.0)
        try:
            await listened.open(600.0)
            piece = await listened.next_piece()
            assert piece is not None
            files = {form: await listened.encode(piece, TimeSpan(2.0, 3.0), form) for form in SoundForm}
            assert await listened.next_piece() is None
        finally:
            listened.close()
        return {form: file.read_bytes() for form, file in files.items()}

    written = asyncio.run(listen())
    assert len(written[SoundForm.PCM]) == 32_000
    assert written[SoundForm.OGG].startswith(b"OggS")
    assert max(len(written[SoundForm.OGG]), len(written[SoundForm.MP3])) < 6_000


def test_two_files_differ_by_their_bytes_alone(tmp_path: Path):
    """The same bytes under another name are the same sound; a damaged copy is another."""
    first = write(tmp_path / "a.flac", sound(2.0))
    same, other = tmp_path / "b.mp4", tmp_path / "c.flac"
    same.write_bytes(first.read_bytes())
    other.write_bytes(first.read_bytes() + b"x")

    async def digests() -> list[str]:
        found = []
        for path in (first, same, other):
            listened = Sound(path, tmp_path, max_bytes=10**9, max_s=3600.0)
            try:
                found.append(await listened.digest())
            finally:
                listened.close()
        return found

    a, b, c = asyncio.run(digests())
    assert a == b != c
