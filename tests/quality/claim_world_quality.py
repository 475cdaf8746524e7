"""How well claims of three labelled videos are offered and checked, and how plain pairs of sentences are told.

``claim_world.jsonl`` holds the videos, their claims and the pages that a search for each finds; its third video is kept aside
(``held``). ``plain_relations.jsonl`` holds sentences of a video with one of the web that plainly agrees, contradicts, is later,
adds, or tempts; a third of them is kept aside.
"""

from __future__ import annotations

from collections.abc import Sequence

from search_core.checking.claims import find_claims
from search_core.checking.verdicts.verdict import DECIDED
from search_core.domain.claim import Claim
from search_core.domain.stance import Stance
from tests.quality.claim_worlds import claim_worlds, labelled_videos
from tests.quality.judges import Judge, judges
from tests.quality.scope import SHIPPED
from tests.quality.scorers import LOAD_S, running_host
from tests.quality.sets import read_rows, share, share_or_all
from tests.quality.stance_quality import told_stance
from tests.quality.worlds_quality import NONE, Found, World, judge_world

DIFFERS = frozenset({Stance.CONTRADICTS, Stance.CHANGED})
_SILENT = (NONE, Stance.CANNOT_TELL)


def measure() -> dict[str, float]:
    """Return the figures of the rules alone and with the models that ship, and how many labelled claims are offered."""
    figures = {f"offered/{name}": value for name, value in _offered().items()}
    for judge in judges():
        worlds = [Found.of(world, judge_world(world, judge)) for world in claim_worlds()]
        place = "models" if judge.name else "rules"
        for side in ("tuned", "held"):
            found = _checked([each for each in worlds if each.world["side"] == side]) | _plain(judge, side)
            figures |= {f"{place}/{side}_{name}": value for name, value in found.items()}
    return {f"claim_world/{name}": value for name, value in figures.items()}


def _checked(found: Sequence[Found]) -> dict[str, float]:
    """Return the figures of claims that were checked on their pages."""
    figures = {"right": share(each.right for each in found)}
    for name, stances in (("agreements", {Stance.AGREE}), ("differences", DIFFERS)):
        told = [each for each in found if each.verdict in stances]
        figures[f"{name}_precision"] = share_or_all(each.world["verdict"] in stances for each in told)
        figures[f"{name}_recall"] = share(each in told for each in found if each.world["verdict"] in stances)
    undecided = [each for each in found if each.verdict not in DECIDED and any(_decides(page) for page in each.world["pages"])]
    figures["shown"] = share_or_all(any(_decides(each.world["pages"][row.source]) for row in each.rows) for each in undecided)
    figures["lookalikes_undecided"] = share(
        not any(row.source == place and row.stance in DECIDED for row in each.rows)
        for each in found
        for place, page in enumerate(each.world["pages"])
        if page.get("must_not_decide")
    )
    return figures


def _decides(page: World) -> bool:
    return page["says"] != NONE


def _plain(judge: Judge, side: str) -> dict[str, float]:
    """Return how many plain pairs of a side are told right, and how many are not told a stance that they do not have."""
    told = [(row["stance"], told_stance(judge, row)) for row in read_rows("plain_relations") if row["side"] == side]
    right = [stance == found or (stance in _SILENT and found in _SILENT) for stance, found in told]
    wrong = [found in DECIDED and stance != found for stance, found in told]
    return {"plain_right": share(right), "plain_not_wrong": 1 - share(wrong)}


def _offered() -> dict[str, float]:
    """Return how many labelled claims are offered, certain or not; nothing where the model does not load."""
    figures: dict[str, float] = {}
    with running_host(SHIPPED) as host:
        if host is None:
            return figures
        embedder, ends = host.wait(LOAD_S), host.sentence_ends.odds_or_none
        lists = {}
        for video in labelled_videos():
            found = find_claims(video.context, embedder, ends=ends, within_s=float("inf"))
            lists[video.name] = (*found.claims, *found.less_certain)
    for side in ("tuned", "held"):
        rows = [world for world in claim_worlds() if world["side"] == side]
        figures[side] = share(_holds(lists[row["video"]], row) for row in rows)
    return figures


def _holds(claims: Sequence[Claim], row: World) -> bool:
    """Return whether one of *claims* is said during most of the sentence of *row*."""
    start, end = row["start_s"], row["end_s"]
    spans = ((moment.start_s, moment.end_s) for claim in claims for moment in claim.moments)
    return any(min(last, end) - max(first, start) > (end - start) / 2 for first, last in spans)
