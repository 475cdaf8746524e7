"""Documents and recordings that take far longer than their size says: each ends at a limit that is named, whatever else runs.

``make hostile`` takes larger files (HOSTILE_BYTES).
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from search_core.errors import DocumentReadError, TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.reading.documents import FoundFile, parse_document, read_document
from search_core.reading.pdf import MAX_PAGES, read_pdf
from search_core.speech.sound import Sound
from tests.hostile.hostile_documents import empty_page, page_saying, pdf

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
_PCM_GUID = bytes.fromhex("0100000000001000800000aa00389b71")


def chunk(name: bytes, data: bytes) -> bytes:
    """Return *data* as a chunk of RIFF."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def wave(data: bytes, *, channels: int = 1, rate: int = 16_000, bits: int = 16, tag: int = PCM, before: bytes = b"") -> bytes:
    """Return *data* as a WAV, with the chunks *before* in front of it."""
    frame = channels * bits // 8
    form = struct.pack("<HHIIHH", tag, channels, rate, (rate * frame) % (1 << 32), frame, bits)
    if tag == EXTENSIBLE:
        form += struct.pack("<HHI", 22, bits, (1 << channels) - 1) + _PCM_GUID
    body = b"WAVE" + chunk(b"fmt ", form) + before + chunk(b"data", data)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def wave_of_lists(size: int) -> bytes:
    """Return a WAV of *size* bytes whose lists name ever other things about it: each is looked for among all before."""
    names = (b"%04X" % (number % 65_536) for number in range(size // 12))
    return wave(bytes(32_000), before=chunk(b"LIST", b"INFO" + b"".join(chunk(name, b"a\0") for name in names)))


BYTES = int(os.environ.get("HOSTILE_BYTES", "100000"))


def decode(path: Path, data: bytes, use: Callable[[Sound], Awaitable[object]]) -> None:
    """Write *data* to *path* and *use* it as sound."""
    path.write_bytes(data)

    async def decode_all() -> None:
        sound = Sound(path, path.parent)
        try:
            await use(sound)
        finally:
            sound.close()

    asyncio.run(decode_all())


async def read_whole(sound: Sound) -> None:
    async for _ in sound.pieces(600.0):
        pass


def test_pages_read_in_time_are_kept(tmp_path: Path):
    """Of a PDF whose time is over, or of one page too many, what was read stays, and a sentence says how many of how many."""
    found = read_pdf(pdf(MAX_PAGES, page_saying("HBM4") + b"\n" + empty_page(2_000)), read_s=2.0)
    read = found.text.count("HBM4")
    assert 0 < read < MAX_PAGES
    assert found.cut == f"2,000쪽 가운데 앞의 {read:,}쪽만 읽었어요. PDF 하나는 2,000쪽, 2초까지 읽어요."
    with pytest.raises(DocumentReadError, match="and hold no text"):
        read_pdf(pdf(MAX_PAGES, empty_page(2_000)), read_s=0.2)
    path = tmp_path / "book.pdf"
    path.write_bytes(pdf(MAX_PAGES + 1, page_saying("HBM4")))
    document = parse_document(FoundFile(path, "library:book.pdf"))
    assert document.text.count("HBM4") == MAX_PAGES
    assert document.cut == "2,001쪽 가운데 앞의 2,000쪽만 읽었어요. PDF 하나는 2,000쪽, 40초까지 읽어요."


ODD: dict[str, Callable[[], bytes]] = {
    "5 channels": lambda: wave(bytes(5 * 76_800), channels=5, rate=384_000, tag=EXTENSIBLE),
    "32 channels": lambda: wave(bytes(32 * 76_800), channels=32, rate=384_000, tag=PCM),
    "64 bits": lambda: wave(bytes(32 * 307_200), channels=32, rate=384_000, bits=64, tag=FLOAT),
}


def test_one_page_without_end_is_ended(tmp_path: Path):
    """A page that alone takes longer than its file may is ended by the system, and the sentence names the seconds."""
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf(1, empty_page(400_000)))
    with pytest.raises(DocumentReadError) as refused:
        read_document(FoundFile(path, "library:page.pdf"), limit_s=1.0)
    assert refused.value.korean == "파일을 읽는 데 1초가 넘게 걸려서 그만뒀어요. 작은 파일로 나눠 주세요."
    path.write_bytes(pdf(1, page_saying("HBM4")))
    assert read_document(FoundFile(path, "library:page.pdf")).text == "HBM4"


def test_lists_that_are_looked_through_again_and_again_are_ended(tmp_path: Path):
    """A WAV whose lists name ever other things is ended when it has used up its time."""

    async def read(sound: Sound) -> None:
        sound.cpu_s = 1.0
        await read_whole(sound)

    with pytest.raises(TranscriptionError) as refused:
        decode(tmp_path / "a.wav", wave_of_lists(max(BYTES, 4_000_000)), read)
    assert refused.value.kind is Kind.HOSTILE


@pytest.mark.parametrize("name", ODD)
def test_odd_recordings_never_end_their_reader(tmp_path: Path, name: str):
    """A recording at the edge of what there is is decoded, or refused with what is wrong; its reader never dies."""
    refusals: list[TranscriptionError] = []
    try:
        decode(tmp_path / "a", ODD[name](), read_whole)
    except TranscriptionError as error:
        refusals.append(error)
    assert [str(error) for error in refusals if "gave no answer" in str(error) or not error.korean.endswith("요.")] == []
    if name == "32 channels":  # of which nobody says where they stand
        assert refusals[0].kind is Kind.NOT_MEDIA
