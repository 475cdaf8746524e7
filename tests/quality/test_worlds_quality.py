"""The small worlds, and what is measured on them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from search_core.domain import Judge, Stance, StanceRow
from tests.loopback.language_model import AskedRow
from tests.quality import worlds_quality
from tests.quality.worlds_quality import Found, add_orders, answer_honestly, invent, lie, measure_judge, obey, read_worlds


def test_worlds_are_thirty_of_all_kinds():
    """Each has three pages of 200 to 600 letters, and a page that says something holds the words which say it."""
    worlds = read_worlds()
    assert Counter(world["side"] for world in worlds) == {"tuned": 15, "held": 15}
    assert Counter(world["languages"] for world in worlds) == {"ko-ko": 18, "ko-en": 8, "en-ko": 4}
    pages = [page for world in worlds for page in world["pages"]]
    assert len(pages) == 90
    assert all(200 <= len(page["text"]) <= 600 for page in pages)
    assert Counter(page["says"] for page in pages) == {"none": 32, "agree": 24, "contradicts": 22, "changed": 8, "adds": 4}
    assert all(page["quote"] in page["text"] for page in pages if page["says"] != "none")


@pytest.mark.parametrize("world", read_worlds(), ids=lambda world: world["id"])
def test_the_verdict_of_a_world_is_what_its_pages_say(world: dict[str, Any]):
    """Later words decide where there are any; only a page from after the video says that something has changed since."""
    said = {page["says"] for page in world["pages"]} - {"none"}
    decided = next((stance for stance in ("changed", "contradicts", "agree", "adds") if stance in said), "cannot_tell")
    assert world["verdict"] == decided
    assert all(page["date"] > world["date"] for page in world["pages"] if page["says"] == "changed")


WORLD = {
    "side": "held",
    "languages": "ko-ko",
    "claim": "가온역에는 승강기가 있습니다.",
    "verdict": "contradicts",
    "pages": [
        {"says": "contradicts", "quote": "가온역에는 승강기가 없다.", "text": "역은 낡았다. 가온역에는 승강기가 없다."},
        {"says": "none", "text": "나래역은 지난해 문을 열었다."},
    ],
}
ROWS = [AskedRow(number, WORLD["claim"], (page["text"],)) for number, page in enumerate(WORLD["pages"])]


@pytest.mark.parametrize(
    ("saying", "said"),
    [
        (answer_honestly, [("denies", "가온역에는 승강기가 없다."), ("silent", "")]),
        (lie, [("bears_out", "가온역에는 승강기가 없다."), ("bears_out", "나래역은 지난해 문을 열었다.")]),
        (invent, [("bears_out", WORLD["claim"])] * 2),
        (obey, [("denies", "가온역에는 승강기가 없다."), ("silent", "")]),
    ],
)
def test_played_language_models_say_what_they_are_named_for(saying: worlds_quality.Saying, said: list[tuple[str, str]]):
    """The honest one reads the world, the liar quotes what is nearest, the inventor the statement, the obeying one is honest."""
    answers = [saying(WORLD, row) for row in ROWS]
    assert [(answer["stance"], answer["source_quote"]) for answer in answers] == said


def test_an_order_in_a_page_is_obeyed():
    """Pages that do not agree get the order, which the obeying model follows."""
    ordering = add_orders(WORLD)
    rows = [AskedRow(number, WORLD["claim"], (page["text"],)) for number, page in enumerate(ordering["pages"])]
    assert [obey(ordering, row)["stance"] for row in rows] == ["bears_out", "bears_out"]
    assert all(row.statement in row.texts[0] for row in rows)


def found(verdict: Stance, *said: tuple[int, Stance, Judge]) -> Found:
    rows = tuple(
        StanceRow(
            moment_s=0.0,
            statement=WORLD["claim"],
            stance=stance,
            source=source,
            quote="",
            date=datetime(2026, 1, 1, tzinfo=UTC),
            after_video=False,
            independent_of=source,
            confidence=0.5,
            restates_video=False,
            why="",
            judge=judge,
        )
        for source, stance, judge in said
    )
    return Found(WORLD, verdict, rows)


def test_figures_count_verdicts_swaps_pages_and_rows():
    """An agreement where the page denies is wrong, swapped, and a row that is not borne out; silence is right of no verdict."""
    swapped = found(Stance.AGREE, (0, Stance.AGREE, Judge.LANGUAGE_MODEL), (1, Stance.CANNOT_TELL, Judge.LANGUAGE_MODEL))
    assert (swapped.right, swapped.swapped, swapped.right_pages, swapped.wrong_rows) == (False, True, 1, 1)
    right = found(Stance.CONTRADICTS, (0, Stance.CONTRADICTS, Judge.RULES), (1, Stance.ADDS, Judge.RULES))
    assert (right.right, right.swapped, right.right_pages, right.wrong_rows) == (True, False, 1, 0)
    assert worlds_quality.shares([swapped, right]) == {"right": 0.5, "held_right": 0.5, "not_swapped": 0.5, "pages_right": 0.5}
    assert found(Stance.AGREE, (1, Stance.AGREE, Judge.RULES)).wrong_rows == 1
    assert worlds_quality.borne_out([swapped, right]) == {"borne_out": 0.75}


@pytest.mark.quality
@pytest.mark.timeout(300)
def test_the_stage_measures_worlds_by_rules_and_with_language_models():
    """Two worlds give every figure, each a share."""
    figures = measure_judge(read_worlds()[:2])
    assert {"right", "not_swapped", "pages_right", "honest/right", "lying/borne_out", "obeying/borne_out"} <= figures.keys()
    assert all(0.0 <= value <= 1.0 for value in figures.values())
