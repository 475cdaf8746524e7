"""The small worlds, and what is measured on them."""

from __future__ import annotations

import pytest

from search_core.domain.stance import Judge, Stance, StanceRow
from tests.quality.claim_worlds import claim_worlds, labelled_videos
from tests.quality.sets import read_rows
from tests.quality.worlds_quality import Found, borne_out, shares


@pytest.mark.parametrize(("worlds", "count"), [(read_rows("worlds"), 30), (claim_worlds(), 45)])
def test_worlds_say_what_their_verdicts_are(worlds, count):
    """Later words decide, only pages from after the video change it, and a page holds what it is quoted for."""
    assert len(worlds) == count
    for world in worlds:
        said = {page["says"] for page in world["pages"]} - {"none"}
        decided = next((stance for stance in ("changed", "contradicts", "agree", "adds") if stance in said), "cannot_tell")
        assert world["verdict"] == decided, world["id"]
        assert all(page["date"] > world["date"] for page in world["pages"] if page["says"] == "changed"), world["id"]
        assert all(page["quote"] in page["text"] for page in world["pages"] if page["says"] != "none"), world["id"]


def test_labelled_sentences_stand_where_they_are_said():
    """A video's sentences, in its segments one after another, are its words; at least fifty of them are worth a check."""
    videos = labelled_videos()
    for video in videos:
        assert " ".join(each.text for each in video.context.transcript) == " ".join(each.text for each in video.sentences)
    assert sum(each.worth is True for video in videos for each in video.sentences) >= 50


WORLD = {"side": "held", "verdict": "contradicts", "pages": [{"says": "contradicts"}, {"says": "none"}]}


def found(verdict: Stance, *said: tuple[int, Stance, Judge]) -> Found:
    """Return what a judge made of the world by rows of these sources."""
    rows = tuple(
        StanceRow(
            moment_s=0.0,
            statement="",
            stance=stance,
            source=source,
            quote="",
            date=None,
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
    right = found(Stance.CONTRADICTS, (0, Stance.CONTRADICTS, Judge.RULES), (1, Stance.ADDS, Judge.RULES))
    assert shares([swapped, right]) == {"right": 0.5, "held_right": 0.5, "not_swapped": 0.5, "pages_right": 0.5}
    assert borne_out([swapped, right]) == {"borne_out": 0.75}
    assert found(Stance.AGREE, (1, Stance.AGREE, Judge.RULES)).wrong_rows == 1
