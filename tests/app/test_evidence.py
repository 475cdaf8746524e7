"""What sources say of a statement beside what the video says: which are shown, and what is marked."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pages.parts.shared import evidence
from search_core.domain.claim import ClaimSource
from search_core.domain.stance import Stance
from search_core.search.presenting.claim_text import RESTATES, Evidence
from tests.app.chat_double import COMPARISON, HOSTILE, STRANGER

ROW = COMPARISON.rows[0]


def said(stance: Stance, story: int, quote: str = "대역폭은 1.6배로 늘었다.", **more: object) -> Evidence:
    row = replace(ROW, stance=stance, source=story, independent_of=story, quote=quote, date=None, after_video=None)
    return Evidence(row, ClaimSource(title=f"출처 {story}", url=f"https://{story}.example/", domain="", **more))


def test_the_strongest_bears_the_verdict_and_is_faced_by_what_opposes_it():
    """Of one story no two are shown, nothing that does not count or that quotes nothing; what opposes goes before a second."""
    agree, copy, too = said(Stance.AGREE, 0), said(Stance.AGREE, 0), said(Stance.AGREE, 1)
    differs, adds = said(Stance.CONTRADICTS, 2), said(Stance.ADDS, 3)
    restates, mute = said(Stance.AGREE, 4, speakers_own=True), said(Stance.AGREE, 5, quote=" ")
    everything = (restates, mute, adds, agree, copy, too, differs)
    assert evidence.choose_strongest(everything, Stance.AGREE) == (agree, differs)
    assert evidence.choose_strongest((agree, copy, too, adds), Stance.AGREE) == (agree, too)
    assert evidence.choose_strongest((agree, copy, adds), Stance.AGREE) == (agree,)
    assert evidence.choose_strongest((adds,), Stance.CANNOT_TELL) == (adds,)
    assert evidence.choose_strongest((restates, mute), Stance.CANNOT_TELL) == ()


def test_what_differs_is_marked_on_both_sides():
    """The numbers stand out in bold on a ground of their own, the rest as it was, with its spaces."""
    source = said(Stance.CONTRADICTS, 0, "매출은 9조 원이다.")
    spoken, found = evidence.pair_markdown("매출은 12조 원입니다.", [source]).split("\n- ")
    assert spoken == "- :small[:gray[:material/movie: 영상]]  \n  “매출은 :orange-background[**12조 원**]입니다\\.”"
    assert found == (
        ":red-badge[:material/warning: 상충] :small[[출처 0](https://0.example/)\u00a0"
        ":gray[· 날짜\u00a0모름\u00a0· 요약만\u00a0봄]]  \n"
        "  “매출은 :orange-background[**9조 원**]이다\\.”"
    )


def test_a_line_holds_values_against_each_other():
    """Of what settles it those that differ, else equal ones; else the source's sentence, with its name and year."""
    source = ":small[([출처 0](https://0.example/), 2023)]"
    spoken = "점유율은 36.8퍼센트입니다."
    lines = {
        quote: evidence.line(spoken, said(Stance.AGREE, 0, quote, publish_date=datetime(2023, 5, 1, tzinfo=UTC)))
        for quote in ("36.8%다.", "31%다.", "크다.")
    }
    assert evidence.line(spoken, said(Stance.CANNOT_TELL, 0, "31%다.")).startswith(":small[:gray[웹]] “31\\%다\\.”")
    assert lines == {
        "36.8%다.": f":small[:gray[영상]] **36\\.8퍼센트** ↔ :small[:gray[웹]] **36\\.8\\%** {source}",
        "31%다.": f":small[:gray[영상]] **36\\.8퍼센트** ↔ :small[:gray[웹]] **31\\%** {source}",
        "크다.": f":small[:gray[웹]] “크다\\.” {source}",
    }


def test_a_fold_is_bounded():
    """What is too much is counted, why a source does not count stands with it, and a note is text."""
    many = [said(Stance.AGREE, place, speakers_own=True) for place in range(evidence.MAX_ROWS + 2)]
    copied = (ClaimSource(title=HOSTILE, url="https://copy.example/", domain=""),)
    written = evidence.others_markdown([replace(item, copies=copied) for item in many])
    assert written.count(RESTATES) == evidence.MAX_ROWS
    assert "그 밖에 2곳" in written
    assert [trap for trap in ("![", "](javascript", f"]({STRANGER}") if trap in written] == []
