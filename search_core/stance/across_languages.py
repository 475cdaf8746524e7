"""How near in meaning sentences of two languages are, by a model that reads both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from search_core.text import korean

Nearness = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]] | None]
"""Returns how near in meaning each of some sentences is to each of others, in [0, 1]; None where no model sees that."""

SPEAKS_OF_IT = 0.7
"""Five of six translations of news sentences are as near, and of 300 unrelated sentences the nearest is for one in five."""
MAX_SENTENCES = 200
"""Foreign sentences of all sources that are embedded, in about a second."""


Similarities = Mapping[tuple[str, str], float]
"""By statement and sentence of the web how near the two are; only of those looked at."""


def similarities(nearness: Nearness | None, statements: Sequence[str], sources: Sequence[Sequence[str]]) -> Similarities:
    """Return how near to *statements* the sentences of *sources* in another language are; empty without a model."""
    found: dict[tuple[str, str], float] = {}
    most = max(1, MAX_SENTENCES // max(1, len(sources)))
    for hangul in (True, False):
        own = [text for text in dict.fromkeys(statements) if korean.has_hangul(text) == hangul]
        foreign = [[each for each in dict.fromkeys(some) if korean.has_hangul(each) != hangul][:most] for some in sources]
        found |= _near(nearness, own, [text for some in foreign for text in some])
    return found


def _near(nearness: Nearness | None, own: Sequence[str], others: Sequence[str]) -> dict[tuple[str, str], float]:
    rows = nearness(own, others) if nearness is not None and own and others else None
    return {
        (one, other): near for one, row in zip(own, rows or (), strict=False) for other, near in zip(others, row, strict=True)
    }
