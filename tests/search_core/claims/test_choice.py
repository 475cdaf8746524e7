from __future__ import annotations

from search_core.claims.service import top_claims
from search_core.domain import Claim


def test_the_most_check_worthy_claims_are_chosen():
    """The highest scores are chosen, of equal ones the earlier, and returned in the order of the video."""
    scores = (0.2, 0.9, 0.5, 0.9, 0.5)
    claims = tuple(Claim(number=number, text=f"말 {number}", score=score) for number, score in enumerate(scores, start=1))
    assert [claim.number for claim in top_claims(claims, 3)] == [2, 3, 4]
    assert top_claims(claims, 9) == claims
    assert top_claims((), 3) == ()
