"""Texts as sentences, and without the invisible characters by which words can be hidden or reversed.

Signs decide where a sentence ends: Kiwi's splitter takes fifty times as long and leaves English whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

MIN_CHARS = 6
"""Shortest piece that ``sentences_of`` returns; shorter ones are headings and buttons."""
_CLOSING = r"[\"”’'」』)\]*_]*"
_CITED = r"(?:[^\S\n]*\[\d[\d ,]*\])*"
_END = re.compile(
    rf"(?<![.!?。！？…])[.!?。！？…]+{_CLOSING}{_CITED}(?=\s|$)"
    rf"|[。！？]+{_CLOSING}"
    r"|(?<=[가-힣]{2})[.!?](?=[가-힣A-Z])"  # "없습니다.그래서"
    r"|\n"
)
_CLOSED = re.compile(r"[.!?。！？…][\"'”’)\]]*$")
_ABBREVIATION = re.compile(r"\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Sen|Gov|vs|No|Inc|Co|Corp|Ltd|Jr|Sr)\.$")
_ABBREVIATION_CHARS = 8
_OPENING_NUMBER = re.compile(r"\W{0,9}\d{1,3}\.")
_NUMBER = re.compile(r"\b\d{1,3}\.$")
_LIST_MARK = re.compile(r"(?<=\s)[·•|]\s")


def sentence_spans(text: str, *, inline_lists: bool = False) -> Iterator[tuple[int, int]]:
    """Yield the span of each sentence in *text*, with quotation marks and citations after its full stop.

    The end of a line always ends a sentence; the full stop of a list number at the start of a sentence does not, nor with
    *inline_lists* that of any list number ("two ways: 1. … 2. …"). Every character but white space is in exactly one span.
    """
    start = 0
    for sign in _END.finditer(text):
        if not _is_short_form(text, start, sign.end(), inline_lists=inline_lists):
            yield from _trim(text, start, sign.end())
            start = sign.end()
    yield from _trim(text, start, len(text))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of *text* as written, without pieces that have neither letters nor digits."""
    pieces = (text[start:end] for start, end in sentence_spans(text))
    return [piece for piece in pieces if any(char.isalnum() for char in piece)]


def sentences_of(text: str, most: int) -> tuple[str, ...]:
    """Return the first *most* sentences and list items of *text*, each on one line, without short ones and duplicates."""
    lines = _LIST_MARK.sub("\n", text)
    pieces = (" ".join(lines[start:end].split()) for start, end in islice(sentence_spans(lines), 2 * most + 1))
    return tuple(dict.fromkeys(piece for piece in pieces if len(piece) >= MIN_CHARS))[:most]


def shorten(text: str, most: int) -> str:
    """Return *text*, shortened to *most* characters with "…" if it is longer."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def ends_sentence(text: str) -> bool:
    """Return whether *text* ends with a sentence's final punctuation."""
    return _CLOSED.search(text) is not None


def _trim(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if stripped := piece.strip():
        start += piece.index(stripped[0])
        yield start, start + len(stripped)


def _is_short_form(text: str, start: int, end: int, *, inline_lists: bool) -> bool:
    """Return whether the full stop before *end* belongs to an abbreviation or a list number."""
    place = max(start, end - _ABBREVIATION_CHARS)
    if _ABBREVIATION.search(text, place, end) or _OPENING_NUMBER.fullmatch(text, start, end):
        return True
    return inline_lists and _NUMBER.search(text, place, end) is not None


_HANGUL_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Invisible Hangul letters, used to hide or pad text; visible single letters are not among them."""
_JOINER = "\u200d"


def visible(text: str) -> str:
    """Return *text* in NFC without controls, zero-width and direction marks, fillers, surrogates and non-characters.

    Line breaks stay, any other white space character becomes a space, and a joiner between two emoji stays.
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
