"""Documents and recordings that take far longer than their size says: each ends at a limit that is named, whatever else runs.

``make hostile`` takes larger files (HOSTILE_BYTES).
"""

from __future__ import annotations

import asyncio
import os
import struct
from contextlib import closing
from pathlib import Path

import pytest

from search_core.errors import DocumentReadError, TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.reading.documents import FoundFile, parse_document, read_document
from search_core.reading.pdf import MAX_PAGES, read_pdf
from search_core.speech.sound import Sound
from tests.hostile.hostile_documents import empty_page, page_saying, pdf


def chunk(name: bytes, data: bytes) -> bytes:
    """Return *data* as a chunk of RIFF."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def wave_of_lists(size: int) -> bytes:
    """Return a WAV of *size* bytes whose lists name ever other things about it: each is looked for among all before."""
    names = (b"%04X" % (number % 65_536) for number in range(size // 12))
    lists = chunk(b"LIST", b"INFO" + b"".join(chunk(name, b"a\0") for name in names))
    form = struct.pack("<HHIIHH", 1, 1, 16_000, 32_000, 2, 16)
    body = b"WAVE" + chunk(b"fmt ", form) + lists + chunk(b"data", bytes(32_000))
    return b"RIFF" + struct.pack("<I", len(body)) + body


BYTES = int(os.environ.get("HOSTILE_BYTES", "100000"))


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
    path = tmp_path / "a.wav"
    path.write_bytes(wave_of_lists(max(BYTES, 4_000_000)))

    async def read() -> None:
        with closing(Sound(path, tmp_path)) as sound:
            sound.cpu_s = 1.0
            async for _ in sound.pieces(600.0):
                pass

    with pytest.raises(TranscriptionError) as refused:
        asyncio.run(read())
    assert refused.value.kind is Kind.HOSTILE
