"""A source's stance to a statement, decided by rules for values, dates and names, else by an entailment model.

The model understands other wordings, but it cannot count, and takes similar statements for denials. So rules limit it: a source
supports a statement only if it has all its values, times and names, and denies it only if both are about the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from search_core.checking.verdicts.independence import SourceIndependence, Speakers
from search_core.checking.verdicts.missing_support import (
    OTHER_SUBJECT,
    SEVERAL,
    count_told,
    dates_another,
    equal_pairs,
    lacks_translation,
    missing_support,
    names_other_times,
    share_head,
    subject_names,
    words_missing,
)
from search_core.checking.verdicts.values import measure_of, superseded
from search_core.checking.verdicts.verdict import DECIDED, ComparisonContext, Verdict, decide_by_days
from search_core.domain.stance import Comparison, Judge, Stance, StanceRow
from search_core.language import korean
from search_core.language.statements.alignment import align, held_names
from search_core.language.statements.containment import names_of
from search_core.language.statements.figures import Figure, spelt_out
from search_core.language.statements.periods import Period
from search_core.language.statements.proposition import Proposition
from search_core.language.statements.units import COUNTS
from search_core.models.embedding.entailment import BELIEVED, Entailment

Entails = Callable[[Sequence[tuple[str, str]]], Sequence[Entailment] | None]
"""Returns how likely each text supports or denies the statement paired with it; None if no model can run."""

BEARS_OUT = 0.72
"""Probability from which the model is believed when it says that a window supports a statement."""
CERTAINLY, DENIES = BELIEVED
"""The probabilities for support and for denial if the two differ in words or language. Of pairs that only look alike one in nine
reaches them; other conditions stop most of these."""
DIFFERS = 0.5
"""Probability for a denial by a page that names everything the statement names, but has a different number."""
IN_ITS_WORDS = 0.66
"""Share of a statement's words that a page must have for ``DIFFERS`` to apply, besides all its nouns; or it must support the
statement with the statement's date in place of its own, at ``BEARS_OUT``. With its number, at ``SILENT``, no denial is needed."""
_REPORTS = "말한 쪽의 말을 전할 뿐이라 따로 세지 않아요."
MAX_NEAREST = 2
"""Passages shown for a sentence on which no source decides."""
SUPPORTS = 0.6
"""Probability from which the model confirms an agreement that rules found by shared words."""
SILENT = 0.5
"""If support and denial are both less probable, the source adds something at most."""

_NEVER = 2.0
_SAME_SUBJECT = (BEARS_OUT, BEARS_OUT, 0.3)
_WITH_OTHER_WORDS = (CERTAINLY, CERTAINLY, 0.45)
_INSTEAD = (CERTAINLY, CERTAINLY, 0.5)
_ABROAD = (CERTAINLY, CERTAINLY, 0.45)
"""Probabilities from which a window supports a statement of which it has no, one, or several numbers and times. The four lines:
the same words, more or fewer words, other nouns instead, and another language."""
_SAYS_SO = "출처가 같은 내용을 말해요."
_SAYS_ANEW = "출처가 이 값을 앞서의 것으로 말하고 새 값을 전해요. 출처의 날짜가 영상보다 뒤예요."
_SAYS_OTHERWISE = "출처가 다르게 말해요"


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """A window of a source with the model's judgement of it and a statement."""

    text: str
    proposition: Proposition
    found: Entailment
    same: bool | None = None
    """Whether the window is about everything that the statement names; None if that is unknown."""
    exchanged: float = 0.0
    """The model's probability of support by the window with the statement's value in place of its own."""


def decide(
    statement: Proposition, windows: Sequence[ReadWindow], by_rules: Verdict | None, context: ComparisonContext
) -> Verdict | None:
    """Return the stance of a source to *statement*, or None if it is irrelevant.

    *windows* are the source's windows, read by the model; *by_rules* is the rules' verdict, which alone counts without
    windows.
    """
    if not windows:
        return by_rules
    likeliest = max(windows, key=lambda window: window.found.bears_out)
    bearing = [part for part in windows if context.later and part.same is not False and part.found.silent < SILENT]
    anew = [part for part in bearing if superseded(statement, part.proposition, context.video_day)]
    if anew:
        least_silent = min(anew, key=lambda window: window.found.silent)
        return _by_model(Stance.CHANGED, least_silent, 1 - least_silent.found.silent, _SAYS_ANEW)
    if by_rules is not None and by_rules.stance in DECIDED:
        if not by_rules.by_words or likeliest.found.bears_out >= SUPPORTS:
            return by_rules
        by_rules = None
    agreeing = [part for part in windows if part.found.bears_out >= max(_enough(statement, part, context), part.found.denies)]
    if agreeing:
        likeliest = max(agreeing, key=lambda window: window.found.bears_out)
        return _by_model(Stance.AGREE, likeliest, likeliest.found.bears_out, _SAYS_SO)
    probability, surest = max(((_denial(statement, part, context), part) for part in windows), key=lambda denial: denial[0])
    if probability:
        stance, why = differ(statement, surest.proposition, context)
        return _by_model(stance, surest, probability, why)
    beside_the_point = all(max(part.found.bears_out, part.found.denies) < SILENT for part in windows)
    return by_rules if by_rules is not None and (beside_the_point or by_rules.stance is not Stance.ADDS) else None


def guard(statement: Proposition, web: Proposition, stance: Stance, context: ComparisonContext) -> tuple[Stance, str] | None:
    """Return the stance, and why, that counts when a language model reads *stance* in *web*; None if its reading is refused.

    The model is believed about names in another script, the months of a season, and denials by another person or year. Values
    must still match, and times must be compatible.
    """
    if stance is Stance.ADDS:
        return stance, ""
    if (web.open and (stance is not Stance.AGREE or not statement.open)) or _names_other_product(statement, web):
        return None
    other_times = names_other_times(_as_written(statement), _as_written(web))
    if stance is Stance.AGREE:
        foreign = korean.has_hangul(statement.text) != korean.has_hangul(web.text)
        another = not foreign and _speaks_of_another(statement, web, context)
        spelt = (number for figure in statement.figures for number in _spelt_as(figure, web))
        holds = _holds_figures(statement, replace(web, figures=(*web.figures, *spelt)))
        return None if other_times or another or not holds else (stance, _SAYS_SO)
    if statement.open or _has_equal_values(statement, web) or (other_times and statement.figures):
        return None
    return differ(statement, web, context)


def _as_written(proposition: Proposition) -> Proposition:
    """Return *proposition* without years that were only inferred: a bare "September" may be of any year."""
    periods = tuple(replace(period, year=None) if period.reckoned else period for period in proposition.periods)
    return replace(proposition, periods=periods)


def _spelt_as(figure: Figure, proposition: Proposition) -> Iterator[Figure]:
    """Yield the numbers that *proposition* writes as words ("three") and that are equal to the count *figure* ("3명")."""
    counted = spelt_out(proposition.text) if figure.dimension in COUNTS else ()
    return (replace(count, dimension=figure.dimension) for count in counted if figure.means(count))


def differ(statement: Proposition, web: Proposition, context: ComparisonContext) -> tuple[Stance, str]:
    """Return the stance of a denial (contradiction or later change, by the dates of video and source), and its reason."""
    dated = dates_another(statement, web)
    times = [mine for mine in statement.periods if dated or any(mine.same_as(theirs) for theirs in web.periods)]
    video_day = context.video_day
    closed = video_day is not None and any((day := period.last_day()) and day < video_day for period in times)
    return decide_by_days(_SAYS_OTHERWISE, context, closed=closed)


def _by_model(stance: Stance, window: ReadWindow, probability: float, why: str) -> Verdict:
    sure = round(probability, 3)
    return Verdict(stance, sure, why, judge=Judge.ENTAILMENT_MODEL, probability=sure, quote=window.text)


def _enough(statement: Proposition, window: ReadWindow, context: ComparisonContext) -> float:
    """Return the model's probability from which *window* supports *statement*; more than 1 if it cannot."""
    web, same = window.proposition, window.same
    if same is False or not _may_agree(statement, web, context, same=same):
        return _NEVER
    told = min(count_told(statement, web), SEVERAL)
    if korean.has_hangul(statement.text) != korean.has_hangul(web.text):
        return _NEVER if told < SEVERAL and lacks_translation(statement, web) else _ABROAD[told]
    aligned = align(statement, web)
    missing = missing_support(statement, web, context.video_day, read=True)
    if told and missing in ("", OTHER_SUBJECT) and not words_missing(statement, web) and not words_missing(web, statement):
        return _SAME_SUBJECT[SEVERAL]
    dated = bool(statement.periods and web.periods) and not statement.figures
    if same and dated and missing in ("", OTHER_SUBJECT) and not words_missing(statement, web):
        return SUPPORTS
    other_words = _INSTEAD if aligned.said_left and aligned.web_left else _WITH_OTHER_WORDS
    return {"": _SAME_SUBJECT, OTHER_SUBJECT: other_words}.get(missing, (_NEVER,) * (SEVERAL + 1))[told]


def _denial(statement: Proposition, window: ReadWindow, context: ComparisonContext) -> float:
    """Return the probability that *window* denies *statement*, 0 if the model is not to be believed.

    A window with another value that would support the statement with its value denies it, whatever the model says of it as it is.
    """
    web, same, found = window.proposition, window.same, window.found
    if same is False or not _may_differ(statement, web, context, same=same):
        return 0.0
    aligned = align(statement, web)
    in_its_words = aligned.cover >= IN_ITS_WORDS and not aligned.said_left
    least = DENIES
    if dates_another(statement, web):
        alike = share_head(statement.arguments.subjects, web.arguments.subjects)
        dated = window.exchanged >= BEARS_OUT or (in_its_words and len(web.periods) == 1)
        least = DIFFERS if (same or alike) and dated and statement.negated == web.negated else _NEVER
    elif same and _differs(statement, web):
        if window.exchanged >= SILENT and statement.negated == web.negated:
            return max(window.exchanged, found.denies)
        least = DIFFERS if in_its_words else DENIES
    return found.denies if found.denies >= max(least, found.bears_out) else 0.0


def exchange_values(statement: Proposition, web: Proposition) -> tuple[str, ...]:
    """Return *web* once for each other value in it, which the one of *statement* replaces: a number, or the date of an event."""
    is_named = names_of(statement) or statement.codes or not subject_names(statement)  # "제출서류" only looks like a name
    if not is_named or (statement.scopes and web.scopes and statement.scopes != web.scopes):
        return ()
    pairs: list[tuple[Figure | Period, Figure | Period]] = [
        (mine, theirs)
        for mine in statement.figures
        for theirs in web.figures
        if mine.dimension == theirs.dimension != "plain" and not theirs.former and not theirs.is_among(statement.figures)
    ]
    if dates_another(statement, web):
        pairs += [(mine, theirs) for mine in statement.periods for theirs in web.periods if theirs.end > theirs.start]
    return tuple(f"{web.text[: theirs.start]}{mine.text}{web.text[theirs.end :]}" for mine, theirs in pairs)


def _differs(statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* has a different number of the same kind and measure ("9조 원") for one in *statement* ("12조 원")."""
    return any(
        (others := [figure for figure in web.figures if figure.dimension == mine.dimension and not figure.former])
        and all(measure_of(statement, mine) <= measure_of(web, figure) for figure in others)
        and not any(mine.equals(one) or mine.allows(one) or one.allows(mine) for one in others)
        for mine in statement.figures
    )


def _may_agree(statement: Proposition, web: Proposition, context: ComparisonContext, *, same: bool | None) -> bool:
    """Return whether *web* may support *statement*: *web* is no question, has the same values and names, and no other times."""
    if (web.open and not statement.open) or (not same and _speaks_of_another(statement, web, context)):
        return False
    same_time = Period.same_as if statement.figures else Period.may_be
    met = [(mine, theirs) for mine in statement.periods for theirs in web.periods if same_time(mine, theirs)]
    unmet = {*statement.periods} - {mine for mine, _ in met} and {*web.periods} - {theirs for _, theirs in met}
    return not unmet and _holds_figures(statement, web)


def _holds_figures(statement: Proposition, web: Proposition) -> bool:
    equal = {mine for mine, _ in equal_pairs(statement, web)}
    loosely = (figure for figure in statement.figures if figure not in equal)
    return all(any(figure.allows(theirs) for theirs in web.figures) for figure in loosely)


def _may_differ(statement: Proposition, web: Proposition, context: ComparisonContext, *, same: bool | None) -> bool:
    """Return whether *web* may deny *statement*: both are about the same things and time, but not equal in values."""
    if web.open or statement.open or (not same and _speaks_of_another(statement, web, context)):
        return False
    if dates_another(statement, web):
        return True
    same_time = any(mine.same_as(theirs) for mine in statement.periods for theirs in web.periods)
    return not _has_equal_values(statement, web) and (same_time or not statement.periods or not web.periods)


def _has_equal_values(statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* has all values of *statement*, and either both or neither are negated."""
    equal = bool(statement.figures) and len(equal_pairs(statement, web)) >= len(statement.figures)
    return equal and statement.negated == web.negated


def _names_other_product(statement: Proposition, web: Proposition) -> bool:
    return bool(statement.codes and web.codes and not statement.codes & web.codes)


def _speaks_of_another(statement: Proposition, web: Proposition, context: ComparisonContext) -> bool:
    """Return whether *web* lacks a name in *statement* and has names of its own, or names another product."""
    if _names_other_product(statement, web):
        return True
    missing = [name for name in statement.names if not held_names((name,), " ".join((web.text, *context.titled)))]
    return bool(missing) and bool([name for name in web.names if name not in web.sources])


_DECISIVE = {Stance.AGREE: 0.6, Stance.CONTRADICTS: 0.6, Stance.CHANGED: 0.6, Stance.ADDS: 0.3, Stance.CANNOT_TELL: 0.0}


@dataclass(frozen=True, slots=True)
class OpenRow:
    """A statement and a source whose stance no rule decides: a language model is asked, and goes before the entailment model."""

    row: StanceRow
    """The row to show if no language model decides it."""
    windows: tuple[str, ...]
    """The parts of the source's text that are nearest to the statement."""
    seen: tuple[Entailment, ...]
    """What the entailment model says of the first windows; empty if it cannot run."""
    statement: Proposition
    context: ComparisonContext


@dataclass(frozen=True, slots=True)
class Judgement:
    """The stances of sources to statements, and which of them a language model may judge."""

    rows: tuple[StanceRow, ...]
    """In order of statements, for each the surest row first."""
    open: tuple[OpenRow, ...]
    passages: tuple[StanceRow, ...] = ()
    """The nearest passage of each counted source to each sentence, nearest first."""
    sentences: tuple[str, ...] = ()
    """The sentences of the video that were compared."""
    independence: tuple[SourceIndependence, ...] = ()
    """How independent each source is, in the order of the sources."""
    speakers: Speakers | None = None
    by_rules_alone: bool = False
    """Whether no model has read any window, although there were windows to read."""

    @property
    def evidence(self) -> tuple[StanceRow, ...]:
        """Return the rows; a sentence without a decided row gets its nearest passages from at most two stories.

        A row that only quotes a speaker of the video ("…라고 말했다") is marked as a repetition.
        """
        decided = {(row.moment_s, row.statement) for row in self.rows if row.stance in DECIDED}
        places = {_place(row) for row in self.rows}
        near: dict[tuple[float, str], dict[int, StanceRow]] = {}
        for row in self.passages:
            stories = near.setdefault((row.moment_s, row.statement), {})
            if (row.moment_s, row.statement) not in decided and len(stories) < MAX_NEAREST:
                stories.setdefault(row.independent_of, row)
        nearest = (row for stories in near.values() for row in stories.values() if _place(row) not in places)
        return tuple(map(self._as_counted, in_order([*self.rows, *nearest])))

    def _as_counted(self, row: StanceRow) -> StanceRow:
        quoted = self.speakers is not None and row.stance is Stance.AGREE and self.speakers.are_quoted(row.quote)
        return replace(row, why=f"{row.why} {_REPORTS}", restates_video=True) if quoted and not row.restates_video else row

    def with_decided(self, decided: Sequence[StanceRow], silent: Sequence[StanceRow] = ()) -> Judgement:
        """Return this judgement with the *decided* rows in place of open ones, and without the rows that are *silent*."""
        places = {_place(row) for row in (*decided, *silent)}
        others = (row for row in self.rows if _place(row) not in places)
        left = tuple(open_row for open_row in self.open if _place(open_row.row) not in places)
        alone = self.by_rules_alone and not places
        return replace(self, rows=in_order([*others, *decided]), open=left, by_rules_alone=alone)

    def comparison(self) -> Comparison:
        """Return the rows that a page shows."""
        return Comparison.of(self.evidence, judged_by_rules_alone=self.by_rules_alone)


def in_order(rows: Sequence[StanceRow]) -> tuple[StanceRow, ...]:
    """Return *rows* sorted by moment of the video, the surest row of each moment first."""
    return tuple(sorted(rows, key=lambda row: (row.moment_s, -weight(row.stance, row.confidence), row.source)))


def weight(stance: Stance, confidence: float) -> float:
    """Return a sort key for the rows of a statement, in which decided rows come first."""
    return round(_DECISIVE[stance] + confidence, 3)


def _place(row: StanceRow) -> tuple[float, str, int]:
    return row.moment_s, row.statement, row.source
