"""Text without invisible characters, which pages and models can use to hide words or reverse them."""

from __future__ import annotations

import unicodedata

_HANGUL_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters without shape, used to hide or pad text; real jamo stay."""
_JOINER = "\u200d"


def visible(text: str) -> str:
    """Return *text* in NFC without controls, zero-width and direction marks, fillers, surrogates and non-characters.

    Lines stay, other white space becomes a space each, and a joiner between two emoji stays.
    """
    if not text.isprintable() or not _HANGUL_FILLERS.isdisjoint(text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = "".join(_visible_char(text, place) for place in range(len(text)))
    return unicodedata.normalize("NFC", text)


def _visible_char(text: str, place: int) -> str:
    char = text[place]
    if char == "\n" or char.isalnum():
        return "" if char in _HANGUL_FILLERS else char
    if char.isspace():
        return " "
    if char == _JOINER:
        return char if 0 < place < len(text) - 1 and _is_emoji(text[place - 1]) and _is_emoji(text[place + 1]) else ""
    if char in _HANGUL_FILLERS or ord(char) & 0xFFFE == 0xFFFE:  # the last two of each plane are no characters, and not for XML
        return ""
    return "" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


def _is_emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk") or char == "\ufe0f"
