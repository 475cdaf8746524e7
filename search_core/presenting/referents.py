"""A question with a name in the place of one of its pointing words."""

from __future__ import annotations

import re

from search_core.domain import Referent
from search_core.korean.particles import with_particle

_REST_OF_WORD = re.compile(r"\S+")


def name_referent(question: str, referent: Referent, name: str) -> str:
    """Return *question* with *name* where its pointing word stands, the particle behind it as the name asks for."""
    glued = _REST_OF_WORD.match(question, referent.end)
    rest = question[glued.end() if glued else referent.end :]
    return f"{question[: referent.start]}{with_particle(name, glued[0]) if glued else name}{rest}"
