"""What can be listened to, and what is said of files that cannot: in English for logs and in Korean for the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from search_core.errors import TranscriptionError, TranscriptionFailure

SUFFIXES = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".mp3", ".m4a", ".aac", ".wav", ".ogg", ".oga", ".opus", ".flac")
"""Endings of the files that are listened to, with their dots."""
MAX_BYTES = 1 << 30
"""Size of the largest file: what ``server.maxUploadSize`` lets in, for Streamlit holds it in memory until it is on the disk."""
MAX_S = 6 * 3600.0
"""Length of the longest sound."""
_KOREAN = {
    TranscriptionFailure.NOT_MEDIA: "동영상이나 소리 파일이 아니에요. mp4, webm, mkv, mp3, m4a, wav, ogg 파일을 올려 주세요.",
    TranscriptionFailure.NO_SOUND: "소리가 없는 영상이에요. 소리가 담긴 파일을 올려 주세요.",
    TranscriptionFailure.BROKEN: "파일이 깨져 있어서 소리를 읽지 못했어요. 다시 내려받거나 mp3, m4a로 바꿔서 올려 주세요.",
    TranscriptionFailure.HOSTILE: (
        "파일을 읽는 데 시간이나 메모리가 지나치게 들어서 그만뒀어요. 소리만 mp3나 m4a로 다시 만들어 올려 주세요."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFile:
    """A video or a recording on this machine's disk; never read into memory as a whole."""

    path: Path
    name: str
    """What the user calls it; stays here."""
    owned: bool = False
    """True removes the file, in a folder of its own, when its transcription has ended, however it did."""
    language: str = ""
    """ISO 639-1 code of what is spoken, where the user says so; empty lets the recogniser find out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class YouTubeSound:
    """The sound of a YouTube video; fetched only where the operator allows it."""

    video_id: str
    """Eleven characters."""
    name: str = ""
    """What the user calls it: the title, where it is known."""
    language: str = ""
    """ISO 639-1 code of what is spoken, where it is known."""


SoundSource = SoundFile | YouTubeSound


def refuse(kind: TranscriptionFailure, message: str, *, korean: str = "") -> TranscriptionError:
    """Return the error of *kind*; *korean* replaces the sentence of the kind."""
    return TranscriptionError(kind, message, korean=korean or _KOREAN[kind])


def too_slow(limit_s: float) -> TranscriptionError:
    """Return the error of a file of which one step took more than *limit_s* seconds."""
    korean = f"파일을 읽는 데 {limit_s:g}초가 넘게 걸려서 그만뒀어요. 소리만 mp3나 m4a로 다시 만들어 올려 주세요."
    return refuse(TranscriptionFailure.HOSTILE, f"One step took more than {limit_s:g} s.", korean=korean)


def too_large(max_bytes: int) -> TranscriptionError:
    """Return the error of a file of more than *max_bytes*."""
    korean = f"파일이 너무 커요. {max_bytes / 2**30:.2g}GB까지 받아 적어요. 소리만 뽑은 파일(m4a, mp3)을 올리면 훨씬 작아요."
    return refuse(TranscriptionFailure.TOO_LARGE, f"The file has more than {max_bytes} bytes.", korean=korean)


def too_long(max_s: float) -> TranscriptionError:
    """Return the error of a sound of more than *max_s* seconds."""
    korean = f"영상이 너무 길어요. {max_s / 3600:g}시간까지 받아 적어요. 나눠서 올려 주세요."
    return refuse(TranscriptionFailure.TOO_LONG, f"The sound is longer than {max_s:g} s.", korean=korean)
