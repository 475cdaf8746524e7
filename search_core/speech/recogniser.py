"""What turns a piece of sound into words, on a server or on this machine.

A recogniser of this machine gets its pieces as they are and is asked once. An endpoint is asked again where that can help; one
that returns no usable moments (gpt-4o-transcribe), refuses pieces of ten minutes or hears their first thirty seconds only
(vllm#15012) gets pieces of fifteen seconds instead, each of which becomes a segment.
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
SHORT_S = 15.0
"""Length of the pieces for an endpoint that tells no moments."""
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


class NoMomentsError(Exception):
    """Says that an endpoint refuses long pieces, or tells no moments in them that can be used."""


class PieceRecogniser:
    """Recognises the pieces of one sound, one after another; on one event loop."""

    def __init__(self, recogniser: SpeechRecogniser, sound: Sound, *, language: str, pause: Pause = asyncio.sleep) -> None:
        self._recogniser, self._sound, self._language, self._pause = recogniser, sound, language, pause

    async def recognise(self, piece: Piece, on_progress: OnProgress, *, moments: bool = True) -> Recognised:
        """Return what is said in *piece*, on its clock; without *moments* as one segment.

        Raises LanguageModelError when the recogniser gives nothing, NoMomentsError when an endpoint gives no moments, and
        TranscriptionError when the sound cannot be written.
        """
        if piece.sounding is None:
            return Recognised()
        if self._recogniser.recogniser.kind is RecogniserKind.LOCAL:
            reply = await self._recogniser.recognise(
                piece.samples, language=self._language, moments=True, on_progress=on_progress
            )
            speech = [TimeSpan(*each) for each in reply.speech]
            found = read_segments(reply.segments or (), silences=piece.silences, speech=speech, unheard_s=_UNHEARD_S)
            return replace(found, language=reply.language, warning=reply.warning)
        try:
            reply = await self._ask(piece, moments=moments)
        except LanguageModelError as error:
            if moments and error.status in _REFUSED:
                raise NoMomentsError from error
            raise
        whole = (RecognizedSegment(piece.sounding.start_s, piece.sounding.end_s, reply.text),) if reply.text else ()
        segments = _usable_segments(reply, piece.span.length_s, piece.sounding) if moments else whole
        edges = [0.0, *(moment for each in piece.silences for moment in (each.start_s, each.end_s)), piece.span.length_s]
        loud = [TimeSpan(start_s, end_s) for start_s, end_s in list(pairwise(edges))[::2]]
        found = read_segments(segments, silences=piece.silences, speech=loud, unheard_s=_UNHEARD_SOUND_S)
        return replace(found, language=reply.language)

    async def _ask(self, piece: Piece, *, moments: bool) -> RecognizedPiece:
        path = await self._sound.encode(piece)
        tries = 1
        try:
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
        finally:
            path.unlink(missing_ok=True)


def _usable_segments(reply: RecognizedPiece, length_s: float, sounding: TimeSpan) -> tuple[RecognizedSegment, ...]:
    """Return the segments of *reply* in order; raises NoMomentsError where their moments cannot be used."""
    if not reply.text:
        return ()
    segments = None if reply.segments is None else put_in_order(reply.segments, length_s)
    if segments is None or segments[-1].end_s <= min(_WINDOW_S, sounding.end_s - _UNHEARD_SOUND_S):
        raise NoMomentsError
    return segments
