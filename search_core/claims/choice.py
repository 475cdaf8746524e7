"""Which of the claims that were found are checked when nobody has chosen."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.domain import Claim


def most_worth(claims: Sequence[Claim], count: int) -> tuple[Claim, ...]:
    """Return the *count* claims most worth checking, by their numbers; of equal ones those that come first."""
    best = sorted(claims, key=lambda claim: (-claim.score, claim.number))[:count]
    return tuple(sorted(best, key=lambda claim: claim.number))
