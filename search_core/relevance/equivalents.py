"""The same word in the other script: by a small glossary of everyday words, names and loan words by their sound."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from search_core.relevance.sounds import sounding_like
from search_core.relevance.words import LATIN, Word, stem

_NAME_TAGS = frozenset({"NNG", "NNP"})
_HANGUL = re.compile(r"[가-힣]")


def equivalents(asked: Sequence[Word], vocabulary: Iterable[Word]) -> dict[int, set[str]]:
    """Return for each number in *asked* the forms of *vocabulary* that are the same word in the other script.

    A word whose own form is in *vocabulary* gets its equivalents all the same.
    """
    latin = {word.form for word in vocabulary if word.tag == LATIN}
    hangul = {word.form for word in vocabulary if word.tag in _NAME_TAGS}
    found: dict[int, set[str]] = {}
    for number, word in enumerate(asked):
        if word.tag == LATIN:
            forms = (_glossary()[1].get(word.form, frozenset()) & hangul) | {
                form for form in hangul if sounding_like(form, (word.form,))
            }
        elif latin and _HANGUL.search(word.form):
            forms = _glossary()[0].get(word.form, frozenset()) & latin
            forms |= set(sounding_like(word.form, latin)) if word.tag in _NAME_TAGS and not forms else set()
        else:
            continue
        if forms:
            found[number] = set(forms)
    return found


def is_translated(word: Word) -> bool:
    """Tell whether the glossary knows *word* in the other language."""
    return word.form in _glossary()[1 if word.tag == LATIN else 0]


@cache
def _glossary() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the glossary from Korean to English stems and from English stems to Korean."""
    to_english: defaultdict[str, set[str]] = defaultdict(set)
    to_korean: defaultdict[str, set[str]] = defaultdict(set)
    text = files("search_core.relevance").joinpath("data/glossary.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        korean_words, *english_words = line.split()
        for korean_word in korean_words.split("/"):
            for english_word in map(stem, english_words):
                to_english[korean_word].add(english_word)
                to_korean[english_word].add(korean_word)
    return (
        {word: frozenset(others) for word, others in to_english.items()},
        {word: frozenset(others) for word, others in to_korean.items()},
    )
