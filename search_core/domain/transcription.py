"""Speech recognition: who recognised it, its progress, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from search_core.domain.video import TranscriptSegment

Stretch = tuple[float, float]
"""Where something begins and ends, in seconds."""


class RecogniserKind(StrEnum):
    """Names where speech is recognised."""

    ENDPOINT = "endpoint"
    """At the OpenAI-compatible endpoint of the settings: the sound leaves this machine, unless the endpoint is on it."""
    LOCAL = "local"
    """By faster-whisper, in a process of this machine."""


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Name of the recogniser, for readers of the transcript."""

    kind: RecogniserKind
    model: str
    """As the settings name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognizedPiece:
    """What a recogniser returned for one piece of sound, in seconds from its start."""

    segments: tuple[TranscriptSegment, ...]
    """Segments; those with a low probability by the recogniser itself are marked as uncertain."""
    language: str = ""
    """ISO 639-1 code, or empty."""
    speech: tuple[Stretch, ...] = ()
    """Where its voice detector heard speech; empty where it has none."""
    warning: str = ""
    """A Korean sentence about what the recogniser cannot hear, or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcription:
    """The transcript of a video or a recording; without segments if nothing is said."""

    segments: tuple[TranscriptSegment, ...]
    """In order of their beginnings, in seconds from the start of the video."""
    recogniser: Recogniser
    language: str
    """ISO 639-1 code; empty when the recogniser returned none."""
    duration_s: float
    """Length of the transcribed sound in seconds."""
    unheard: tuple[Stretch, ...] = ()
    """Sound for which the recogniser gave no words although there may be speech, in order."""
    warnings: tuple[str, ...] = ()
    """Korean sentences about what could not be listened to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionProgress:
    """The state of a transcription at one moment."""

    listening: bool = False
    """False while it waits for another transcription to end."""
    done_s: float = 0.0
    """Seconds of sound that are recognised."""
    total_s: float | None = None
    """Length of the sound in seconds, until its end is reached as stated by the file; None while unknown."""

    @property
    def share(self) -> float | None:
        """Return how much is done, in [0, 1]; None while the length is unknown."""
        return min(1.0, self.done_s / self.total_s) if self.total_s else None
