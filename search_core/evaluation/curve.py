"""Precision and recall over the threshold."""

from __future__ import annotations

from dataclasses import dataclass

from search_core.evaluation.labels import ScoredLabels
from search_core.evaluation.promise import CUTS
from search_core.evaluation.resampling import Figure, share_over_searches


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """What a threshold shows."""

    threshold: float
    shown: int
    judged: int
    """How many of the results shown are judged."""
    relevant: int
    """How many of these are relevant."""
    precision: Figure
    """Share of the relevant among the judged results shown."""
    recall: Figure
    """Share of the relevant results found that are shown."""


def threshold_curve(labels: ScoredLabels) -> tuple[CurvePoint, ...]:
    """Return a point for each threshold that the sidebar knows, lowest first."""
    found = labels.per_search(labels.relevant)
    points = []
    for cut in map(float, CUTS[::-1]):
        shown = labels.shown(cut)
        judged, relevant = labels.per_search(shown & labels.judged), labels.per_search(shown & labels.relevant)
        points.append(
            CurvePoint(
                threshold=cut,
                shown=int(shown.sum()),
                judged=int(judged.sum()),
                relevant=int(relevant.sum()),
                precision=share_over_searches(relevant, judged),
                recall=share_over_searches(relevant, found),
            )
        )
    return tuple(points)
