"""Texts as content words for matching, fast enough for a thousand results.

Kiwi reads whole sentences best, but spends a millisecond on each result. Ranking reads word by word instead (a word is what
stands between spaces) and remembers each word it has seen: results on one question share most of theirs. On the development sets
this ranks as well as reading sentences.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

import snowballstemmer  # type: ignore[import-untyped]  # ships no types

from search_core import korean
from search_core.korean.morphemes import NOUN_TAGS, PREDICATE_TAGS, kiwi
from search_core.runtime import in_turns

_CONTENT_TAGS = NOUN_TAGS | PREDICATE_TAGS
_KEPT_WORDS = 60_000
"""About 30 MB: the vocabulary of some thousand result lists."""
_LONGEST_WORD = 60
"""Longer runs without a space are addresses and encoded data."""
LATIN = "SL"
_HALVES = re.compile("[\ud800-\udfff]")


class Word(NamedTuple):
    """One content morpheme: its form in lower case (Latin words as stems), Kiwi's tag and its number in Kiwi's model."""

    form: str
    tag: str
    number: int


_seen: dict[str, tuple[Word, ...]] = {}
_stemmers = threading.local()
"""A stemmer of Snowball keeps the word at hand in itself: one for each thread."""


def words_of(texts: Iterable[str]) -> list[list[Word]]:
    """Return the content words of each text in order, doubles kept; words not seen before are analysed together."""
    split = [readable(text).split() for text in texts]
    known = _content_words(dict.fromkeys(piece[:_LONGEST_WORD] for pieces in in_turns(split) for piece in pieces))
    return [[word for piece in pieces for word in known[piece[:_LONGEST_WORD]]] for pieces in in_turns(split)]


def _content_words(pieces: Iterable[str]) -> dict[str, tuple[Word, ...]]:
    """Return the content words of each piece; a copy, for another search may be forgetting old words meanwhile."""
    known = {piece: words for piece in pieces if (words := _seen.get(piece)) is not None}
    unseen = [piece for piece in pieces if piece not in known]
    if unseen:
        for piece, tokens in in_turns(zip(unseen, kiwi().tokenize(unseen), strict=True)):
            known[piece] = _seen[piece] = tuple(
                Word(stem(token.form), LATIN, token.id) if token.tag == LATIN else Word(token.form.lower(), token.tag, token.id)
                for token in tokens
                if token.tag in _CONTENT_TAGS
            )
    return known


def forget_old_words() -> None:
    """Drop the words learnt longest ago when too many are remembered."""
    surplus = len(_seen) - _KEPT_WORDS
    if surplus > 0:
        for piece in list(islice(_seen, surplus + _KEPT_WORDS // 4)):
            _seen.pop(piece, None)


def readable(text: str) -> str:
    """Return *text* in Unicode NFC without halves of surrogate pairs, which pages hold and neither Kiwi nor a model can read."""
    return _HALVES.sub("\ufffd", korean.normalize(text))


def stem(word: str) -> str:
    """Return an English word in lower case without its inflection (Snowball's English stemmer)."""
    if not hasattr(_stemmers, "english"):
        _stemmers.english = snowballstemmer.stemmer("english")
    return str(_stemmers.english.stemWord(word.lower()))


def forms(words: Sequence[Word]) -> list[str]:
    """Return the bare forms of *words*."""
    return [word.form for word in words]
