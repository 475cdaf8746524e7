"""How well claims of three labelled videos are offered and checked, and how plain pairs of sentences are told.

``claim_world.jsonl`` was written for this project by somebody who had looked neither at the judge nor at what it makes of this:
a regional news programme as a speech recogniser gives it (without punctuation, segments cut where time is up), a lecture and a
talk show as captions. All is invented, or general knowledge. The third video is kept aside (``held``). Rows are of three kinds:

* ``video``: ``transcript`` as it was given;
* ``page``: an article, a release, a paragraph of an encyclopedia or a blog post;
* ``claim``: what was ``said`` and when, the ``claim`` as it is understood in its video, the ``verdict`` that the pages of its
  search come to, and for each of these pages what it ``says`` and the sentence it rests on (``quote``). ``must_not_decide`` marks
  look-alikes: another town, lake, person, year, month or generation; ``quote`` is then the sentence that tempts.

A page that a claim does not name is beside its point, or says no more than one that it names. ``plain_relations.jsonl`` holds
sentences of a video with one of the web that plainly agrees, contradicts, is later, adds, or tempts; a third is kept aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from search_core.checking.claims.finder import find_claims
from search_core.checking.verdicts.verdict import DECIDED
from search_core.domain.claim import Claim
from search_core.domain.stance import Stance
from search_core.domain.video import VideoContext
from tests.quality.scope import Scope
from tests.quality.scorers import LOAD_S, Judge, judges, running_host
from tests.quality.sets import read_day, read_rows, segments_of, share, share_or_all, under
from tests.quality.stances_quality import SIDES, judge_pair
from tests.quality.worlds_quality import NONE, JudgedWorld, World, is_same, judge_world

DIFFERS = frozenset({Stance.CONTRADICTS, Stance.CHANGED})


def measure(_: Scope) -> dict[str, float]:
    """Return the figures of the rules alone and with the models that ship, and how many labelled claims are offered."""
    figures = under("claim_world/offered", _offered())
    for judge in judges():
        for side in SIDES:
            worlds = [JudgedWorld.of(world, judge_world(world, judge)) for world in claim_worlds(side)]
            shares = {f"{side}_{name}": value for name, value in (_checked(worlds) | _plain(judge, side)).items()}
            figures |= under(f"claim_world/{'models' if judge.name else 'rules'}", shares)
    return figures


def _checked(judged: Sequence[JudgedWorld]) -> dict[str, float]:
    """Return the figures of claims that were checked on their pages."""
    figures = {"right": share(each.right for each in judged)}
    for name, stances in (("agreements", {Stance.AGREE}), ("differences", DIFFERS)):
        decided = [each for each in judged if each.verdict in stances]
        figures[f"{name}_precision"] = share_or_all(each.world["verdict"] in stances for each in decided)
        figures[f"{name}_recall"] = share(each in decided for each in judged if each.world["verdict"] in stances)
    undecided = [each for each in judged if each.verdict not in DECIDED and any(map(_decides, each.world["pages"]))]
    figures["shown"] = share_or_all(any(_decides(each.world["pages"][row.source]) for row in each.rows) for each in undecided)
    figures["lookalikes_undecided"] = share(
        not any(row.source == place and row.stance in DECIDED for row in each.rows)
        for each in judged
        for place, page in enumerate(each.world["pages"])
        if page.get("must_not_decide")
    )
    return figures


def _decides(page: World) -> bool:
    return page["says"] != NONE


def _plain(judge: Judge, side: str) -> dict[str, float]:
    """Return the share of plain pairs of a side that are judged right, and the share that get no wrong verdict."""
    pairs = [(row["stance"], judge_pair(judge, row)) for row in read_rows("plain_relations") if row["side"] == side]
    return {
        "plain_right": share(is_same(right, stance) for right, stance in pairs),
        "plain_not_wrong": share(stance not in DECIDED or stance == right for right, stance in pairs),
    }


def _offered() -> dict[str, float]:
    """Return how many labelled claims are offered, certain or not; nothing where the model does not load."""
    with running_host() as host:
        if host is None:
            return {}
        embedder, ends = host.wait(LOAD_S), host.sentence_end_odds
        offered = {}
        for name, video in labelled_videos().items():
            lists = find_claims(video, embedder, ends=ends, within_s=float("inf"))
            offered[name] = (*lists.claims, *lists.less_certain)
    return {side: share(_holds(offered[row["video"]], row) for row in claim_worlds(side)) for side in SIDES}


def _holds(claims: Sequence[Claim], row: World) -> bool:
    """Return whether one of *claims* covers more than half of the time of *row*."""
    start, end = row["start_s"], row["end_s"]
    spans = ((moment.start_s, moment.end_s) for claim in claims for moment in claim.moments)
    return any(min(last, end) - max(first, start) > (end - start) / 2 for first, last in spans)


def labelled_videos() -> dict[str, VideoContext]:
    """Return the three videos by name."""
    return {
        name: VideoContext(
            title=row["title"],
            channel=row["channel"],
            published_at=read_day(row["date"]),
            transcript=segments_of(row["transcript"]),
        )
        for name, row in _rows("video").items()
    }


def claim_worlds(side: str) -> list[dict[str, Any]]:
    """Return the claims of a *side* (``tuned`` or ``held``) with their pages, in the form of ``worlds.jsonl``."""
    videos, pages = _rows("video"), _rows("page")
    return [
        {
            **claim,
            "title": videos[claim["video"]]["title"],
            "date": videos[claim["video"]]["date"],
            "pages": [{**pages[found["page"]], **found} for found in claim["pages"]],
        }
        for claim in _rows("claim").values()
        if videos[claim["video"]]["aside"] is (side == "held")
    ]


@cache
def _rows(record: str) -> dict[str, World]:
    return {row["id"]: row for row in read_rows("claim_world") if row["record"] == record}
