"""Two sentences in two languages: a model sees whether they speak of the same, the rules what of it can be checked.

A model puts "lasts ten hours" as near to "takes ten hours to charge" as to its translation, so nearness alone settles nothing:
the values of the statement must all be there, and no word whose translation is known may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from search_core.ranking.equivalents import is_translated
from search_core.stance.alignment import SAYS_NOTHING
from search_core.stance.claim import Claim
from search_core.stance.missing_support import words_missing
from search_core.text import korean

Nearness = Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]] | None]
"""Returns how near in meaning each of some sentences is to each of others, in [0, 1]; None where no model sees that."""

MAX_SENTENCES = 200
"""Foreign sentences of all sources that are embedded, in about a second."""


Similarities = Mapping[tuple[str, str], float]
"""By statement and sentence of the web how near the two are, or what the sentence rules on; only of those looked at."""


def similarities(
    nearness: Nearness | None, statements: Sequence[str], sources: Sequence[Sequence[str]], ruled: Mapping[str, str]
) -> Similarities:
    """Return how near to *statements* the sentences of *sources* in another language are, and in any what is *ruled* on.

    *ruled* has by its sentence what that rules on. Empty without a model.
    """
    found: dict[tuple[str, str], float] = {}
    most = max(1, MAX_SENTENCES // max(1, len(sources)))
    for hangul in (True, False):
        own = [text for text in dict.fromkeys(statements) if korean.has_hangul(text) == hangul]
        foreign = [[each for each in dict.fromkeys(some) if korean.has_hangul(each) != hangul][:most] for some in sources]
        found |= _near(nearness, own, [text for some in foreign for text in some])
    near_of = _near(nearness, statements, list(dict.fromkeys(ruled.values()))[:MAX_SENTENCES])
    asked = ((one, quote, content) for one in statements for quote, content in ruled.items())
    return found | {(one, quote): near_of[one, content] for one, quote, content in asked if (one, content) in near_of}


def _near(nearness: Nearness | None, own: Sequence[str], others: Sequence[str]) -> dict[tuple[str, str], float]:
    rows = nearness(own, others) if nearness is not None and own and others else None
    return {
        (one, other): near for one, row in zip(own, rows or (), strict=False) for other, near in zip(others, row, strict=True)
    }


def lacks_translation(statement: Claim, web: Claim) -> bool:
    """Return whether either sentence has a word whose translation is known and missing in the other."""
    return any(
        is_translated(word) and word.form not in SAYS_NOTHING
        for claim, other in ((statement, web), (web, statement))
        for missing in [words_missing(claim, other)]
        for word in claim.words
        if word.form in missing
    )
