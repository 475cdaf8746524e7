"""The check of one claim, with searches and pages that play along, fail and hang."""

from __future__ import annotations

from search_core.domain import ClaimState, SearchStatus, Stance
from tests.search_core.claims.checking.claims import AFTER, SAYS_LESS, SAYS_MORE, check_of, claim_search, page
from tests.search_core.scripted import ScriptedProvider, fails


def test_sources_that_agree_bear_a_claim():
    """Two independent sites that say the same agree with the claim, both sides quoted."""
    check = check_of(page("a.example"), page("b.example"))
    assert (check.state, check.verdict, check.independent) == (ClaimState.CHECKED, Stance.AGREE, 2)
    assert {row.statement for row in check.rows} == {check.claim.text}
    assert check.why == "독립된 출처 2곳이 같은 내용을 말해요."


def test_one_that_differs_as_surely_contradicts():
    """Of two equally sure sources that disagree the claim is contradicted, and both are counted in words."""
    check = check_of(page("a.example"), page("b.example", SAYS_LESS))
    assert (check.verdict, check.independent) == (Stance.CONTRADICTS, 1)
    assert "일치 1곳 · 상충 1곳" in check.why


def test_a_later_value_is_a_change():
    """What a source from after the video says otherwise has changed since; the claim is not contradicted."""
    check = check_of(page("a.example"), page("c.example", SAYS_MORE, AFTER))
    assert (check.verdict, check.independent) == (Stance.CHANGED, 1)
    assert "일치 1곳 · 이후 변경 1곳" in check.why


def test_nothing_found_is_no_failure():
    """Where services answered and found nothing the claim is checked, cannot be told, and what was searched for is said."""
    check = check_of()
    assert (check.state, check.verdict, check.independent) == (ClaimState.CHECKED, Stance.CANNOT_TELL, 0)
    assert check.failure == "웹 검색에서 ‘HBM4 표준 대역폭 묶음 최대 2테라바이트’ 검색어로 찾아봤지만 관련 자료를 찾지 못했어요."


def test_nobody_to_ask_is_a_failure():
    """Where no service of the web answered the claim is not checked."""
    check = check_of(search=claim_search(ScriptedProvider("web", fails(SearchStatus.NETWORK_ERROR))))
    assert (check.state, check.verdict) == (ClaimState.FAILED, None)
    assert check.failure.startswith("웹 검색을 사용할 수 없어 확인하지 못했어요.")
