"""Whether a Korean and an English spelling can be the same name or loan word, by the sounds both scripts keep.

Korean writes foreign words by ear: it has one letter for p, b, f and v in most names' mouths, none for a silent r, and puts a
filler vowel after each lone consonant. Both spellings are therefore reduced to classes of consonants, which are compared, the
vowels helping little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

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
    bones = _VOWELS.sub("", sounds)
    if len(bones) < _SHORTEST:
        return []
    return [word for word in latin if _alike(sounds, bones, sounds_of_latin(word))]


def _alike(sounds: str, bones: str, other: str) -> bool:
    other_bones = _VOWELS.sub("", other)
    if abs(len(bones) - len(other_bones)) > 1 or len(other_bones) < _SHORTEST:
        return False
    allowed = 0 if len(bones) < 5 else 1
    if Levenshtein.distance(bones, other_bones, score_cutoff=allowed) > allowed:
        return False
    return Levenshtein.normalized_similarity(sounds, other) >= _VOWEL_LIKENESS
