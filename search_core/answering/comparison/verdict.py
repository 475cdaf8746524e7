"""How one sentence of the web stands to one statement of the video, by rules that can be told in a sentence.

The rules speak of a contradiction only when the same value of the same thing at the same time differs and nothing can have
changed it since; whatever is in doubt says less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from search_core import korean
from search_core.answering.comparison.across_languages import align_foreign, cannot_confirm, lacks_translation
from search_core.answering.comparison.alignment import Alignment, align, align_by_meaning, same_name
from search_core.answering.comparison.claim import Claim
from search_core.answering.comparison.polarity import are_opposite, is_conditional
from search_core.answering.comparison.roles import Role
from search_core.answering.comparison.ruled import stands_to_ruling
from search_core.answering.comparison.shortfall import shortfall
from search_core.answering.comparison.subject import words_missing
from search_core.answering.comparison.values import Outcome, compare_dates, compare_figures, new_figures
from search_core.domain import Stance

ABOUT_THE_SAME_TIME = timedelta(days=3)
"""A source this much younger than the video still speaks of the state the video speaks of."""
TELLS_MORE = 4
"""New words that make a sentence without numbers say something further."""
SAYS_THE_SAME = 0.6
SAME_EVENT = 0.4
LEAST_HELD = 2
"""Words of a statement that a sentence must hold, all of them, before it can deny the whole."""
LEAST_COVER = 0.3
"""Share of a statement's words a sentence must hold before an opposite word in it means anything."""

NO_DATE = "날짜를 알 수 없어 상충인지 이후 변경인지 가릴 수 없어요"
"""Why a value that differs decides nothing: the day of the video or of the source is not known."""
_DECIDED = frozenset({Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED})
_OTHER = {
    Outcome.OTHER_PERIOD: "다른 시기의 값이라 서로 견줄 수 없지만 내용을 보태요",
    Outcome.OTHER_SCOPE: "범위(지역·대상)가 다른 값이라 서로 견줄 수 없지만 내용을 보태요",
    Outcome.OTHER_MEASURE: "다른 항목의 값이라 서로 견줄 수 없지만 내용을 보태요",
    Outcome.OTHER_OWNER: "다른 대상의 값이라 서로 견줄 수 없어요",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one pair of sentences."""

    stance: Stance
    confidence: float
    """In [0, 1]: how sure the rules are that both sentences speak of the same thing; no probability."""
    why: str
    """One Korean sentence that names the reason."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds two sentences: whose names stand for them, and of which days they are."""

    said_names: tuple[str, ...] = ()
    web_names: tuple[str, ...] = ()
    video_day: date | None = None
    web_day: date | None = None

    @property
    def later(self) -> bool | None:
        """Tell whether the source is clearly younger than the video; None when either day is unknown."""
        if self.video_day is None or self.web_day is None:
            return None
        return self.web_day > self.video_day + ABOUT_THE_SAME_TIME


def judge(said: Claim, web: Claim, setting: Setting, near: float | None = None) -> Verdict | None:
    """Return how *web* stands to *said*, or None when it speaks of something else.

    *near* is how near in meaning a model finds the two, where they are in two languages.
    """
    said_names, web_names = said.names or setting.said_names, web.names or setting.web_names
    aligned = align(said, web, said_names, web_names)
    if web.ruling is not None:
        return _by_ruling(said, web, aligned or align_by_meaning(said, web, said_names, web_names, near or 0.0), setting, near)
    verdict = _judge_aligned(said, web, aligned, setting) if aligned is not None else None
    if korean.has_hangul(said.text) == korean.has_hangul(web.text):
        return verdict
    if verdict is not None and verdict.stance in _DECIDED:
        return _unsure(verdict) if lacks_translation(said, web) else verdict
    foreign = align_foreign(said, web, said_names, web_names, near)
    if foreign is None:
        return verdict
    by_meaning = _judge_aligned(said, web, foreign, setting)
    if by_meaning is None or by_meaning.stance not in _DECIDED:
        return verdict or by_meaning
    agrees = by_meaning.stance is Stance.AGREE
    unsure = lacks_translation(said, web) or foreign.other_proper or (agrees and cannot_confirm(said, web, foreign.cover))
    return verdict or _unsure(by_meaning) if unsure else by_meaning


def _by_ruling(said: Claim, web: Claim, aligned: Alignment, setting: Setting, near: float | None) -> Verdict | None:
    agrees = stands_to_ruling(said, web, aligned, near)
    if agrees is None:
        return None
    if agrees:
        return _verdict(Stance.AGREE, aligned, "출처가 그렇다고 밝혀요", sure=0.1)
    return _difference(aligned, setting, "출처가 그렇지 않다고 밝혀요")


def _unsure(verdict: Verdict) -> Verdict:
    return Verdict(Stance.CANNOT_TELL, verdict.confidence, "다른 언어로 비슷한 것을 말하지만 같은 사실인지 확인할 수 없어요.")


def _judge_aligned(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    if web.open and not said.open:
        return _verdict(Stance.CANNOT_TELL, aligned, "아직 정해지지 않았거나 묻는 문장이라 사실을 확인할 수 없어요")
    if aligned.other_product:
        return _verdict(Stance.CANNOT_TELL, aligned, "다른 제품을 말하고 있어 견줄 수 없어요") if aligned.named else None
    verdict = _by_rules(said, web, aligned, setting)
    lacking = shortfall(said, web, aligned, setting.video_day) if verdict is not None and verdict.stance is Stance.AGREE else ""
    return _verdict(Stance.ADDS if aligned.new_words else Stance.CANNOT_TELL, aligned, lacking) if lacking else verdict


def _by_rules(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    return (
        _by_figures(said, web, aligned, setting)
        or _by_dates(said, web, aligned, setting)
        or _by_opposites(said, web, aligned, setting)
        or _by_roles(said, web, aligned, setting)
        or _by_denial(said, web, aligned, setting)
        or _by_same_event(said, web, aligned)
        or _by_words(said, web, aligned)
    )


def _by_figures(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    met = compare_figures(said, web, aligned, setting.video_day, setting.web_day)
    if met.outcome is Outcome.SAME:
        return _verdict(Stance.AGREE, aligned, f"같은 숫자를 말해요 ({met.said} ↔ {met.web})", sure=0.1)
    if met.outcome in (Outcome.DIFFERENT, Outcome.OPPOSITE):
        what = "증감 방향이 반대예요" if met.outcome is Outcome.OPPOSITE else "다른 숫자를 말해요"
        return _difference(aligned, setting, f"{what} ({met.said} ↔ {met.web})", closed=met.closed)
    if met.outcome is Outcome.OTHER_OWNER or (met.outcome is Outcome.OTHER_SCOPE and aligned.other_proper):
        return _verdict(Stance.CANNOT_TELL, aligned, _OTHER[Outcome.OTHER_OWNER])
    if met.outcome in _OTHER:
        return _verdict(Stance.ADDS, aligned, f"{_OTHER[met.outcome]} ({met.said} ↔ {met.web})")
    return None


def _by_dates(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    met = compare_dates(said, web, aligned, setting.video_day)
    if met.outcome is Outcome.SAME and not new_figures(said, web):
        return _verdict(Stance.AGREE, aligned, f"같은 날짜를 말해요 ({met.said} ↔ {met.web})", sure=0.1)
    if met.outcome is Outcome.DIFFERENT:
        return _difference(aligned, setting, f"다른 날짜를 말해요 ({met.said} ↔ {met.web})", closed=met.closed)
    if met.outcome is Outcome.OTHER_PERIOD:
        return _verdict(Stance.ADDS, aligned, f"다른 해의 일이라 서로 견줄 수 없지만 내용을 보태요 ({met.said} ↔ {met.web})")
    return None


def _by_roles(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    for mine in said.roles:
        theirs = next((role for role in web.roles if role.kind == mine.kind), None)
        if theirs is None or said.negated != web.negated:
            continue
        if mine.kind.startswith("deed:"):
            return _by_deed(mine, theirs, aligned, setting)
        if mine.kind.startswith("office:") and not _same_organisation(mine, said.names or setting.said_names, theirs, web.names):
            continue
        pair = f"{mine.holder} ↔ {theirs.holder}"
        if same_name(mine.holder, theirs.holder):
            return _verdict(Stance.AGREE, aligned, f"같은 사람이나 곳을 말해요 ({pair})", sure=0.1)
        if mine.kind.startswith("office:") or (aligned.named and len(web.names) < 2):
            return _difference(aligned, setting, f"다른 사람이나 곳을 말해요 ({pair})")
    return None


def _same_organisation(mine: Role, said_names: Sequence[str], theirs: Role, web_names: Sequence[str]) -> bool:
    """Tell whether two offices are of one organisation: a name besides the holders is shared, or the web names none."""
    organisations = [name for name in said_names if not same_name(name, mine.holder)]
    others = [name for name in web_names if not same_name(name, theirs.holder)]
    return not others or any(same_name(organisation, other) for organisation in organisations for other in others)


def _by_deed(mine: Role, theirs: Role, aligned: Alignment, setting: Setting) -> Verdict | None:
    doer, other = same_name(mine.holder, theirs.holder), same_name(mine.other, theirs.other)
    if doer and other:
        return None  # whether it was done or called off is for the events to tell
    if same_name(mine.holder, theirs.other) and same_name(mine.other, theirs.holder):
        return _difference(aligned, setting, f"누가 누구에게 했는지가 반대예요 ({theirs.holder} → {theirs.other})", closed=True)
    if other:
        return _difference(aligned, setting, f"한 쪽이 달라요 ({mine.holder} ↔ {theirs.holder})")
    return _verdict(Stance.ADDS, aligned, f"같은 종류의 다른 일을 말해요 ({theirs.holder} → {theirs.other})")


def _by_opposites(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    for axis in sorted(_comparable_axes(said, web, aligned)):
        if _sides(said, axis) & _sides(web, axis) or (aligned.cover < LEAST_COVER and aligned.said_left):
            continue
        if not _one_time(said, web):
            return _verdict(Stance.ADDS, aligned, "다른 시기의 일이라 서로 견줄 수 없지만 내용을 보태요")
        untimed = axis == "direction" and bool(said.periods) != bool(web.periods)
        if untimed or _doubtful(said, web, aligned):
            return _verdict(Stance.CANNOT_TELL, aligned, "반대되는 말이 있지만 같은 일을 말하는지 알 수 없어요")
        return _difference(aligned, setting, "한쪽은 했다고, 다른 쪽은 반대로 말해요 (부정 또는 반대말)")
    return None


def _by_denial(said: Claim, web: Claim, aligned: Alignment, setting: Setting) -> Verdict | None:
    if len(said.words) < LEAST_HELD or words_missing(said, web, aligned) or not are_opposite(said, web):
        return None
    if not _one_time(said, web) or said.figures or new_figures(said, web):
        return None
    return _difference(aligned, setting, "한쪽은 그렇다고, 다른 쪽은 그렇지 않다고 말해요")


def _by_same_event(said: Claim, web: Claim, aligned: Alignment) -> Verdict | None:
    if said.figures or not _comparable_axes(said, web, aligned):
        return None
    if not _one_time(said, web):
        return _verdict(Stance.ADDS, aligned, "다른 시기의 일이라 서로 견줄 수 없지만 내용을 보태요")
    if new_figures(said, web):
        return _verdict(Stance.ADDS, aligned, "같은 일을 말하면서 영상에 없는 숫자를 보태요")
    return _verdict(Stance.AGREE, aligned, "같은 일을 말해요") if aligned.cover >= SAME_EVENT else None


def _doubtful(said: Claim, web: Claim, aligned: Alignment) -> bool:
    """Tell whether two opposite sentences may speak of different things, or deny something that only one of them names."""
    if aligned.other_proper or (aligned.said_left and aligned.web_left) or is_conditional(said.text) or is_conditional(web.text):
        return True
    return bool((said.negated and (aligned.said_left or not aligned.all_held)) or (web.negated and aligned.web_left))


def _comparable_axes(said: Claim, web: Claim, aligned: Alignment) -> frozenset[str]:
    """Return what both say happened; a rise of one thing and a fall of another are not of one axis."""
    if said.metrics and web.metrics and not aligned.metrics:
        return aligned.axes - {"direction"}
    return aligned.axes


def _sides(claim: Claim, axis: str) -> frozenset[int]:
    return frozenset(happening.side for happening in claim.happenings if happening.axis == axis)


def _one_time(said: Claim, web: Claim) -> bool:
    if not said.periods or not web.periods:
        return True
    return any(mine.same_as(theirs) for mine in said.periods for theirs in web.periods)


def _by_words(said: Claim, web: Claim, aligned: Alignment) -> Verdict | None:
    if aligned.weak:
        return None
    extra = new_figures(said, web)
    if not said.figures and aligned.all_held and aligned.cover >= SAYS_THE_SAME and said.negated == web.negated and not extra:
        return _verdict(Stance.AGREE, aligned, "같은 내용을 말해요")
    if extra:
        return _verdict(Stance.ADDS, aligned, f"영상에 없는 숫자를 보태요 ({extra[0].text})")
    if aligned.new_words >= TELLS_MORE:
        return _verdict(Stance.ADDS, aligned, "같은 대상에 대해 영상에 없는 내용을 보태요")
    return _verdict(Stance.CANNOT_TELL, aligned, "같은 대상을 말하지만 이 사실은 다루지 않아요")


def _difference(aligned: Alignment, setting: Setting, what: str, *, closed: bool = False) -> Verdict:
    """Return the stance of a difference, which the days of video and source decide."""
    if closed and aligned.certain:
        return _verdict(Stance.CONTRADICTS, aligned, f"{what}. 이미 지난 일이라 그 뒤에 바뀐 것은 아니에요", sure=0.1)
    if not aligned.certain:
        return _verdict(Stance.CANNOT_TELL, aligned, f"{what}. 영상은 누구의 값인지 말하지 않아 같은 대상인지 알 수 없어요")
    if setting.later is None:
        return _verdict(Stance.CANNOT_TELL, aligned, f"{what}. {NO_DATE}")
    if setting.later:
        return _verdict(Stance.CHANGED, aligned, f"{what}. 출처의 날짜가 영상보다 뒤예요", sure=0.1)
    return _verdict(Stance.CONTRADICTS, aligned, f"{what}. 출처의 날짜가 영상보다 앞서거나 비슷해요", sure=0.1)


def _verdict(stance: Stance, aligned: Alignment, why: str, *, sure: float = 0.0) -> Verdict:
    sentence = why if why.endswith(".") else f"{why}."
    return Verdict(stance, round(min(1.0, aligned.strength + sure), 3), sentence)
