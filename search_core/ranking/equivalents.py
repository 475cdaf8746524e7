"""The same word in the other script: by a small glossary and a dictionary, names and loan words by their sound.

Korean writes foreign words by ear: it has one letter for p, b, f and v in most names' mouths, none for a silent r, and puts a
filler vowel after each lone consonant. Both spellings are therefore reduced to classes of consonants, which are compared, the
vowels helping little.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from rapidfuzz.distance import Levenshtein

from search_core.text.korean.morphemes import PREDICATE_TAGS, has_hangul
from search_core.text.words import LATIN, Word, stem

_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_ONSETS = "KKNTTRMPPSS-JJJKTPH"
_NUCLEI = "aeaeoeoeoaeeouoeiuuii"
_CODAS = "-KKKNNNTRKMPRRPRMPPSSNJJKTPH"
_FILLER = 18
"""The vowel ㅡ, which Korean puts after lone consonants."""
_LATIN_RULES = (
    (r"tion\b", "SN"),
    (r"ture\b", "JR"),
    (r"sch|sh", "S"),
    (r"tch|ch", "J"),
    (r"ph", "P"),
    (r"th", "S"),
    (r"gh", ""),
    (r"kn", "N"),
    (r"wr", "R"),
    (r"ck|cc", "K"),
    (r"qu", "K"),
    (r"x", "KS"),
    (r"c(?=[eiy])", "S"),
    (r"g(?=[eiy])", "J"),
    (r"ng(?![aeiou])", "N"),
    (r"r(?![aeiouy])", ""),
    (r"[ckgq]", "K"),
    (r"[dt]", "T"),
    (r"[bfpv]", "P"),
    (r"[jz]", "J"),
    (r"s", "S"),
    (r"[lr]", "R"),
    (r"m", "M"),
    (r"n", "N"),
    (r"h", "H"),
    (r"[wy]", ""),
)
_DOUBLED = re.compile(r"(.)\1+")
_VOWELS = re.compile(r"[a-z]")
_HANGUL_WORD = re.compile(r"[가-힣]{2,}")
_LATIN_WORD = re.compile(r"[a-z]{3,}")
_SHORTEST = 3
"""Consonants a pair must share; two are shared by chance too often."""
_VOWEL_LIKENESS = 0.5


@lru_cache(maxsize=16_384)
def sounds_of_hangul(word: str) -> str:
    """Return the sounds of a Korean word: consonant classes in capitals, vowels small; empty for anything else."""
    if not _HANGUL_WORD.fullmatch(word):
        return ""
    sounds = []
    for syllable in word:
        index = ord(syllable) - _FIRST_SYLLABLE
        onset, nucleus, coda = index // 588, index % 588 // 28, index % 28
        sounds += [_ONSETS[onset], "" if nucleus == _FILLER else _NUCLEI[nucleus], _CODAS[coda]]
    return _DOUBLED.sub(r"\1", "".join(sounds).replace("-", ""))


@lru_cache(maxsize=16_384)
def sounds_of_latin(word: str) -> str:
    """Return the sounds of an English word in the same classes; empty for anything else."""
    if not _LATIN_WORD.fullmatch(word):
        return ""
    for pattern, sound in _LATIN_RULES:
        word = re.sub(pattern, sound, word)
    return _DOUBLED.sub(r"\1", re.sub(r"[aeiou]+", lambda vowels: vowels.group()[0], word))


def sounding_like(hangul: str, latin: Iterable[str]) -> list[str]:
    """Return the words of *latin* that may be *hangul* as its own language spells it."""
    sounds = sounds_of_hangul(hangul)
    if len(_bones(sounds)) < _SHORTEST:
        return []
    return [word for word in latin if _alike(sounds, sounds_of_latin(word))]


def written_like(latin: str, hangul: Iterable[str]) -> list[str]:
    """Return the words of *hangul* that may be *latin* as Korean writes it."""
    sounds = sounds_of_latin(latin)
    if len(_bones(sounds)) < _SHORTEST:
        return []
    return [word for word in hangul if _alike(sounds_of_hangul(word), sounds)]


@lru_cache(maxsize=16_384)
def _bones(sounds: str) -> str:
    return _VOWELS.sub("", sounds)


def _alike(sounds: str, other: str) -> bool:
    """Return whether the *sounds* of a Korean word and those of a Latin one are the same word."""
    bones, other_bones = _bones(sounds), _bones(other)
    if abs(len(bones) - len(other_bones)) > 1 or min(len(bones), len(other_bones)) < _SHORTEST:
        return False
    allowed = 0 if len(bones) < 5 else 1
    if Levenshtein.distance(bones, other_bones, score_cutoff=allowed) > allowed:
        return False
    return Levenshtein.normalized_similarity(sounds, other) >= _VOWEL_LIKENESS


_NAME_TAGS = frozenset({"NNG", "NNP"})
_VERBS = PREDICATE_TAGS - {"MAG"}
_MOST_SENSES = 12
"""A Korean word with more of them in the dictionary mostly means something else than the one that a text happens to hold."""


def equivalents(asked: Sequence[Word], vocabulary: Iterable[Word], *, any_sense: bool = False) -> dict[int, set[str]]:
    """Return for each number in *asked* the forms of *vocabulary* that are the same word in the other script.

    A word whose own form is in *vocabulary* gets its equivalents all the same. The glossary knows everyday words in their usual
    sense; with *any_sense* those count, too, that the dictionary has for any sense of a word: good for finding, not for deciding.
    """
    vocabulary = set(vocabulary)
    latin = {word.form for word in vocabulary if word.tag == LATIN}
    hangul = {word.form for word in vocabulary if word.tag in _NAME_TAGS}
    found: dict[int, set[str]] = {}
    for number, word in enumerate(asked):
        if word.tag == LATIN:
            forms = (_glossary()[1].get(word.form, frozenset()) & hangul).union(written_like(word.form, hangul))
            if any_sense:
                forms |= _meaning(word.form, vocabulary)
        elif latin and has_hangul(word.form):
            forms = _glossary()[0].get(word.form, frozenset()) & latin
            if any_sense:
                forms |= _senses(word) & latin
            forms |= set(sounding_like(word.form, latin)) if word.tag in _NAME_TAGS and not forms else set()
        else:
            continue
        if forms:
            found[number] = set(forms)
    return found


def is_translated(word: Word) -> bool:
    """Return whether the glossary knows *word* in the other language."""
    return word.form in _glossary()[1 if word.tag == LATIN else 0]


def which_name_any(asked: Sequence[Word], texts: Sequence[Sequence[Word]]) -> list[bool | None]:
    """Return for each text, by its words, whether it names any of *asked* in its own script.

    All are None where no translation of any is known.
    """
    known = [word for word in asked if is_translated(word) or _senses(word)]
    if not known:
        return [None] * len(texts)
    forms = set().union(*_forms_in(known, texts))
    return [any(word.form in forms for word in said) for said in texts]


def count_names_missing(asked: Sequence[Word], texts: Sequence[Sequence[Word]]) -> list[int]:
    """Return for each text, by its words, how many names of *asked* it lacks in either script.

    A Korean name counts only if its translation is known: how it is spelt in Latin letters does not always follow from its sound.
    """
    names = [word for word in asked if word.tag == LATIN or (word.tag == "NNP" and (is_translated(word) or _senses(word)))]
    forms = _forms_in(names, texts)
    return [sum(each.isdisjoint(word.form for word in said) for each in forms) for said in texts]


def _forms_in(asked: Sequence[Word], texts: Sequence[Sequence[Word]]) -> list[set[str]]:
    """Return for each of *asked* the forms in which any of *texts* may name it, its own among them."""
    found = equivalents(asked, {word for said in texts for word in said}, any_sense=True)
    return [{word.form} | found.get(number, set()) for number, word in enumerate(asked)]


def _meaning(english: str, vocabulary: Iterable[Word]) -> set[str]:
    """Return the forms of *vocabulary* that may mean the word of the stem *english*; few entries are stemmed to find out."""
    begun, entries = english[:-1], _dictionary()  # the last letter of a stem may be its own: "happi"
    return {word.form for word in vocabulary if begun in entries.get(_entry(word), "") and english in _senses(word)}


def _senses(word: Word) -> frozenset[str]:
    """Return the English stems of all that a Korean word means; none for one with too many meanings, or of another script."""
    return _stems(_entry(word))


def _entry(word: Word) -> str:
    """Return what the dictionary calls *word*."""
    return word.form + "다" if word.tag in _VERBS else word.form


@lru_cache(maxsize=65_536)
def _stems(entry: str) -> frozenset[str]:
    stems = frozenset(map(stem, _dictionary().get(entry, "").split()))
    return stems if len(stems) <= _MOST_SENSES else frozenset()


@cache
def _dictionary() -> dict[str, str]:
    """Return the dictionary: Korean words, verbs and adjectives with 다, and the English words for each, between spaces."""
    text = files("search_core.ranking").joinpath("data/dictionary.txt").read_text(encoding="utf-8")
    entries = (line.partition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {korean_word: english_words for korean_word, _, english_words in entries}


@cache
def _glossary() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the glossary from Korean to English stems and from English stems to Korean."""
    to_english: defaultdict[str, set[str]] = defaultdict(set)
    to_korean: defaultdict[str, set[str]] = defaultdict(set)
    text = files("search_core.ranking").joinpath("data/glossary.txt").read_text(encoding="utf-8")
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
