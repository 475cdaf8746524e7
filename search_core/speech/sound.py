"""Which files have a sound, and the sound of one of them for this process: pieces on disk, made by a killable process."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_core.child_process import ChildError, ChildFailure, ChildPool, python_call
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind

RATE = 16_000
"""Samples per second of the sound given to recognisers."""
SUFFIXES = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".mp3", ".m4a", ".aac", ".wav", ".ogg", ".oga", ".opus", ".flac")
"""File endings that a file chooser offers; whether a file can be read is decided by its content."""
MAX_BYTES = 1 << 30
"""Maximum file size, equal to ``server.maxUploadSize``: Streamlit holds the file in memory until it is on disk."""
MAX_S = 6 * 3600.0
"""Longest sound in seconds."""
_KOREAN = {
    Kind.NOT_MEDIA: (
        "동영상이나 소리 파일이 아니거나 깨진 파일이에요. mp4, webm, mkv, mp3, m4a, wav, ogg 파일로 다시 올려 주세요."
    ),
    Kind.NO_SOUND: "소리가 없는 영상이에요. 소리가 담긴 파일을 올려 주세요.",
    Kind.HOSTILE: ("파일을 읽는 데 시간이나 메모리가 지나치게 들어서 그만뒀어요. 소리만 mp3나 m4a로 다시 만들어 올려 주세요."),
    Kind.TOO_LARGE: (f"파일이 너무 커요. {MAX_BYTES >> 30}GB까지 받아 적어요. 소리만 뽑은 파일(m4a, mp3)을 올리면 훨씬 작아요."),
    Kind.TOO_LONG: f"영상이 너무 길어요. {MAX_S / 3600:g}시간까지 받아 적어요. 나눠서 올려 주세요.",
    Kind.NO_ROOM: ("서버의 저장 공간에 쓸 수 없어서 받아 적지 못했어요. 남은 용량과 데이터 폴더의 권한을 확인해 주세요."),
    Kind.BUSY: "받아 적기를 기다리는 영상이 너무 많아요. 잠시 뒤에 다시 시작해 주세요.",
    Kind.CANCELLED: "받아 적기를 멈췄어요. 다시 시작하면 끝낸 데까지는 건너뛰고 이어서 해요.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFile:
    """A video or a recording on disk; never read into memory as a whole."""

    path: Path
    name: str
    """The user's name for the file; never sent elsewhere."""
    owned: bool = False
    """If True, the file and its folder are removed when its transcription ends or fails."""


def refuse(kind: Kind, message: str, *, korean: str = "") -> TranscriptionError:
    """Return the error of *kind*; *korean* replaces its usual sentence."""
    return TranscriptionError(kind, message, korean=korean or _KOREAN[kind])


WORKER = python_call("search_core.speech.sound_worker:serve_sound")
STEP_LIMIT_S = 180.0
"""Most seconds by the clock for decoding the next piece."""


class Sound:
    """Returns the sound of one file piece by piece; on one event loop, one request at a time, closed at the end."""

    cpu_s = 60.0
    """Most processor seconds for decoding the next piece; half an hour of sound takes some nine."""

    def __init__(self, path: Path, folder: Path) -> None:
        """Take the file at *path*, checked only when ``pieces`` is called, and the *folder* for its pieces."""
        self._path, self._folder = path.resolve(), folder.resolve()  # absolute, as the process runs in a folder of its own
        self._pool = ChildPool(WORKER, size=1)
        self.declared_s: float | None = None
        """Length that the file declares, in seconds; known from the first piece on."""
        self.damaged = False
        """Whether a part of the file could not be decoded; known at its end."""

    def digest(self) -> str:
        """Return a hash of the bytes; blocks. Raises TranscriptionError for too large files and for what is no file."""
        try:
            size = self._path.stat().st_size
            if not self._path.is_file():
                raise refuse(Kind.NOT_MEDIA, "The path is of no plain file.")
            if size > MAX_BYTES:
                raise refuse(Kind.TOO_LARGE, f"The file has more than {MAX_BYTES} bytes.")
            with self._path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise refuse(Kind.NOT_MEDIA, f"The file cannot be read: {type(error).__name__}.") from error

    async def pieces(self, piece_s: float) -> AsyncGenerator[tuple[float, float, Path]]:
        """Yield start, end and WAV file of each piece of at most *piece_s* seconds; raises TranscriptionError."""
        begun = await self._ask(path=str(self._path), folder=str(self._folder), piece_s=piece_s, max_s=MAX_S)
        self.declared_s = begun["declared_s"]
        while (answer := await self._ask())["piece"] is not None:
            start_s, end_s, path = answer["piece"]
            yield start_s, end_s, Path(path)
        self.damaged = answer["damaged"]

    def close(self) -> None:
        """End the process, even during a request; blocks until it is gone."""
        self._pool.close()

    async def _ask(self, **request: Any) -> dict[str, Any]:
        try:
            answer = await asyncio.to_thread(self._pool.ask, request, b"", limit_s=STEP_LIMIT_S, cpu_s=self.cpu_s)
        except ChildError as error:
            kind = Kind.CANCELLED if error.kind is ChildFailure.CANCELLED else Kind.HOSTILE
            raise refuse(kind, f"The process that decodes gave no answer: {error.kind.value}.") from error
        if "failed" in answer:
            raise refuse(Kind(answer["kind"]), answer["failed"])
        return answer
