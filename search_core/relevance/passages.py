"""A transcript in passages, so that a result can be tied to the moment it bears on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from search_core.domain import TranscriptSegment

_PASSAGE_S = 45.0
"""Long enough to hold a thought, short enough that its start is the moment meant."""
_PASSAGE_CHARS = 600
"""Ends a passage early where times are missing or speech is dense."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of segments said together."""

    segments: tuple[TranscriptSegment, ...]

    @property
    def start_s(self) -> float:
        """Return when it begins, in seconds from the start of the video."""
        return self.segments[0].start_s

    @property
    def text(self) -> str:
        """Return what is said."""
        return " ".join(segment.text for segment in self.segments)


def passages_of(transcript: Sequence[TranscriptSegment]) -> tuple[Passage, ...]:
    """Return *transcript* in passages of about 45 seconds; segments stay whole, empty ones are left out."""
    passages: list[Passage] = []
    held: list[TranscriptSegment] = []
    chars = 0
    for segment in transcript:
        if not segment.text.strip():
            continue
        full = held and (segment.end_s - held[0].start_s > _PASSAGE_S or chars + len(segment.text) > _PASSAGE_CHARS)
        if full:
            passages.append(Passage(tuple(held)))
            held, chars = [], 0
        held.append(segment)
        chars += len(segment.text)
    if held:
        passages.append(Passage(tuple(held)))
    return tuple(passages)
