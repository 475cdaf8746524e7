from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from search_core.claims.difference import compare_checks
from search_core.domain import Claim, ClaimCheck, ClaimMoment, ClaimsRun, ClaimState, Stance
from tests.search_core.claims.acting import CLAIMS, REQUEST, checked, source_of

BEFORE, AFTER = datetime(2026, 9, 1, tzinfo=UTC), datetime(2026, 11, 22, tzinfo=UTC)
CHECKS = tuple(checked(claim, "") for claim in CLAIMS)


def run(*checks: ClaimCheck, at: datetime = AFTER) -> ClaimsRun:
    request = replace(REQUEST, claims=tuple(check.claim for check in checks))
    return replace(ClaimsRun.begin("r", request, at), checks=checks)


def test_a_changed_verdict_comes_first():
    """The summary says when the earlier run was, and names the claim to look at first, or that nothing has changed."""
    same = compare_checks(run(*CHECKS, at=BEFORE), run(*CHECKS))
    assert same.nothing
    assert same.summary == "2026년 9월 1일 확인과 견줬어요. 달라진 것이 없어요."
    turned = replace(CHECKS[0], verdict=Stance.CHANGED)
    found = compare_checks(run(*CHECKS, at=BEFORE), run(turned, *CHECKS[1:]))
    assert [(change.before, change.after, change.what) for change in found.verdicts] == [(CHECKS[0], turned, "일치 → 이후 변경")]
    assert found.summary.endswith(
        "판단이 바뀐 주장 1개가 있어요. 먼저 볼 것: “메모리 반도체 가격이 15% 올랐다.” (일치 → 이후 변경)."
    )


def test_claims_and_sources_come_and_go():
    """A claim that only one run has is new or gone; a source is new by its address, however that is written."""
    known = CHECKS[1].sources[0]
    again = replace(known, url=f"{known.url}?utm_source=x", title="제목이 바뀐 글")
    fresh = source_of(CLAIMS[5], None)
    later = replace(CHECKS[1], sources=(again, fresh))
    found = compare_checks(run(CHECKS[0], CHECKS[1], at=BEFORE), run(later, CHECKS[2]))
    assert [check.claim for check in found.new] == [CLAIMS[2]]
    assert [check.claim for check in found.gone] == [CLAIMS[0]]
    assert [(each.check.claim, each.sources) for each in found.sources] == [(CLAIMS[1], (fresh,))]
    assert not found.verdicts


def test_claims_match_by_moment_and_quote_or_by_nearly_equal_words():
    """Numbers and order may differ, wording and seconds, too; 15 % and 50 % are never one claim, even at one moment."""
    moment = ClaimMoment(10.2, 15.0, "석 달 연속 늘었어요")
    one = checked(Claim(number=1, text="수출이 석 달째 증가했다.", moments=(moment,)), "")
    other = checked(Claim(number=4, text="한국의 수출은 세 달 내리 커졌다.", moments=(replace(moment, start_s=9.9),)), "")
    near, nearer = (
        checked(Claim(number=2, text=text), "") for text in ("정부가 세액 공제를 올렸다", "정부가 세액 공제를 올렸다.")
    )
    found = compare_checks(run(one, near, at=BEFORE), run(nearer, other))
    assert (found.new, found.gone) == ((), ())
    fifteen, fifty = (ClaimCheck(claim=Claim(number=1, text=f"가격이 {rise}% 올랐다.", moments=(moment,))) for rise in (15, 50))
    found = compare_checks(run(fifteen, at=BEFORE), run(fifty))
    assert (found.new, found.gone) == ((fifty,), (fifteen,))


def test_what_was_not_checked_is_not_compared():
    """A failed check is no verdict: such claims are counted in the summary and change nothing."""
    failed = ClaimCheck(claim=CLAIMS[0], state=ClaimState.FAILED)
    found = compare_checks(run(*CHECKS[:2], at=BEFORE), run(failed, CHECKS[1]))
    assert (found.nothing, found.uncompared) == (True, 1)
    assert found.summary.endswith("주장 1개는 한쪽에서 확인하지 못해 견주지 않았어요.")
