"""How sources stand to statements, row by row, and what of it is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_core.domain import Comparison, Stance, StanceRow
from search_core.embedding.entailment import Entailment
from search_core.stance.verdict import ComparisonContext

_DECISIVE = {Stance.AGREE: 0.6, Stance.CONTRADICTS: 0.6, Stance.CHANGED: 0.6, Stance.ADDS: 0.3, Stance.CANNOT_TELL: 0.0}


@dataclass(frozen=True, slots=True)
class OpenRow:
    """What rules and the model of entailment leave open of a statement and a source."""

    row: StanceRow
    """What stands where nobody judges it further."""
    windows: tuple[str, ...]
    """The parts of the source that are nearest to the statement, as written."""
    seen: tuple[Entailment, ...]
    """What the model of entailment says of the first ones; empty where it cannot run."""
    context: ComparisonContext


@dataclass(frozen=True, slots=True)
class Judgement:
    """How sources stand to statements, and what of it is open."""

    rows: tuple[StanceRow, ...]
    """Of each statement the surest first."""
    open: tuple[OpenRow, ...]
    unread_statements: int = 0
    unread_sources: int = 0
    by_rules_alone: bool = False

    def with_decided(self, decided: Sequence[StanceRow], silent: Sequence[StanceRow] = ()) -> Judgement:
        """Return it with the rows *decided* in the place of those that were open, and without those found *silent*."""
        places = {_place(row) for row in (*decided, *silent)}
        others = (row for row in self.rows if _place(row) not in places)
        left = tuple(each for each in self.open if _place(each.row) not in places)
        return replace(self, rows=in_order([*others, *decided]), open=left)

    def comparison(self) -> Comparison:
        """Return what of it is shown."""
        return Comparison.of(
            self.rows,
            unread_statements=self.unread_statements,
            unread_sources=self.unread_sources,
            judged_by_rules_alone=self.by_rules_alone,
        )


def in_order(rows: Sequence[StanceRow]) -> tuple[StanceRow, ...]:
    """Return *rows* by their moments, of each moment the surest first."""
    return tuple(sorted(rows, key=lambda row: (row.moment_s, -weight(row.stance, row.confidence), row.source)))


def weight(stance: Stance, confidence: float) -> float:
    """Return what orders the rows of a statement: those that decide stand first."""
    return round(_DECISIVE[stance] + confidence, 3)


def _place(row: StanceRow) -> tuple[float, str, int]:
    """Return which sentence and source *row* is of."""
    return row.moment_s, row.statement, row.source
