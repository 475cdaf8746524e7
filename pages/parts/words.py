"""Numbers and times as people say them."""

from __future__ import annotations

import math

from pages.parts import labels


def points(score: float | None) -> int | None:
    """Return a score in [0, 1] as 0–100, or None when there is none."""
    return None if score is None else round(min(1.0, max(0.0, score)) * 100)


def span(seconds: float) -> str:
    """Return a stretch of time as ``40초`` or, from a minute on and rounded up, ``2분``."""
    if seconds < 60:
        return labels.SPAN_SECONDS.format(count=math.ceil(seconds))
    return labels.SPAN_MINUTES.format(count=math.ceil(seconds / 60))
