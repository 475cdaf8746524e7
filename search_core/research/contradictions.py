"""Where sources contradict each other, found by the rules that compare the web with a video, applied to two sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import combinations

from search_core.answers.citations import strip_citations
from search_core.domain import ResearchSource, Stance
from search_core.presenting import korean_date
from search_core.presenting.dates import KOREA, aware
from search_core.stance.alignment import SAYS_NOTHING, same_name
from search_core.stance.claim import Claim, read_claim
from search_core.stance.verdict import ComparisonContext, Verdict, judge_by_rules
from search_core.text import korean
from search_core.text.sentences import sentences_of, shorten

MAX_FOUND = 6
MAX_SENTENCES = 40
MAX_TELLING = 14
"""Sentences of one source that are compared: those with numbers, denials and words of direction. Who did what to whom is not
compared: it is written of in too many ways."""
SHARED_WORDS = 3
SHARED_OF_SHORTER, SHARED_OF_LONGER = 0.6, 0.4
"""Parts of the words of two sentences that both hold. Read for this was news of one event by several outlets, ten pages to a
question: sentences less alike mostly speak of two sides of one thing."""
LEAST_SURE = 0.4
_MAX_QUOTE = 200
_MAY_TELL = re.compile(
    r"\d|않|못\s?하|없|아니|증가|감소|상승|하락|늘었|줄었|\b(?:not|never|no|rose|fell|rise|fall|up|down)\b|n't", re.IGNORECASE
)
"""Cheap to look for, and without any of it a sentence contradicts nothing that the rules can read."""
_OWNER = re.compile(r"^\W*(\w[\w.&-]+?)(?:의|은|는|이|가)\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedSentence:
    """A sentence of a source."""

    number: int
    """The source's."""
    quote: str
    """As written, on one line."""
    date: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A pair of sentences of two sources that cannot both be so, at least not at the same time."""

    one: QuotedSentence
    """The older one where both dates are known."""
    other: QuotedSentence
    changed: bool
    """True when the other is so much younger that things may have changed in between."""
    why: str
    """What differs, in Korean, without a full stop."""

    @property
    def line(self) -> str:
        """Return it as a line of a report with both numbers."""
        what = "나중 자료가 달라요" if self.changed else "서로 달라요"
        return f"- {what}: {_cite(self.one)} ↔ {_cite(self.other)}. {self.why}."


@dataclass(frozen=True, slots=True)
class _SourceClaims:
    source: ResearchSource
    day: date | None
    names: tuple[str, ...]
    claims: tuple[tuple[str, Claim], ...]


def contradictions(sources: Sequence[ResearchSource], texts: Mapping[int, str], now: datetime) -> tuple[Contradiction, ...]:
    """Return the surest contradictions between *sources*, one for each two sources at most, those of one time first.

    *texts* holds what each source says, by its number. Sources without a date count as of the same day, *now*.
    """
    read = [_read_source(source, texts.get(source.number, source.snippet)) for source in sources]
    found: dict[tuple[int, int], tuple[float, Contradiction]] = {}
    for left, right in combinations(sorted(read, key=_by_day), 2):
        for sure, pair in _compare(left, right, _day(now)):
            key = (left.source.number, right.source.number)
            if sure > found.get(key, (0.0, pair))[0]:
                found[key] = (sure, pair)
    ranked = sorted(found.values(), key=lambda item: (item[1].changed, -item[0], item[1].one.number, item[1].other.number))
    return tuple(pair for _, pair in ranked[:MAX_FOUND])


def _read_source(source: ResearchSource, text: str) -> _SourceClaims:
    day = _day(source.publish_date)
    sentences = dict.fromkeys((*sentences_of(source.title, 1), *sentences_of(text, MAX_SENTENCES)))
    candidates = [each for each in sentences if _MAY_TELL.search(each)][:MAX_TELLING]
    korean.morphemes_of([sentence for sentence in candidates if korean.has_hangul(sentence)])  # read together, kept
    claims = [(sentence, replace(read_claim(sentence, day), roles=())) for sentence in candidates]
    comparable = [(sentence, claim) for sentence, claim in claims if not claim.open and _is_comparable(claim)]
    return _SourceClaims(source, day, read_claim(source.title, day).names, tuple(comparable))


def _is_comparable(claim: Claim) -> bool:
    return bool(claim.figures or claim.periods or claim.happenings)


def _compare(left: _SourceClaims, right: _SourceClaims, today: date | None) -> Iterator[tuple[float, Contradiction]]:
    """Yield how sure it is and what the pairs of sentences are that differ."""
    both = left.day is not None and right.day is not None
    days = (left.day, right.day) if both else (today, today)
    setting = ComparisonContext(left.names, right.names, *days)
    pairs = ((one, other) for one in left.claims for other in right.claims if _may_be_compared(one[1], other[1]))
    for (said, claim), (quote, web) in pairs:
        verdict = judge_by_rules(claim, web, setting)
        if (
            verdict is None
            or _agree_somewhere(claim, web)
            or verdict.confidence < LEAST_SURE
            or verdict.stance not in (Stance.CONTRADICTS, Stance.CHANGED)
        ):
            continue
        yield verdict.confidence, _contradiction(_quote(left, said), _quote(right, quote), verdict)


def _may_be_compared(one: Claim, other: Claim) -> bool:
    """Tell, quickly, whether two sentences share what they would have to share to speak of the same thing."""
    owner, another = _owner(one), _owner(other)
    if owner and another and not (owner in another or another in owner or same_name(owner, another)):
        return False
    mine, theirs = {word.form for word in one.words}, {word.form for word in other.words}
    shared = len(mine & theirs)
    shorter, longer = sorted((len(mine), len(theirs)))
    return shared >= max(SHARED_WORDS, SHARED_OF_SHORTER * shorter, SHARED_OF_LONGER * longer)


def _agree_somewhere(one: Claim, other: Claim) -> bool:
    """Return whether both sentences hold one number, or, where only dates could differ, one date: then something else differs."""
    if one.figures and other.figures:
        return any(mine.low == theirs.low and mine.high == theirs.high for mine in one.figures for theirs in other.figures)
    sides = [{(happening.axis, happening.side) for happening in claim.happenings} for claim in (one, other)]
    dated = one.negated == other.negated and sides[0] == sides[1]
    return dated and any(mine.same_as(theirs) for mine in one.periods for theirs in other.periods)


def _owner(claim: Claim) -> str:
    """Return the first word of *claim* where it can be the subject, unknown names included; empty otherwise."""
    found = _OWNER.match(claim.text)
    if found is None or found[1] in SAYS_NOTHING:
        return ""
    is_quantity = any(start < found.end(1) for _, start, _ in claim.metrics) or any(p.start < found.end(1) for p in claim.periods)
    return "" if is_quantity else found[1].casefold()


def _contradiction(one: QuotedSentence, other: QuotedSentence, verdict: Verdict) -> Contradiction:
    why = verdict.why.split(". ")[0].rstrip(".")
    return Contradiction(one=one, other=other, changed=verdict.stance is Stance.CHANGED, why=why)


def _quote(read: _SourceClaims, quote: str) -> QuotedSentence:
    line = shorten(strip_citations(quote), _MAX_QUOTE)
    return QuotedSentence(number=read.source.number, quote=line, date=read.source.publish_date)


def _cite(said: QuotedSentence) -> str:
    when = f" ({korean_date(said.date)})" if said.date is not None else ""
    return f"“{said.quote}”{when} [{said.number}]"


def _by_day(read: _SourceClaims) -> tuple[bool, date, int]:
    return read.day is None, read.day or date.max, read.source.number


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else aware(moment).astimezone(KOREA).date()
