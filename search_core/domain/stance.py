"""The nouns of a comparison of a video with the web: what the video says, what the web says of it, and how the two stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Stance(StrEnum):
    """Names how a sentence of the web stands to a statement of the video."""

    AGREE = "agree"
    ADDS = "adds"
    CONTRADICTS = "contradicts"
    CHANGED = "changed"
    CANNOT_TELL = "cannot_tell"

    @property
    def label(self) -> str:
        """Return the Korean word that stands in tables."""
        return _LABELS[self]


_LABELS = {
    Stance.AGREE: "일치",
    Stance.ADDS: "보완",
    Stance.CONTRADICTS: "상충",
    Stance.CHANGED: "이후 변경",
    Stance.CANNOT_TELL: "확인 불가",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A passage of the video that is to be checked."""

    start_s: float
    """Seconds from the start of the video."""
    end_s: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceRow:
    """What one source says of one statement of the video."""

    moment_s: float
    statement: str
    """The sentence of the video, as spoken."""
    stance: Stance
    source: int
    """Place of the source among the sources given, from 0."""
    quote: str
    """The sentence of the web, as written."""
    date: datetime | None
    """When the source was published; None when unknown."""
    after_video: bool | None
    """True for evidence published after the day of the video; None when either date is unknown."""
    independent_of: int
    """The group of sources that tell one story; sources of one group count once."""
    confidence: float
    """In [0, 1]: how sure the rules are that both sentences speak of the same thing; no probability."""
    restates_video: bool
    """True when the source only restates the video, so that its agreement proves nothing."""
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the web says of the statements of a video, statement by statement."""

    rows: tuple[StanceRow, ...]
    """In order of the moments, the surest first within one moment."""
    adds_nothing: bool
    """True when no independent source confirms, adds to, contradicts or has overtaken what the video says."""
    before: tuple[StanceRow, ...]
    """Evidence from up to the day of the video."""
    after: tuple[StanceRow, ...]
    """Evidence from later days."""
    undated: tuple[StanceRow, ...]
    """Evidence of which nobody knows whether it is older than the video."""
    unread_statements: int = 0
    """Statements beyond the limit, which were not compared."""
    unread_sources: int = 0
    """Sources beyond the limit, which were not compared."""

    @classmethod
    def of(cls, rows: Iterable[StanceRow], *, unread_statements: int = 0, unread_sources: int = 0) -> Comparison:
        """Return a comparison of *rows*, put in the order of their moments."""
        ordered = tuple(sorted(rows, key=lambda row: row.moment_s))
        return cls(
            rows=ordered,
            adds_nothing=all(row.restates_video or row.stance is Stance.CANNOT_TELL for row in ordered),
            before=tuple(row for row in ordered if row.after_video is False),
            after=tuple(row for row in ordered if row.after_video),
            undated=tuple(row for row in ordered if row.after_video is None),
            unread_statements=unread_statements,
            unread_sources=unread_sources,
        )
