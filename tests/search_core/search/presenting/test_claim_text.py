"""What a check came to in words, and in which order its sources stand."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain.stance import Stance
from search_core.search.presenting.claim_text import evidence_of, independence_text
from tests.search_core.checking.claims.export.exported import CHECKS, row

AGREE, _, _, NOTHING, _, _ = CHECKS


def test_what_bears_the_verdict_comes_first_and_is_counted():
    """Sources that differ from the verdict stand behind those that bear it; where nothing is decided none is counted."""
    check = replace(AGREE, verdict=Stance.CONTRADICTS, rows=(*AGREE.rows, row(2, Stance.CONTRADICTS, "1.6이다.", story=1)))
    assert next(each.row.stance for each in evidence_of(check.rows, check.sources, check.verdict).web) is Stance.CONTRADICTS
    assert [independence_text(each) for each in (AGREE, NOTHING)] == ["독립된 출처 2곳", ""]
