"""The sound of one file for this process: pieces on disk, made by a killable process."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from search_core.child_process import Cancellation, ChildError, ChildFailure, ChildPool, python_call
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.source import MAX_BYTES, MAX_S, refuse

WORKER = python_call("search_core.speech.sound_worker:serve_sound")
STEP_LIMIT_S = 180.0
"""For decoding as far as the next piece, waits for disk and processor included."""


class Sound:
    """Returns the sound of one file piece by piece; on one event loop, one request at a time, closed at the end."""

    cpu_s = 60.0
    """Of a processor, for decoding as far as the next piece; half an hour of sound takes some nine."""

    def __init__(self, path: Path, folder: Path) -> None:
        """Read *path*, which may be refused, and write pieces into *folder*."""
        self._path, self._folder = path.resolve(), folder.resolve()  # absolute, as the process runs in a folder of its own
        self._pool = ChildPool(WORKER, size=1)
        self._cancellation = Cancellation()
        self.declared_s: float | None = None
        """How long the file says it is, once its first piece is there."""
        self.damaged = False
        """Whether a part of the file could not be decoded, once its end has been reached."""

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
        """Yield where each piece of at most *piece_s* seconds begins and ends, and its file; raises TranscriptionError."""
        begun = await self._ask(path=str(self._path), folder=str(self._folder), piece_s=piece_s, max_s=MAX_S)
        self.declared_s = begun["declared_s"]
        while (answer := await self._ask())["piece"] is not None:
            start_s, end_s, path = answer["piece"]
            yield start_s, end_s, Path(path)
        self.damaged = answer["damaged"]

    def close(self) -> None:
        """End the process, even during a request; blocks until it is gone."""
        self._cancellation.cancel()
        self._pool.close()

    async def _ask(self, **request: Any) -> dict[str, Any]:
        limits = {"limit_s": STEP_LIMIT_S, "cpu_s": self.cpu_s}
        try:
            answer = await asyncio.to_thread(self._pool.ask, request, b"", **limits, cancellation=self._cancellation)
        except ChildError as error:
            kind = Kind.CANCELLED if error.kind is ChildFailure.CANCELLED else Kind.HOSTILE
            raise refuse(kind, f"The process that decodes gave no answer: {error.kind.value}.") from error
        if "failed" in answer:
            raise refuse(Kind(answer["kind"]), answer["failed"])
        return answer
