"""How one sentence of a page stands to a statement, by three rules that anybody can recite.

The same words with the same values agree; the same measure with another value contradicts; and so does the opposite of what is
said. First comes the subject: a sentence that names somebody or some place other than the statement, or its passage, decides
nothing. What a sentence leaves out may stand before it on its page, or in the title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise

from search_core.domain import Judge, Stance
from search_core.ranking.equivalents import equivalents
from search_core.stance.claim import Claim, Phrases, read_claim
from search_core.stance.concepts import event_of, is_negated, metrics_in
from search_core.stance.containment import denies_word, holds, names_of
from search_core.stance.figures import Figure
from search_core.stance.modality import CALLED_OFF, DENIED, PLANNED, PUT_OFF
from search_core.stance.periods import Period
from search_core.stance.shared import held_names
from search_core.text import korean
from search_core.text.korean.function_words import ENGLISH_FUNCTION_WORDS
from search_core.text.korean.wordlist import words
from search_core.text.words import Word, stem

ABOUT_THE_SAME_TIME = timedelta(days=3)
"""A source this much younger than the video still speaks of the state the video speaks of."""
ENOUGH = 0.6
"""Share of a statement's words that a sentence holds which says the same, whatever else it says."""
SUPPORTS, A_LITTLE = 0.7, 0.4
"""The probability that an agreement needs by shared words without a value, and by a value with another verb."""
ON_THE_POINT = 0.5
"""The same before what else a sentence says adds anything to the statement."""
SAME_WORDS = 0.8
"""The same where no value is equal."""
SAME_MEASURE = 0.75
"""The same where the value is another: a difference is one only where all else is the same."""
NO_DATE = "날짜를 알 수 없어 상충인지 이후 변경인지 가릴 수 없어요"
"""Why a value that differs decides nothing: the day of the video or of the source is not known."""
DECIDED = frozenset({Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED})

SAYS_NOTHING = words(
    """
    공시 발표 집계 기록 기준 수준 관계자 전체 결과 통계 자료 통계청 현재
    지나 지난 주말 이번 지난해 작년 올해 내년 금년 분기 상반기 하반기 연간 이번 이후 이전 최근 당시 하루
    퍼센트 조 억 만 천 천만 백만 억원 조원 만원 원 명 말 수 총 약 전년 동기
    대비 규모 정도 사이 때문 오늘 측 이상 이하
    said say report announc accord percent million billion trillion dollar won euro year quarter month last
    percentag point today number figur about around
    """
)
"""Morphemes of counting, reporting and time (English ones as stems)."""
REPORTS = words(
    """
    밝히 전하 알리 나타나 돌파 넘 넘어서 달하 이르 거두 올리 내 보이 세우 차지하 확인 조사
    추산 파악 관련 가운데 중 지난 한편 또한 대부분 전망 예상 내다보 보
    곳 것 데 점 때 뒤 따르 의하
    입 해당 연 정하 정해지 마치 들 맺 갖 가지 이루 겪 하 되 있 새벽 오전 오후
    peopl person unit reach stand stood total accord show shown see saw record report confirm estim has have had now
    """
)
"""Words that introduce a value; two sentences may use different ones."""
_CLAUSE_ENDS = re.compile(r"(?:이?고|으?며|지만|는데|면서)\s(?!있)|[,;]\s|\b(?:and|but|while)\s")
_SOME = re.compile(
    r"[가-힣]에(?:서)?만(?![가-힣])|일부|몇몇|(?<![가-힣])한 (?!번|달|해|주|시간|묶음)[가-힣]+[이가은는]|하위|상위|우선|먼저|시범"
    r"|\b(?:some|most|only|certain|several|partly|one of|a few|few|little|selected|part of)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"#\s(?:more|less|fewer|higher|lower|longer|shorter)\b")
NEAR = 0.7
"""How near in meaning two sentences in two languages are that say the same."""
_MEANT = re.compile(r"\bto (?!the\b|a\b|an\b)[a-z]{3,}|내다[보봤]")
"""What a statement itself says is meant or expected."""
_SAID = re.compile(
    r"[라다자](?:고|며)\s.{0,12}(?:밝|말|전|발표|설명|공시|보도|내다|예상|전망)|에 (?:따르|의하)면"
    r"|\b(?:said|says|reported|announced|according to|found that|(?:estimate|expect|find|show|report)s? that)\b"
)
"""Words of who says it."""
REGIONAL = frozenset({"한국", "국내", "세계", "korea", "world"})
_PLACE = re.compile(r"(?<![가-힣])([가-힣]{2,}(?:[시군항호섬]|대교))(?=(?:[은는이가을를의와과도로]|에서?는?|으로)?(?![가-힣]))")
_TITLES = (
    "부시장|시장|군수|도지사|지사|대통령|총리|장관|차관|총재|대표이사|대표|회장|사장|부회장|의장|위원장|원장|청장|서장|교육장|총장"
    "|이사장|감독|단장|관장"
)
_IN_OFFICE = re.compile(
    rf"(?<![가-힣])([가-힣]{{2,4}})\s(?:[가-힣]{{1,6}}(?={_TITLES}))?({_TITLES}|씨)(?=입니다|이다|이었|였|(?![가-힣]{{2}}))"
)
_HOLDS = re.compile(rf"({_TITLES})[은는이에]\s([가-힣]{{2,4}}?)(?=\s씨|입니다|이다|이에요|예요|다\.|[이가]\s)")
"""Who holds an office, before it or behind."""
_IS = re.compile(r"(?:입니다|이다|이에요|예요|이죠)\W*$")
_OWNED = re.compile(r"(?<![가-힣])(?<!이 )(?<!그 )([가-힣A-Za-z0-9]{2,})의\s|\b([A-Z][A-Za-z]+)['’]s?\s")


class Subject(Enum):
    """Names whether two sentences speak of one thing."""

    SAME = auto()
    UNSURE = auto()
    """Neither names one that the other does not."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around two sentences: what they are about where they do not name it, and of which days they are."""

    said: tuple[str, ...] = ()
    """Names of the statement's passage, or what its video is about there."""
    said_text: str = ""
    """The title of the video and what its speech is about."""
    found: str = ""
    """The title of the page and what stands before the sentence."""
    video_day: date | None = None
    web_day: date | None = None

    @property
    def later(self) -> bool | None:
        """Return whether the source is clearly younger than the video; None when either day is unknown."""
        if self.video_day is None or self.web_day is None:
            return None
        return self.web_day > self.video_day + ABOUT_THE_SAME_TIME


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on a statement and a sentence."""

    stance: Stance
    confidence: float
    """In [0, 1]: how sure it is; no probability."""
    why: str
    judge: Judge = Judge.RULES
    probability: float | None = None
    """What the model of entailment gives the stance, in [0, 1]; None where it did not decide."""
    quote: str = ""
    """The words of the source that it rests on, once they are known."""
    needs: float = 0.0
    """The probability that a model of entailment has to give it where one can run."""


Pairs = tuple[tuple[Figure, Figure], ...]
"""A number of the statement with one of the sentence."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How much of a statement a sentence holds."""

    subject: Subject
    rivals: bool
    """Whether the sentence names somebody or some place that the statement and its passage do not."""
    cover: float
    """Share of the statement's words, without names and values, that the sentence or its surroundings hold."""
    missing: frozenset[str]
    """The others."""
    core_missing: frozenset[str]
    """Those of them that say who, what or that it happened."""
    added: frozenset[str]
    """Words of the sentence that the statement does not hold."""
    times: bool | None
    """Whether the times of the statement are those of the sentence; None where the sentence leaves that open."""
    equal: Pairs
    differing: Pairs
    """Pairs of the same measure."""
    sure: bool
    """True where two values are equal, or a time and two names, with nearly every word: then what else is said is beside it."""
    unmet: bool
    """True where a number of the statement meets none of its measure."""
    foreign: bool


def find_subject(statement: Claim, web: Claim, around: Surroundings) -> tuple[Subject, bool]:
    """Return whether both speak of one thing, by who and where they name, and whether *web* names somebody else."""
    there, here = f"{web.text}\n{around.found}", f"{statement.text}\n{around.said_text}"
    rivals = not all(_holds_name(here, name) for name in _names(web)) and not _reports(web)
    unmet = statement.codes - web.codes if not statement.codes & web.codes else frozenset()
    if unmet and (web.codes or not all(code in _compact(there) for code in unmet)):
        return Subject.OTHER, True
    own = _names(statement)
    lost = [name for name in own if not _holds_name(there, name)]
    if own or statement.codes:
        if not lost:
            return Subject.SAME, rivals
        return (Subject.OTHER if rivals or len(lost) == len(own) else Subject.UNSURE), rivals
    if any(_holds_name(there, name) for name in around.said):
        return Subject.SAME, rivals
    if rivals:
        return (Subject.OTHER if around.said else Subject.UNSURE), rivals
    topic = {noun for phrase in statement.arguments.subjects[:1] for noun in phrase if len(noun) > 1}
    return (Subject.SAME if topic and all(noun in _compact(there) for noun in topic) else Subject.UNSURE), rivals


@lru_cache(maxsize=4096)
def _names(claim: Claim) -> tuple[str, ...]:
    """Return the names and places of *claim* beside those of units and times, some by their form alone."""
    spent = " ".join(each.text for each in _values(claim))
    common = {word.form for word in claim.words if word.tag == "NNG"}
    formed = (match[1] for match in _PLACE.finditer(claim.text) if match[1] not in common)
    found = (*names_of(claim), *formed, *_persons(claim.text))
    return tuple(name for name in dict.fromkeys(found) if name not in spent and len(name) > 1 and name.casefold() not in REGIONAL)


def _persons(text: str) -> dict[str, str]:
    """Return by person the office that *text* gives them."""
    before = {match[1]: match[2] for match in _IN_OFFICE.finditer(text)}
    return before | {match[2]: match[1] for match in _HOLDS.finditer(text)}


def _reports(web: Claim) -> bool:
    """Return whether *web* may name who says so, and nobody else."""
    return bool(_SAID.search(web.text)) or all(name in web.sources for name in web.names)


def _holds_name(text: str, name: str) -> bool:
    if holds(text.casefold(), name.casefold()) or held_names((name,), text):
        return True
    parts = name.split()
    return len(parts) > 1 and parts[-1] in text and sum(part in text for part in parts) * 2 >= len(parts)


def _compact(text: str) -> str:
    return re.sub(r"[\s-]", "", text).casefold()


def fit(statement: Claim, web: Claim, around: Surroundings) -> Fit:
    """Return how much of *statement* the sentence *web* holds."""
    foreign = korean.has_hangul(statement.text) != korean.has_hangul(web.text)
    subject, rivals = find_subject(statement, web, around)
    own = _topic(statement)
    theirs = _topic(web)
    leading = " ".join(_leading(statement.text, _compact(around.found)))
    missing = frozenset(form for form in _missing(statement, own, web, _compact(web.text)) if form not in leading)
    added = _missing(web, theirs, statement, _compact(f"{statement.text} {around.said_text}"))
    core = _core(statement)
    equal, differing, unmet = _meet_figures(statement, web)
    if subject is Subject.OTHER and len(equal) > 1 and not _names(statement):
        subject = Subject.UNSURE
    times = _meet_times(statement, web, around)
    names = len(_names(statement)) if subject is Subject.SAME else 0
    cover = 1 - len(missing) / (len(own) + names) if own else 1.0
    sure = len(equal) > 1 or (times is True and bool(statement.periods) and names > 1 and cover >= SAME_WORDS)
    return Fit(
        subject=subject,
        rivals=rivals,
        cover=cover,
        missing=missing,
        core_missing=frozenset(form for form in missing if form in core) if not foreign else frozenset(),
        added=added,
        times=times,
        equal=equal,
        differing=differing,
        sure=sure,
        unmet=unmet,
        foreign=foreign,
    )


def _leading(text: str, carried: str) -> list[str]:
    """Return the words with which *text* begins, up to its topic, that stand in *carried*, too, without their particles."""
    held = []
    for piece in text.casefold().split():
        stems = (piece[:end] for end in range(len(piece), max(1, len(piece) - 3), -1))
        held += [form for form in stems if form in carried][:1]
        if piece.endswith(("은", "는", "이", "가")):
            break
    return held


def _values(claim: Claim) -> list[Figure | Period]:
    return [*claim.figures, *claim.periods]


def _topic(claim: Claim) -> tuple[Word, ...]:
    """Return the words of *claim* beside names, values, times and words of reporting."""
    passed = " ".join((*(each.text for each in _values(claim)), *_names(claim))).casefold()
    stems = {stem(word) for word in passed.split()}
    return tuple(
        word
        for word in claim.words
        if word.form not in SAYS_NOTHING and word.form not in REPORTS and word.form not in passed and word.form not in stems
    )


def _missing(claim: Claim, own: Sequence[Word], other: Claim, text: str) -> frozenset[str]:
    """Return the forms of *own* words of *claim* that neither *other* nor the *text* around it holds."""
    forms = {spelt(word.form) for word in other.words}
    forms |= {f"{word.form}{passive}" for word in other.words if word.tag == "VV" for passive in "리이히기"}
    known = equivalents(own, other.words)
    happened = {(each.axis, each.side) for each in other.happenings}
    measured = {name for name, _, _ in other.metrics}
    whole = [
        piece
        for piece in claim.text.casefold().split()
        if len(piece) > 2 and any(piece[: -cut or None] in text for cut in (0, 1, 2) if len(piece) - cut > 2)
    ]
    return frozenset(
        word.form
        for number, word in enumerate(own)
        if spelt(word.form) not in forms
        and number not in known
        and not (len(word.form) > 1 and word.form in text)
        and not any(word.form in piece for piece in whole)
        and event_of(word.form) not in happened
        and not {name for name, _, _ in metrics_in(word.form)} & measured
    )


def spelt(form: str) -> str:
    """Return an English stem as Americans spell it."""
    return re.sub(r"our$", "or", re.sub(r"(?<=[a-z]{2})tr$", "ter", re.sub(r"is$", "iz", form))) if form.isascii() else form


def _core(claim: Claim) -> frozenset[str]:
    """Return the words of *claim* that say who, what, and that it happened; of an English sentence all."""
    if not korean.has_hangul(claim.text):
        return frozenset(word.form for word in claim.words)
    heads = {_head(phrase) for phrase in (*claim.arguments.subjects, *claim.arguments.objects)}
    return frozenset(
        heads
        | set(() if _IS.search(claim.text) else claim.arguments.predicates[-1:])
        | {word for figure in claim.figures for word in _measures(claim, figure)}
    )


def _measures(claim: Claim, figure: Figure) -> tuple[str, ...]:
    """Return the nouns before *figure* in its clause."""
    local = _local(claim, figure)
    return tuple(word.form for word in claim.words if word.tag.startswith("N") and word.form in local)


def _local(claim: Claim, figure: Figure) -> str:
    """Return what stands around *figure*, up to the next value or clause."""
    start = max(
        (
            end
            for end in (
                *(m.end() for m in _CLAUSE_ENDS.finditer(claim.text, 0, figure.start)),
                *(o.end for o in claim.figures if o.end <= figure.start),
            )
        ),
        default=0,
    )
    ends = [m.start() for m in _CLAUSE_ENDS.finditer(claim.text, figure.end)] + [
        o.start for o in claim.figures if o.start >= figure.end
    ]
    return claim.text[start : min(ends, default=len(claim.text))].casefold()


def _meet_figures(statement: Claim, web: Claim) -> tuple[Pairs, Pairs, bool]:
    """Return which numbers of *statement* are equal to one of *web*, which differ, and whether one meets none of its measure."""
    equal: list[tuple[Figure, Figure]] = []
    differing: list[tuple[Figure, Figure]] = []
    unmet = False
    for mine in statement.figures:
        others = [each for each in web.figures if each.dimension == mine.dimension and not each.former]
        if not others:
            same = [each for each in web.figures if mine.means(each)]
            equal += [(mine, same[0])] if same else []
            unmet = unmet or not same
            continue
        near = {each: _nearness(statement, mine, web, each) for each in others}
        best = max(near.values())
        nearest = [each for each in others if near[each] >= best]
        same = [each for each in nearest if mine.equals(each) and mine.sign * each.sign >= 0]
        if same:
            equal.append((mine, same[0]))
        elif (
            mine.former or all(each.former for each in nearest) or any(mine.allows(each) or each.allows(mine) for each in nearest)
        ):
            unmet = True
        else:
            differing.append((mine, next(each for each in nearest if not each.former)))
    return tuple(equal), tuple(differing), unmet


def _nearness(statement: Claim, mine: Figure, web: Claim, theirs: Figure) -> int:
    """Return how many words of the statement stand around a number of the web."""
    around, own = _local(web, theirs), _local(statement, mine)
    return sum(word.form in around for word in statement.words if word.form in own and len(word.form) > 1)


def _meet_times(statement: Claim, web: Claim, around: Surroundings) -> bool | None:
    """Return whether the times of *statement* are those of *web*; a page without one speaks of its day."""
    if not statement.periods:
        years = {each.year for each in web.periods if each.year}
        past = around.video_day is not None and years and around.video_day.year not in years
        return None if not past else False
    day = Period.of(around.web_day) if around.web_day else None
    of_day = day is not None and all(mine.may_be(day) for mine in statement.periods)
    if not web.periods:
        return True if of_day else None
    if all(any(mine.may_be(each) for each in web.periods) for mine in statement.periods):
        return True
    written = all(any(map(str.isdigit, each.text)) for each in statement.periods)
    later = all((last := each.last_day()) and around.web_day and last > around.web_day for each in web.periods)
    return bool(of_day and written and later)


def compare(statement: Claim, web: Claim, around: Surroundings, near: float | None = None) -> Verdict | None:
    """Return how *web* stands to *statement*; None where no rule speaks. *near* is how near in meaning two languages are."""
    if web.open and not statement.open:
        return None
    found = fit(statement, web, around)
    if found.subject is Subject.OTHER:
        return _other_holder(statement, web, around)
    return (
        _agreement(statement, web, found, around, near)
        or _other_value(statement, web, found, around, near)
        or _opposite(statement, web, found, around)
        or _other_holder(statement, web, around)
        or _addition(statement, web, found)
    )


def _agreement(statement: Claim, web: Claim, found: Fit, around: Surroundings, near: float | None) -> Verdict | None:
    if found.differing or found.unmet or found.times is False or (statement.periods and found.times is None and not found.equal):
        return None
    values = bool(found.equal) or (found.times is True and bool(statement.periods))
    verbs = frozenset(statement.arguments.predicates[-1:]) if found.equal and found.subject is Subject.SAME else frozenset()
    if found.foreign:
        if not (values and near is not None and near >= NEAR):
            return None
    elif (
        found.core_missing - verbs
        or found.cover < (ENOUGH if values else SAME_WORDS)
        or (found.missing and found.added and not (found.equal or found.sure))
    ):
        return None
    reason = doubt(statement, web, found, around)
    if reason and not (reason == "predicate" and verbs):
        return None
    if not values and korean.has_hangul(web.text) and not web.arguments.predicates:
        return None  # a headline
    needs = SUPPORTS if not values else A_LITTLE if reason or found.core_missing or found.foreign else 0.0
    pair = " · ".join(f"{mine.text} ↔ {theirs.text}" for mine, theirs in found.equal[:2])
    why = f"같은 값을 말해요 ({pair})." if pair else "같은 말로 같은 내용을 말해요."
    return Verdict(Stance.AGREE, round(0.5 + 0.4 * found.cover + 0.1 * values, 3), why, needs=needs)


def doubt(statement: Claim, web: Claim, found: Fit, around: Surroundings, *, opposite: bool = False) -> str:
    """Return why *web* does not say what *statement* says though it holds its words; empty where nothing speaks against it.

    With *opposite* a denial, and an end that was put off or called off, are no reason.
    """
    part = _bearing(statement, web, found)
    bearing = read_claim(part, None)
    named = " ".join((*names_of(bearing), *bearing.names)).casefold()
    plain = part
    for name in bearing.names:
        plain = plain.replace(name, "")
    allowed = f"{statement.text} {around.said_text}".casefold()
    sure = found.sure
    lacks = {
        "modality": bool(PLANNED.search(plain)) and not (PLANNED.search(statement.text) or _MEANT.search(statement.text)),
        "denied": bool(DENIED.search(part)) != bool(DENIED.search(statement.text)) and not opposite,
        "put off": bool(PUT_OFF.search(part)) and not PUT_OFF.search(statement.text) and not opposite,
        "negated": not opposite and (statement.negated != is_negated(part) or denies_word(statement, bearing)),
        "opposite": not opposite and _opposes(statement, bearing),
        "part": bool(_SOME.search(part)) != bool(_SOME.search(statement.text)),
        "bound": any(theirs.edge not in (0, mine.edge) for mine, theirs in found.equal),
        "turned": _turned_round(statement.text, web.text),
        "subject": not sure and _is_replaced(statement, bearing),
        "owner": not sure and _is_owned(part, allowed),
        "narrower": not sure and not found.foreign and narrows(statement, bearing, named, allowed, found),
        "predicate": not sure and not found.foreign and not opposite and other_predicate(statement, bearing),
    }
    return next((reason for reason, is_so in lacks.items() if is_so), "")


def narrows(statement: Claim, bearing: Claim, named: str, allowed: str, found: Fit) -> bool:
    """Return whether a clause says it of something narrower, or of something that only belongs to what the statement is about."""
    if not korean.has_hangul(bearing.text):
        return _adds_inside(statement, bearing, allowed, found)
    reported = _SAID.search(bearing.text)
    axes = {each.axis for each in statement.happenings}
    for phrase in (*bearing.arguments.subjects, *bearing.arguments.objects):
        extra = [
            noun
            for noun in phrase
            if not _is_free(noun, statement.text.casefold(), allowed, named) and (event_of(noun) or ("",))[0] not in axes
        ]
        if extra and (len(extra) < len(phrase) or (not reported and phrase in bearing.arguments.subjects)):
            return True
    return False


def _is_free(noun: str, said: str, allowed: str, named: str) -> bool:
    if noun in said or f" {noun}" in allowed or noun in named:
        return True
    return noun in SAYS_NOTHING or noun in REPORTS or noun.isdigit() or len(noun) == 1


def other_predicate(statement: Claim, bearing: Claim) -> bool:
    """Return whether a clause ends on something else than what the statement says happened."""
    if not korean.has_hangul(bearing.text):
        return False
    happened = {(each.axis, each.side) for each in statement.happenings}
    said = [each for each in statement.arguments.predicates if each not in REPORTS | SAYS_NOTHING]
    done = [each for each in bearing.arguments.predicates if each not in REPORTS | SAYS_NOTHING]
    added = [each for each in done if each not in said and each not in statement.text and event_of(each) not in happened]
    if not said:
        return bool(done) and done[-1] in added and (event_of(done[-1]) or ("",))[0] != "direction"
    return bool(done) and done[-1] in added


def _adds_inside(statement: Claim, bearing: Claim, allowed: str, found: Fit) -> bool:
    """Return whether an English clause has other content words between those of the statement, or before them no reporting."""
    own = {spelt(word.form) for word in statement.words} | {spelt(stem(w)) for w in re.findall(r"[A-Za-z]+", allowed)}
    happened = {(each.axis, each.side) for each in statement.happenings}
    measured = {name for name, _, _ in statement.metrics}
    equal = {theirs.text for _, theirs in found.equal}
    named = {word for name in _names(bearing) for word in name.split()}
    text = bearing.text
    for value in _values(bearing):
        met = value.text in equal or any(mine.may_be(value) for mine in statement.periods if isinstance(value, Period))
        text = text[: value.start] + ("#" if met else "=") * (value.end - value.start) + text[value.end :]
    marks = ""
    for match in re.finditer(r"[A-Za-z][A-Za-z'’-]*|#+", text):
        word = re.sub(r"['’]s$", "", match.group())
        form = spelt(stem(word))
        if word[0] == "#":
            marks += "v"
        elif form in own or event_of(form) in happened or {name for name, _, _ in metrics_in(word)} & measured:
            marks += "h"
        elif word in named or (event_of(form) or ("",))[0] == "direction" or _says_little(word, form):
            marks += "-"
        else:
            marks += "x"
    first, last = marks.find("h"), marks.rfind("v") if "v" in marks else marks.rfind("h")
    before = marks[:first] if not _SAID.search(bearing.text) else ""
    return "x" in marks[first:last] or "x" in before or "vx" in marks or bool(_COMPARED.search(text))


def _says_little(word: str, form: str) -> bool:
    return form in SAYS_NOTHING or form in REPORTS or word.lower() in ENGLISH_FUNCTION_WORDS or len(word) < 2


def _bearing(statement: Claim, web: Claim, found: Fit) -> str:
    """Return the clauses of *web* that hold the values of the statement, or most of its words."""
    cuts = [0, *(match.end() for match in _CLAUSE_ENDS.finditer(web.text)), len(web.text)]
    clauses = list(pairwise(cuts))
    values = [theirs.start for _, theirs in found.equal]
    forms = [*(word.form for word in statement.words), *statement.arguments.predicates]
    held = [sum(form in web.text[start:end].casefold() for form in forms) for start, end in clauses]
    kept = [
        web.text[start:end]
        for (start, end), count in zip(clauses, held, strict=True)
        if (any(start <= at < end for at in values) if values else count == max(held))
    ]
    return " ".join(kept) or web.text


def _same_end(statement: Claim, web: Claim) -> bool:
    """Return whether both tell one end of what happened: "거부했다" is "승인하지 않았다"."""
    return bool({(h.axis, h.side) for h in statement.happenings} & {(h.axis, h.side) for h in web.happenings})


def lacks_core(statement: Claim, found: Fit) -> bool:
    """Return whether a sentence lacks who, what or what happened, beside the end of what happened."""
    axes = {each.axis for each in statement.happenings}
    return any((event_of(form) or ("",))[0] not in axes for form in found.core_missing)


def _opposes(statement: Claim, web: Claim) -> bool:
    for axis in {each.axis for each in statement.happenings}:
        mine, theirs = (frozenset(h.side for h in each.happenings if h.axis == axis) for each in (statement, web))
        if theirs and not mine & theirs:
            return True
    return False


_ROLE = re.compile(r"(\S{2,}?)(?:(이|가|은|는)|(을|를)|(에))(?=[\s,]|$)")


def _turned_round(said: str, found: str) -> bool:
    """Return whether who acts in one sentence is acted upon in the other, and the other way round."""
    if ("시키" in said or "시켰" in said) != ("시키" in found or "시켰" in found):
        return False
    if not korean.has_hangul(said + found):
        shared = [name for name in re.findall(r"(?:[A-Z]\w+\s?)+", said) if name.strip() in found]
        exchanged = len(shared) > 1 and sorted(shared, key=lambda each: found.find(each.strip())) != shared
        return exchanged and not re.search(r"\b(?:by|was|were|is|are|on)\b", f"{said} {found}")
    mine, theirs = ({match[1]: match.lastindex for match in _ROLE.finditer(text)} for text in (said, found))
    both = [name for name in mine if name in theirs and {mine[name], theirs[name]} == {2, 3}]
    return len(both) > 1


def _share_head(phrases: Phrases, others: Phrases) -> bool:
    return bool({_head(phrase) for phrase in phrases} & {_head(phrase) for phrase in others})


def _head(phrase: tuple[str, ...]) -> str:
    return "".join(phrase[-2:]) if len(phrase[-1]) == 1 and len(phrase) > 1 else phrase[-1]


def _is_replaced(statement: Claim, web: Claim) -> bool:
    """Return whether the subject or the object of *statement* gave way to one that it does not name."""
    for mine, theirs in (
        (statement.arguments.subjects, web.arguments.subjects),
        (statement.arguments.objects, web.arguments.objects),
    ):
        if not mine or not theirs:
            continue
        nouns, others = ({noun for phrase in phrases for noun in phrase} for phrases in (mine, theirs))
        if nouns & others or any(_head(phrase) in statement.text.casefold() for phrase in theirs):
            continue
        if not _share_head(mine, (*web.arguments.subjects, *web.arguments.objects)):
            return True
    return False


def _is_owned(part: str, allowed: str) -> bool:
    """Return whether *part* speaks of somebody's, or something's, of whom the statement does not speak."""
    owners = (match[1] for match in _OWNED.finditer(part) if match[1])
    return any(owner.casefold() not in allowed and owner not in SAYS_NOTHING for owner in owners)


def _other_value(statement: Claim, web: Claim, found: Fit, around: Surroundings, near: float | None) -> Verdict | None:
    if found.times is False and not statement.figures:
        return _other_time(statement, web, found, around)
    if found.times is False or not found.differing or lacks_core(statement, found) or statement.scopes ^ web.scopes:
        return None
    mine, theirs = found.differing[0]
    turned = mine.sign * theirs.sign < 0
    measured = {name for name, _, _ in statement.metrics} & {name for name, _, _ in web.metrics}
    alike = bool(measured) if near is None else near >= NEAR and bool(measured or found.cover >= ENOUGH)
    if not (alike if found.foreign else found.cover >= (ON_THE_POINT if turned else SAME_MEASURE)):
        return None
    if doubt(statement, web, replace(found, equal=found.differing), around, opposite=turned):
        return None
    what = "증감 방향이 반대예요" if turned else "다른 숫자를 말해요"
    return _difference(statement, found, around, f"{what} ({mine.text} ↔ {theirs.text})")


def _other_time(statement: Claim, web: Claim, found: Fit, around: Surroundings) -> Verdict | None:
    """Return what comes of another time of one happening that happens once."""
    if not statement.periods or not web.periods or _AGAIN.search(statement.text):
        return None
    once = {each.axis for each in statement.happenings} & {each.axis for each in web.happenings} & ONE_TIME
    same = statement.arguments.predicates[-1:] == web.arguments.predicates[-1:] != ()
    if not (once or same) or found.core_missing or found.cover < SAME_MEASURE:
        return None
    if doubt(statement, web, found, around, opposite=True):
        return None
    mine, theirs = statement.periods[0], web.periods[-1]
    return _difference(statement, found, around, f"다른 날짜를 말해요 ({mine.text} ↔ {theirs.text})")


def _other_holder(statement: Claim, web: Claim, around: Surroundings) -> Verdict | None:
    """Return what comes of another holder of one office."""
    if not (_HOLDS.search(statement.text) or _IS.search(statement.text)):
        return None
    theirs = _persons(web.text)
    there = f"{web.text}\n{around.found}"
    for person, office in _persons(statement.text).items():
        others = [
            other for other, held in theirs.items() if held == office != "씨" and other != person and other not in statement.text
        ]
        rest = [name for name in _names(statement) if name != person] or _leading(statement.text, _compact(there))
        if len(others) == 1 and rest and person not in web.text and all(_holds_name(there, each) for each in rest):
            stance, why = decide_by_days(f"다른 사람을 말해요 ({person} ↔ {others[0]})", around, closed=False)
            return Verdict(stance, 0.8, why)
    return None


_IN_PART = re.compile(r"모두|모든|항상|전부|거의|완전히|반드시|[으]?면\s|\b(?:all|always|every|fully|if)\b", re.IGNORECASE)
"""Words by which a denial reaches a part alone, or hangs on a condition."""
_AGAIN = re.compile(r"매년|해마다|매달|번째|대회|축제|\b(?:annual|every|each)\b")
ONE_TIME = frozenset({"found", "launch", "open", "begin", "mass_produce", "merge", "acquire", "sign"})
"""Happenings whose date is the fact itself and not the time a value is of."""


def _opposite(statement: Claim, web: Claim, found: Fit, around: Surroundings) -> Verdict | None:
    """Return what comes of a denial, or of the other end of what happened, where all else is the same."""
    if found.foreign or found.times is False or found.unmet or found.differing:
        return None
    bearing = read_claim(_bearing(statement, web, found), None)
    if (found.equal and not _opposes(statement, bearing)) or (bearing.negated and _IN_PART.search(bearing.text)):
        return None
    if (
        not opposed(statement, bearing)
        or lacks_core(statement, found)
        or found.cover < ENOUGH
        or doubt(statement, web, found, around, opposite=True)
    ):
        return None
    return _difference(statement, found, around, "반대로 말해요")


def _addition(statement: Claim, web: Claim, found: Fit) -> Verdict | None:
    """Return that *web* tells another number of what the statement is about, where it does."""
    new = [each for each in web.figures if each.dimension != "plain" and not each.is_among(statement.figures)]
    if (
        found.foreign
        or found.subject is not Subject.SAME
        or found.rivals
        or lacks_core(statement, found)
        or found.cover < ON_THE_POINT
        or not new
    ):
        return None
    return Verdict(Stance.ADDS, round(0.4 * found.cover, 3), f"영상에 없는 숫자를 보태요 ({new[0].text}).")


def _difference(statement: Claim, found: Fit, around: Surroundings, what: str) -> Verdict:
    stance, why = differ(statement, found, around, what)
    return Verdict(stance, round(0.6 + 0.4 * found.cover, 3), why)


def differ(statement: Claim, found: Fit, around: Surroundings, what: str) -> tuple[Stance, str]:
    """Return what a difference comes to, which the days of video and source decide, and why."""
    if found.subject is not Subject.SAME:
        return Stance.CANNOT_TELL, f"{what}. 영상은 누구의 값인지 말하지 않아 같은 대상인지 알 수 없어요."
    closed = any((day := period.last_day()) and around.video_day and day < around.video_day for period in statement.periods)
    return decide_by_days(what, around, closed=closed)


def opposed(statement: Claim, web: Claim) -> bool:
    """Return whether one denies the other, tells the other end of what happened, or that it was called off."""
    return (
        (statement.negated != web.negated and not _same_end(statement, web))
        or denies_word(statement, web)
        or _opposes(statement, web)
        or any(bool(ended.search(web.text)) and not ended.search(statement.text) for ended in (PUT_OFF, CALLED_OFF))
        or (bool(DENIED.search(web.text)) and not DENIED.search(statement.text))
    )


def decide_by_days(what: str, around: Surroundings, *, closed: bool) -> tuple[Stance, str]:
    """Return what a difference comes to, and why: *what* differs, *closed* says that it was over when the video was made."""
    if closed:
        return Stance.CONTRADICTS, f"{what}. 이미 지난 일이라 그 뒤에 바뀐 것은 아니에요."
    if around.later is None:
        return Stance.CANNOT_TELL, f"{what}. {NO_DATE}."
    if around.later:
        return Stance.CHANGED, f"{what}. 출처의 날짜가 영상보다 뒤예요."
    return Stance.CONTRADICTS, f"{what}. 출처의 날짜가 영상보다 앞서거나 비슷해요."
