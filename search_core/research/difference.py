"""What has changed since an earlier run of the same question: sources new, gone or altered, and what is said now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from rapidfuzz import fuzz

from search_core.answers.citations import CitationRegistry
from search_core.domain import ResearchRun, ResearchSource
from search_core.presenting import korean_date
from search_core.stance.alignment import held_names
from search_core.stance.claim import Claim, read_claim
from search_core.text import korean
from search_core.text.canonical_url import canonical_url

SAME_STATEMENT = 0.5
"""Share of words, numbers left out, from which two sentences make one statement."""
SAME_TEXT = 85
"""Likeness of two texts of a source, 0 to 100, from which it still says the same: search services cut them differently."""
MAX_STATEMENTS = 200

_QUOTED = re.compile(r"^[-*]\s+“(?P<quote>.+)”\s*(?:\([^()]*\)\s*)?(?P<marks>(?:\[\d[\d\s,]*\]\s*)+)$")
_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r"\d+(?:[.,]\d+)*")
_NOT_SAID = re.compile(r"^\s*(?:#|>|\||```)|↔")
"""Headings, notices and what rules have found between sources: none of it is said by the report."""


class ChangeKind(StrEnum):
    """Names what became of a statement."""

    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A sentence of a report and the numbers it cites, which are those of its own run."""

    text: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementChange:
    """A statement that one report makes and the other does not, or not so."""

    kind: ChangeKind
    before: CitedStatement | None = None
    after: CitedStatement | None = None
    what: str = ""
    """What differs, in Korean; only of changed ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChange:
    """A source of both runs that is no longer what it was."""

    before: ResearchSource
    after: ResearchSource
    what: str
    """What differs, in Korean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDifference:
    """What has changed between two runs of one question."""

    new_sources: tuple[ResearchSource, ...]
    gone_sources: tuple[ResearchSource, ...]
    changed_sources: tuple[SourceChange, ...]
    statements: tuple[StatementChange, ...]
    """Changed ones first, then new ones, then those that are gone."""
    summary: str
    """A Korean paragraph."""

    @property
    def nothing(self) -> bool:
        """Return whether nothing has changed."""
        return not (self.new_sources or self.gone_sources or self.changed_sources or self.statements)


def compare_runs(before: ResearchRun, after: ResearchRun) -> RunDifference:
    """Return what *after* found and says that *before* did not, and the other way round."""
    earlier = {_identity(source): source for source in before.sources}
    later = {_identity(source): source for source in after.sources}
    both = [(earlier[key], later[key]) for key in later if key in earlier]
    changed = [SourceChange(before=one, after=other, what=what) for one, other in both if (what := _source_change(one, other))]
    found = RunDifference(
        new_sources=tuple(source for key, source in later.items() if key not in earlier),
        gone_sources=tuple(source for key, source in earlier.items() if key not in later),
        changed_sources=tuple(changed),
        statements=_statement_changes(_statements(before), _statements(after)),
        summary="",
    )
    return replace(found, summary=_summary(before, after, found))


def _identity(source: ResearchSource) -> str:
    return canonical_url(source.url) or source.title


def _source_change(before: ResearchSource, after: ResearchSource) -> str:
    """Return what differs between two sightings of one source; empty when nothing that matters does."""
    if _day(before.publish_date) != _day(after.publish_date) and before.publish_date and after.publish_date:
        return f"날짜가 달라졌어요 ({korean_date(before.publish_date)} → {korean_date(after.publish_date)})"
    if _plain(before.title) != _plain(after.title) and fuzz.ratio(_plain(before.title), _plain(after.title)) < SAME_TEXT:
        return f"제목이 달라졌어요 (“{_plain(before.title)}” → “{_plain(after.title)}”)"
    one, other = _plain(before.snippet), _plain(after.snippet)
    if not one or not other:
        return ""
    if fuzz.partial_ratio(*sorted((one, other), key=len)) >= SAME_TEXT and _same_values(one, other):
        return ""
    return "숫자가 달라졌어요" if fuzz.ratio(one, other) >= SAME_TEXT else "내용이 달라졌어요"


def _same_values(one: str, other: str) -> bool:
    """Return whether the shorter text holds no number that the longer one does not hold."""
    shorter, longer = sorted((one, other), key=len)
    return {*_VALUE.findall(shorter)} <= {*_VALUE.findall(longer)}


def _statements(run: ResearchRun) -> tuple[CitedStatement, ...]:
    """Return what the report of *run* says with a source, each statement once."""
    if not run.sources:
        return ()
    registry = CitationRegistry()
    numbers = {
        registry.add(title=source.title, text=source.snippet or source.title, url=source.url): source.number
        for source in run.sources
    }
    found = (
        CitedStatement(text, tuple(numbers[cited] for cited in marks if cited in numbers))
        for line in run.report.splitlines()
        if not _NOT_SAID.search(line)
        for text, marks in _cited_in(line, registry)
    )
    return tuple({statement.text: statement for statement in found if statement.numbers}.values())[:MAX_STATEMENTS]


def _cited_in(line: str, registry: CitationRegistry) -> Iterator[tuple[str, tuple[int, ...]]]:
    quoted = _QUOTED.match(line.strip())
    if quoted is not None:
        yield quoted["quote"], tuple(map(int, _NUMBER.findall(quoted["marks"])))
    elif line.strip():
        yield from ((sentence.text, sentence.numbers) for sentence in registry.resolve(line).sentences)


def _statement_changes(before: Sequence[CitedStatement], after: Sequence[CitedStatement]) -> tuple[StatementChange, ...]:
    """Return how the statements differ; each has one partner at most, the one that says most of the same."""
    words = [frozenset(_words(statement.text)) for statement in (*before, *after)]
    earlier, later = words[: len(before)], words[len(before) :]
    alike = (
        (_overlap(one, other), -abs(place - partner), place, partner)
        for place, one in enumerate(earlier)
        for partner, other in enumerate(later)
    )
    partners: dict[int, int] = {}
    for _, _, place, partner in sorted((pair for pair in alike if pair[0] >= SAME_STATEMENT), reverse=True):
        if place not in partners and partner not in partners.values():
            partners[place] = partner
    changed = [
        StatementChange(kind=ChangeKind.CHANGED, before=before[place], after=after[partner], what=what)
        for place, partner in sorted(partners.items(), key=lambda pair: pair[1])
        if (what := _what_differs(before[place].text, after[partner].text))
    ]
    new = [StatementChange(kind=ChangeKind.NEW, after=each) for n, each in enumerate(after) if n not in partners.values()]
    gone = [StatementChange(kind=ChangeKind.GONE, before=each) for n, each in enumerate(before) if n not in partners]
    return (*changed, *new, *gone)


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in korean.terms(text) if not any(char.isdigit() for char in word))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _what_differs(before: str, after: str) -> str:
    """Return what of two wordings of one statement differs: numbers and dates, whether it is so, names; or nothing."""
    one, other = read_claim(before, None), read_claim(after, None)
    gone, come = _amounts_only_in(one, other), _amounts_only_in(other, one)
    if gone or come:
        return f"숫자나 날짜가 달라졌어요 ({', '.join(gone) or '없음'} → {', '.join(come) or '없음'})"
    if one.negated != other.negated or _opposite(one, other):
        return "말하는 방향이 반대로 바뀌었어요"
    lost, won = _names_only_in(one, other), _names_only_in(other, one)
    return f"이름이 달라졌어요 ({', '.join(lost)} → {', '.join(won)})" if lost and won else ""


def _amounts_only_in(one: Claim, other: Claim) -> list[str]:
    """Return the numbers and times of *one* that *other* does not name, as written."""
    figures = [
        mine.text
        for mine in one.figures
        if not any(mine.dimension == theirs.dimension and mine.equals(theirs) for theirs in other.figures)
    ]
    return figures + [mine.text for mine in one.periods if not any(mine.parts == theirs.parts for theirs in other.periods)]


def _opposite(one: Claim, other: Claim) -> bool:
    """Return whether the same thing goes one way in the first claim and only the other way in the second."""
    sides = [{happening.axis: happening.side for happening in claim.happenings} for claim in (one, other)]
    return any(sides[0][axis] != sides[1][axis] for axis in sides[0].keys() & sides[1].keys())


def _names_only_in(one: Claim, other: Claim) -> list[str]:
    return [name for name in one.names if not held_names((name,), other.text)]


def _summary(before: ResearchRun, after: ResearchRun, found: RunDifference) -> str:
    since = f"{korean_date(before.created_at)} 조사와 견줬어요."
    if before.by_model != after.by_model:
        since += " 한쪽은 언어 모델이 쓴 글이고 한쪽은 발췌라서, 말만 달라진 곳도 있을 수 있어요."
    if found.nothing:
        return f"{since} 달라진 것이 없어요."
    sources = _list_counts(
        ("새 출처", len(found.new_sources)),
        ("이번에 나오지 않은 출처", len(found.gone_sources)),
        ("내용이 바뀐 출처", len(found.changed_sources)),
    )
    kinds = [change.kind for change in found.statements]
    said = _list_counts(
        ("바뀐 내용", kinds.count(ChangeKind.CHANGED)),
        ("새로운 내용", kinds.count(ChangeKind.NEW)),
        ("빠진 내용", kinds.count(ChangeKind.GONE)),
    )
    sentences = [f"{part}가 있어요." for part in (sources, said) if part]
    changed = next((change for change in found.statements if change.kind is ChangeKind.CHANGED), None)
    if changed is not None:
        sentences.append(f"먼저 볼 것: {changed.what}.")
    return " ".join((since, *sentences))


def _list_counts(*counts: tuple[str, int]) -> str:
    return ", ".join(f"{label} {count}개" for label, count in counts if count)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _day(moment: datetime | None) -> str:
    return korean_date(moment) if moment is not None else ""
