"""What turns a piece of sound into words, on a server or on this machine.

A recogniser of this machine gets its pieces as they are and is asked once. An endpoint is asked again where that can help; one
that returns no usable moments (gpt-4o-transcribe), refuses pieces of ten minutes or hears their first thirty seconds only
(vllm#15012) gets captions of fifteen seconds instead, for the rest of the sound.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from search_core.domain import Recogniser, RecogniserKind, RecognizedPiece, RecognizedSegment
from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.speech.cutting import TimeSpan
from search_core.speech.recognised import Recognised, put_in_order, read_segments
from search_core.speech.sound import Piece, Sound

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""
OnProgress = Callable[[float, tuple[RecognizedSegment, ...]], object]
"""Gets how many seconds of a piece are done, and what was recognised since the last time."""
_TRIES = {Kind.RATE_LIMITED: 5, Kind.UNAVAILABLE: 4, Kind.UNREACHABLE: 4, Kind.TIMEOUT: 2, Kind.UNREADABLE: 2, Kind.CUT: 2}
"""Nobody waits for one piece as for a page: a transcription takes minutes anyway."""
_FIRST_PAUSE_S = 1.0
MAX_PAUSE_S = 60.0
"""A longer Retry-After is not waited for: the transcription ends, and what is done stays stored."""
_AT_ONCE = 3
"""Requests to one endpoint."""
_REFUSED = frozenset({400, 413, 415, 422})
_WINDOW_S = 30.0
"""Whisper hears so much at a time; a server that does not go on returns this much of any sound."""
_UNHEARD_S = 5.0
"""So much of what a voice detector calls speech without words is reported to the reader."""
_UNHEARD_SOUND_S = 30.0
"""Where only loudness was measured, which cannot tell speech from music."""


class SpeechRecogniser(Protocol):
    """Turns pieces of sound into words; on one event loop, cancelled with its task."""

    recogniser: Recogniser
    """Its name for readers of the transcript; one of this machine takes bare samples, an endpoint MP3."""
    piece_s: float
    """How long pieces are cut for it, in seconds: what is lost when it breaks off."""

    def missing(self) -> str:
        """Return a Korean sentence saying what is not here, or an empty text when it can be asked; sends no request."""
        ...

    async def recognise(self, sound: Path, *, language: str, moments: bool, on_progress: OnProgress) -> RecognizedPiece:
        """Return what is said in the piece at *sound*; with *moments*, when. *on_progress* is called where it can be.

        Raises LanguageModelError with its kind, and its ``status`` where an HTTP answer refused.
        """
        ...

    def close(self) -> None:
        """End what belongs to it."""
        ...


class PieceRecogniser:
    """Recognises the pieces of one sound, one after another; on one event loop."""

    def __init__(self, recogniser: SpeechRecogniser, sound: Sound, *, language: str, pause: Pause = asyncio.sleep) -> None:
        self._recogniser, self._sound, self._language, self._pause = recogniser, sound, language, pause
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._in_captions = False

    async def recognise(self, piece: Piece, on_progress: OnProgress) -> Recognised:
        """Return what is said in *piece*, on its clock.

        Raises LanguageModelError when the recogniser gives nothing, and TranscriptionError when the sound cannot be written.
        """
        if not piece.captions:
            return Recognised()
        if self._recogniser.recogniser.kind is RecogniserKind.LOCAL:
            reply = await self._recogniser.recognise(
                piece.samples, language=self._language, moments=True, on_progress=on_progress
            )
            speech = [TimeSpan(*each) for each in reply.speech]
            found = read_segments(reply.segments or (), silences=piece.silences, speech=speech, unheard_s=_UNHEARD_S)
            return replace(found, language=reply.language, warning=reply.warning)
        found_whole = None if self._in_captions else await self._hear_whole(piece)
        self._in_captions = found_whole is None
        return found_whole if found_whole is not None else await self._hear_captions(piece, on_progress)

    async def _hear_whole(self, piece: Piece) -> Recognised | None:
        """Return what is said in *piece*; None where the endpoint refuses it, or its moments cannot be used."""
        length_s = piece.span.length_s
        try:
            reply = await self._ask(piece, TimeSpan(0.0, length_s), moments=True)
        except LanguageModelError as error:
            if error.status not in _REFUSED:
                raise
            return None
        if not reply.text:
            return self._read(piece, reply, ())
        segments = None if reply.segments is None else put_in_order(reply.segments, length_s)
        if segments is None or segments[-1].end_s <= min(_WINDOW_S, piece.captions[-1].end_s - _UNHEARD_SOUND_S):
            return None
        return self._read(piece, reply, segments)

    async def _hear_captions(self, piece: Piece, on_progress: OnProgress) -> Recognised:
        """Return what is said in *piece*, a segment for each caption."""

        async def hear(caption: TimeSpan) -> RecognizedPiece:
            reply = await self._ask(piece, caption, moments=False)
            segments = (RecognizedSegment(caption.start_s, caption.end_s, reply.text),) if reply.text else ()
            on_progress(caption.end_s, segments)
            return replace(reply, segments=segments)

        tasks = [asyncio.create_task(hear(each)) for each in piece.captions]
        try:
            replies = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._read(piece, replies[0], tuple(each for reply in replies for each in reply.segments or ()))

    def _read(self, piece: Piece, reply: RecognizedPiece, segments: tuple[RecognizedSegment, ...]) -> Recognised:
        edges = [0.0, *(moment for each in piece.silences for moment in (each.start_s, each.end_s)), piece.span.length_s]
        loud = [TimeSpan(start_s, end_s) for start_s, end_s in list(pairwise(edges))[::2]]
        found = read_segments(segments, silences=piece.silences, speech=loud, unheard_s=_UNHEARD_SOUND_S)
        return replace(found, language=reply.language)

    async def _ask(self, piece: Piece, stretch: TimeSpan, *, moments: bool) -> RecognizedPiece:
        async with self._turns:
            path = await self._sound.encode(piece, stretch)
            try:
                return await self._try(path, moments=moments)
            finally:
                path.unlink(missing_ok=True)

    async def _try(self, path: Path, *, moments: bool) -> RecognizedPiece:
        tries = 1
        while True:
            try:
                return await self._recogniser.recognise(
                    path, language=self._language, moments=moments, on_progress=lambda *_: None
                )
            except LanguageModelError as error:
                if tries >= _TRIES.get(error.kind, 1):
                    raise
                pause_s = _FIRST_PAUSE_S * 2 ** (tries - 1) * random.uniform(0.5, 1)  # noqa: S311 - no secret
                pause_s = max(pause_s, error.retry_after_s or 0.0)
                if pause_s > MAX_PAUSE_S:
                    raise
            tries += 1
            await self._pause(pause_s)
