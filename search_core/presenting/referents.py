"""A question with a name in the place of one of its pointing words."""

from __future__ import annotations

from search_core.domain import Referent
from search_core.korean.particles import join_particle


def name_referent(question: str, referent: Referent, name: str) -> str:
    """Return *question* with *name* where its pointing word stands, the particle behind it as the name asks for."""
    return question[: referent.start] + "".join(join_particle(name, question[referent.end :]))
