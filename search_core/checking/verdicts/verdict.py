"""The stance of one sentence of the web to one statement of the video, by short rules; in doubt the weaker stance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from search_core.checking.verdicts.fact_checks import agrees_with_ruling
from search_core.checking.verdicts.missing_support import (
    OTHER_SUBJECT,
    SEVERAL,
    dates_another,
    is_same_sentence,
    missing_support,
    speaks_of_same,
    subject_names,
)
from search_core.checking.verdicts.values import Outcome, compare_dates, compare_figures, new_figures
from search_core.domain.stance import Judge, Stance
from search_core.language.statements.alignment import SAYS_NOTHING, Alignment, align
from search_core.language.statements.proposition import Proposition
from search_core.language.statements.units import COUNTS

ABOUT_THE_SAME_TIME = timedelta(days=3)
"""A source at most this much newer than the video still describes the same state of things."""
SAME_WORDS = 0.8
"""A sentence with at least this share of a statement's words says the same in the same words."""
BEARS_ON_IT = 0.67
"""Share of a statement's words that a sentence must contain for its own numbers to be relevant to the statement."""
ON_THE_POINT = 0.5
"""A sentence with at least this share of a statement's words adds its other content to the statement."""

NO_DATE = "날짜를 알 수 없어 상충인지 이후 변경인지 가릴 수 없어요"
"""The reason given if a differing value decides nothing because the date of the video or the source is unknown."""
DECIDED = frozenset({Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED})
_OTHER = {
    Outcome.OTHER_PERIOD: "다른 시기의 값이라 서로 비교할 수 없지만 내용을 보태요",
    Outcome.OTHER_SCOPE: "범위(지역·대상)가 다른 값이라 서로 비교할 수 없지만 내용을 보태요",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one pair of sentences."""

    stance: Stance
    confidence: float
    """In [0, 1]: how sure the rules are that both sentences are about the same thing; no probability."""
    why: str
    """One Korean sentence that names the reason."""
    by_words: bool = False
    """True if only shared words decide; if the entailment model runs, it must confirm such a verdict."""
    judge: Judge = Judge.RULES
    probability: float | None = None
    """The entailment model's probability of the stance, in [0, 1]; None if it did not decide."""
    quote: str = ""
    """The words of the source on which the verdict rests, once known."""


@dataclass(frozen=True, slots=True)
class ComparisonContext:
    """The context of two sentences: their dates, and what page and video name."""

    video_day: date | None = None
    web_day: date | None = None
    titled: tuple[str, ...] = ()
    """What the title of the page names."""
    video: str = ""
    """What the video says near the sentence, its title and its subject, folded."""

    @property
    def later(self) -> bool | None:
        """Return whether the source is clearly newer than the video; None if a date is unknown."""
        if self.video_day is None or self.web_day is None:
            return None
        return self.web_day > self.video_day + ABOUT_THE_SAME_TIME


def judge_by_rules(statement: Proposition, web: Proposition, setting: ComparisonContext) -> Verdict | None:
    """Return the stance of *web* to *statement*, or None if it is about something else."""
    aligned = align(statement, web)
    if web.ruling is not None:
        return _by_ruling(statement, web, aligned, setting)
    same = speaks_of_same(statement, web, web.text, setting.titled, setting.video)
    nameless = not subject_names(statement)
    sure = same is True and (not nameless or aligned.cover >= SAME_WORDS)
    counts = any(figure.dimension in COUNTS for figure in statement.figures)
    few = aligned.cover <= ON_THE_POINT or (same is True and len({word.form for word in statement.words} - SAYS_NOTHING) < 2)
    vague = nameless and counts and few and bool(setting.video)  # "피아노 60대"
    certain = not vague and (aligned.certain or sure)
    named = replace(aligned, certain=certain, all_held=aligned.all_held or sure)
    verdict = _judge_aligned(statement, web, named, setting) if aligned.related else None
    return None if same is False and verdict is not None and verdict.stance is not Stance.CANNOT_TELL else verdict


def _by_ruling(statement: Proposition, web: Proposition, aligned: Alignment, setting: ComparisonContext) -> Verdict | None:
    agrees = agrees_with_ruling(statement, web)
    if agrees is None:
        return None
    if agrees:
        return _verdict(Stance.AGREE, aligned, "출처가 그렇다고 밝혀요", sure=0.1)
    return _difference(aligned, setting, "출처가 그렇지 않다고 밝혀요")


def _judge_aligned(statement: Proposition, web: Proposition, aligned: Alignment, setting: ComparisonContext) -> Verdict | None:
    if web.open and not statement.open:
        return _verdict(Stance.CANNOT_TELL, aligned, "아직 정해지지 않았거나 묻는 문장이라 사실을 확인할 수 없어요")
    if aligned.other_product:
        return None
    verdict = _by_rules(statement, web, aligned, setting)
    if verdict is None or not verdict.why:
        return None
    if verdict.stance is Stance.AGREE and (lacking := missing_support(statement, web, setting.video_day)):
        if lacking == OTHER_SUBJECT and _has_same_values(statement, web, aligned):
            return verdict
        return None if lacking == OTHER_SUBJECT else _verdict(Stance.CANNOT_TELL, aligned, lacking)
    return verdict


def _has_same_values(statement: Proposition, web: Proposition, aligned: Alignment) -> bool:
    """Return whether *web* has all numbers and times of *statement*, several of them, and most of its words."""
    measured = [figure for figure in statement.figures if figure.dimension != "plain"]
    if statement.scopes != web.scopes or aligned.cover < ON_THE_POINT or (aligned.said_left and len(measured) < SEVERAL):
        return False
    times = [mine for mine in statement.periods if any(mine.may_be(theirs) for theirs in web.periods)]
    equal = all(figure.is_among(web.figures) for figure in statement.figures)
    return equal and len(times) == len(statement.periods) and len(measured) + len(times) >= SEVERAL and bool(measured)


def _by_rules(statement: Proposition, web: Proposition, aligned: Alignment, setting: ComparisonContext) -> Verdict | None:
    return (
        _by_figures(statement, web, aligned, setting)
        or _by_dates(statement, web, aligned, setting)
        or _by_same_words(statement, web, aligned)
        or _by_new_figures(statement, web, aligned)
    )


def _by_figures(statement: Proposition, web: Proposition, aligned: Alignment, setting: ComparisonContext) -> Verdict | None:
    met = compare_figures(statement, web, aligned, setting.video_day, setting.web_day)
    if met.outcome is Outcome.SAME:
        return _verdict(Stance.AGREE, aligned, f"같은 숫자를 말해요 ({met.statement} ↔ {met.web})", sure=0.1)
    if met.outcome in (Outcome.DIFFERENT, Outcome.OPPOSITE):
        what = "증감 방향이 반대예요" if met.outcome is Outcome.OPPOSITE else "다른 숫자를 말해요"
        return _difference(aligned, setting, f"{what} ({met.statement} ↔ {met.web})", closed=met.closed)
    if met.outcome is Outcome.OTHER_MEASURE:
        return Verdict(Stance.CANNOT_TELL, aligned.strength, "")  # ends the judgement: neither addresses the other's point
    if met.outcome in _OTHER:
        return _verdict(Stance.ADDS, aligned, f"{_OTHER[met.outcome]} ({met.statement} ↔ {met.web})")
    return None


def _by_dates(statement: Proposition, web: Proposition, aligned: Alignment, setting: ComparisonContext) -> Verdict | None:
    met = compare_dates(statement, web, aligned, setting.video_day)
    if met.outcome is Outcome.SAME and not new_figures(statement, web):
        return _verdict(Stance.AGREE, aligned, f"같은 날짜를 말해요 ({met.statement} ↔ {met.web})", sure=0.1)
    if met.outcome is Outcome.DIFFERENT:
        return _difference(aligned, setting, f"다른 날짜를 말해요 ({met.statement} ↔ {met.web})", closed=met.closed)
    return None


def _by_same_words(statement: Proposition, web: Proposition, aligned: Alignment) -> Verdict | None:
    whole = aligned.all_held and aligned.cover >= SAME_WORDS and statement.negated == web.negated
    if statement.figures or not whole or new_figures(statement, web) or dates_another(statement, web):
        return None
    return replace(_verdict(Stance.AGREE, aligned, "같은 말로 같은 내용을 말해요"), by_words=not is_same_sentence(statement, web))


def _by_new_figures(statement: Proposition, web: Proposition, aligned: Alignment) -> Verdict | None:
    extra = new_figures(statement, web)
    if not aligned.all_held or aligned.cover < BEARS_ON_IT:
        return None
    return _verdict(Stance.ADDS, aligned, f"영상에 없는 숫자를 보태요 ({extra[0].text})") if extra else None


def _difference(aligned: Alignment, setting: ComparisonContext, what: str, *, closed: bool = False) -> Verdict:
    """Return a contradiction or, if the source is newer than the video, a later change; *what* names what differs."""
    if not aligned.certain:
        return _verdict(Stance.CANNOT_TELL, aligned, f"{what}. 영상은 누구의 값인지 말하지 않아 같은 대상인지 알 수 없어요")
    stance, why = decide_by_days(what, setting, closed=closed)
    return _verdict(stance, aligned, why, sure=0.0 if stance is Stance.CANNOT_TELL else 0.1)


def decide_by_days(what: str, context: ComparisonContext, *, closed: bool) -> tuple[Stance, str]:
    """Return whether a difference is a contradiction or a later change, and why; for a *closed* (past) time, a contradiction."""
    if closed:
        return Stance.CONTRADICTS, f"{what}. 이미 지난 일이라 그 뒤에 바뀐 것은 아니에요."
    if context.later is None:
        return Stance.CANNOT_TELL, f"{what}. {NO_DATE}."
    if context.later:
        return Stance.CHANGED, f"{what}. 출처의 날짜가 영상보다 뒤예요."
    return Stance.CONTRADICTS, f"{what}. 출처의 날짜가 영상보다 앞서거나 비슷해요."


def _verdict(stance: Stance, aligned: Alignment, why: str, *, sure: float = 0.0) -> Verdict:
    sentence = why if why.endswith(".") else f"{why}."
    return Verdict(stance, round(min(1.0, aligned.strength + sure), 3), sentence)
