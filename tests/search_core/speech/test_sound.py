"""The process that decodes, seen from this side."""

from __future__ import annotations

import asyncio
from pathlib import Path

from search_core.domain import SoundForm
from search_core.speech.cutting import TimeSpan
from search_core.speech.sound import Sound

from .media import Tone, sound, write


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
