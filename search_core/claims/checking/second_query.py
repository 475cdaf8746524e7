"""What is searched for when a claim's own words find nothing."""

from __future__ import annotations

import re

from search_core.query import QueryConstructor
from search_core.stance.claim import amounts_in, claim_text

LEAST_WORDS = 2
_PARTICLES = re.compile(r"^(?:은|는|이|가|을|를|의|으?로|과|와|도|만|에|에서|까지|부터)(?=\s)")
"""What hangs on a value and on nothing when it is gone: "4천만 명을 넘었다"."""


def second_query(text: str, constructor: QueryConstructor) -> str:
    """Return *text* without its values, which pages that give other ones do not hold, else a broader query; may be empty.

    Times stay: without them another question is answered.
    """
    plain = claim_text(text)
    figures = amounts_in(plain, None).figures
    for figure in sorted(figures, key=lambda figure: -figure.start):
        plain = f"{plain[: figure.start]} {_PARTICLES.sub('', plain[figure.end :])}"
    if figures and len(plain.split()) >= LEAST_WORDS:
        return " ".join(plain.split())
    return next(iter(constructor.generate_fallback_queries(text)), "")
