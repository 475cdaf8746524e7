"""The process that decodes, seen from this side."""

from __future__ import annotations

import asyncio
from pathlib import Path

from search_core.speech.sound import Sound

from .media import Tone, sound, write


def test_a_piece_is_packed_for_an_endpoint(tmp_path: Path):
    """A second of MP3 has some 4,000 bytes; the ten seconds lie there as samples, 32,000 bytes each."""
    path = write(tmp_path / "a.flac", sound(10.0, Tone(1.0, 9.0)))

    async def listen() -> tuple[bytes, bytes]:
        listened = Sound(path, tmp_path, max_bytes=10**9, max_s=3600.0)
        try:
            await listened.open(600.0)
            piece = await listened.next_piece()
            assert piece is not None
            packed = await listened.encode(piece)
            assert await listened.next_piece() is None
        finally:
            listened.close()
        return piece.samples.read_bytes(), packed.read_bytes()

    samples, packed = asyncio.run(listen())
    assert len(samples) == 320_000
    assert packed[0] == 0xFF or packed.startswith(b"ID3")
    assert 30_000 < len(packed) < 60_000
