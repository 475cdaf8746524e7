from __future__ import annotations

from search_core.claims.choice import most_worth
from search_core.domain import Claim


def test_the_claims_most_worth_it_are_chosen():
    """By their scores, the earlier of equal ones, and told in the order in which they are said."""
    scores = (0.2, 0.9, 0.5, 0.9, 0.5)
    claims = tuple(Claim(number=number, text=f"말 {number}", score=score) for number, score in enumerate(scores, start=1))
    assert [claim.number for claim in most_worth(claims, 3)] == [2, 3, 4]
    assert most_worth(claims, 9) == claims
    assert most_worth((), 3) == ()
