"""A transcription that goes on while the page looks at it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from search_core.domain import Transcription, TranscriptionPhase, TranscriptionProgress, TranscriptSegment
from search_core.errors import MaekrakError, TranscriptionError, TranscriptionFailure
from search_core.job import Job


class TranscriptionJob(Job[TranscriptionProgress]):
    """One transcription, started in the background; it has left nothing behind when it has ended."""

    def __init__(self, name: str, cancel: Callable[[], object], owner: str) -> None:
        """Take what the user calls the source; *cancel* ends processes and requests, and finished pieces stay kept."""
        super().__init__(TranscriptionProgress(), cancel, owner)
        self.name = name
        self._started = time.monotonic()
        self._outcome: Transcription | MaekrakError | None = None

    def snapshot(self) -> TranscriptionProgress:
        """Return the transcription as it is now, its elapsed time running on."""
        with self._lock:
            if self._ended.is_set():
                return self._snapshot
            return replace(self._snapshot, elapsed_s=time.monotonic() - self._started)

    @property
    def segments(self) -> tuple[TranscriptSegment, ...]:
        """Return what was recognised so far, in order; its end may still change."""
        return super().snapshot().segments

    @property
    def error(self) -> MaekrakError | None:
        """Return why there is no transcript, its ``korean`` for the page; None while it goes on and when there is one."""
        return self._outcome if isinstance(self._outcome, MaekrakError) else None

    def result(self) -> Transcription:
        """Return the transcript, waiting for it.

        Raises TranscriptionError, of kind CANCELLED where it was cancelled; LanguageModelError for what the recogniser did not
        give; VideoReadError for what YouTube did not.
        """
        self._ended.wait()
        if isinstance(self._outcome, MaekrakError):
            raise self._outcome
        assert self._outcome is not None
        return self._outcome

    def end(self, outcome: Transcription | MaekrakError) -> None:
        """Take note of the end; once, by the service."""
        phase = TranscriptionPhase.DONE
        if isinstance(outcome, MaekrakError):
            cancelled = isinstance(outcome, TranscriptionError) and outcome.kind is TranscriptionFailure.CANCELLED
            phase = TranscriptionPhase.CANCELLED if cancelled else TranscriptionPhase.FAILED
        with self._lock:
            self._outcome = outcome
            self._snapshot = replace(self._snapshot, phase=phase, elapsed_s=time.monotonic() - self._started)
            if isinstance(outcome, Transcription):
                whole_s = outcome.duration_s
                self._snapshot = replace(self._snapshot, segments=outcome.segments, done_s=whole_s, total_s=whole_s)
            self._ended.set()
