"""What has changed since an earlier check of one video: claims new and gone, verdicts that turned, sources that came."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from search_core.domain import Claim, ClaimCheck, ClaimSource, ClaimsRun, ClaimState
from search_core.presenting import korean_date
from search_core.text.canonical_url import canonical_url

SAME_CLAIM = 80
"""Likeness of two texts, 0 to 100, from which they claim the same; never where a number differs."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """A claim of both runs of which the web says something else now."""

    before: ClaimCheck
    after: ClaimCheck
    what: str
    """What differs, in Korean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSources:
    """A claim of both runs, and the sources that only the later one found for it."""

    check: ClaimCheck
    """Of the later run."""
    sources: tuple[ClaimSource, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsDifference:
    """What has changed between two checks of one video."""

    new: tuple[ClaimCheck, ...] = ()
    """Claims of the later run that the earlier one did not have."""
    gone: tuple[ClaimCheck, ...] = ()
    """Claims of the earlier run that the later one does not have."""
    verdicts: tuple[VerdictChange, ...] = ()
    sources: tuple[NewSources, ...] = ()
    uncompared: int = 0
    """Claims of both runs of which one run has no verdict."""
    summary: str = ""
    """A Korean paragraph."""

    @property
    def nothing(self) -> bool:
        """Return whether nothing has changed."""
        return not (self.new or self.gone or self.verdicts or self.sources)


def compare_checks(before: ClaimsRun, after: ClaimsRun) -> ClaimsDifference:
    """Return what *after* checked and found that *before* did not, and the other way round."""
    pairs = _pair_claims(before.checks, after.checks)
    partnered = {number for pair in pairs for number in (("before", pair[0].claim.number), ("after", pair[1].claim.number))}
    both = [(one, other) for one, other in pairs if one.state is ClaimState.CHECKED and other.state is ClaimState.CHECKED]
    sources = [NewSources(check=other, sources=came) for one, other in both if (came := _sources_new(one, other))]
    found = ClaimsDifference(
        new=tuple(check for check in after.checks if ("after", check.claim.number) not in partnered),
        gone=tuple(check for check in before.checks if ("before", check.claim.number) not in partnered),
        verdicts=tuple(VerdictChange(before=a, after=b, what=what) for a, b in both if (what := _verdict_change(a, b))),
        sources=tuple(sources),
        uncompared=len(pairs) - len(both),
    )
    return replace(found, summary=_summary(before, found))


def _pair_claims(before: Sequence[ClaimCheck], after: Sequence[ClaimCheck]) -> list[tuple[ClaimCheck, ClaimCheck]]:
    """Return the claims that both runs have, in the order of the later; each has one partner at most, the likest."""
    alike = sorted(
        (
            (-likeness, here, there)
            for there, other in enumerate(after)
            for here, one in enumerate(before)
            if (likeness := _likeness(one.claim, other.claim)) >= SAME_CLAIM
        ),
    )
    partners: dict[int, int] = {}
    for _, here, there in alike:
        if there not in partners and here not in partners.values():
            partners[there] = here
    return [(before[partners[there]], after[there]) for there in sorted(partners)]


def _likeness(one: Claim, other: Claim) -> float:
    """Return how far two claims are the same, 0 to 100: 0 where a number of one is none of the other."""
    if set(_NUMBER.findall(one.text)) != set(_NUMBER.findall(other.text)):
        return 0.0
    if _said_at(one) & _said_at(other):  # worded anew, but said at the same moment in the same words
        return 100.0
    return fuzz.token_sort_ratio(_plain(one.text), _plain(other.text))


def _said_at(claim: Claim) -> set[tuple[int, str]]:
    return {(round(moment.start_s), _plain(moment.quote)) for moment in claim.moments}


def _verdict_change(before: ClaimCheck, after: ClaimCheck) -> str:
    if before.verdict is after.verdict:
        return ""
    one, other = (check.verdict.label if check.verdict is not None else "판단 없음" for check in (before, after))
    return f"{one} → {other}"


def _sources_new(before: ClaimCheck, after: ClaimCheck) -> tuple[ClaimSource, ...]:
    known = {_identity(source) for source in before.sources}
    return tuple(source for source in after.sources if _identity(source) not in known)


def _identity(source: ClaimSource) -> str:
    return canonical_url(source.url) or source.title


def _summary(before: ClaimsRun, found: ClaimsDifference) -> str:
    since = f"{korean_date(before.created_at)} 확인과 견줬어요."
    unread = f" 주장 {found.uncompared}개는 한쪽에서 확인하지 못해 견주지 않았어요." if found.uncompared else ""
    if found.nothing:
        return f"{since} 달라진 것이 없어요.{unread}"
    counts = (
        ("판단이 바뀐 주장", len(found.verdicts)),
        ("새 출처가 나온 주장", len(found.sources)),
        ("새로운 주장", len(found.new)),
        ("이번에는 없는 주장", len(found.gone)),
    )
    listed = ", ".join(f"{label} {count}개" for label, count in counts if count)
    first = f" 먼저 볼 것: “{found.verdicts[0].after.claim.text}” ({found.verdicts[0].what})." if found.verdicts else ""
    return f"{since} {listed}가 있어요.{first}{unread}"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
