"""Moments a language model cites, as in ``[12:41]``: those of passages it was given stay, others go.

A model gets times wrong as it gets everything else wrong; a reader who clicks one must land where the words are said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_core.domain.video import TranscriptPassage
from search_core.text.video_time import CLOCK, clock, clock_seconds

NEAR_S = 20.0
"""A moment this far beside a passage is meant to be in it."""
_LONGEST_MARK = 60
_TIME = re.compile(rf"({CLOCK})(?:\.\d{{1,3}})?")
_MARK = re.compile(rf"\[\s*{_TIME.pattern}(?:\s*(?:[,;~/·–—-]|와|및|에서|부터)\s*{_TIME.pattern})*\s*\]")
_CAN_BE_MARK = re.compile(r"\[[\d\s:.,;~/·–—와및에서부터-]*")


def mark(seconds: float) -> str:
    """Return *seconds* from the start of a video as it is cited."""
    return f"[{clock(seconds)}]"


class MomentMarks:
    """Takes the pieces of one streamed answer and gives them back with moments the passages vouch for."""

    def __init__(self, passages: Sequence[TranscriptPassage]) -> None:
        self._passages = tuple(passages)
        self._held = ""
        self._cited: dict[float, None] = {}

    @property
    def cited(self) -> tuple[float, ...]:
        """Return the moments cited so far, in seconds, in order of appearance, no doubles."""
        return tuple(self._cited)

    def feed(self, piece: str) -> str:
        """Return what can be shown of the answer so far; a bracket that may be a moment, and the space before it, wait."""
        self._held += piece
        shown = ""
        while (opens := self._held.find("[")) >= 0:
            closes = self._held.find("]", opens)
            if closes < 0:
                if len(self._held) - opens <= _LONGEST_MARK and _CAN_BE_MARK.fullmatch(self._held, opens):
                    break
                closes = opens
            shown = self._append_mark(shown + self._held[:opens], self._held[opens : closes + 1])
            self._held = self._held[closes + 1 :]
        ready = self._held[: opens if opens >= 0 else None].rstrip(" ")
        self._held = self._held[len(ready) :]
        return shown + ready

    def rest(self) -> str:
        """Return what was held back when the answer has ended."""
        held, self._held = self._held, ""
        return held

    def _append_mark(self, shown: str, inside: str) -> str:
        if not _MARK.fullmatch(inside):
            return shown + inside
        places = [self._nearest_moment(clock_seconds(found) or 0.0) for found in _TIME.findall(inside)]
        valid = dict.fromkeys(place for place in places if place is not None)
        self._cited.update(valid)
        return shown + "".join(map(mark, valid)) if valid else shown.rstrip(" ")

    def _nearest_moment(self, seconds: float) -> float | None:
        """Return *seconds* inside a passage, the start of the passage it lies beside, or None."""
        if not self._passages:
            return None
        nearest = min(self._passages, key=lambda passage: _distance(seconds, passage))
        away = _distance(seconds, nearest)
        if away == 0:
            return seconds
        return float(int(nearest.start_s)) if away <= NEAR_S else None


def _distance(seconds: float, passage: TranscriptPassage) -> float:
    """Return how many seconds *seconds* lies outside *passage*, whose start counts from its whole second."""
    return max(0.0, int(passage.start_s) - seconds, seconds - max(passage.end_s, passage.start_s))
