"""The sound of one file, as this process sees it: pieces on disk, made by a process that can be killed."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_core.child_process import Cancellation, ChildError, ChildFailure, ChildPool, python_call
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.speech.cutting import TimeSpan
from search_core.speech.source import refuse, too_large, too_slow

WORKER = python_call("search_core.speech.sound_worker:serve_sound")
STEP_LIMIT_S = 180.0
"""For decoding as far as the next piece, waits for disk and processor included."""
STEP_CPU_S = 60.0
"""Of a processor, for the same; half an hour of sound takes some nine."""
OPEN_CPU_S = 10.0
"""Of a processor; a film takes less than one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of sound whose samples are on disk."""

    span: TimeSpan
    """Its place in the whole."""
    samples: Path
    sounding: TimeSpan | None
    """Where somebody may speak, in seconds from its start; None where it is silent."""
    silences: tuple[TimeSpan, ...]
    """Of two seconds and longer, in seconds from its start."""


class Sound:
    """Gives the sound of one file piece by piece; on one event loop, one request at a time, closed at the end."""

    def __init__(self, path: Path, folder: Path, *, max_bytes: int, max_s: float) -> None:
        """Read *path*, which may be refused, and write pieces into *folder*."""
        self._path, self._folder = path.resolve(), folder.resolve()  # the process has a folder of its own
        self._max_bytes, self._max_s = max_bytes, max_s
        self.open_cpu_s = OPEN_CPU_S
        """Seconds of a processor that opening the file may take."""
        self._pool = ChildPool(WORKER, size=1)
        self._cancellation = Cancellation()
        self._turn = asyncio.Lock()
        self._numbers = itertools.count()
        self.damaged = False
        """Whether a part of the file could not be decoded, once its end has been reached."""

    async def digest(self) -> str:
        """Return what tells this file from every other; raises TranscriptionError."""
        return await asyncio.to_thread(self._digest)

    async def open(self, piece_s: float) -> float | None:
        """Begin to decode, from the start on, in pieces of *piece_s* seconds; return how many the file says it has.

        Raises TranscriptionError.
        """
        answer = await self._ask(do="open", path=str(self._path), piece_s=piece_s, max_s=self._max_s, cpu_s=self.open_cpu_s)
        declared_s: float | None = answer["declared_s"]
        return declared_s

    async def next_piece(self) -> Piece | None:
        """Return the next piece, or None at the end; raises TranscriptionError."""
        to = self._new_path("pcm")
        answer = await self._ask(do="next", to=str(to))
        if answer["piece"] is None:
            self.damaged = bool(answer["cut"] or answer["damaged"])
            return None
        sounding = TimeSpan(*answer["sounding"]) if answer["sounding"] else None
        silences = tuple(TimeSpan(*each) for each in answer["silences"])
        return Piece(span=TimeSpan(*answer["piece"]), samples=to, sounding=sounding, silences=silences)

    async def encode(self, piece: Piece) -> Path:
        """Return a new MP3 file with the sound of *piece*; the caller removes it."""
        to = self._new_path("mp3")
        await self._ask(do="encode", samples=str(piece.samples), to=str(to))
        return to

    def close(self) -> None:
        """End the process, amid a request as well; blocks until it is gone."""
        self._cancellation.cancel()
        self._pool.close()

    def _digest(self) -> str:
        """Return the digest of the bytes; raises TranscriptionError for what is too large or no file."""
        try:
            size = self._path.stat().st_size
            if not self._path.is_file():
                raise refuse(Kind.NOT_MEDIA, "The path is of no plain file.")
            if size > self._max_bytes:
                raise too_large(self._max_bytes)
            with self._path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise refuse(Kind.BROKEN, f"The file cannot be read: {type(error).__name__}.") from error

    def _new_path(self, suffix: str) -> Path:
        return self._folder / f"{next(self._numbers):06d}.{suffix}"

    async def _ask(self, *, cpu_s: float = STEP_CPU_S, **request: Any) -> dict[str, Any]:
        async with self._turn:
            limits = {"limit_s": STEP_LIMIT_S, "cpu_s": cpu_s}
            try:
                answer = await asyncio.to_thread(self._pool.ask, request, b"", **limits, cancellation=self._cancellation)
            except ChildError as error:
                raise _child_failure(error.kind, **limits) from error
        if "failed" in answer:
            raise TranscriptionError(Kind(answer["kind"]), answer["failed"], korean=answer["korean"])
        return answer


def _child_failure(kind: ChildFailure, *, limit_s: float, cpu_s: float) -> TranscriptionError:
    if kind is ChildFailure.NOT_STARTED:
        korean = "소리를 읽는 프로그램이 시작되지 않았어요. 잠시 뒤에 다시 시작해 주세요."
        return refuse(Kind.BROKEN, "The process that decodes did not start.", korean=korean)
    if kind is ChildFailure.CANCELLED:
        return refuse(Kind.CANCELLED, "The decoding was cancelled.", korean="받아 적기를 멈췄어요.")
    if kind in (ChildFailure.SPENT, ChildFailure.LATE):
        return too_slow(cpu_s if kind is ChildFailure.SPENT else limit_s)
    return refuse(
        Kind.HOSTILE,
        f"The process that decodes gave no answer: {kind.value}.",
        korean="파일이 소리를 읽는 프로그램을 멈추게 했어요. 소리만 mp3나 m4a로 다시 만들어 올려 주세요.",
    )
