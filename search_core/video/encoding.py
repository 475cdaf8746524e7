"""Bytes of a video's files as text."""

from __future__ import annotations

from dataclasses import dataclass

from search_core.errors import VideoReadError
from search_core.korean.decoding import decode_text


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The text of a file, without byte order mark and with single line feeds for line ends."""

    text: str
    encoding: str
    damaged: bool
    """True when some bytes could not be read and stand as U+FFFD."""


def decode(data: bytes) -> DecodedText:
    """Return *data* as text, whatever Korean encoding it is in. Raises VideoReadError when the bytes are not text."""
    try:
        text, encoding = decode_text(data)
    except ValueError:
        raise VideoReadError(
            "The file is binary, not text.",
            korean="글자가 아닌 파일이에요. SRT, VTT, 텍스트 파일이나 yt-dlp의 info.json을 올려 주세요.",
        ) from None
    return DecodedText(text=text, encoding=encoding, damaged="\ufffd" in text)
