"""Which numbers and dates of two sentences are comparable, and how they compare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum, auto

from search_core.language.statements.alignment import Alignment
from search_core.language.statements.figures import Figure
from search_core.language.statements.periods import Period
from search_core.language.statements.proposition import Proposition
from search_core.language.statements.units import COUNTS

ONE_TIME = frozenset({"found", "launch", "open", "begin", "mass_produce", "merge", "acquire", "sign", "held"})
"""Events whose date is the fact itself, not the time of a value."""
_MOVED = re.compile(r"미[루뤘룬룹]|연기|늦[추췄춘춥]|앞당|\b(?:moved|postponed|delayed|pushed back|rescheduled)\b", re.IGNORECASE)
"""Words that say that a date was changed; the date named last is the valid one."""
LONG_BEFORE = timedelta(days=300)
"""On a page this much older than the video, counts (visitors, staff) are last year's; measured values may still hold."""
COVERED = 0.6
"""Share of a statement's words that a sentence must contain for bare numbers in both to be compared."""


class Outcome(Enum):
    """Names how two values compare; of several pairs, the outcome listed first here counts."""

    OPPOSITE = auto()
    DIFFERENT = auto()
    SAME = auto()
    OTHER_PERIOD = auto()
    OTHER_SCOPE = auto()
    OTHER_MEASURE = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """The outcome for two sentences, with the compared values."""

    outcome: Outcome
    statement: str = ""
    web: str = ""
    closed: bool = False
    """True if the value is of a time that ended before the video was made, so the value cannot have changed since."""


def compare_figures(
    statement: Proposition, web: Proposition, aligned: Alignment, video_day: date | None, web_day: date | None
) -> ValueMatch:
    """Return the outcome for the numbers of both sentences: of their pairs, the one listed first in ``Outcome``."""
    worst = ValueMatch(Outcome.NOTHING)
    for mine in statement.figures:
        if mine.dimension in COUNTS and mine.high <= 1:
            continue  # "한 번" is in any sentence
        figures = (figure for figure in web.figures if mine.former or not figure.former)
        met = [_meet(statement, mine, web, theirs, aligned, video_day, web_day) for theirs in figures]
        same = next((meeting for meeting in met if meeting.outcome is Outcome.SAME), None)
        first = same or min(met, key=lambda meeting: meeting.outcome.value, default=worst)
        if first.outcome.value < worst.outcome.value:
            worst = first
    return worst


def _meet(
    statement: Proposition,
    mine: Figure,
    web: Proposition,
    theirs: Figure,
    aligned: Alignment,
    video_day: date | None,
    web_day: date | None,
) -> ValueMatch:
    if mine.dimension != theirs.dimension:
        return ValueMatch(Outcome.NOTHING)
    pair = (mine.text, theirs.text)
    if not _same_measure(statement, mine, web, theirs, aligned):
        return ValueMatch(Outcome.OTHER_MEASURE, *pair)
    own = _periods_of(statement, mine)[-1:] or (None,)
    met = [_periods_meet(own[0], period, video_day, web_day) for period in _periods_of(web, theirs) or (None,)]
    period, closed = next((pair for pair in met if pair[0]), met[-1])
    if not period:
        return ValueMatch(Outcome.OTHER_PERIOD, *pair)
    equal = mine.equals(theirs)
    undated = mine.dimension in COUNTS and not (statement.periods or web.periods)
    if undated and not equal and video_day and web_day and web_day < video_day - LONG_BEFORE:
        return ValueMatch(Outcome.OTHER_PERIOD, *pair)
    if mine.sign * theirs.sign < 0:
        return ValueMatch(Outcome.OPPOSITE, *pair, closed)
    if mine.allows(theirs) or theirs.allows(mine):
        return ValueMatch(Outcome.NOTHING)
    other_scope = (statement.scopes ^ web.scopes) - {"world"}
    if not equal and (other_scope or _other_kind(statement, mine, web, theirs, aligned)):
        return ValueMatch(Outcome.OTHER_SCOPE, *pair)
    return ValueMatch(Outcome.SAME if equal else Outcome.DIFFERENT, *pair, closed)


def _same_measure(statement: Proposition, mine: Figure, web: Proposition, theirs: Figure, aligned: Alignment) -> bool:
    alone = len(_of_kind(statement, mine)) == 1 and len(_of_kind(web, theirs)) == 1
    if mine.dimension == "plain" and alone and mine.equals(theirs) and aligned.cover >= COVERED:
        return True
    left, right = measure_of(statement, mine), measure_of(web, theirs)
    if left and (right or not mine.equals(theirs)):
        return bool(left & right)
    if mine.dimension == "plain":
        return False
    return alone and aligned.cover >= (0.25 if aligned.named else 0.5)


def _of_kind(proposition: Proposition, figure: Figure) -> list[Figure]:
    """Return the numbers in *proposition* that measure what *figure* does at the same time ("2016년 12톤, 지난해 9톤")."""
    time = _periods_of(proposition, figure)[-1:]
    alike = (other for other in proposition.figures if other.dimension == figure.dimension)
    return [other for other in alike if _periods_of(proposition, other)[-1:] == time]


def measure_of(proposition: Proposition, figure: Figure) -> frozenset[str]:
    """Return what *figure* measures ("sales"), by the nearest measuring word before it, else right after it."""
    previous = max((other.end for other in proposition.figures if other.end <= figure.start), default=0)
    before = [(end, start, name) for name, start, end in proposition.metrics if previous <= start and end <= figure.start + 1]
    if before:
        nearest = max(before)
        return frozenset(name for end, start, name in before if end > nearest[1])
    after = [(start, name) for name, start, _ in proposition.metrics if start >= figure.end - 12]
    if after:
        return frozenset({min(after)[1]})
    return frozenset({name for name, _, _ in proposition.metrics[:1]})


def _other_kind(statement: Proposition, mine: Figure, web: Proposition, theirs: Figure, aligned: Alignment) -> bool:
    """Return whether two values may measure different things: both have nouns of their own, and no measure decides."""
    shared = measure_of(statement, mine) & measure_of(web, theirs)
    return not shared and bool(aligned.said_left and aligned.web_left)


def _periods_of(proposition: Proposition, figure: Figure) -> tuple[Period, ...]:
    """Return the times of *figure*: between the previous number and *figure*, else the last before it, else the first."""
    before = [period for period in proposition.periods if period.start < figure.start]
    begins = max((one.end for one in proposition.figures if one.end <= figure.start), default=0)
    return tuple(period for period in before if period.start >= begins) or tuple(before[-1:]) or proposition.periods[:1]


def _periods_meet(mine: Period | None, theirs: Period | None, video_day: date | None, web_day: date | None) -> tuple[bool, bool]:
    """Return whether two values may be of the same time, and whether that time had ended when the video was made."""
    if mine and theirs:
        last = mine.last_day()
        return mine.same_as(theirs), bool(last and video_day and last < video_day)
    if theirs and theirs.year and video_day:
        last = theirs.last_day()
        return theirs.year == video_day.year or bool(last and last >= video_day), False
    if mine and mine.year and web_day:
        return mine.year == web_day.year, False
    return True, False


def compare_dates(statement: Proposition, web: Proposition, aligned: Alignment, video_day: date | None) -> ValueMatch:
    """Return the outcome for the dates of one event ("HBM5는 2027년 3월에 출시")."""
    axes = aligned.axes & ONE_TIME
    if not axes or not statement.periods or not web.periods:
        return ValueMatch(Outcome.NOTHING)
    best: ValueMatch | None = None
    for mine in statement.periods:
        for theirs in web.periods[-1:] if _MOVED.search(web.text) else web.periods:
            guessed = mine.reckoned or theirs.reckoned
            pairs = list(zip(mine.parts, theirs.parts, strict=True))[1 if guessed else 0 :]
            dated = [(a, b) for a, b in pairs if a is not None and b is not None]
            if dated and all(a == b for a, b in dated):
                return ValueMatch(Outcome.SAME, mine.text, theirs.text)
            if dated and best is None:
                last = mine.last_day()
                over = bool(last and video_day and last < video_day and not guessed)
                best = ValueMatch(Outcome.DIFFERENT, mine.text, theirs.text, over)
    return best or ValueMatch(Outcome.NOTHING)


def new_figures(statement: Proposition, web: Proposition) -> Sequence[Figure]:
    """Return the numbers of *web* that *statement* lacks, except bare ones and times of day."""
    return [
        theirs for theirs in web.figures if theirs.dimension not in ("plain", "clock") and not theirs.is_among(statement.figures)
    ]


_ONCE_BEFORE = re.compile(r"(?:당초|애초|원래|기존|종전)(?:에는?|의)?\s?\Z")
_ONCE_AFTER = re.compile(
    r"(?:까지)?(?:로|으로|에|을|를)?(?:\s[가-힣]{1,8}){0,2}?\s?[가-힣]{0,6}[았었했됐였렸이하](?:던\s|으나|지만)"
)
"""What stands before or behind a value that was planned or told earlier ("5월로 잡았던 개관")."""


def superseded(statement: Proposition, web: Proposition, today: date | None) -> bool:
    """Return whether *web* names a value of *statement* as that of before, beside another one ("당초 62대에서 205대로").

    *today* is the day of the video; what was so at a time before is not superseded.
    """

    def once(value: Figure | Period) -> bool:
        before, after = _ONCE_BEFORE.search(web.text, 0, value.start), _ONCE_AFTER.match(web.text, value.end)
        source = web.text.startswith("에서", value.end) or web.text.endswith(("from ", "From "), 0, value.start)
        former = isinstance(value, Figure) and value.former
        return bool(before or after or former or (source and _MOVED.search(web.text)))

    ends = [period.last_day() for period in statement.periods if not period.reckoned]
    if today is None or any(day is None or day < today for day in ends):
        return False
    figures = [(mine, theirs) for mine in statement.figures for theirs in web.figures if mine.dimension == theirs.dimension]
    times = [(mine, theirs) for mine in statement.periods for theirs in web.periods if len(web.periods) > 1 and once(theirs)]
    others = any(not theirs.equals(mine) for mine, theirs in figures)
    return (others and any(theirs.equals(mine) and once(theirs) for mine, theirs in figures)) or any(
        theirs.same_as(mine) or (mine.reckoned and theirs.reckoned and mine.parts[1:] == theirs.parts[1:])  # "September"
        for mine, theirs in times
    )
