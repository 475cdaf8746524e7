"""What a check came to in words, and which sources count."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain.claim import ClaimState
from search_core.domain.stance import Stance
from search_core.presenting.claim_text import (
    copies_text,
    evidence_of,
    independence_text,
    own_verdict_text,
    source_facts,
    verdict_text,
)
from tests.search_core.claims.export.exported import CHECKS, row

AGREE, CONTRADICTS, CHANGED, NOTHING, OWN, LEFT_OUT = CHECKS


def test_copies_stand_with_the_source_they_copy_and_the_speakers_own_apart():
    """Each story is one line; what the speaker's side published is another list, and says why."""
    found = evidence_of(AGREE)
    assert [(each.source.domain, len(each.copies)) for each in found.web] == [("jedec.example", 1), ("other.example", 0)]
    assert copies_text(found.web[0]) == "같은 글을 옮겼거나 한 회사에서 낸 1곳은 하나로 셌어요: copy.example"
    assert [each.uncounted for each in found.speakers] == ["영상 쪽에서 낸 글이라 세지 않았어요"]
    assert found.own == ()
    assert evidence_of(replace(AGREE, rows=(row(9, Stance.AGREE, "x"),))).web == (), "a row that an older version stored"
    check = replace(AGREE, verdict=Stance.CONTRADICTS, rows=(*AGREE.rows, row(2, Stance.CONTRADICTS, "1.6이다.", story=1)))
    assert next(each.row.stance for each in evidence_of(check).web) is Stance.CONTRADICTS, "what bears the verdict comes first"


def test_own_documents_are_named_and_are_not_the_web():
    """Samples are said to be samples, others are the reader's own; neither counts as an independent source."""
    assert own_verdict_text(OWN) == "내 자료(예시)에서는 상충"
    assert [each.source.title for each in evidence_of(OWN).own] == ["sample 기사"]
    mine = replace(OWN, sources=tuple(replace(each, collection="user") for each in OWN.sources))
    assert own_verdict_text(mine) == "내 자료에서는 상충"
    assert (verdict_text(OWN), independence_text(OWN)) == ("물어보지 못함", "")


def test_each_state_has_its_word():
    """A verdict is the word of its stance; nothing is called false."""
    assert [verdict_text(each) for each in (AGREE, CHANGED, NOTHING, LEFT_OUT)] == [
        "일치",
        "이후 변경",
        "확인 불가",
        "확인하지 않음",
    ]
    assert verdict_text(replace(LEFT_OUT, state=ClaimState.READING)) == "읽고 있어요"
    assert [independence_text(each) for each in (AGREE, NOTHING)] == ["독립된 출처 2곳", ""]


def test_a_source_says_when_it_appeared_and_what_was_read_of_it():
    """Before or after the video, where both dates are known."""
    assert source_facts(evidence_of(CHANGED).web[0]) == "later.example · 2026년 2월 1일 · 영상보다 나중 · 요약만 봄"
    undated = replace(
        CHANGED, sources=(replace(CHANGED.sources[0], publish_date=None),), rows=(row(0, Stance.CHANGED, "x", after=None),)
    )
    assert source_facts(evidence_of(undated).web[0]) == "later.example · 날짜 모름 · 요약만 봄"
