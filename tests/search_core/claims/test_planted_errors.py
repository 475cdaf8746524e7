"""The sample video with planted errors, as a demo without a key and without a network meets it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from search_core.core import SearchCore
from search_core.domain import ClaimsEnded, ClaimsRequest, ClaimsStatus, ClaimState, Stance
from search_core.presenting.claim_text import own_verdict_text
from search_core.settings import Settings

EXPECTED = {
    "설악산의 높이는 1,807미터입니다.": Stance.CONTRADICTS,
    "북한산의 높이는 936미터입니다.": Stance.CONTRADICTS,
    "우리나라의 국립공원은 22곳입니다.": Stance.CHANGED,
    "지리산의 높이는 1,915미터입니다.": Stance.AGREE,
}


def test_sample_documents_find_them_and_are_not_the_web(tmp_path: Path):
    """Found in the video, each is held against sample documents; the run says that the web could not be asked."""
    settings = Settings(maekrak_data_dir=tmp_path, search_providers="library", embedding_model="kiwi")
    with closing(SearchCore.from_settings(settings)) as core:
        video = core.samples()[-1]
        found = core.find_claims(video).claims
        planted = tuple(claim for claim in found if claim.moments[0].quote in EXPECTED)
        run_id = core.claims.start(ClaimsRequest(video=video, claims=planted)).id
        events = [event for _, event in core.claims.events(run_id, "")]
        run = core.claims.get(run_id, "")
    assert isinstance(events[-1], ClaimsEnded)
    assert run.status is ClaimsStatus.FAILED
    assert {check.claim.moments[0].quote: check.own_verdict for check in run.checks} == EXPECTED
    assert {(check.state, check.verdict, check.independent) for check in run.checks} == {(ClaimState.FAILED, None, 0)}
    assert all(own_verdict_text(check).startswith("내 자료(예시)에서는 ") for check in run.checks)
