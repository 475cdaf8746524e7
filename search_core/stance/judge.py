"""How a source stands to a statement: by three rules, and where they are silent by a model of entailment, held to the rules.

The model reads what is said in other words; it does not count, and it takes what resembles a statement for its denial. So it
bears a statement out only where no rule sees another value, time or subject, and denies it only where a rule sees what differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from search_core.domain import Comparison, Judge, Stance, StanceRow
from search_core.embedding.entailment import Entailment
from search_core.stance.claim import Claim, read_claim
from search_core.stance.figures import spelt_out
from search_core.stance.rules import DECIDED, ENOUGH, Subject, Surroundings, Verdict, differ, doubt, fit, lacks_core, opposed

Entails = Callable[[Sequence[tuple[str, str]]], Sequence[Entailment] | None]
"""Returns for pairs of a text and a statement whether the text bears the statement out; None where no model can say."""

BEARS_OUT = 0.74
"""Probability from which on the model is believed that a window bears a statement out."""
CERTAINLY = 0.8
"""The same where the window says more, or says it otherwise than the rules can follow."""
DENIES = 0.65
"""The same of a denial, where a rule sees what differs."""
OPPOSES = 0.85
"""Probability of the opposite from which on a verdict of the rules is left open."""

_NEVER = 2.0
_SAYS_SO = "출처가 같은 내용을 말해요."
_SAYS_OTHERWISE = "출처가 다르게 말해요"
_DISAGREE = "규칙과 의미 모델의 판단이 갈려 가릴 수 없어요."


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """A window of a source with what the model says of it and a statement."""

    text: str
    claim: Claim
    found: Entailment


def decide(statement: Claim, windows: Sequence[ReadWindow], by_rules: Verdict | None, around: Surroundings) -> Verdict | None:
    """Return how a source stands to *statement*, or None where it says nothing to the point.

    *windows* are those of the source, which the model has read; *by_rules* is what rules make of it. Without windows the rules
    stand alone.
    """
    if not windows:
        return by_rules
    likeliest = max(windows, key=lambda window: window.found.bears_out)
    least = max(windows, key=lambda window: window.found.denies)
    if by_rules is not None and by_rules.stance in DECIDED:
        if likeliest.found.bears_out >= by_rules.needs:
            return _hold(by_rules, likeliest.found.bears_out, least.found.denies)
        by_rules = None
    if likeliest.found.bears_out >= max(_enough(statement, likeliest.claim, around), least.found.denies):
        return _by_model(Stance.AGREE, likeliest, likeliest.found.bears_out, _SAYS_SO)
    if least.found.denies >= max(DENIES, likeliest.found.bears_out) and _may_differ(statement, least.claim, around):
        stance, why = differ(statement, fit(statement, least.claim, around), around, _SAYS_OTHERWISE)
        return _by_model(stance, least, least.found.denies, why)
    return by_rules


def guard(statement: str, quote: str, stance: Stance, around: Surroundings) -> tuple[Stance, str] | None:
    """Return which stance may stand where a reader says that *quote* takes *stance* to *statement*, and why; None for none.

    A reader knows names in another script, which days belong to a season, and that another person or year may be the very
    denial; values, and of times those that cannot be one, are held to.
    """
    said, found = read_claim(statement, around.video_day), read_claim(quote, around.web_day)
    if stance is Stance.ADDS:
        return stance, ""
    if (found.open and (stance is not Stance.AGREE or not said.open)) or (
        said.codes and found.codes and not said.codes & found.codes
    ):
        return None
    spelt = (
        replace(each, dimension=mine.dimension) for mine in said.figures for each in spelt_out(found.text) if mine.means(each)
    )
    met = fit(said, replace(found, figures=(*found.figures, *spelt)), around)
    other_times = met.times is False and all(not period.reckoned for period in (*said.periods, *found.periods))
    if stance is Stance.AGREE:
        another = not met.foreign and met.subject is Subject.OTHER and bool(met.rivals)
        return None if other_times or another or met.differing or met.unmet else (stance, _SAYS_SO)
    same = bool(said.figures) and len(met.equal) >= len(said.figures) and not opposed(said, found)
    if said.open or same or (other_times and said.figures):
        return None
    return differ(said, met, around, _SAYS_OTHERWISE)


def _hold(by_rules: Verdict, bears_out: float, denies: float) -> Verdict:
    """Return the verdict of the rules, left open where the model is as sure of the opposite."""
    opposing, supporting = (denies, bears_out) if by_rules.stance is Stance.AGREE else (bears_out, denies)
    if opposing < OPPOSES or opposing < supporting:
        return by_rules
    return replace(by_rules, stance=Stance.CANNOT_TELL, why=_DISAGREE)


def _by_model(stance: Stance, window: ReadWindow, probability: float, why: str) -> Verdict:
    sure = round(probability, 3)
    return Verdict(stance, sure, why, judge=Judge.ENTAILMENT_MODEL, probability=sure, quote=window.text)


def _enough(statement: Claim, web: Claim, around: Surroundings) -> float:
    """Return the probability from which on *web* bears *statement* out; more than 1 where a rule sees what speaks against it."""
    met = fit(statement, web, around)
    if (web.open and not statement.open) or met.subject is Subject.OTHER or met.times is False or met.differing or met.unmet:
        return _NEVER
    reason = doubt(statement, web, met, around)
    if not reason:
        return BEARS_OUT
    otherwise = reason in ("narrower", "predicate", "subject") and (met.foreign or not statement.figures)
    return CERTAINLY if otherwise else _NEVER


def _may_differ(statement: Claim, web: Claim, around: Surroundings) -> bool:
    """Return whether *web* speaks of what *statement* speaks of and a rule sees what differs: a value, or the opposite."""
    met = fit(statement, web, around)
    if web.open or statement.open or met.subject is Subject.OTHER or met.times is False:
        return False
    against = opposed(statement, web)
    if met.equal and not met.differing and not against:
        return False
    return (bool(met.differing) or against) and (met.foreign or (met.cover >= ENOUGH and not lacks_core(statement, met)))


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
    context: Surroundings


@dataclass(frozen=True, slots=True)
class Judgement:
    """How sources stand to statements, and what of it is open."""

    rows: tuple[StanceRow, ...]
    """Of each statement the surest first."""
    open: tuple[OpenRow, ...]
    unread_statements: int = 0
    unread_sources: int = 0
    by_rules_alone: bool = False
    """Whether no model has read any of it, though there was something to read."""

    def with_decided(self, decided: Sequence[StanceRow], silent: Sequence[StanceRow] = ()) -> Judgement:
        """Return it with the rows *decided* in the place of those that were open, and without those found *silent*."""
        places = {_place(row) for row in (*decided, *silent)}
        others = (row for row in self.rows if _place(row) not in places)
        left = tuple(each for each in self.open if _place(each.row) not in places)
        alone = self.by_rules_alone and not places
        return replace(self, rows=in_order([*others, *decided]), open=left, by_rules_alone=alone)

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
