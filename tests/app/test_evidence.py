"""What sources say of a statement beside what the video says: which are shown, and what is marked."""

from __future__ import annotations

from dataclasses import replace

from pages.parts.shared import evidence
from pages.parts.shared.evidence import Quotation
from search_core.domain.stance import Stance
from tests.app.chat_double import COMPARISON, HOSTILE, STRANGER

ROW = COMPARISON.rows[0]


def quotation(stance: Stance, story: int, quote: str = "대역폭은 1.6배로 늘었다.", **more: str) -> Quotation:
    row = replace(ROW, stance=stance, source=story, independent_of=story, quote=quote)
    return Quotation(**{"row": row, "name": f"출처 {story}", "url": f"https://{story}.example/", "facts": "2026년", **more})


def test_the_strongest_bears_the_verdict_and_is_faced_by_what_opposes_it():
    """Of one story no two are shown, nothing that does not count or that quotes nothing; what opposes goes before a second."""
    agree, copy, too = quotation(Stance.AGREE, 0), quotation(Stance.AGREE, 0), quotation(Stance.AGREE, 1)
    differs, adds = quotation(Stance.CONTRADICTS, 2), quotation(Stance.ADDS, 3)
    restates, mute = quotation(Stance.AGREE, 4, uncounted="세지 않아요"), quotation(Stance.AGREE, 5, quote=" ")
    everything = (restates, mute, adds, agree, copy, too, differs)
    assert evidence.choose_strongest(everything, Stance.AGREE) == (agree, differs)
    assert evidence.choose_strongest((agree, copy, too, adds), Stance.AGREE) == (agree, too)
    assert evidence.choose_strongest((agree, copy, adds), Stance.AGREE) == (agree,)
    assert evidence.choose_strongest((adds,), Stance.CANNOT_TELL) == (adds,)
    assert evidence.choose_strongest((restates, mute), Stance.CANNOT_TELL) == ()


def test_what_differs_is_marked_on_both_sides():
    """The numbers stand out in bold on a ground of their own, the rest as it was, with its spaces."""
    said, found = evidence.pair_markdown("매출은 12조 원입니다.", [quotation(Stance.CONTRADICTS, 0, "매출은 9조 원이다.")]).split(
        "\n- "
    )
    assert said == "- :small[:gray[:material/movie: 영상]]  \n  “매출은 :orange-background[**12조 원**]입니다\\.”"
    assert found == (
        ":red-badge[:material/warning: 상충] :small[[출처 0](https://0.example/)\u00a0:gray[· 2026년]]  \n"
        "  “매출은 :orange-background[**9조 원**]이다\\.”"
    )


def test_a_line_holds_values_against_each_other():
    """Of what settles it those that differ, else equal ones; else the source's sentence, with its name and year."""
    source = ":small[([출처 0](https://0.example/), 2023)]"
    said = "점유율은 36.8퍼센트입니다."
    lines = {
        quote: evidence.line(said, quotation(Stance.AGREE, 0, quote, year="2023")) for quote in ("36.8%다.", "31%다.", "크다.")
    }
    assert evidence.line(said, quotation(Stance.CANNOT_TELL, 0, "31%다.")).startswith(":small[:gray[웹]] “31\\%다\\.”")
    assert lines == {
        "36.8%다.": f":small[:gray[영상]] **36\\.8퍼센트** ↔ :small[:gray[웹]] **36\\.8\\%** {source}",
        "31%다.": f":small[:gray[영상]] **36\\.8퍼센트** ↔ :small[:gray[웹]] **31\\%** {source}",
        "크다.": f":small[:gray[웹]] “크다\\.” {source}",
    }


def test_a_fold_is_bounded():
    """What is too much is counted, why a source does not count stands with it, and a note is text."""
    many = [quotation(Stance.AGREE, place, uncounted="세지 않아요", note=HOSTILE) for place in range(evidence.MAX_ROWS + 2)]
    written = evidence.others_markdown(many)
    assert written.count("세지 않아요") == evidence.MAX_ROWS
    assert "그 밖에 2곳" in written
    assert [trap for trap in ("![", "](javascript", f"]({STRANGER}") if trap in written] == []
