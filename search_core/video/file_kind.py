"""Files that are no transcripts, recognised by their first bytes."""

from __future__ import annotations

from search_core.errors import VideoReadError

MAX_BYTES = 20 * 1024 * 1024
"""Larger files are refused: a day of speech is about 2 MB of subtitles, so nothing of this size is a transcript."""

_VIDEO = "동영상이나 소리 파일이에요. 그 영상의 자막(SRT, VTT)이나 YouTube 주소를 넣어 주세요."
_PICTURE = "그림 파일이에요. 자막(SRT, VTT)이나 텍스트 파일을 올려 주세요."
_DOCUMENT = "문서 파일이에요. 내용을 텍스트(.txt)로 저장해서 올려 주세요."
_PACKED = "압축된 파일이에요. 압축을 풀고 자막 파일을 올려 주세요."
_SIGNATURES = (
    (b"\x89PNG", "a PNG picture", _PICTURE),
    (b"\xff\xd8\xff", "a JPEG picture", _PICTURE),
    (b"GIF8", "a GIF picture", _PICTURE),
    (b"%PDF-", "a PDF document", _DOCUMENT),
    (b"\xd0\xcf\x11\xe0", "an Office or HWP document", _DOCUMENT),
    (
        b"PK\x03\x04",
        "a ZIP archive or an Office document",
        "압축 파일이거나 오피스 문서예요. 자막 파일이나 텍스트(.txt)를 올려 주세요.",
    ),
    (b"\x1f\x8b", "a gzip archive", _PACKED),
    (b"7z\xbc\xaf", "a 7-Zip archive", _PACKED),
    (b"Rar!", "a RAR archive", _PACKED),
    (b"\x1a\x45\xdf\xa3", "a Matroska or WebM video", _VIDEO),
    (b"ID3", "an MP3 recording", _VIDEO),
    (b"\xff\xfb", "an MP3 recording", _VIDEO),
    (b"OggS", "an Ogg recording", _VIDEO),
    (b"RIFF", "an AVI video or a WAV recording", _VIDEO),
    (b"fLaC", "a FLAC recording", _VIDEO),
)


def holds_sound(data: bytes) -> bool:
    """Return whether *data*, the beginning of a file, is that of a video or a recording."""
    return data[4:8] == b"ftyp" or any(korean is _VIDEO and data.startswith(sign) for sign, _, korean in _SIGNATURES)


def refuse_unreadable(name: str, data: bytes) -> None:
    """Raise VideoReadError when *data* is empty, too large, or plainly no text."""
    if len(data) > MAX_BYTES:
        raise VideoReadError(
            f"{name} has {len(data)} bytes; at most {MAX_BYTES} are read.",
            korean=f"파일이 너무 커요({len(data) / 1024 / 1024:.0f} MB). 20 MB까지 읽어요. 자막만 담긴 파일을 올려 주세요.",
        )
    if not data.strip(b"\x00\t\r\n \xef\xbb\xbf\xff\xfe"):
        raise VideoReadError(f"{name} is empty.", korean="파일이 비어 있어요. 내용이 있는 자막이나 텍스트 파일을 올려 주세요.")
    if data[4:8] == b"ftyp":
        raise VideoReadError(f"{name} is an MP4 video.", korean=_VIDEO)
    for signature, what, korean in _SIGNATURES:
        if data.startswith(signature):
            raise VideoReadError(f"{name} is {what}, not a transcript.", korean=korean)
