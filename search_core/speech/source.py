"""Which files can be transcribed, and the errors for the others: in English for logs and in Korean for the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from search_core.errors import TranscriptionError, TranscriptionFailure

SUFFIXES = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".mp3", ".m4a", ".aac", ".wav", ".ogg", ".oga", ".opus", ".flac")
"""Endings of the files that are listened to, with their dots, for a file chooser; the content decides."""
MAX_BYTES = 1 << 30
"""Maximum file size, equal to ``server.maxUploadSize``: Streamlit holds the file in memory until it is on disk."""
MAX_S = 6 * 3600.0
"""Length of the longest sound."""
_KOREAN = {
    TranscriptionFailure.NOT_MEDIA: (
        "동영상이나 소리 파일이 아니거나 깨진 파일이에요. mp4, webm, mkv, mp3, m4a, wav, ogg 파일로 다시 올려 주세요."
    ),
    TranscriptionFailure.NO_SOUND: "소리가 없는 영상이에요. 소리가 담긴 파일을 올려 주세요.",
    TranscriptionFailure.HOSTILE: (
        "파일을 읽는 데 시간이나 메모리가 지나치게 들어서 그만뒀어요. 소리만 mp3나 m4a로 다시 만들어 올려 주세요."
    ),
    TranscriptionFailure.TOO_LARGE: (
        f"파일이 너무 커요. {MAX_BYTES >> 30}GB까지 받아 적어요. 소리만 뽑은 파일(m4a, mp3)을 올리면 훨씬 작아요."
    ),
    TranscriptionFailure.TOO_LONG: f"영상이 너무 길어요. {MAX_S / 3600:g}시간까지 받아 적어요. 나눠서 올려 주세요.",
    TranscriptionFailure.NO_ROOM: (
        "서버의 저장 공간에 쓸 수 없어서 받아 적지 못했어요. 남은 용량과 데이터 폴더의 권한을 확인해 주세요."
    ),
    TranscriptionFailure.BUSY: "받아 적기를 기다리는 영상이 너무 많아요. 잠시 뒤에 다시 시작해 주세요.",
    TranscriptionFailure.CANCELLED: "받아 적기를 멈췄어요. 다시 시작하면 끝낸 데까지는 건너뛰고 이어서 해요.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFile:
    """A video or a recording on disk; never read into memory as a whole."""

    path: Path
    name: str
    """What the user calls it; stays here."""
    owned: bool = False
    """True removes the file, in a folder of its own, when its transcription has ended, however it did."""


def refuse(kind: TranscriptionFailure, message: str, *, korean: str = "") -> TranscriptionError:
    """Return the error of *kind*; *korean* replaces its usual sentence."""
    return TranscriptionError(kind, message, korean=korean or _KOREAN[kind])
