"""Numbers and times as people say them."""

from __future__ import annotations

import math

from pages.parts import labels


def span(seconds: float) -> str:
    """Return a stretch of time as ``40초`` or, from a minute on and rounded up, ``2분``."""
    if seconds < 60:
        return labels.SPAN_SECONDS.format(count=math.ceil(seconds))
    return labels.SPAN_MINUTES.format(count=math.ceil(seconds / 60))


def weight(count: int) -> str:
    """Return a number of bytes as ``470MB`` or, from a thousand of those on, ``1.2GB``; less than one counts as one."""
    megabytes = math.ceil(count / 1e6)
    return labels.GIGABYTES.format(count=f"{count / 1e9:,.1f}") if megabytes >= 1000 else labels.MEGABYTES.format(count=megabytes)
