"""Recordings as strangers make them, written byte by byte: each class that once held the process that decodes up, or ended it."""

from __future__ import annotations

import struct

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


def wave_of_chunks(size: int) -> bytes:
    """Return a WAV of *size* bytes in chunks that hold nothing."""
    return wave(bytes(32_000), before=chunk(b"junk", b"") * (size // 8))


def element(name: bytes, data: bytes) -> bytes:
    """Return *data* as an element of EBML (RFC 8794)."""
    return name + struct.pack(">Q", (1 << 56) | len(data)) + data


def matroska(clusters: int) -> bytes:
    """Return a Matroska file with one short block of PCM in each of so many clusters."""
    head = element(b"\x1a\x45\xdf\xa3", element(b"\x42\x82", b"matroska"))
    sound = element(b"\xb5", struct.pack(">d", 16_000.0)) + element(b"\x9f", b"\x01") + element(b"\x62\x64", b"\x10")
    entry = element(b"\xd7", b"\x01") + element(b"\x73\xc5", b"\x01") + element(b"\x83", b"\x02")
    tracks = element(b"\x16\x54\xae\x6b", element(b"\xae", entry + element(b"\x86", b"A_PCM/INT/LIT") + element(b"\xe1", sound)))
    block = element(b"\xa3", b"\x81\x00\x00\x80" + bytes(64))
    body = b"".join(
        element(b"\x1f\x43\xb6\x75", element(b"\xe7", struct.pack(">I", 2 * number)) + block) for number in range(clusters)
    )
    info = element(b"\x15\x49\xa9\x66", element(b"\x2a\xd7\xb1", struct.pack(">I", 1_000_000)))
    return head + element(b"\x18\x53\x80\x67", info + tracks + body)
