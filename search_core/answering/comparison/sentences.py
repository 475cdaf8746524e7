"""Texts in sentences, with bounds."""

from __future__ import annotations

import re

MIN_CHARS = 6
"""Shorter pieces are headings and buttons."""
_END = re.compile(r"(?<=[.!?。！？])[\"”’')\]]*\s+|(?<=[。！？])|\n+|(?<=\s)[·•|]\s")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|St|vs|No|Inc|Co|Corp|Ltd|Jr|Sr|e\.g|i\.e|U\.S))\.$")

_ABBREVIATION_CHARS = 12


def sentences_of(text: str, most: int) -> tuple[str, ...]:
    """Return the first *most* sentences of *text*, without pieces shorter than ``MIN_CHARS``, doubles dropped."""
    joined: list[str] = []
    for piece in _END.split(text):
        plain = " ".join(piece.split())
        if joined and _ABBREVIATION.search(joined[-1][-_ABBREVIATION_CHARS:]):
            joined[-1] = f"{joined[-1]} {plain}"
        elif plain:
            joined.append(plain)
        if len(joined) > 2 * most:
            break
    return tuple(dict.fromkeys(piece for piece in joined if len(piece) >= MIN_CHARS))[:most]
