"""What the rows of a comparison come to for one claim: one stance, how many independent sources bear it, and why.

Sources of one story or one publisher are one witness. The speaker's own pages and those that only restate the video are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_core.answering.comparison.claim import amounts_in
from search_core.answering.comparison.verdict import NO_DATE
from search_core.domain import Stance, StanceRow

_DECIDED = (Stance.CONTRADICTS, Stance.CHANGED, Stance.AGREE)
_COUNTED = (Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED, Stance.ADDS)
"""Stances in the order in which they are counted for the reader."""
_SAYS = {
    Stance.AGREE: "독립된 출처 {}곳이 같은 내용을 말해요.",
    Stance.CONTRADICTS: "독립된 출처 {}곳이 다르게 말해요.",
    Stance.CHANGED: "영상 이후 나온 출처 {}곳에서는 내용이 달라졌어요.",
    Stance.ADDS: "출처 {}곳이 관련 내용을 더해 주지만, 이 말이 맞는지는 알려 주지 않아요.",
}
_NOBODY = "찾은 자료는 이 말이 맞는지 알려 주지 않아요."
_ONLY_OWN = "말한 쪽의 자료이거나 영상을 옮긴 글뿐이라 확인했다고 볼 수 없어요."
_AT_ODDS = "출처끼리 말이 엇갈려요"
_OVER_TIME = "시기에 따라 말이 달라요"
_UNDECIDED = "다르게 말하는 출처가 {}곳 있지만 같은 값을 말하는 곳도 있어 가릴 수 없어요."
_UNDATED = "다르게 말하는 출처가 {}곳 있지만 " + NO_DATE + "."
_IN_PART = "여러 내용 가운데 일부만 확인했어요."


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What sources say of a claim, all together."""

    stance: Stance
    independent: int
    """How many sources independent of each other and of the speaker bear ``stance``."""
    why: str
    """One or two Korean sentences."""


@dataclass(frozen=True, slots=True)
class _Votes:
    """What independent stories say of one sentence: the surest row of each, by stance."""

    rows: Mapping[Stance, tuple[StanceRow, ...]]
    open: tuple[StanceRow, ...]
    """Rows of other stories that leave open whether they agree, though they name the values of the sentence."""
    undated: tuple[StanceRow, ...]
    """Rows of stories that say something else, of which nobody can tell whether it was so before the video or came later."""
    own: bool
    """True when somebody speaks of it whose word does not count."""

    @classmethod
    def of(cls, rows: Sequence[StanceRow], counts: Sequence[bool]) -> _Votes:
        """Return the votes of *rows*, each of which counts or not; of one story the surest decided row speaks."""
        by_story: dict[int, StanceRow] = {}
        for row, counted in zip(rows, counts, strict=True):
            if counted and _weight(row) > _weight(by_story.get(row.independent_of)):
                by_story[row.independent_of] = row
        heard = {stance: tuple(row for row in by_story.values() if row.stance is stance) for stance in _COUNTED}
        spoken = any(row.stance is not Stance.CANNOT_TELL for row in rows)
        undecided = (row for row in by_story.values() if row.stance not in _DECIDED and _names_same_values(row))
        undated = tuple(row for row in by_story.values() if row.stance is Stance.CANNOT_TELL and NO_DATE in row.why)
        return cls(heard, tuple(undecided), undated, own=spoken and not any(heard.values()))

    def stance(self) -> Stance:
        """Return what the votes come to; a difference stands only where it is at least as sure as agreement.

        One that as many sources may speak against, which name the same values as the sentence, stands for nothing.
        """
        agree, differ = self.rows[Stance.AGREE], self.rows[Stance.CONTRADICTS]
        outnumbers = len(differ) > len(self.open) and len(differ) >= len(agree) + len(self.open)
        if differ and outnumbers and _at_least_as_sure(differ, agree):
            return Stance.CONTRADICTS
        if differ and not agree:
            return Stance.CANNOT_TELL
        changed = self.rows[Stance.CHANGED]
        if changed and (_is_latest(changed, agree) or _at_least_as_sure(changed, agree)):
            return Stance.CHANGED
        if agree:
            return Stance.AGREE
        return Stance.ADDS if self.rows[Stance.ADDS] else Stance.CANNOT_TELL


def weigh_rows(rows: Sequence[StanceRow], counts: Sequence[bool], sentences: Sequence[str]) -> ClaimVerdict:
    """Return what *rows* come to for a claim of *sentences*; *counts* tells of each row whether its source bears witness.

    A claim of several sentences is contradicted where one of them is, and agreed with where all of them are.
    """
    votes = [
        _Votes.of(
            [row for row in rows if row.statement == sentence],
            [counted for row, counted in zip(rows, counts, strict=True) if row.statement == sentence],
        )
        for sentence in sentences
    ]
    stances = [each.stance() for each in votes]
    stance = _together(stances)
    in_part = stance is Stance.ADDS and Stance.AGREE in stances
    bearing = (each for each, found in zip(votes, stances, strict=True) if found is stance or in_part)
    stories = {row.independent_of for each in bearing for name in _borne(stance, in_part) for row in each.rows[name]}
    # No more witnesses for the whole than for its weakest sentence.
    weakest = min((len(each.rows[Stance.AGREE]) for each in votes), default=0)
    independent = weakest if stance is Stance.AGREE else len(stories)
    return ClaimVerdict(stance, independent, _why(stance, independent, votes, in_part=in_part))


def _together(stances: Sequence[Stance]) -> Stance:
    for differs in (Stance.CONTRADICTS, Stance.CHANGED):
        if differs in stances:
            return differs
    if stances and all(stance is Stance.AGREE for stance in stances):
        return Stance.AGREE
    return Stance.ADDS if Stance.AGREE in stances or Stance.ADDS in stances else Stance.CANNOT_TELL


def _borne(stance: Stance, in_part: bool) -> tuple[Stance, ...]:
    if stance is Stance.CANNOT_TELL:
        return ()
    return (Stance.AGREE, Stance.ADDS) if in_part else (stance,)


def _weight(row: StanceRow | None) -> tuple[bool, bool, float]:
    """Return how much one row says for its story: a decided one more than any other."""
    if row is None:
        return (False, False, -1.0)
    return (row.stance in _DECIDED, row.stance is Stance.ADDS, row.confidence)


def _names_same_values(row: StanceRow) -> bool:
    said, found = (amounts_in(text, None).figures for text in (row.statement, row.quote))
    return bool(said) and all(any(each.dimension == mine.dimension and each.equals(mine) for each in found) for mine in said)


def _at_least_as_sure(rows: Sequence[StanceRow], others: Sequence[StanceRow]) -> bool:
    """Tell whether *rows* are of as many stories as *others*, and the surest of them as sure."""
    if len(rows) < len(others):
        return False
    return max(row.confidence for row in rows) >= max((row.confidence for row in others), default=0.0)


def _is_latest(changed: Sequence[StanceRow], others: Sequence[StanceRow]) -> bool:
    """Tell whether what has changed was told on a later day than every agreement."""
    days = [row.date for row in changed if row.date is not None]
    return bool(days) and all(row.date is not None and row.date < max(days) for row in others)


def _why(stance: Stance, independent: int, votes: Sequence[_Votes], *, in_part: bool) -> str:
    stories = {name: {row.independent_of for each in votes for row in each.rows[name]} for name in (*_DECIDED, Stance.ADDS)}
    told = [name for name in _COUNTED if stories[name]]
    decided = [name for name in told if name is not Stance.ADDS]
    parts = []
    if len(decided) > 1:
        counts = " · ".join(f"{name.label} {len(stories[name])}곳" for name in decided)
        parts.append(f"{_AT_ODDS if stories[Stance.CONTRADICTS] else _OVER_TIME} ({counts}).")
    if in_part:
        parts.append(_IN_PART)
    if stance is Stance.CANNOT_TELL and stories[Stance.CONTRADICTS]:
        parts.append(_UNDECIDED.format(len(stories[Stance.CONTRADICTS])))
    elif stance is Stance.CANNOT_TELL and (undated := {row.independent_of for each in votes for row in each.undated}):
        parts.append(_UNDATED.format(len(undated)))
    elif stance is Stance.CANNOT_TELL:
        parts.append(_ONLY_OWN if any(each.own for each in votes) else _NOBODY)
    elif not in_part:
        parts.append(_SAYS[stance].format(independent))
        parts += _reason(stance, votes)
    return " ".join(parts)


def _reason(stance: Stance, votes: Sequence[_Votes]) -> list[str]:
    """Return why the surest row bears *stance*, for a difference, where the reader wants to know what differs."""
    if stance not in (Stance.CONTRADICTS, Stance.CHANGED):
        return []
    rows = [row for each in votes for row in each.rows[stance]]
    return [max(rows, key=lambda row: row.confidence).why]
