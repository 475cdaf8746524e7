"""The same word in the other script: by a glossary and a dictionary; names and loan words by sound."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product, starmap

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from search_core.language import data_lines
from search_core.language.korean.morphemes import PREDICATE_TAGS, has_hangul
from search_core.language.korean.sounds import consonants, hangul_sound, latin_sounds
from search_core.language.words import LATIN, Word, stem

_HANGUL_WORD = re.compile(r"[가-힣]{2,}")
_LATIN_WORD = re.compile(r"[a-z]{3,}")
_SHORTEST = 3
"""Consonants that a word must have to be compared by sound; two are equal by chance too often."""
_MAY_DIFFER = 5
"""If a word has this many consonants, one of them may differ or be missing in the other word."""
_LEAST_ALIKE = {3: 73.0, 4: 60.0, 5: 55.0}
"""Least similarity of the sounds of two words in percent, by their number of consonants (5 stands for more, too).

Chosen on 1,400 translated sentences; with less than 73, 국장 would match "question".
"""
_Spoken = tuple[str, str]
"""The sound of a word, and the consonants of that sound."""


def sounding_like(word: str, others: Iterable[str]) -> list[str]:
    """Return which of *others*, words in the other script, may be *word* by their sound."""
    return [other for other in others if _sound_alike(word, other)] if _sounds_of(word) else []


@lru_cache(maxsize=8_192)
def _sound_alike(word: str, other: str) -> bool:
    return any(starmap(_alike, product(_sounds_of(word), _sounds_of(other))))


@lru_cache(maxsize=32_768)
def _sounds_of(word: str) -> tuple[_Spoken, ...]:
    """Return the possible sounds of a word in either script; none for other text or too few consonants."""
    sounds: tuple[str, ...] = ()
    if _HANGUL_WORD.fullmatch(word):
        sounds = (hangul_sound(word),)
    elif _LATIN_WORD.fullmatch(word):
        sounds = latin_sounds(word)
    spoken = ((sound, consonants(sound)) for sound in sounds)
    return tuple(sound for sound in spoken if len(sound[1]) >= _SHORTEST)


def _alike(one: _Spoken, other: _Spoken) -> bool:
    """Return whether two sounds can be the same word."""
    (sound, bones), (other_sound, other_bones) = one, other
    allowed = int(max(len(bones), len(other_bones)) >= _MAY_DIFFER)
    if Levenshtein.distance(bones, other_bones, score_cutoff=allowed) > allowed:
        return False
    shared = min(len(bones), len(other_bones), _MAY_DIFFER)
    return fuzz.ratio(sound, other_sound) >= _LEAST_ALIKE[shared]


_NAME_TAGS = frozenset({"NNG", "NNP"})
_VERBS = PREDICATE_TAGS - {"MAG"}
_MOST_SENSES = 12
"""A Korean word with more meanings in the dictionary is not translated by it, as most would be wrong."""


def equivalents(asked: Sequence[Word], vocabulary: Iterable[Word], *, any_sense: bool = False) -> dict[int, set[str]]:
    """Return by position in *asked* the forms in *vocabulary* that are the same word in the other script.

    Words that are in *vocabulary* themselves get their equivalents, too. The glossary has everyday words in their usual sense;
    *any_sense* adds the dictionary's translations in any sense, which helps to find texts but not to judge them.
    """
    vocabulary = set(vocabulary)
    latin = {word.form for word in vocabulary if word.tag == LATIN}
    hangul = {word.form for word in vocabulary if word.tag in _NAME_TAGS}
    equals: dict[int, set[str]] = {}
    for number, word in enumerate(asked):
        if word.tag == LATIN:
            forms = (_glossary()[1].get(word.form, frozenset()) & hangul).union(sounding_like(word.form, hangul))
            if any_sense:
                entries = _meaning(word.form)
                forms |= {other.form for other in vocabulary if _entry(other) in entries}
        elif latin and has_hangul(word.form):
            forms = _glossary()[0].get(word.form, frozenset()) & latin
            if any_sense:
                forms |= _senses(word) & latin
            if word.tag in _NAME_TAGS and not forms:
                forms = _loans(word, latin) or frozenset(sounding_like(word.form, latin))
        else:
            continue
        if forms:
            equals[number] = set(forms)
    return equals


def _loans(word: Word, latin: set[str]) -> frozenset[str]:
    """Return the words of *latin* that the dictionary gives for *word* and that share its consonants."""
    bones = {sound for _, sound in _sounds_of(word.form)}
    return frozenset(other for other in _senses(word) & latin if not bones.isdisjoint(sound for _, sound in _sounds_of(other)))


def is_translated(word: Word) -> bool:
    """Return whether the glossary has a translation of *word*."""
    return word.form in _glossary()[1 if word.tag == LATIN else 0]


def which_name_any(asked: Sequence[Word], texts: Sequence[Sequence[Word]]) -> list[bool | None]:
    """Return for each text, given as words, whether it contains any of the *asked* words, in either script.

    All results are None if no *asked* word can be translated.
    """
    words = [word for word in asked if is_translated(word) or _senses(word)]
    if not words:
        return [None] * len(texts)
    others = equivalents(words, {word for said in texts for word in said}, any_sense=True)
    forms = {word.form for word in words}.union(*others.values())
    return [any(word.form in forms for word in said) for said in texts]


@lru_cache(maxsize=4_096)
def _meaning(english: str) -> frozenset[str]:
    """Return the Korean headwords of the dictionary that may mean *english*, an English stem."""
    begun = english[:-1]  # the last letter of a stem may be its own: "happi"
    return frozenset(entry for entry, words in _dictionary().items() if begun in words and english in _stems(entry))


def _senses(word: Word) -> frozenset[str]:
    """Return the English stems of a Korean word's meanings; none if it has too many, or is in another script."""
    return _stems(_entry(word))


def _entry(word: Word) -> str:
    """Return the headword under which the dictionary has *word*: for a verb, its stem with 다."""
    return word.form + "다" if word.tag in _VERBS else word.form


@lru_cache(maxsize=65_536)
def _stems(entry: str) -> frozenset[str]:
    stems = frozenset(map(stem, _dictionary().get(entry, "").split()))
    return stems if len(stems) <= _MOST_SENSES else frozenset()


@cache
def _dictionary() -> dict[str, str]:
    """Return the dictionary: Korean headwords, predicates ending in 다, each with its English words."""
    entries = (line.partition(" ") for line in data_lines("dictionary.txt"))
    return {korean_word: english_words for korean_word, _, english_words in entries}


@cache
def _glossary() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the glossary from Korean to English stems and from English stems to Korean."""
    to_english: defaultdict[str, set[str]] = defaultdict(set)
    to_korean: defaultdict[str, set[str]] = defaultdict(set)
    for line in data_lines("glossary.txt"):
        korean_words, *english_words = line.split()
        for korean_word in korean_words.split("/"):
            for english_word in map(stem, english_words):
                to_english[korean_word].add(english_word)
                to_korean[english_word].add(korean_word)
    return (
        {word: frozenset(others) for word, others in to_english.items()},
        {word: frozenset(others) for word, others in to_korean.items()},
    )
