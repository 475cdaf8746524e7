"""What is searched for when a claim's own words find nothing."""

from __future__ import annotations

from search_core.answering.comparison.claim import amounts_in, claim_text
from search_core.query import QueryConstructor

LEAST_WORDS = 2


def second_query(text: str, constructor: QueryConstructor) -> str:
    """Return *text* without its values, which pages that give other ones do not hold, else a broader query; may be empty.

    Times stay: without them another question is answered.
    """
    plain = claim_text(text)
    figures = amounts_in(plain, None).figures
    for figure in sorted(figures, key=lambda figure: -figure.start):
        plain = f"{plain[: figure.start]} {plain[figure.end :]}"
    if figures and len(plain.split()) >= LEAST_WORDS:
        return " ".join(plain.split())
    return next(iter(constructor.generate_fallback_queries(text)), "")
