"""Parts of the page that checks a video: where marks stand, and which claims are in sight."""

from __future__ import annotations

from dataclasses import replace

from pages.parts.claims.claims_state import Choice
from pages.parts.claims.claims_view import _head, doubt_mark, kind_of, lanes_of
from pages.parts.shared.transcript_lines import Line
from search_core.domain.claim import Claim, ClaimCheck, ClaimMoment, ClaimsRequest, ClaimsRun, ClaimState
from search_core.domain.stance import Stance
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.presenting.claim_text import evidence_of
from search_core.search.presenting.dates import date_text
from tests.app.claims_double import NOW, checked, row

CLAIM = Claim(number=1, text="주장", moments=(ClaimMoment(10.0, 12.0, "말"),))


def test_marks_that_would_cover_each_other_stand_in_lanes():
    """The lowest lane that is free is taken, in the order of time, whatever the order given."""
    assert lanes_of([0.0, 2.0, 4.0, 50.0], 3.6) == [0, 1, 0, 0]
    assert lanes_of([2.0, 0.0, 1.0], 3.6) == [2, 0, 1]
    assert lanes_of([], 3.6) == []


def test_each_state_has_a_mark_of_its_own():
    """The web's verdict first, then own documents, then how far the check is."""
    assert kind_of(checked(CLAIM, Stance.CHANGED)) == "changed"
    assert kind_of(ClaimCheck(claim=CLAIM, state=ClaimState.FAILED, own_verdict=Stance.AGREE)) == "own_agree"
    states = {state: kind_of(ClaimCheck(claim=CLAIM, state=state)) for state in ClaimState if state is not ClaimState.CHECKED}
    assert list(states.values()) == ["waiting", "going", "going", "failed", "left_out"]


def test_a_claim_from_uncertain_speech_is_marked():
    """Where the recogniser is unsure of its words, and nowhere else."""
    heard = VideoContext(transcript=(TranscriptSegment(10.0, 12.0, "말", uncertain=True),))
    assert [bool(doubt_mark(CLAIM, video)) for video in (heard, VideoContext(), None)] == [True, False, False]


def test_an_undecided_claim_shows_its_nearest_sources_with_their_days():
    """Both stand on the card under what they are, with values that differ; a decided one has neither the name nor the days."""
    agreed = checked(CLAIM, Stance.AGREE)
    rows = tuple(row(place, Stance.CANNOT_TELL, quote=f"입출력 폭은 {place}비트다.") for place in (0, 1))
    run = ClaimsRun(id="r", request=ClaimsRequest(video=VideoContext(), claims=(CLAIM,)), created_at=NOW)
    days = [date_text(source.publish_date) for source in agreed.sources[:2]]
    for check, shown in ((replace(agreed, verdict=Stance.CANNOT_TELL, independent=0, rows=rows), True), (agreed, False)):
        head = _head(run, check, evidence_of(check.rows, check.sources, check.verdict).web)
        assert [text in head for text in ("가장 가까운 출처", *days)] == [shown] * 3


def test_a_time_read_off_in_whole_seconds_means_the_line_that_begins_then():
    """Not the one before, which is still being said as that second begins."""
    choice = Choice()
    choice.add(
        "설악산은 1,708미터다.", 62.0, (Line(46.17, "지리산은 넓습니다."), Line(62.19, "설악산의 높이는 1,807미터입니다."))
    )
    (moment,) = choice.claims[1].moments
    assert (moment.start_s, moment.quote) == (62.0, "설악산의 높이는 1,807미터입니다.")
