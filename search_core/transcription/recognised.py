"""What was recognised, with its doubts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from search_core.domain import TranscriptSegment, UncertainReason, UncertainStretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """Segments of some sound in order, and the stretches of them that are doubtful; all in seconds on one clock."""

    segments: tuple[TranscriptSegment, ...] = ()
    doubts: tuple[UncertainStretch, ...] = ()
    language: str = ""

    def shift(self, by_s: float) -> Recognised:
        """Return the same on a clock that shows *by_s* seconds more."""
        return replace(
            self,
            segments=tuple(TranscriptSegment(s.start_s + by_s, s.end_s + by_s, s.text) for s in self.segments),
            doubts=tuple(UncertainStretch(d.start_s + by_s, d.end_s + by_s, d.reason) for d in self.doubts),
        )


def doubt(segment: TranscriptSegment, reason: UncertainReason) -> UncertainStretch:
    """Return that all of *segment* is doubtful."""
    return UncertainStretch(segment.start_s, segment.end_s, reason)
