"""Foreign texts: which are, and the sentences of one that stand for it, whole and in its language.

Nothing is translated, so nothing can be translated wrongly; they are labelled as the original wherever they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from search_core.domain import SearchResult
from search_core.korean import detect_language
from search_core.presenting.wording import one_line
from search_core.sentences import ends_sentence, shorten, split_sentences

MAX_QUOTE_CHARS = 300
"""Two sentences are shown where both together are no longer; of a longer run without a full stop, the beginning is."""
MIN_QUOTE_CHARS = 25
NEAR_BEST = 0.6
"""Share of the best sentence's score from which another one is shown with it."""
MAX_COMPARED = 6
"""Sentences of a text that are held against the question: each costs as much as a short result."""
MOSTLY = 2 / 3
"""Of the letters of a text, so many in sentences without a Korean word make it a foreign one."""
MAX_READ_CHARS = 2000
"""Snippets are short; a longer text names its subject at its beginning."""

_MAX_REMEMBERED = 2048
_CUT_OFF = ("…", "...")
_KOREAN_WORD = re.compile(r"[가-힣]+")


def foreign_language(result: SearchResult) -> str:
    """Return the ISO 639-1 code of a foreign result, or an empty string for a Korean one and one without letters.

    A text is foreign, too, when most of it is sentences without a Korean word: a Korean text full of Latin names has one in each.
    """
    found = detect_language(f"{result.title} {result.snippet}")
    if found == "ko":
        found = _mostly_foreign(result.title, result.snippet) or found
    if found in ("", "ko"):
        return ""
    return result.language if result.language not in ("", "ko") else found


@lru_cache(maxsize=_MAX_REMEMBERED)
def _mostly_foreign(title: str, snippet: str) -> str:
    """Return the language of the foreign sentences of a text where they are most of it, or an empty string."""
    sentences = [sentence for text in (title, snippet) for sentence in split_sentences(one_line(text)[:MAX_READ_CHARS])]
    foreign = [sentence for sentence in sentences if not _KOREAN_WORD.search(sentence)]
    if sum(map(len, foreign)) < MOSTLY * sum(map(len, sentences)):
        return ""
    return detect_language(" ".join(foreign))


@lru_cache(maxsize=_MAX_REMEMBERED)
def korean_sentences(text: str) -> tuple[str, ...]:
    """Return the Korean sentences of a foreign *text*, letter for letter and in order.

    A sentence with two Korean words or more counts: a foreign one that quotes Korean is kept with what it quotes, one that only
    holds only a name in Korean is not.
    """
    return tuple(dict.fromkeys(sentence for sentence in split_sentences(text) if len(_KOREAN_WORD.findall(sentence)) > 1))


def quotable_sentences(snippet: str) -> tuple[str, ...]:
    """Return the first whole sentences of *snippet* that are long enough to carry information, or where none is, any."""
    sentences = split_sentences(" ".join(snippet.split())[:MAX_READ_CHARS])
    telling = [sentence for sentence in sentences if len(sentence) >= MIN_QUOTE_CHARS] or sentences
    whole = [sentence for sentence in telling if ends_sentence(sentence) and not sentence.endswith(_CUT_OFF)]
    return tuple(whole or telling)[:MAX_COMPARED]


def best_sentences(snippet: str, scores: Sequence[float] = ()) -> str:
    """Return the one or two ``quotable_sentences`` of *snippet* with the highest *scores*, as they are and in their order.

    Without scores the first ones stand for it. Empty for a snippet without a sentence.
    """
    sentences = quotable_sentences(snippet)
    if not sentences:
        return ""
    worth = scores or [1.0] * len(sentences)
    best, *next_best = sorted(range(len(sentences)), key=lambda place: (-worth[place], place))[:2]
    if next_best and worth[next_best[0]] >= NEAR_BEST * worth[best]:
        one, two = (sentences[place] for place in sorted((best, *next_best)))
        together = f"{one} {two}" if f"{one} {two}" in " ".join(snippet.split()) else f"{one} … {two}"
        if len(together) <= MAX_QUOTE_CHARS:
            return together
    return shorten(sentences[best], MAX_QUOTE_CHARS)
