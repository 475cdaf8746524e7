"""A transcript in passages that are compared with questions and pages."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.domain.video import TranscriptPassage, TranscriptSegment
from search_core.runtime import in_turns

_PASSAGE_S = 45.0
"""Long enough for a thought, short enough that its start is the right moment."""
_PASSAGE_CHARS = 600
"""Longest passage, which ends earlier than 45 seconds if speech is dense or has no times."""


def passages_of(transcript: Sequence[TranscriptSegment]) -> tuple[TranscriptPassage, ...]:
    """Return *transcript* in passages of about 45 seconds; segments stay whole, empty ones are left out."""
    passages: list[TranscriptPassage] = []
    held: list[TranscriptSegment] = []
    chars = 0
    for segment in in_turns(transcript):
        if not segment.text.strip():
            continue
        full = held and (segment.end_s - held[0].start_s > _PASSAGE_S or chars + len(segment.text) > _PASSAGE_CHARS)
        if full:
            passages.append(TranscriptPassage(segments=tuple(held)))
            held, chars = [], 0
        held.append(segment)
        chars += len(segment.text)
    if held:
        passages.append(TranscriptPassage(segments=tuple(held)))
    return tuple(passages)
