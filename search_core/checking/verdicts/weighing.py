"""Weighs a comparison: one verdict for each statement, how many independent sources support the verdict, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_core.checking.verdicts.verdict import DECIDED, NO_DATE
from search_core.domain.stance import NEAREST, Comparison, Stance, StanceRow
from search_core.language.statements.proposition import amounts_in

_COUNTED = (Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED, Stance.ADDS)
"""Stances in the order in which they are counted for the reader."""
_SAYS = {
    Stance.AGREE: "독립된 출처 {}곳이 같은 내용을 말해요.",
    Stance.CONTRADICTS: "독립된 출처 {}곳이 다르게 말해요.",
    Stance.CHANGED: "영상 이후 나온 출처 {}곳에서는 내용이 달라졌어요.",
    Stance.ADDS: "출처 {}곳이 관련 내용을 더해 주지만, 이 말이 맞는지는 가리지 못했어요.",
}
_NOBODY = "찾은 자료로는 이 말이 맞는지 가리지 못했어요."
_ONLY_OWN = "말한 쪽의 자료이거나 영상을 옮긴 글뿐이라 확인했다고 볼 수 없어요."
_AT_ODDS = "출처끼리 말이 엇갈려요"
_OVER_TIME = "시기에 따라 말이 달라요"
_UNDECIDED = "다르게 말하는 출처가 {}곳 있지만 같은 값을 말하는 곳도 있어 가릴 수 없어요."
_UNDATED = "다르게 말하는 출처가 {}곳 있지만 " + NO_DATE + "."
_IN_PART = "여러 내용 가운데 일부만 확인했어요."


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """The verdict of all sources on a statement."""

    stance: Stance
    independent: int
    """How many sources independent of each other and of the speaker support ``stance``."""
    why: str
    """One or two Korean sentences."""
    reason: str = ""
    """The part of ``why`` that names the difference, which is also shown with quotations; usually empty."""

    @property
    def count(self) -> str:
        """Return the part of ``why`` that counts the sources, in Korean."""
        return self.why.removesuffix(self.reason).strip()


@dataclass(frozen=True, slots=True)
class WeighedStatement:
    """One statement of the video with each source's stance, and the verdict."""

    moment_s: float
    """Seconds from the start of the video."""
    statement: str
    rows: tuple[StanceRow, ...]
    """Rows of the statement, the surest first."""
    verdict: StatementVerdict


@dataclass(frozen=True, slots=True)
class _Votes:
    """What independent stories say of one sentence: each has one vote, its surest row."""

    rows: Mapping[Stance, tuple[StanceRow, ...]]
    open: tuple[StanceRow, ...]
    """Rows of other stories that name the sentence's values, but leave open whether they agree."""
    undated: tuple[StanceRow, ...]
    """Rows of stories that differ but are undated, so it is unknown whether they are older or newer than the video."""
    own: bool
    """True if a source that does not count, such as the speaker's own page, mentions the sentence."""

    @classmethod
    def of(cls, rows: Sequence[StanceRow]) -> _Votes:
        """Return the votes of *rows*, one for each story: its surest decided row."""
        by_story: dict[int, StanceRow] = {}
        for row in rows:
            if not row.restates_video and _weight(row) > _weight(by_story.get(row.independent_of)):
                by_story[row.independent_of] = row
        counted_rows = {stance: tuple(row for row in by_story.values() if row.stance is stance) for stance in _COUNTED}
        spoken = any(row.stance is not Stance.CANNOT_TELL for row in rows)
        undecided = (row for row in by_story.values() if row.stance not in DECIDED and _names_same_values(row))
        undated = tuple(row for row in by_story.values() if row.stance is Stance.CANNOT_TELL and NO_DATE in row.why)
        return cls(counted_rows, tuple(undecided), undated, own=spoken and not any(counted_rows.values()))

    def stance(self) -> Stance:
        """Return the stance of the votes; a contradiction or change must be as sure as the agreement to win.

        A contradiction also needs more stories than those that leave open whether they agree.
        """
        agree, differ = self.rows[Stance.AGREE], self.rows[Stance.CONTRADICTS]
        outnumbers = len(differ) > len(self.open) and len(differ) >= len(agree) + len(self.open)
        if differ and outnumbers and _at_least_as_sure(differ, agree):
            return Stance.CONTRADICTS
        if differ and not agree:
            return Stance.CANNOT_TELL
        changed = self.rows[Stance.CHANGED]
        if changed and _at_least_as_sure(changed, _not_before(changed, agree)):
            return Stance.CHANGED
        if agree:
            return Stance.AGREE
        return Stance.ADDS if self.rows[Stance.ADDS] else Stance.CANNOT_TELL


def weigh_statements(comparison: Comparison) -> tuple[WeighedStatement, ...]:
    """Return each statement of *comparison* with its verdict, in order."""
    together: dict[tuple[float, str], list[StanceRow]] = {}
    for row in comparison.rows:
        together.setdefault((row.moment_s, row.statement), []).append(row)
    return tuple(
        WeighedStatement(at, statement, tuple(rows), weigh_rows(rows, (statement,))) for (at, statement), rows in together.items()
    )


def weigh_rows(rows: Sequence[StanceRow], sentences: Sequence[str]) -> StatementVerdict:
    """Return the verdict of *rows* on a claim of *sentences*; sources that only restate the video have no vote.

    A claim of several sentences is contradicted if one sentence is, and agreed with if all sentences are.
    """
    votes = [_Votes.of([row for row in rows if row.statement == sentence]) for sentence in sentences]
    stances = [vote.stance() for vote in votes]
    stance = _together(stances)
    in_part = stance is Stance.ADDS and Stance.AGREE in stances
    bearing = (vote for vote, voted in zip(votes, stances, strict=True) if voted is stance or in_part)
    told = () if stance is Stance.CANNOT_TELL else (stance,)
    borne = (Stance.AGREE, Stance.ADDS) if in_part else told
    stories = {row.independent_of for vote in bearing for name in borne for row in vote.rows[name]}
    # No more witnesses for the whole than for its weakest sentence.
    weakest = min((len(vote.rows[Stance.AGREE]) for vote in votes), default=0)
    independent = weakest if stance is Stance.AGREE else len(stories)
    reason = _reason(stance, votes)
    return StatementVerdict(stance, independent, _why(stance, independent, votes, reason, in_part=in_part), reason)


def _together(stances: Sequence[Stance]) -> Stance:
    for differs in (Stance.CONTRADICTS, Stance.CHANGED):
        if differs in stances:
            return differs
    if stances and all(stance is Stance.AGREE for stance in stances):
        return Stance.AGREE
    return Stance.ADDS if Stance.AGREE in stances or Stance.ADDS in stances else Stance.CANNOT_TELL


def _weight(row: StanceRow | None) -> tuple[bool, bool, float]:
    """Return a sort key of a row within its story, in which decided rows come first."""
    if row is None:
        return (False, False, -1.0)
    return (row.stance in DECIDED, row.stance is Stance.ADDS, row.confidence)


def _names_same_values(row: StanceRow) -> bool:
    figures, quoted = (amounts_in(text, None).figures for text in (row.statement, row.quote))
    return bool(figures) and all(mine.is_among(quoted) for mine in figures)


def _not_before(changed: Sequence[StanceRow], agree: Sequence[StanceRow]) -> list[StanceRow]:
    """Return the rows of *agree* that are not older than *changed*: what was so before says nothing against a change."""
    first = min((row.date for row in changed if row.date is not None), default=None)
    return [row for row in agree if first is None or row.date is None or row.date >= first]


def _at_least_as_sure(rows: Sequence[StanceRow], others: Sequence[StanceRow]) -> bool:
    """Return whether there are at least as many *rows* as *others*, and the surest of them is as sure."""
    if len(rows) < len(others):
        return False
    return max(row.confidence for row in rows) >= max((row.confidence for row in others), default=0.0)


def _why(stance: Stance, independent: int, votes: Sequence[_Votes], reason: str, *, in_part: bool) -> str:
    stories = {name: {row.independent_of for vote in votes for row in vote.rows[name]} for name in (*DECIDED, Stance.ADDS)}
    present = [name for name in _COUNTED if stories[name]]
    decided = [name for name in present if name is not Stance.ADDS]
    parts = []
    if len(decided) > 1:
        counts = " · ".join(f"{name.label} {len(stories[name])}곳" for name in decided)
        parts.append(f"{_AT_ODDS if stories[Stance.CONTRADICTS] else _OVER_TIME} ({counts}).")
    if in_part:
        parts.append(_IN_PART)
    if stance is Stance.CANNOT_TELL and stories[Stance.CONTRADICTS]:
        parts.append(_UNDECIDED.format(len(stories[Stance.CONTRADICTS])))
    elif stance is Stance.CANNOT_TELL and (undated := {row.independent_of for vote in votes for row in vote.undated}):
        parts.append(_UNDATED.format(len(undated)))
    elif stance is Stance.CANNOT_TELL:
        parts.append(_ONLY_OWN if any(vote.own for vote in votes) else _NOBODY)
    elif not in_part:
        parts.append(_SAYS[stance].format(independent))
        parts += [reason] if reason else []
    return " ".join(parts)


def _reason(stance: Stance, votes: Sequence[_Votes]) -> str:
    """Return the reason given by the surest differing row; empty if *stance* is no contradiction or change."""
    if stance not in (Stance.CONTRADICTS, Stance.CHANGED):
        return ""
    rows = [row for vote in votes for row in vote.rows[stance]]
    return max(rows, key=lambda row: row.confidence).why


def stance_summary(comparison: Comparison) -> str:
    """Return one Korean paragraph: how many statements have each verdict, changes since the video, and uncounted sources."""
    if not comparison.rows:
        return "찾은 웹 자료에는 영상의 발언과 비교할 문장이 없어요."
    counted = [row for row in comparison.rows if not row.restates_video]
    stories = {row.independent_of for row in counted}
    if comparison.adds_nothing:
        undecided = f"찾은 자료로는 영상의 말이 맞는지 가리지 못했어요. {NEAREST}만 옮겨 두었어요."
        parts = [undecided if counted else "웹에서 영상의 내용을 뒷받침하거나 더해 주는 독립된 자료를 찾지 못했어요."]
    else:
        spoken = {(row.moment_s, row.statement) for row in counted}
        verdicts = [item.verdict.stance for item in weigh_statements(comparison) if (item.moment_s, item.statement) in spoken]
        numbers = {stance: verdicts.count(stance) for stance in Stance}
        parts = [f"영상의 발언 {len(verdicts)}개를 서로 독립된 출처 {len(stories)}곳과 비교했어요."]
        parts.append(f"{', '.join(f'{stance.label} {number}개' for stance, number in numbers.items() if number)}예요.")
    if any(row.stance is Stance.CHANGED for row in counted):
        parts.append("이후 변경은 영상이 나온 뒤에 달라진 내용이라, 영상이 틀렸다는 뜻은 아니에요.")
    copies = len({row.source for row in counted}) - len(stories)
    if copies:
        parts.append(f"같은 글을 옮겼거나 같은 곳에서 낸 자료 {copies}건은 따로 세지 않았어요.")
    repeating = len({row.source for row in comparison.rows if row.restates_video})
    if repeating:
        parts.append(f"영상 쪽에서 냈거나 영상을 옮긴 {repeating}곳은 세지 않았어요.")
    undated = [row for row in counted if row.after_video is None]
    if any(row.date is not None for row in undated):
        parts.append("영상의 날짜를 몰라서, 영상 뒤에 달라진 내용인지는 가리지 못했어요.")
    elif undated:
        parts.append("날짜를 모르는 자료가 있어서, 그 자료가 영상 뒤에 나왔는지는 가리지 못했어요.")
    return " ".join(parts)
