"""A transcription that goes on while the page looks at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from search_core.domain.transcription import Transcription, TranscriptionPhase, TranscriptionProgress
from search_core.errors import MaekrakError, TranscriptionError, TranscriptionFailure
from search_core.job import Job


class TranscriptionJob(Job[TranscriptionProgress]):
    """One transcription, started in the background; it has left nothing behind when it has ended."""

    def __init__(self, name: str, cancel: Callable[[], object], owner: str) -> None:
        """Take what the user calls the source; *cancel* ends processes and requests, and finished pieces stay kept."""
        super().__init__(TranscriptionProgress(), cancel, owner)
        self.name = name
        self._outcome: Transcription | MaekrakError | None = None

    @property
    def error(self) -> MaekrakError | None:
        """Return why there is no transcript, its ``korean`` for the page; None while it goes on and when there is one."""
        return self._outcome if isinstance(self._outcome, MaekrakError) else None

    def result(self) -> Transcription:
        """Return the transcript, waiting for it; raises TranscriptionError, of kind CANCELLED where it was cancelled."""
        self._ended.wait()
        if isinstance(self._outcome, MaekrakError):
            raise self._outcome
        assert self._outcome is not None
        return self._outcome

    def end(self, outcome: Transcription | MaekrakError) -> None:
        """Take note of the end; once, by the service."""
        whole = self.snapshot()
        if isinstance(outcome, Transcription):
            length_s = outcome.duration_s
            whole = TranscriptionProgress(phase=TranscriptionPhase.DONE, done_s=length_s, total_s=length_s)
        else:
            cancelled = isinstance(outcome, TranscriptionError) and outcome.kind is TranscriptionFailure.CANCELLED
            whole = replace(whole, phase=TranscriptionPhase.CANCELLED if cancelled else TranscriptionPhase.FAILED)
        with self._lock:
            self._outcome, self._snapshot = outcome, whole
            self._ended.set()
