"""A comparison of a video with the web: what both say, and the stances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Stance(StrEnum):
    """Names how a sentence of the web relates to a statement of the video."""

    AGREE = "agree"
    ADDS = "adds"
    CONTRADICTS = "contradicts"
    CHANGED = "changed"
    CANNOT_TELL = "cannot_tell"

    @property
    def label(self) -> str:
        """Return the Korean word for tables."""
        return _LABELS[self]


_LABELS = {
    Stance.AGREE: "일치",
    Stance.ADDS: "보완",
    Stance.CONTRADICTS: "상충",
    Stance.CHANGED: "이후 변경",
    Stance.CANNOT_TELL: "확인 불가",
}


NEAREST = "가장 가까운 출처"
"""Label of the source nearest to a statement if it neither supports nor denies the statement."""


class Judge(StrEnum):
    """Names who judged the stance of a source."""

    RULES = "rules"
    """Rules that compare the values, dates and names in both sentences."""
    ENTAILMENT_MODEL = "entailment_model"
    LANGUAGE_MODEL = "language_model"

    @property
    def label(self) -> str:
        """Return the Korean name of this judge."""
        return _JUDGES[self]


_JUDGES = {Judge.RULES: "규칙", Judge.ENTAILMENT_MODEL: "의미 모델", Judge.LANGUAGE_MODEL: "언어 모델"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingCost:
    """The cost of a language model judging sources, actual or maximal."""

    requests: int = 0
    tokens: int = 0
    """Read and written; estimated where the endpoint does not count them."""
    dropped: int = 0
    """Number of judgements that failed a check and were not used."""

    def __add__(self, other: JudgingCost) -> JudgingCost:
        return JudgingCost(
            requests=self.requests + other.requests, tokens=self.tokens + other.tokens, dropped=self.dropped + other.dropped
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the video to check."""

    moment_s: float
    """Seconds from the start of the video."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceRow:
    """What one source says of one statement of the video."""

    moment_s: float
    statement: str
    """The sentence of the video, as spoken."""
    stance: Stance
    source: int
    """Position of the source among the sources given, from 0."""
    quote: str
    """The sentence of the web, as written."""
    date: datetime | None
    """When the source was published; None when unknown."""
    after_video: bool | None
    """True for evidence published after the day of the video; None when either date is unknown."""
    independent_of: int
    """The group of sources that report one story; sources of one group count once."""
    confidence: float
    """How sure the judge is, in [0, 1]; only for ordering rows, not a probability."""
    restates_video: bool
    """True when the source only restates the video, so that its agreement proves nothing."""
    why: str
    judge: Judge = Judge.RULES
    probability: float | None = None
    """Probability of the stance by the entailment model; None if another judge decided."""

    @property
    def label(self) -> str:
        """Return the Korean word for the stance, or ``NEAREST`` if the source decides nothing."""
        return NEAREST if self.stance is Stance.CANNOT_TELL else self.stance.label

    @property
    def judged_by(self) -> str:
        """Return in Korean who judged and how sure: "규칙", "의미 모델 (86%)"."""
        return self.judge.label if self.probability is None else f"{self.judge.label} ({self.probability:.0%})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the web says about each statement of a video."""

    rows: tuple[StanceRow, ...]
    """In order of the moments, the surest first within one moment."""
    judged_by_rules_alone: bool = False
    """True if the entailment model could not run, so that its findings are missing."""

    @property
    def adds_nothing(self) -> bool:
        """Return whether no independent source confirms, extends, contradicts or updates the video."""
        return all(row.restates_video or row.stance is Stance.CANNOT_TELL for row in self.rows)

    @classmethod
    def of(cls, rows: Iterable[StanceRow], *, judged_by_rules_alone: bool = False) -> Comparison:
        """Return a comparison with *rows* by moment; statements without any source come last."""
        rows = tuple(rows)
        decided = {(row.moment_s, row.statement) for row in rows if row.stance is not Stance.CANNOT_TELL}
        return cls(
            rows=tuple(sorted(rows, key=lambda row: ((row.moment_s, row.statement) not in decided, row.moment_s))),
            judged_by_rules_alone=judged_by_rules_alone,
        )


def first_of_stories(rows: Sequence[StanceRow]) -> list[bool]:
    """Return for each row whether it counts: the first of its story at its moment, and no repetition of the video."""
    first: dict[tuple[float, int], StanceRow] = {}
    return [first.setdefault((row.moment_s, row.independent_of), row) is row and not row.restates_video for row in rows]
