"""Speech turned into text: who recognised it, how far that is, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from search_core.domain.video import TranscriptSegment


class RecogniserKind(StrEnum):
    """Names where speech is recognised."""

    ENDPOINT = "endpoint"
    """At the OpenAI-compatible endpoint of the settings: the sound leaves this machine, unless the endpoint is on it."""
    LOCAL = "local"
    """By faster-whisper, in a process of this machine."""


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Name of the recogniser, as readers of the transcript see it."""

    kind: RecogniserKind
    model: str
    """As the settings name it."""


class UncertainReason(StrEnum):
    """Names why a stretch of recognised speech is doubtful."""

    REPEATED = "repeated"
    """The recogniser said the same words over and over; they stand once."""
    UNLIKELY = "unlikely"
    """The recogniser itself gives its words little probability."""
    SILENCE = "silence"
    """Words were recognised where the sound is silent."""
    UNHEARD = "unheard"
    """Sound for which the recogniser gave no words although there may be speech; no segment is in it."""


@dataclass(frozen=True, slots=True)
class UncertainStretch:
    """A stretch of a transcript that is marked "음성 인식 불확실", in seconds from the start."""

    start_s: float
    end_s: float
    reason: UncertainReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcription:
    """What is said in a video or a recording, as it was recognised; no segments where nothing is said."""

    segments: tuple[TranscriptSegment, ...]
    """In order of their beginnings, in seconds from the start of the video."""
    recogniser: Recogniser
    language: str
    """ISO 639-1 code; empty when the recogniser returned none."""
    duration_s: float
    """Of the sound that was listened to."""
    uncertain: tuple[UncertainStretch, ...] = ()
    """In order of their beginnings."""
    warnings: tuple[str, ...] = ()
    """Korean sentences about what could not be listened to."""

    def doubt(self, segment: TranscriptSegment) -> UncertainReason | None:
        """Return why *segment* is doubtful, or None when it is not."""
        inside = (each for each in self.uncertain if each.start_s < segment.end_s and segment.start_s < each.end_s)
        return next((each.reason for each in inside if each.reason is not UncertainReason.UNHEARD), None)


class TranscriptionPhase(StrEnum):
    """Names how far a transcription is; the last three are ends."""

    WAITING = "waiting"
    """For another transcription to end."""
    FETCHING = "fetching"
    """The sound of a YouTube video."""
    CHECKING = "checking"
    """What kind of file it is, and whether its transcript is stored from earlier."""
    LISTENING = "listening"
    """The sound is cut into pieces and recognised, piece by piece."""
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen by itself."""
        return self in (self.DONE, self.CANCELLED, self.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptionProgress:
    """The state of a transcription at one moment."""

    phase: TranscriptionPhase = TranscriptionPhase.WAITING
    done_s: float = 0.0
    """Seconds of sound that are recognised."""
    total_s: float | None = None
    """Seconds of sound there are, as the file says until its end has been reached; None while unknown."""
    pieces_kept: int = 0
    """How many pieces were stored by an earlier, broken-off transcription of the same sound."""
    elapsed_s: float = 0.0
    segments: tuple[TranscriptSegment, ...] = ()
    """What was recognised so far, in order; its end may still change."""

    @property
    def share(self) -> float | None:
        """Return how much is done, in [0, 1]; None while the length is unknown."""
        return min(1.0, self.done_s / self.total_s) if self.total_s else None


@dataclass(frozen=True, slots=True)
class RecognizedSegment:
    """One stretch as a recogniser returned it, in seconds from the start of its piece; nothing in it has been checked."""

    start_s: float
    end_s: float
    text: str
    unlikely: bool = False
    """Whether the recogniser itself gives it little probability; False where it returns none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognizedPiece:
    """What a recogniser returned for one piece of sound."""

    text: str
    segments: tuple[RecognizedSegment, ...] | None
    """None where the recogniser returns no moments."""
    language: str = ""
    """ISO 639-1 code, or empty."""
    speech: tuple[tuple[float, float], ...] = ()
    """Where its voice detector heard speech, in seconds from the start of the piece; empty where it has none."""
    warning: str = ""
    """A Korean sentence about what the recogniser cannot hear, or empty."""
