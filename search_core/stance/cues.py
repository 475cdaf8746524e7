"""Cues of ``data/cues.txt``: words and endings for or against a sentence being check-worthy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources

_FIRST, _LAST, _ENDINGS = 0xAC00, 0xD7A3, 28
"""The syllables of Hangul and how many each vowel has, as Unicode orders them."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words and endings that mean one thing in both languages."""

    name: str
    english: re.Pattern[str]
    korean: re.Pattern[str]

    def is_in(self, text: str, *, korean: bool) -> bool:
        """Return whether *text* holds the cue."""
        return (self.korean if korean else self.english).search(text) is not None


def _closed_by(ending: int, *, without: str = "") -> str:
    """Return the class of the syllables that close with the consonant of that number, in the order of Unicode."""
    return "[" + "".join(chr(code) for code in range(_FIRST + ending, _LAST + 1, _ENDINGS) if chr(code) not in without) + "]"


_PARTS = {
    "<WORD>": r"(?<![가-힣])",
    "<END>": r"[\s.!?…~]*$",
    "<N>": _closed_by(4),
    "<L>": _closed_by(8),
    "<B>": _closed_by(17),
    "<PAST>": _closed_by(20, without="있겠"),
}


def _compile(pattern: str) -> re.Pattern[str]:
    for name, part in _PARTS.items():
        pattern = pattern.replace(name, part)
    return re.compile(pattern, re.IGNORECASE)


def _read() -> tuple[Cue, ...]:
    written = resources.files(__package__).joinpath("data/cues.txt").read_text(encoding="utf-8")
    cues = []
    for block in written.split("\n\n")[1:]:
        name, english, korean = block.strip().splitlines()
        cues.append(Cue(name.strip("[]"), _compile(english.removeprefix("en ")), _compile(korean.removeprefix("ko "))))
    return tuple(cues)


CUES = _read()
"""Their weights are in ``data/worth.json``."""
