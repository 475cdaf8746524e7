"""Chooses the claims that are checked when the user has not chosen."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.domain import Claim


def top_claims(claims: Sequence[Claim], count: int) -> tuple[Claim, ...]:
    """Return the *count* most check-worthy claims, by their numbers; of equal ones those that come first."""
    best = sorted(claims, key=lambda claim: (-claim.score, claim.number))[:count]
    return tuple(sorted(best, key=lambda claim: claim.number))
