"""An answer split into sentences and clauses, its code and quoted words masked.

A cue inside quotation marks or code is somebody else's word. Such stretches are masked letter by letter, so that every
position stays what it was in the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from search_core.text.sentences import sentence_spans

MASK = "\u25a0"
"""Stands for each letter of quoted words and code."""

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,300}`", re.DOTALL)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|‘[^’\n]{1,300}’|「[^」\n]{1,300}」|『[^』\n]{1,300}』|"
    r"«[^»\n]{1,300}»|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){1,200}'(?!\w)"
)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_CLAUSE_END = re.compile(
    (
        r"(?:,\s*+|(?<!\s)\s++[–—-]++\s++|—|;\s*+)(?=(?:but|however|though|yet)\b)|(?<!\s)\s++(?=(?:but|"
        r"however)\b(?!\s+not\s+limited))|;\s+|:\s+|,\s+(?=(?:so|and|as)\s+(?:i|we|my|no|the|there)\b|I\b|"
        r"it\b|the\b|there\b)|(?<=지만)[,\s]\s*|(?<=는데)[,\s]\s*|(?<=[은인]데)[,\s]\s*|(?<=으나)[,\s]\s*|"
        r"(?<=니다만)[,\s]\s*|(?<=니다),\s*"
    ),
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\W*(?:but|however|though|yet|nevertheless|that said|still|하지만|그러나|다만|그렇지만|그런데|그래도)\b", re.IGNORECASE
)
_CONCEDED = re.compile(r"(?:지만|는데|[은인]데|으나|니다만)[,\s]*$")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "＇": "'"})
_MARKUP = re.compile(r"[*_#]+")
_LONE_JAMO = re.compile(r"[ㄱ-ㅣ]+")
_SPACE = re.compile(r"\s+")
_HANGUL = re.compile(r"[가-힣]")
_LETTER = re.compile(rf"[^\W_]|{MASK}")


class Clause(NamedTuple):
    """One clause: ``text`` is normalized (NFC, straight apostrophes, lower case, no marks of emphasis) for matching."""

    text: str
    sentence: tuple[int, int]
    """Where its sentence stands in the answer."""
    contrasts: bool
    """True when its sentence is from here on set against what came before ("but …", "…지만 …")."""
    letters: int
    """How many letters and digits it has, those of quotes and code counted; a syllable of Hangul counts as two."""


def without_quotes(answer: str) -> str:
    """Return *answer* with the letters of its code, quotes and quoted lines masked; the length stays."""
    for pattern in (_CODE, _QUOTED_LINE, _QUOTED):
        answer = pattern.sub(_mask, answer)
    return answer


def clauses(answer: str) -> Iterator[Clause]:
    """Yield the clauses of *answer* in order; *answer* is masked text of a bounded length."""
    for start, end in sentence_spans(answer, inline_lists=True):
        contrasts = False
        for piece in _pieces(unicodedata.normalize("NFC", answer[start:end])):
            text = normalize(piece)
            letters = len(_LETTER.findall(text)) + len(_HANGUL.findall(text))
            if letters:
                contrasts = contrasts or _CONTRAST.match(text) is not None
                yield Clause(text, (start, end), contrasts, letters)
                contrasts = contrasts or _CONCEDED.search(text) is not None


def normalize(text: str) -> str:
    """Return *text* as cues are written: in small letters of one kind, with no emphasis and no laughter (ㅋㅋ)."""
    plain = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    return _SPACE.sub(" ", _LONE_JAMO.sub(" ", _MARKUP.sub("", plain))).strip().lower()


def _mask(found: re.Match[str]) -> str:
    return "".join(letter if letter.isspace() else MASK for letter in found[0])


def _pieces(sentence: str) -> Iterator[str]:
    start = 0
    for found in _CLAUSE_END.finditer(sentence):
        yield sentence[start : found.start()]
        start = found.end()
    yield sentence[start:]
